"""👍 and 👎 over the wire: an accepted answer is used again without a call, until somebody objects."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.demo.database import ensure
from local_slack.testing import ANA, BEN, MENTION, SlackServer, slack_server
from tests.e2e.bot_process import BotProcess
from tests.e2e.conversation import Conversation, button, labels
from tests.openai_server import ModelServer, Script
from tests.wait import until

COUNTED = {
    "kind": "sql",
    "sql": "SELECT COUNT(*) AS apps FROM app_portfolio",
    "text": "the number of apps",
    "assumptions": [],
    "options": [],
    "expects": "value",
}


@pytest.fixture(scope="module")
def model() -> Iterator[ModelServer]:
    with ModelServer(Script([{"reply": {"data": COUNTED}}])) as server:
        yield server


CONFIG = """
sources:
  demo: {{url: "sqlite:///{path}"}}
channels:
  "*": {{source: demo}}
owners: [{owner}]
"""


@pytest.fixture(scope="module")
def slack(tmp_path_factory: pytest.TempPathFactory, model: ModelServer) -> Iterator[SlackServer]:
    folder = tmp_path_factory.mktemp("feedback")
    with slack_server() as server, BotProcess(server, folder, OPENAI_BASE_URL=model.url, OPENAI_MODEL="m"):
        yield server


@pytest.fixture(scope="module")
def owned(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlackServer]:
    """A bot with one owner, Ana, and the built-in reader."""
    folder = tmp_path_factory.mktemp("owned")
    ensure(folder / "demo.sqlite", datetime.now(UTC).date())
    config = folder / "datathread.yml"
    config.write_text(CONFIG.format(path=folder / "demo.sqlite", owner=ANA), "utf-8")
    with slack_server() as server, BotProcess(server, folder, CONFIG_FILE=str(config)):
        yield server


def shown(thread: Conversation, message: dict[str, Any], *wanted: str) -> dict[str, Any]:
    """Wait for the message to have these buttons."""

    def changed() -> list[dict[str, Any]]:
        return [one for one in thread.answers() if one["ts"] == message["ts"] and labels(one) == list(wanted)]

    return until(changed, 30, f"the message to show {wanted}")[0]


def act(thread: Conversation, message: dict[str, Any], label: str) -> None:
    place = {"channel": thread.channel, "ts": message["ts"]}
    thread.slack.act("action", thread.user, message=place, action=button(message, label))


def object_to(thread: Conversation, message: dict[str, Any], reason: str) -> dict[str, Any]:
    """Press “Not right”, choose a reason in the modal and send it."""
    act(thread, message, "Not right")
    modal = until(lambda: thread.slack.modals(thread.user), 30, "the modal")[-1]
    assert len(modal["blocks"][0]["element"]["options"]) == 5
    chosen = next(option for option in modal["blocks"][0]["element"]["options"] if option["value"] == reason)
    state = {"reason": {"reason": {"type": "radio_buttons", "selected_option": chosen}}}
    sent = thread.slack.act("submit", thread.user, view_id=modal["id"], values=state)
    assert not sent.get("errors")
    return shown(thread, message, "Take back")


def press(thread: Conversation, message: dict[str, Any], label: str) -> dict[str, Any]:
    """Press a button that asks nothing, and wait for the message to say so."""
    place = {"channel": thread.channel, "ts": message["ts"]}
    thread.slack.act("action", thread.user, message=place, action=button(message, label))

    def changed() -> list[dict[str, Any]]:
        return [one for one in thread.answers() if one["ts"] == message["ts"] and not labels(one)]

    return until(changed, 30, f"the message to show {label!r}")[0]


def test_an_accepted_answer_is_used_again_until_somebody_objects(slack: SlackServer, model: ModelServer) -> None:
    first = Conversation(slack, user=ANA)
    answer = first.ask("How many apps do we have?")
    assert labels(answer) == ["Correct", "Not right"]
    assert "Accepted by" in str(press(first, answer, "Correct")["blocks"])

    calls = len(model.journal)
    second = Conversation(slack, user=BEN)
    again = second.ask("please tell me how many apps there are")
    assert len(model.journal) == calls
    assert "49" in again["text"]
    assert f"verified by {ANA} on " in str(again["blocks"])
    assert labels(again) == ["Correct", "Not right"]

    object_to(second, again, "period")
    third = Conversation(slack, user=ANA)
    assert "verified by" not in str(third.ask("how many apps do we have?")["blocks"])
    assert len(model.journal) > calls


def test_a_question_that_leans_on_others_cannot_be_accepted(slack: SlackServer) -> None:
    thread = Conversation(slack, user=ANA)
    thread.ask("how many apps do we have?")
    act(thread, thread.ask("and how many apps in total?"), "Correct")
    until(lambda: "as one whole question" in slack.ephemerals(ANA)[-1]["text"], 30, "why not")


def test_one_person_makes_an_example_and_a_second_the_answer(owned: SlackServer) -> None:
    first = Conversation(owned, user=BEN)
    answer = first.ask("How many apps do we have?")
    act(first, answer, "Correct")
    until(lambda: "a second person" in str(owned.ephemerals(BEN)), 30, "what came of it")
    again = Conversation(owned, user=BEN).ask("how many apps do we have?")
    assert "verified by" not in str(again["blocks"])

    waiting = shown(first, answer, "Correct", "Not right")
    assert "Correct, says " in str(waiting["blocks"])
    first.user = ANA
    act(first, waiting, "Correct")
    assert "Accepted by " in str(shown(first, answer)["blocks"])
    assert f"verified by {BEN} on " in str(Conversation(owned, user=BEN).ask("how many apps do we have?")["blocks"])


def test_an_objection_names_its_reason_and_can_be_taken_back(owned: SlackServer) -> None:
    thread = Conversation(owned, user=BEN)
    answer = thread.ask("how many active apps do we have?")
    objected = object_to(thread, answer, "filter")
    assert "Not right (wrong filter), says " in str(objected["blocks"])
    help_text = until(lambda: owned.ephemerals(BEN), 30, "the help")[-1]["text"]
    assert "keep or leave out" in help_text
    assert "app_portfolio." in help_text
    act(thread, objected, "Take back")
    shown(thread, answer, "Correct", "Not right")


def test_a_typed_verdict_is_understood(owned: SlackServer) -> None:
    thread = Conversation(owned, user=ANA)
    assert "no answer in this thread" in thread.ask("correct")["text"]
    thread.ask("how many teams are there?")
    assert "Accepted" in thread.ask(f"{MENTION} that's right")["text"]
    wrong = thread.ask(f"{MENTION} not right")
    assert labels(wrong) == ["Wrong filter", "Wrong period", "Wrong number", "Unclear", "Something else"]
    assert "which period" in thread.press(wrong, "Wrong period")["text"]
