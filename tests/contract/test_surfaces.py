"""The ways to the bot beside messages, in this process: whoever may not is told, and nothing else happens."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from local_slack.testing import (
    ANA,
    BEN,
    BOT,
    DM_OF,
    EXTERNAL,
    GENERAL,
    GUEST,
    MIRA,
    PARTNERS,
    PRODUCT,
    SALES,
    SlackServer,
    slack_server,
)
from tests.bot_here import bot_here
from tests.cases import cases
from tests.e2e.conversation import Conversation, answer_to

NAMES = {
    "ANA": ANA, "BEN": BEN, "MIRA": MIRA, "GUEST": GUEST, "EXTERNAL": EXTERNAL,
    "GENERAL": GENERAL, "PRODUCT": PRODUCT, "SALES": SALES, "PARTNERS": PARTNERS, "DM": DM_OF[BEN],
}  # fmt: skip
WORKSPACE = {"owners": [MIRA], "allow_guests": False}
QUESTION = "how many apps do we have?"
JOINED = "C0JOINED"


@pytest.fixture(scope="module")
def slack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlackServer]:
    folder = tmp_path_factory.mktemp("surfaces")
    with slack_server("--manifest", "manifest.yml") as server, bot_here(server, folder, WORKSPACE):
        yield server


def heard(slack: SlackServer, user: str, before: int) -> str:
    return str(slack.wait_for(lambda: slack.ephemerals(user)[before:], "a word", timeout=60)[0]["text"])


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("surfaces.jsonl")))
def test_a_command_is_refused_in_words_for_its_author_alone(slack: SlackServer, case: dict[str, Any]) -> None:
    who, channel = NAMES[case["who"]], NAMES[case["in"]]
    before, said = len(slack.ephemerals(who)), len(slack.messages(channel))
    if "fault" in case:
        slack.fault(*case["fault"], **case.get("facts", {}))
    slack.command(who, channel, "/data", case["text"])
    assert heard(slack, who, before).startswith(case["hears"])
    assert len(slack.messages(channel)) == said


def test_an_answer_goes_only_by_the_hand_of_its_asker_or_an_owner(slack: SlackServer) -> None:
    thread = Conversation(slack)
    answer = thread.ask(QUESTION)
    before = len(slack.ephemerals(BEN))
    slack.react(ANA, GENERAL, answer["ts"], "eyes")
    slack.react(BEN, GENERAL, answer["ts"], "wastebasket")
    assert heard(slack, BEN, before) == "Only who asked, or an owner of the bot, can delete this answer."
    assert [one["text"] for one in thread.answers()] == [answer["text"]]
    slack.react(MIRA, GENERAL, answer["ts"], "wastebasket")
    slack.wait_for(lambda: not thread.answers(), "the answer to be gone")


def test_a_wastebasket_on_what_a_person_said_means_nothing(slack: SlackServer) -> None:
    ts = slack.say(BEN, GENERAL, "lunch?")
    before, asked = len(slack.ephemerals(BEN)), Conversation(slack)
    slack.react(BEN, GENERAL, ts, "wastebasket")
    asked.ask(QUESTION)
    assert [one["text"] for one in slack.messages(GENERAL) if one["ts"] == ts] == ["lunch?"]
    assert slack.ephemerals(BEN)[before:] == []


def test_a_line_that_slack_will_not_delete_stays_and_is_logged(
    slack: SlackServer, caplog: pytest.LogCaptureFixture
) -> None:
    slack.command(ANA, SALES, "/data", QUESTION)
    line = slack.wait_for(lambda: [one for one in slack.messages(SALES) if QUESTION in one["text"]], "the line")[-1]
    answer_to(slack, SALES, line["ts"], 2)
    slack.fault("chat.delete", "error", times=2, error="cant_delete_message")
    slack.react(ANA, SALES, line["ts"], "wastebasket")
    slack.wait_for(lambda: "a message cannot be deleted: cant_delete_message" in caplog.text, "the refusal in the log")
    assert [one["text"] for one in slack.messages(SALES) if one["ts"] == line["ts"]] == [line["text"]]


def test_stop_ends_the_questions_of_its_own_thread_alone(slack: SlackServer) -> None:
    first, second = Conversation(slack), Conversation(slack, channel=SALES, user=BEN)
    first.ask(QUESTION)
    before = len(slack.ephemerals(ANA))
    second.say(QUESTION)
    slack.say(ANA, GENERAL, "stop", thread_ts=first.root)
    assert heard(slack, ANA, before) == "Nothing is being answered in this thread now."
    assert "There are 3 apps." in slack.wait_for(second.answers, "the other answer")[0]["text"]


@pytest.mark.parametrize("callback", ["explain_answer", "ask_about_message"])
def test_the_menu_of_a_message_is_for_people_of_ours(slack: SlackServer, callback: str) -> None:
    ts = slack.say(ANA, PARTNERS, "I think there are 30?")
    before, since = len(slack.ephemerals(EXTERNAL)), len(slack.calls("views.open"))
    slack.act("shortcut", EXTERNAL, callback_id=callback, message={"channel": PARTNERS, "ts": ts})
    assert heard(slack, EXTERNAL, before).startswith("I only answer people of this workspace")
    assert len(slack.calls("views.open")) == since


def test_a_message_that_is_no_answer_is_not_explained_and_a_refused_form_is_told(slack: SlackServer) -> None:
    ts = slack.say(BEN, GENERAL, "lunch?")
    place, before = {"channel": GENERAL, "ts": ts}, len(slack.ephemerals(ANA))
    slack.act("shortcut", ANA, callback_id="explain_answer", message=place)
    assert heard(slack, ANA, before).startswith("That message is no answer from the data.")
    slack.fault("views.open", "error", error="expired_trigger_id")
    slack.act("shortcut", ANA, callback_id="ask_about_message", message=place)
    assert heard(slack, ANA, before + 1).startswith("Slack did not open the form")


def test_a_question_about_a_message_shows_the_words_of_people_and_is_refused_in_its_form(slack: SlackServer) -> None:
    ts = slack.say(BEN, SALES, "about 30 apps?")
    slack.act("shortcut", ANA, callback_id="ask_about_message", message={"channel": SALES, "ts": ts})
    modal = slack.wait_for_modal(ANA)
    assert modal["blocks"][0]["element"]["initial_value"] == "about 30 apps?"
    slack.fault("chat.postMessage", "error", error="not_in_channel")
    values = {"question": {"question": {"type": "x", "value": QUESTION}}}
    errors = slack.submit(ANA, modal, values)
    assert "invite me with `/invite`" in str(errors)


def test_a_file_that_is_no_table_is_told_and_its_question_answered(slack: SlackServer) -> None:
    before = len(slack.ephemerals(BEN))
    ts = slack.share_file(BEN, DM_OF[BEN], "plan.pdf", b"%PDF-1.4", "new topic: how many apps do we have?")
    assert heard(slack, BEN, before).startswith("I read words and CSV files, so “plan.pdf” stays unread")
    assert "There are 3 apps." in answer_to(slack, DM_OF[BEN], ts)["text"]


def test_a_stranger_reads_why_the_home_is_no_help_and_an_owner_what_it_costs(slack: SlackServer) -> None:
    for user, words in ((EXTERNAL, "I only answer people of this workspace"), (MIRA, "How many apps do we have?")):
        slack.open_home(user)
        slack.wait_for(lambda: words in str(slack.request(f"/_page/state?as={user}")["home"]), "the Home")  # noqa: B023
    shown = str(slack.request(f"/_page/state?as={EXTERNAL}")["home"])
    assert "How many apps" not in shown


def test_only_the_joining_of_the_bot_is_greeted(slack: SlackServer) -> None:
    slack.control("channel", {"channel": JOINED, "name": "joined", "members": [ANA, BOT]})
    slack.control("join", {"users": [BEN], "channel": JOINED, "inviter": ANA})
    Conversation(slack, channel=JOINED).ask(QUESTION)
    assert greetings(slack) == []
    slack.control("leave", {"user": BOT, "channel": JOINED})
    slack.control("join", {"users": [BOT], "channel": JOINED, "inviter": ANA})
    slack.wait_for(lambda: greetings(slack), "a greeting")
    slack.wait_until_quiet()
    assert len(greetings(slack)) == 1


def greetings(slack: SlackServer) -> list[dict[str, Any]]:
    """What the bot said in the joined channel outside of threads."""
    return [one for one in slack.messages(JOINED) if one["user"] == BOT and one.get("blocks") and not in_thread(one)]


def in_thread(message: dict[str, Any]) -> bool:
    return bool(message.get("thread_ts", message["ts"]) != message["ts"])
