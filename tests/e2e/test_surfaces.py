"""The ways to the bot beside messages, over the wire: a command, shortcuts, reactions, files, the App Home."""

from collections.abc import Iterator

import pytest

from local_slack.testing import (
    ANA,
    BEN,
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
from tests.e2e.bot_process import BotProcess
from tests.e2e.conversation import Conversation, Json, answer_to, code


@pytest.fixture(scope="module")
def slack() -> Iterator[SlackServer]:
    with slack_server("--manifest", "manifest.yml") as server:
        yield server


@pytest.fixture(scope="module", autouse=True)
def bot(slack: SlackServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BotProcess]:
    with BotProcess(slack, tmp_path_factory.mktemp("surfaces")) as process:
        yield process


def asked_line(slack: SlackServer, channel: str, question: str) -> Json:
    """The bot's line that shows who asked this."""

    def lines() -> list[Json]:
        return [one for one in slack.messages(channel) if one["text"].endswith(f" asked: {question}")]

    return slack.wait_for(lines, f"the question {question!r}")[-1]


def test_the_command_shows_who_asked_and_is_answered_in_the_thread(slack: SlackServer) -> None:
    slack.command(ANA, SALES, "/data", "how many apps do we have?")
    line = asked_line(slack, SALES, "how many apps do we have?")
    assert line["text"].startswith(f"<@{ANA}>")
    answer = answer_to(slack, SALES, line["ts"], 2, timeout=60)
    assert "There are 49 apps." in answer["text"]
    slack.say(BEN, SALES, "what about iOS?", thread_ts=line["ts"])
    assert "There are 21 apps on iOS." in answer_to(slack, SALES, line["ts"], 3)["text"]


def test_the_command_in_direct_messages_goes_on_with_the_conversation(slack: SlackServer) -> None:
    said = slack.say(BEN, DM_OF[BEN], "how many apps do we have?")
    answer_to(slack, DM_OF[BEN], said, timeout=60)
    slack.command(BEN, DM_OF[BEN], "/data", "what about iOS?")
    line = asked_line(slack, DM_OF[BEN], "what about iOS?")
    assert "There are 21 apps on iOS." in answer_to(slack, DM_OF[BEN], line["ts"], 2)["text"]


@pytest.mark.parametrize(
    ("user", "channel", "text", "words"),
    [
        (ANA, GENERAL, "", "Write the question behind the command, for example:\n• `/data How many apps do we have?`"),
        (ANA, GENERAL, "help", "Write the question behind the command"),
        (ANA, GENERAL, "stop", "Nothing is being answered in this thread now."),
        (EXTERNAL, PARTNERS, "how many apps do we have?", "I only answer people of this workspace"),
    ],
)
def test_the_command_alone_helps_and_a_refusal_is_for_the_asker_only(
    slack: SlackServer, user: str, channel: str, text: str, words: str
) -> None:
    before = len(slack.ephemerals(user))
    slack.command(user, channel, "/data", text)
    assert slack.wait_for(lambda: slack.ephemerals(user)[before:], "the word")[0]["text"].startswith(words)


def test_an_answer_is_explained_from_its_menu(slack: SlackServer) -> None:
    thread = Conversation(slack)
    answer = thread.ask("revenue by country in October 2026")
    thread.ask("how many apps do we have?")
    slack.act("shortcut", BEN, callback_id="explain_answer", message={"channel": GENERAL, "ts": answer["ts"]})
    told = answer_to(slack, GENERAL, thread.root, 3)
    assert "How “revenue by country in October 2026” was answered:" in told["text"]
    assert "revenue by country, October 2026" in told["text"]
    assert "SUM(" in code(told)


def test_a_message_that_is_no_answer_is_not_explained(slack: SlackServer) -> None:
    ts = slack.say(BEN, GENERAL, "lunch?")
    before = len(slack.ephemerals(ANA))
    slack.act("shortcut", ANA, callback_id="explain_answer", message={"channel": GENERAL, "ts": ts})
    told = slack.wait_for(lambda: slack.ephemerals(ANA)[before:], "the word")[0]
    assert told["text"] == "That message is no answer from the data. Use this on one of my answers."


def test_a_question_about_a_message_is_asked_in_its_thread(slack: SlackServer) -> None:
    ts = slack.say(BEN, SALES, "I think we have about 30 apps on iOS?")
    slack.act("shortcut", ANA, callback_id="ask_about_message", message={"channel": SALES, "ts": ts})
    modal = slack.wait_for_modal(ANA)
    field = modal["blocks"][0]["element"]
    assert field["initial_value"] == "I think we have about 30 apps on iOS?"
    errors = slack.submit(ANA, modal, {"question": {"question": {"type": "x", "value": "how many apps on iOS?"}}})
    assert errors == {}
    line, answer = (answer_to(slack, SALES, ts, count, timeout=60) for count in (1, 2))
    assert line["text"] == f"<@{ANA}> asked: how many apps on iOS?"
    assert "There are 21 apps on iOS." in answer["text"]


def test_pasted_sql_is_explained_and_run_for_an_owner(slack: SlackServer) -> None:
    thread = Conversation(slack)
    answer = thread.ask("SELECT platform, COUNT(*) AS n FROM app_portfolio GROUP BY platform ORDER BY n DESC")
    assert "number of apps by platform" in answer["text"]
    assert "It gives 3 rows." in answer["text"]
    assert "Only queries may run" in thread.ask("DELETE FROM app_portfolio")["text"]


def home_of(slack: SlackServer, user: str) -> str:
    """All words of a person's Home, once it is published anew."""
    since = len(slack.calls("views.publish"))
    slack.open_home(user)
    slack.wait_for(lambda: len(slack.calls("views.publish")) > since, "a Home")
    return words_of_home(slack, user)


def shown_home(slack: SlackServer, user: str) -> Json:
    home: Json = slack.request(f"/_page/state?as={user}")["home"]
    return home


def words_of_home(slack: SlackServer, user: str) -> str:
    home = shown_home(slack, user)
    found: list[str] = []

    def collect(value: object) -> None:
        if isinstance(value, dict):
            found.extend(text for text in [value.get("text")] if isinstance(text, str))
            found.extend(text for text in [value.get("channel_id")] if isinstance(text, str))
            for one in value.values():
                collect(one)
        elif isinstance(value, list):
            for one in value:
                collect(one)

    collect(home["blocks"])
    return "\n".join(found)


def test_the_home_tells_what_there_is_and_asks_an_example(slack: SlackServer) -> None:
    words = home_of(slack, MIRA)
    assert "None yet. Press Ask above" in words
    assert "How many apps do we have?" in words
    assert "Use and costs, last 30 days" in words  # in the demo everybody is an owner
    home = shown_home(slack, MIRA)
    first = next(block for block in home["blocks"] if block.get("accessory"))
    pressed = {"block_id": first["block_id"], "action_id": first["accessory"]["action_id"]}
    slack.act("action", MIRA, view_id=home["id"], action=pressed)
    line = asked_line(slack, DM_OF[MIRA], "How many apps do we have?")
    assert "There are 49 apps." in answer_to(slack, DM_OF[MIRA], line["ts"], 2, timeout=60)["text"]
    thread = Conversation(slack, user=MIRA)
    thread.ask("revenue by country in October 2026")
    thread.ask("save this as October map")
    words = home_of(slack, MIRA)
    assert "revenue by country in October 2026" in words
    assert "How many apps do we have?\n" in words
    assert "October map" in words
    assert "bad reviews" in words


def test_everything_of_a_person_is_forgotten_from_the_home(slack: SlackServer) -> None:
    thread = Conversation(slack, user=BEN)
    thread.ask("how many releases are there?")
    assert "how many releases are there?" in home_of(slack, BEN)
    home = shown_home(slack, BEN)
    pressed = {"block_id": home["blocks"][-1]["block_id"], "action_id": "home:forget"}
    slack.act("action", BEN, view_id=home["id"], action=pressed)
    said = "Your questions, my answers to them and what you saved are forgotten."
    slack.wait_for(lambda: said in words_of_home(slack, BEN), "the word")
    assert "how many releases are there?" not in words_of_home(slack, BEN)


def test_a_stranger_reads_why_the_home_is_no_help(slack: SlackServer) -> None:
    assert "I only answer people of this workspace" in home_of(slack, EXTERNAL)


def answers(slack: SlackServer, thread: Conversation) -> list[str]:
    return [one["text"] for one in slack.replies(thread.channel, thread.root)]


def test_a_wastebasket_of_the_asker_deletes_the_answer(slack: SlackServer) -> None:
    thread = Conversation(slack)
    first = thread.ask("how many apps do we have?")
    thread.ask("revenue by country in October 2026")
    slack.react(ANA, GENERAL, first["ts"], "wastebasket")
    slack.wait_for(lambda: len(answers(slack, thread)) == 1, "the answer to be gone")
    assert "United States" in answers(slack, thread)[0]
    slack.say(ANA, GENERAL, "show me the SQL", thread_ts=thread.root)
    assert "SUM(" in code(answer_to(slack, GENERAL, thread.root, 2))


def test_a_deleted_question_takes_its_answer_along_while_the_thread_goes_on(slack: SlackServer) -> None:
    thread = Conversation(slack)
    thread.ask("how many apps do we have?")
    second = thread.say("revenue by country in October 2026")
    slack.wait_for(lambda: len(answers(slack, thread)) == 2, "the second answer")
    slack.delete(ANA, GENERAL, second)
    slack.wait_for(lambda: len(answers(slack, thread)) == 1, "the second answer to be gone")
    slack.say(ANA, GENERAL, "show me the SQL", thread_ts=thread.root)
    assert "COUNT(*)" in code(answer_to(slack, GENERAL, thread.root, 2))


def test_a_wastebasket_deletes_a_shown_question_and_a_file(slack: SlackServer) -> None:
    slack.command(ANA, SALES, "/data", "how many releases are there?")
    line = asked_line(slack, SALES, "how many releases are there?")
    answer_to(slack, SALES, line["ts"], 2, timeout=60)
    slack.react(ANA, SALES, line["ts"], "wastebasket")
    gone = [f"<@{ANA}> asked: how many releases are there?"]
    slack.wait_for(lambda: not [one for one in slack.messages(SALES) if one["text"] in gone], "the line to be gone")
    thread = Conversation(slack, user=ANA)
    thread.ask("revenue by country in October 2026")
    thread.say("export this as csv")
    slack.wait_for_file(GENERAL, thread.root)
    sent = next(one for one in slack.replies(GENERAL, thread.root) if one.get("files"))
    slack.react(ANA, GENERAL, sent["ts"], "wastebasket")
    slack.wait_for(lambda: not slack.files(GENERAL, thread.root), "the file to be gone")


def test_a_question_edited_to_stop_is_not_asked_again(slack: SlackServer) -> None:
    thread = Conversation(slack)
    first = thread.ask("how many apps do we have?")
    before = len(slack.ephemerals(ANA))
    slack.edit(ANA, GENERAL, thread.root, "<@U0BOT> stop")
    told = slack.wait_for(lambda: slack.ephemerals(ANA)[before:], "the word")[0]
    assert told["text"] == "Nothing is being answered in this thread now."
    assert answers(slack, thread) == [first["text"]]


LEADS = b"name,city,amount\nAda,Berlin,10\nBo,Paris,20\nCy,Berlin,30\n"


def test_a_csv_becomes_a_table_of_its_thread_alone(slack: SlackServer, bot: BotProcess) -> None:
    ts = slack.share_file(ANA, SALES, "leads.csv", LEADS, "<@U0BOT> how many leads are there in the file?")
    assert "3 leads" in answer_to(slack, SALES, ts, timeout=60)["text"]
    slack.say(ANA, SALES, "total amount by city", thread_ts=ts)
    assert "Berlin" in answer_to(slack, SALES, ts, 2, timeout=60)["text"]
    (kept,) = (bot.data_dir / "files").glob("files-*/files.duckdb")
    assert kept.stat().st_mode & 0o777 == 0o600
    elsewhere = Conversation(slack, channel=SALES, user=BEN)
    assert "3 leads" not in elsewhere.ask("how many leads are there?")["text"]
    assert "There are 49 apps." in elsewhere.ask("how many apps do we have?")["text"]
    slack.delete(ANA, SALES, ts)
    slack.wait_for(lambda: not kept.exists(), "the table to be gone")


def test_a_csv_without_words_is_described(slack: SlackServer) -> None:
    ts = slack.share_file(MIRA, DM_OF[MIRA], "Orders 2026.csv", b"item,price\nPen,2\nInk,5\n")
    told = answer_to(slack, DM_OF[MIRA], ts, timeout=60)["text"]
    assert "orders 2026" in told.lower()
    assert "price" in told


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("plan.pdf", b"%PDF-1.4", "I read words and CSV files, so “plan.pdf” stays unread"),
        ("big.csv", b"a,b\n" + b"1,2\n" * 1_300_000, "“big.csv” is larger than 5 MB"),
    ],
)
def test_any_other_file_gets_one_sentence_and_its_question_an_answer(
    slack: SlackServer, name: str, content: bytes, words: str
) -> None:
    before = len(slack.ephemerals(BEN))
    ts = slack.share_file(BEN, DM_OF[BEN], name, content, "new topic: how many apps do we have?")
    told = slack.wait_for(lambda: slack.ephemerals(BEN)[before:], "the word")
    assert [one["text"].startswith(words) for one in told] == [True]
    assert "There are 49 apps." in answer_to(slack, DM_OF[BEN], ts, timeout=60)["text"]


def test_a_guest_and_somebody_unknown_read_why_they_are_refused(slack: SlackServer) -> None:
    slack.fault("users.info", "error", times=2, error="missing_scope")  # for the language, and for who it is
    before = len(slack.ephemerals(GUEST))
    slack.command(GUEST, PRODUCT, "/data", "how many apps do we have?")
    told = slack.wait_for(lambda: slack.ephemerals(GUEST)[before:], "the word")
    assert told[0]["text"].startswith("Slack does not tell me who you are, so I may not answer")
