"""One turn against the local Slack: every turn ends in a named outcome, and no person sees exception text."""

import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar, cast

import pytest

from ai.agents.port import run_now
from ai.analysts.port import Analyst
from ai.stopping import Stop
from ai.types import ThreadKey
from bot.access import Access, Holders
from bot.contact import posting_client
from bot.delivery import SlackDelivery, Surface
from bot.engine import Postponed
from bot.people import SlackGroups
from bot.turn import TurnRunner
from bot.turn.patience import PATIENCE
from config import load
from local_slack.testing import ANA, DM_OF, GENERAL, SlackServer
from tests.desk import open_desk
from tests.e2e.conversation import is_status
from tests.fakes import RecordedSteps, ScriptedAnalyst

T = TypeVar("T")
QUESTION = "how many apps do we have?"


@pytest.fixture(scope="module")
def slack(slack_here: SlackServer) -> SlackServer:
    return slack_here


@pytest.fixture
def thread(slack: SlackServer) -> ThreadKey:
    slack.reset()
    return ThreadKey("T0LOCAL", GENERAL, slack.say(ANA, GENERAL, QUESTION))


@pytest.fixture
def runner_with(slack: SlackServer, tmp_path: Path) -> Iterator[Callable[..., TurnRunner]]:
    settings = load(slack_api_url=slack.api_url, slack_bot_token=slack.bot_token, slack_app_token=slack.app_token)
    with ExitStack() as opened:

        def build(analyst: Analyst | None = None) -> TurnRunner:
            desk = opened.enter_context(open_desk(tmp_path, analyst))
            delivery = SlackDelivery(posting_client(settings), pauses=(0.01,))
            return TurnRunner(desk.memory, desk.orchestrator, Access({"*": "shop"}), lambda _: Surface(delivery))

        yield build


def log(runner: TurnRunner, thread: ThreadKey, turn_id: str = "T0LOCAL:C0GENERAL:1.1") -> str:
    runner.memory.receive(thread, turn_id, QUESTION, ANA, datetime.now(UTC))
    return turn_id


def test_answered(slack: SlackServer, thread: ThreadKey, runner_with: Callable[..., TurnRunner]) -> None:
    runner = runner_with()
    turn_id = log(runner, thread)
    assert runner.run(turn_id, run_now) == "answered"
    (reply,) = slack.replies(GENERAL, thread.thread_ts)
    assert "There are 3 apps." in reply["text"]
    assert [message.role for message in runner.memory.history(thread)] == ["user", "assistant"]


def test_failed(
    slack: SlackServer,
    thread: ThreadKey,
    runner_with: Callable[..., TurnRunner],
    caplog: pytest.LogCaptureFixture,
) -> None:
    runner = runner_with(ScriptedAnalyst([]))
    turn_id = log(runner, thread)
    with caplog.at_level(logging.ERROR):
        assert runner.run(turn_id, run_now) == "failed"
    (reply,) = slack.replies(GENERAL, thread.thread_ts)
    assert not is_status(reply)
    assert turn_id in reply["text"]
    assert "pop from empty list" not in str(reply)
    assert "pop from empty list" in caplog.text


def test_stopped(slack: SlackServer, thread: ThreadKey, runner_with: Callable[..., TurnRunner]) -> None:
    runner, stop = runner_with(), Stop()
    stop.call()
    assert runner.run(log(runner, thread), run_now, stop) == "stopped"
    (reply,) = slack.replies(GENERAL, thread.thread_ts)
    assert reply["text"] == "Stopped."
    assert [message.content for message in runner.memory.history(thread)] == [QUESTION, "Stopped."]
    assert not runner.memory.queries(thread, 9)


def test_when_slack_does_not_say_who_is_in_a_group(
    slack: SlackServer, thread: ThreadKey, runner_with: Callable[..., TurnRunner]
) -> None:
    runner = runner_with()
    settings = load(slack_api_url=slack.api_url, slack_bot_token=slack.bot_token, slack_app_token=slack.app_token)
    roles = {"finance": Holders(groups=("S0NOBODY",))}
    runner = replace(runner, access=Access({"*": "shop"}, roles=roles, members=SlackGroups(posting_client(settings))))
    assert runner.run(log(runner, thread), run_now) == "failed"
    (reply,) = slack.replies(GENERAL, thread.thread_ts)
    assert "Slack does not say who is in the user group S0NOBODY" in reply["text"]
    assert "Something went wrong" not in reply["text"]


def test_when_the_database_is_away(
    slack: SlackServer, thread: ThreadKey, runner_with: Callable[..., TurnRunner], tmp_path: Path
) -> None:
    runner = runner_with()
    (tmp_path / "shop.sqlite").unlink()
    assert runner.run(log(runner, thread), run_now) == "failed"
    (reply,) = slack.replies(GENERAL, thread.thread_ts)
    assert "The database cannot be reached now; ask again in a few minutes" in reply["text"]
    assert str(tmp_path) not in str(reply)


def test_forgotten(slack: SlackServer, thread: ThreadKey, runner_with: Callable[..., TurnRunner]) -> None:
    assert runner_with().run("T0LOCAL:C0GENERAL:9.9", run_now) == "forgotten"
    assert slack.replies(GENERAL, thread.thread_ts) == []


