"""What happens to a question while its channel, its people or the app itself go away: it is answered, or it waits."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import pytest

from ai.types import ThreadKey
from bot.access import Access
from bot.contact import posting_client
from bot.delivery import RateLimiter, SlackDelivery, Surface
from bot.engine import Postponed
from bot.turn import TurnRunner
from config import load
from local_slack.testing import ANA, BOT, DM_OF, GENERAL, SlackServer
from tests.desk import open_desk

T = TypeVar("T")
ANSWER = "There are 3 apps."


@pytest.fixture(scope="module")
def slack(local_slack_server: SlackServer) -> SlackServer:
    return local_slack_server


@dataclass
class Steps:
    """Recorded steps; `happens` comes before the one that delivers the answer."""

    happens: Callable[[], object]
    recorded: dict[str, Any]

    def __call__(self, name: str, fn: Callable[[], T]) -> T:
        if name == "close":
            self.happens()
        if name not in self.recorded:
            self.recorded[name] = fn()
        found: T = self.recorded[name]
        return found


def surface(slack: SlackServer, token: str) -> Surface:
    settings = load(slack_api_url=slack.api_url, slack_bot_token=token, slack_app_token=slack.app_token)
    return Surface(SlackDelivery(posting_client(settings), (0.001,), RateLimiter({})))


def archive(slack: SlackServer) -> None:
    slack.control("archive", {"channel": GENERAL})


def rename(slack: SlackServer) -> None:
    slack.control("rename", {"channel": GENERAL, "name": "everything"})


def remove_the_bot(slack: SlackServer) -> None:
    slack.control("leave", {"user": BOT, "channel": GENERAL})


def delete_the_question(slack: SlackServer) -> None:
    slack.control("delete", {"user": ANA, "channel": GENERAL, "ts": slack.messages(GENERAL)[-1]["ts"]})


def deactivate(slack: SlackServer) -> None:
    slack.control("deactivate", {"user": ANA})


def share(slack: SlackServer) -> None:
    slack.control("share", {"channel": GENERAL, "with": "external"})


def join_an_organisation(slack: SlackServer) -> None:
    slack.control("organisation", {"id": "E0ORG", "org_install": True})


GOES_ON = [rename, deactivate, share, join_an_organisation]
MOVES: dict[Callable[[SlackServer], object], str] = {
    archive: "That channel was archived",
    remove_the_bot: "I am no longer in that channel",
}


def run(slack: SlackServer, folder: Path, happens: Callable[[SlackServer], object], steps: dict[str, Any]) -> str:
    """Ask, and let something happen before the answer is delivered; the ts of the question."""
    slack.reset()
    ts = slack.say(ANA, GENERAL, "how many apps do we have?")
    key = ThreadKey("T0LOCAL", GENERAL, ts)
    turn_id = f"T0LOCAL:{GENERAL}:{ts}"
    with open_desk(folder) as desk:
        desk.memory.receive(key, turn_id, "how many apps do we have?", ANA, datetime.now(UTC))
        access, there = Access({"*": "shop"}), surface(slack, slack.bot_token)
        runner = TurnRunner(desk.memory, desk.orchestrator, access, lambda _: there)
        assert runner.run(turn_id, Steps(lambda: happens(slack), steps)) == "answered"
    return ts


@pytest.mark.parametrize("happens", GOES_ON)
def test_the_thread_gets_its_answer(
    slack: SlackServer, tmp_path: Path, happens: Callable[[SlackServer], object]
) -> None:
    ts = run(slack, tmp_path, happens, {})
    assert [ANSWER in reply["text"] for reply in slack.replies(GENERAL, ts)] == [True]


@pytest.mark.parametrize("happens", MOVES)
def test_the_asker_is_answered_directly_and_told_why(
    slack: SlackServer, tmp_path: Path, happens: Callable[[SlackServer], object]
) -> None:
    run(slack, tmp_path, happens, {})
    (direct,) = [message for message in slack.messages(DM_OF[ANA]) if message["user"] == BOT]
    assert direct["text"].startswith(f"{MOVES[happens]}, so here is the answer to your question.")
    assert ANSWER in direct["text"]
    assert [push["text"].endswith(ANSWER) for push in slack.notifications(ANA)] == [True]


@pytest.mark.parametrize("uninstalls", [False, True])
def test_a_question_waits_for_a_new_token(slack: SlackServer, tmp_path: Path, uninstalls: bool) -> None:
    steps: dict[str, Any] = {}
    with pytest.raises(Postponed):
        run(slack, tmp_path, lambda server: server.control("revoke", {"uninstall": uninstalls}), steps)
    token = slack.control("install", {})["token"]
    (root,) = [message for message in slack.messages(GENERAL) if message["user"] == ANA]
    turn_id = f"T0LOCAL:{GENERAL}:{root['ts']}"
    with open_desk(tmp_path) as desk:
        there = surface(slack, token)
        runner = TurnRunner(desk.memory, desk.orchestrator, Access({"*": "shop"}), lambda _: there)
        for _ in range(2):  # a second run changes nothing
            assert runner.run(turn_id, Steps(lambda: None, steps)) == "answered"
    assert [ANSWER in reply["text"] for reply in slack.replies(GENERAL, root["ts"])] == [True]
