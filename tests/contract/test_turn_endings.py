"""Where the reply of a turn goes, whatever an agent says: to all or to the asker alone, as one message or several."""

import errno
import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import pytest

from ai.agents.orchestrator import Orchestrator
from ai.agents.port import FileEvent, PrivateEvent, ReplyEvent, TableEvent, TextEvent, run_now
from ai.errors import RowsAway, SourceUnavailable
from ai.stopping import NEVER, Stop
from ai.types import Readers, Request, Step, ThreadKey
from bot.access import Access, Holders
from bot.contact import posting_client
from bot.delivery import RateLimiter, SlackDelivery, Surface
from bot.engine import Postponed
from bot.inbound import retraction, revised
from bot.turn import Retractions, TurnRunner
from config import load
from local_slack.testing import ANA, DM_OF, GENERAL, SlackServer
from tests.charts import monthly
from tests.desk import Desk, open_desk

T = TypeVar("T")
QUESTION, SAID, FILES = "how many apps?", "There are 3 apps.", "files-0123456789abcdef"


class Says(Orchestrator):
    """Answers with given events, or fails with a given error."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.services)
        self.events: Sequence[ReplyEvent] = (TextEvent(SAID),)
        self.error: Exception | None = None

    def answer(self, request: Request, step: Step, stop: Stop = NEVER) -> Iterator[ReplyEvent]:
        yield from self.events
        if self.error:
            raise self.error


@dataclass
class Turns:
    """A runner of turns for one question in a channel of Slack."""

    slack: SlackServer
    runner: TurnRunner
    says: Says
    delivery: SlackDelivery
    folder: Path

    def ask(self, channel: str = GENERAL) -> str:
        ts = self.slack.say(ANA, channel, QUESTION)
        thread = ThreadKey("T0LOCAL", channel, ts)
        self.runner.memory.receive(thread, turn_id := f"T0LOCAL:{channel}:{ts}", QUESTION, ANA, datetime.now(UTC))
        return turn_id

    def shown(self, turn_id: str) -> list[str]:
        _, channel, ts = turn_id.split(":")
        return [reply["text"] for reply in self.slack.replies(channel, ts)]

    def file(self) -> FileEvent:
        path = self.folder / "export" / "apps.csv"
        path.parent.mkdir(exist_ok=True)
        path.write_text("name\r\nAda\r\n", "utf-8")
        return FileEvent(path, "All apps")


@pytest.fixture
def turns(slack_here: SlackServer, tmp_path: Path) -> Iterator[Turns]:
    slack = slack_here
    slack.reset()
    settings = load(slack_api_url=slack.api_url, slack_bot_token=slack.bot_token, slack_app_token=slack.app_token)
    delivery = SlackDelivery(posting_client(settings), pauses=(0.01,), limiter=RateLimiter({}))
    with open_desk(tmp_path) as desk:
        says = Says(desk)
        runner = TurnRunner(desk.memory, says, Access({"*": "shop"}), lambda _: Surface(delivery))
        yield Turns(slack, runner, says, delivery, tmp_path)


PRIVATELY = Access({"*": "shop"}, policies={"*": "private"})


@pytest.mark.parametrize(
    ("access", "channel", "is_hidden", "is_private"),
    [
        (Access({"*": "shop"}), GENERAL, False, False),
        (Access({"*": "shop"}), GENERAL, True, True),
        (PRIVATELY, GENERAL, False, True),
        (PRIVATELY, DM_OF[ANA], False, False),
        (Access({"*": "shop"}), DM_OF[ANA], True, False),
    ],
)
def test_what_not_all_readers_may_know_goes_to_its_asker(
    turns: Turns, access: Access, channel: str, *, is_hidden: bool, is_private: bool
) -> None:
    turns.says.events = (TextEvent(SAID), *([PrivateEvent(2)] if is_hidden else []))
    turn_id = turns.ask(channel)
    assert replace(turns.runner, access=access).run(turn_id, run_now) == "answered"
    (told,) = turns.shown(turn_id)
    assert (SAID in told) is not is_private
    alone = [each["text"] for each in turns.slack.messages(DM_OF[ANA]) if not each.get("thread_ts")]
    assert any(SAID in text for text in alone) is is_private


def test_an_answer_and_its_one_file_are_one_message(turns: Turns) -> None:
    turns.says.events = (TextEvent(SAID), file := turns.file())
    turns.runner.run(turn_id := turns.ask(), run_now)
    assert turns.shown(turn_id) == [SAID]
    assert not file.path.exists()


def test_a_table_beside_a_file_is_not_left_out(turns: Turns) -> None:
    turns.says.events = (TextEvent(SAID), TableEvent(monthly(3).result), turns.file())
    turns.runner.run(turn_id := turns.ask(), run_now)
    assert len(turns.shown(turn_id)) == 2


def test_an_edited_question_is_answered_in_place_with_its_file_below(turns: Turns) -> None:
    turns.runner.run(turn_id := turns.ask(), run_now)
    (before,) = turns.slack.replies(GENERAL, turn_id.split(":")[2])
    turns.says.events = (TextEvent("There are 4 apps."), turns.file())
    turns.runner.run(revised(turn_id, "9.9"), run_now)
    answer, _ = turns.slack.replies(GENERAL, turn_id.split(":")[2])
    assert answer["ts"] == before["ts"]
    assert answer["text"].startswith("There are 4 apps.")


def test_a_surface_that_keeps_files_keeps_them(turns: Turns) -> None:
    turns.says.events = (TextEvent(SAID), file := turns.file())
    runner = replace(turns.runner, surface_of=lambda _: Surface(turns.delivery, keeps_files=True))
    runner.run(turn_id := turns.ask(), run_now)
    assert len(turns.shown(turn_id)) == 2
    assert file.path.exists()


@dataclass
class Meanwhile:
    """Steps, after the first of which something happens."""

    deed: Callable[[], object]

    def __call__(self, name: str, fn: Callable[[], T]) -> T:
        value = fn()
        if name == "open":
            self.deed()
        return value


def test_a_question_taken_back_meanwhile_has_no_answer(turns: Turns) -> None:
    turn_id, memory = turns.ask(), turns.runner.memory
    step = Meanwhile(lambda: memory.lifecycle.take_back(turn_id, datetime.now(UTC)))
    assert turns.runner.run(turn_id, step) == "forgotten"
    assert turns.shown(turn_id) == []


def test_a_question_forgotten_by_its_own_answer_has_that_answer(turns: Turns) -> None:
    turn_id, memory = turns.ask(), turns.runner.memory
    step = Meanwhile(lambda: memory.lifecycle.forget_thread(ThreadKey("T0LOCAL", *turn_id.split(":")[1:])))
    assert turns.runner.run(turn_id, step) == "answered"
    assert turns.shown(turn_id) == [SAID]


@pytest.mark.parametrize("error", [RowsAway("The disk is full."), OSError(errno.ENOSPC, "full")])
def test_a_turn_waits_for_what_comes_back(turns: Turns, error: Exception) -> None:
    turns.says.error = error
    with pytest.raises(Postponed):
        turns.runner.run(turns.ask(), run_now)


@pytest.mark.parametrize(
    ("error", "says"),
    [(SourceUnavailable("no route"), "The database cannot be reached now"), (OSError("x"), "Something went wrong")],
)
def test_a_turn_does_not_wait_for_what_is_broken(turns: Turns, error: Exception, says: str) -> None:
    turns.says.error = error
    turn_id = turns.ask()
    assert turns.runner.run(turn_id, run_now) == "failed"
    (told,) = turns.shown(turn_id)
    assert told.startswith(says)


def test_of_a_question_that_is_forgotten_nobody_is_told_that_it_is_set_aside(turns: Turns) -> None:
    turns.runner.give_up("T0LOCAL:C0GENERAL:9.9")
    assert turns.slack.calls("chat.postMessage") == []


def test_a_thread_with_files_is_asked_of_both(turns: Turns) -> None:
    question = turns.runner.memory.question(turns.ask())
    assert question
    plain = turns.runner.request(question, "UTC")
    assert (plain.source, plain.connected, plain.roles) == ("shop", "", ())
    with_files = replace(
        turns.runner,
        source_of_files=lambda _: FILES,
        readers_of=lambda _channel, _asker: Readers(lambda: {("sales",): 2}),
        access=Access({"*": "shop"}, roles={"sales": Holders(frozenset({ANA}))}),
    )
    asked = with_files.request(question, "UTC")
    assert (asked.source, asked.connected, asked.roles) == (FILES, "shop", ("sales", FILES))
    assert asked.readers.roles() == {("sales", FILES): 2}
    nowhere = replace(with_files, access=Access({})).request(question, "UTC")
    assert (nowhere.source, nowhere.connected) == (FILES, "")


def test_an_answer_that_slack_will_not_take_away_ends_its_turn(turns: Turns, caplog: pytest.LogCaptureFixture) -> None:
    turns.runner.run(turn_id := turns.ask(), run_now)
    retractions = Retractions(turns.runner.memory, turns.delivery.retract, turns.runner.run)
    turns.slack.fault("conversations.open", "error", error="user_disabled")
    with caplog.at_level(logging.ERROR):
        assert retractions(retraction(turn_id, "9.9"), run_now, NEVER) == "undeliverable"
    assert "user_disabled" in caplog.text