def test_where_the_thread_is_gone_the_asker_is_answered_directly(
    slack: SlackServer, thread: ThreadKey, runner_with: Callable[..., TurnRunner]
) -> None:
    runner = runner_with()
    assert runner.run(log(runner, replace(thread, channel="C0NOWHERE")), run_now) == "answered"
    assert "There are 3 apps." in slack.messages(DM_OF[ANA])[-1]["text"]


def test_undeliverable(
    slack: SlackServer, runner_with: Callable[..., TurnRunner], caplog: pytest.LogCaptureFixture
) -> None:
    runner = runner_with()
    turn_id = log(runner, ThreadKey("T0LOCAL", "C0NOWHERE", "1.1"))
    slack.fault("conversations.open", "error", error="user_disabled")
    with caplog.at_level(logging.ERROR):
        assert runner.run(turn_id, run_now) == "undeliverable"
    assert "user_disabled" in caplog.text


def test_given_up(slack: SlackServer, thread: ThreadKey, runner_with: Callable[..., TurnRunner]) -> None:
    """The note takes the place of the status that the lost turn left, and comes once, however often it is told."""
    runner = runner_with()
    turn_id = log(runner, thread)
    for _ in range(2):
        runner.give_up(turn_id)
    (reply,) = slack.replies(GENERAL, thread.thread_ts)
    assert "set aside" in reply["text"]
    assert turn_id in reply["text"]


def test_while_slack_is_away_a_turn_is_put_off_and_then_answered_once(
    slack: SlackServer, thread: ThreadKey, runner_with: Callable[..., TurnRunner]
) -> None:
    """What Slack took without saying so is found by the second run, though it is the same process."""
    runner = runner_with()
    turn_id = log(runner, thread)
    recorded: dict[str, Any] = {}

    def step(name: str, fn: Callable[[], T]) -> T:
        if name not in recorded:
            recorded[name] = fn()
        return cast(T, recorded[name])

    slack.fault("chat.postMessage", "drop_after")
    slack.fault("conversations.replies", "unavailable", times=2)
    with pytest.raises(Postponed):
        runner.run(turn_id, step)
    assert list(recorded)[-1] != "close"
    assert runner.run(turn_id, step) == "answered"
    (reply,) = slack.replies(GENERAL, thread.thread_ts)
    assert "There are 3 apps." in reply["text"]


def test_nobody_waits_for_more_than_a_day(
    slack: SlackServer, thread: ThreadKey, runner_with: Callable[..., TurnRunner]
) -> None:
    runner = runner_with()
    turn_id = "T0LOCAL:C0GENERAL:1.2"
    runner.memory.receive(thread, turn_id, QUESTION, ANA, datetime.now(UTC) - PATIENCE)
    slack.fault("chat.postMessage", "unavailable", times=2)
    assert runner.run(turn_id, run_now) == "undeliverable"


def test_a_turn_that_was_cut_off_after_its_answer_leaves_the_answer_standing(
    slack: SlackServer, thread: ThreadKey, runner_with: Callable[..., TurnRunner]
) -> None:
    """Whatever the second run says: a status in the place of the answer would stay there."""
    runner = runner_with()
    turn_id, steps = log(runner, thread), RecordedSteps()
    runner.run(turn_id, steps)
    runner.run(turn_id, steps.again())
    assert slack.calls("chat.update") == []
    assert len([call for call in slack.calls("chat.postMessage") if "There are 3 apps." in call["args"]["text"]]) == 1
    (reply,) = slack.replies(GENERAL, thread.thread_ts)
    assert "There are 3 apps." in reply["text"]


def test_people_are_notified_once_and_of_the_answer(
    slack: SlackServer, thread: ThreadKey, runner_with: Callable[..., TurnRunner]
) -> None:
    """An ordinary answer is a status and a post: nothing is said before it, and the phone shows it."""
    runner = runner_with()
    turn_id, before = log(runner, thread), slack.calls()[-1:]
    assert runner.run(turn_id, run_now) == "answered"
    assert [push["text"] for push in slack.notifications(ANA)] == ["There are 3 apps."]
    calls = slack.calls(since=before[0]["number"] if before else 0)
    assert [call["method"] for call in calls] == ["assistant.threads.setStatus", "chat.postMessage"]
    assert len(slack.replies(GENERAL, thread.thread_ts)) == 1


def test_where_slack_shows_no_status_nothing_is_said_before_a_quick_answer_either(
    slack: SlackServer, thread: ThreadKey, runner_with: Callable[..., TurnRunner]
) -> None:
    runner = runner_with()
    slack.fault("assistant.threads.setStatus", "error", error="method_not_supported_for_channel_type")
    assert runner.run(log(runner, thread), run_now) == "answered"
    assert [push["text"] for push in slack.notifications(ANA)] == ["There are 3 apps."]


def test_an_export_is_one_message_with_its_file(
    slack: SlackServer, thread: ThreadKey, runner_with: Callable[..., TurnRunner]
) -> None:
    runner = runner_with()
    runner.run(log(runner, thread), run_now)
    turn_id, steps = "T0LOCAL:C0GENERAL:1.2", RecordedSteps()
    runner.memory.receive(thread, turn_id, "export this as csv", ANA, datetime.now(UTC))
    for run in (steps, steps.again()):  # a second run changes nothing
        assert runner.run(turn_id, run) == "answered"
    _, export = slack.replies(GENERAL, thread.thread_ts)
    assert export["text"] == "The result of “how many apps do we have?” as CSV: 1 row."
    assert slack.download(export["files"][0]).splitlines()[1] == b"3"
