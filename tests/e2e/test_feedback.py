"""“Correct” and “Not right” over the wire: an accepted answer is used again without a call, until somebody objects."""

from collections.abc import Iterator
from typing import Any

import pytest

from local_slack.testing import ANA, BEN, SlackServer, slack_server
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


@pytest.fixture(scope="module")
def slack(tmp_path_factory: pytest.TempPathFactory, model: ModelServer) -> Iterator[SlackServer]:
    folder = tmp_path_factory.mktemp("feedback")
    with slack_server() as server, BotProcess(server, folder, OPENAI_BASE_URL=model.url, OPENAI_MODEL="m"):
        yield server


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
    assert labels(again) == ["Not right"]

    press(second, again, "Not right")
    third = Conversation(slack, user=ANA)
    assert "verified by" not in str(third.ask("how many apps do we have?")["blocks"])
    assert len(model.journal) > calls


def test_a_question_that_leans_on_others_cannot_be_accepted(slack: SlackServer) -> None:
    thread = Conversation(slack, user=ANA)
    thread.ask("how many apps do we have?")
    assert labels(thread.ask("and how many apps in total?")) == ["Not right"]
