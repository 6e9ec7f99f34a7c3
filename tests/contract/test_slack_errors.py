"""Each error of Slack: the answer comes again, later, in a simpler form, or directly to its asker with the reason."""

from itertools import count
from pathlib import Path
from typing import Any

import pytest

from ai.agents.port import TextEvent
from ai.types import ThreadKey
from bot.contact import posting_client
from bot.delivery import Addressee, RateLimiter, SlackDelivery, TokenRefused
from bot.render.message import pages
from config import load
from local_slack.testing import ANA, DM_OF, GENERAL, SlackServer
from local_slack.wire import Json
from tests.cases import cases

TURN = "T0LOCAL:C0GENERAL:1.1"
ANSWER = pages([TextEvent("There are **49**.")])


def answered(slack: SlackServer, thread: ThreadKey) -> None:
    settings = load(slack_api_url=slack.api_url, slack_bot_token=slack.bot_token, slack_app_token=slack.app_token)
    limiter = RateLimiter({}, clock=count().__next__, pause=lambda _: None)  # a second goes by with every look
    delivery = SlackDelivery(posting_client(settings), pauses=(0.0,), limiter=limiter)
    delivery.answer(Addressee(thread, TURN, ANA), ANSWER, look_first=False)


def ending(slack: SlackServer, thread: ThreadKey) -> Json:
    """Tell what became of the answer, from what was posted."""
    first, *later = (call["args"] for call in slack.calls("chat.postMessage"))
    if not later:
        return {"ends": "put off"}
    (last,) = later
    if direct := slack.messages(DM_OF[ANA]):
        return {"ends": "sent directly", "says": direct[0]["text"].partition(", so here is")[0]}
    assert [reply["text"] for reply in slack.replies(GENERAL, thread.thread_ts)] == ["There are 49."]
    if "metadata" not in last:
        return {"ends": "sent without metadata"}
    return {"ends": "repeated" if last == first else "sent in a simpler form"}


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("slack_errors.jsonl")))
def test_an_error_of_slack_has_its_remedy(local_slack_server: SlackServer, case: dict[str, Any]) -> None:
    slack = local_slack_server
    slack.reset()
    thread = ThreadKey("T0LOCAL", GENERAL, slack.say(ANA, GENERAL, "how many?"))
    slack.fault("chat.postMessage", "error", error=case["case"])
    if case["ends"] == "put off":
        with pytest.raises(TokenRefused, match=case["case"]):
            answered(slack, thread)
    else:
        answered(slack, thread)
    assert ending(slack, thread) == {name: value for name, value in case.items() if name != "case"}
