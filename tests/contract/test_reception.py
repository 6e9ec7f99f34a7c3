"""Events that cannot be stored, or that must wait: each is taken in once and in order, and whoever asked is told."""

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from threading import Event, Thread
from time import time
from typing import Any

import pytest
from psycopg import OperationalError

from ai.errors import SourceUnavailable
from bot.contact.gaps import Gap, Gaps
from bot.contact.ledger import Arrivals
from bot.contact.reception import NotStored, Reception
from bot.contact.waiting import waiting
from bot.inbound import Inbound, NewTurn, Spool
from bot.listeners import Body, Intake, take_events
from bot.people import Home, People
from local_slack.testing import ANA, DM_OF, GENERAL, MENTION
from tests.desk import open_desk
from tests.fakes import KeptQueue
from tests.intakes import TEAM, intake_of
from tests.unit.bot.test_watch import Finder
from tests.wait import until

ROOT = "1700000000.000001"
REFUSED = "1700000020.000005"


@dataclass
class Lobby:
    """A reception over a real memory and a queue that may be away."""

    desk: Intake
    queue: KeptQueue
    spool: Spool
    gaps: Gaps
    arrivals: Arrivals
    opened: ExitStack
    told: list[str] = field(default_factory=list)
    reaches: bool = True

    def post(self, inbound: Inbound, sentence: str) -> "Future[bool]":
        posted: Future[bool] = Future()
        posted.set_result(self.reaches)
        if self.reaches:
            self.told.append(sentence)
        return posted

    def open(self) -> Reception:
        """A reception of a process that starts now."""
        take, read = partial(take_events, self.desk), partial(waiting, intake=self.desk)
        reception = Reception(take, read, self.spool, self.gaps, self.arrivals, self.post)
        reception.start()
        self.opened.callback(reception.stop)
        return reception

    def waits(self, *questions: str) -> None:
        expected = [f"{TEAM}:{GENERAL}:{ts}" for ts in questions]
        until(lambda: self.queue.waiting == expected, 15, f"{expected} in the queue")

    @property
    def kept(self) -> int:
        return len(list(self.spool.kept()))


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[Lobby]:
    with open_desk(tmp_path) as product, ExitStack() as opened:
        queue = KeptQueue()
        desk = intake_of(product.memory, queue, context=product.context)
        yield Lobby(desk, queue, Spool((tmp_path / "spool",)), Gaps(Finder()), Arrivals(), opened)


def said(ts: str = ROOT, text: str = f"{MENTION} how many apps?", **facts: str) -> dict[str, Any]:
    kind = "app_mention" if MENTION in text else "message"
    event = {"type": kind, "user": ANA, "channel": GENERAL, "ts": ts, "event_ts": ts, "text": text, **facts}
    return {"type": "event_callback", "team_id": TEAM, "event": event}


def edited(ts: str, text: str, at: str) -> dict[str, Any]:
    message = {"user": ANA, "ts": ts, "text": text, "edited": {"user": ANA, "ts": at}}
    event = {"type": "message", "subtype": "message_changed", "channel": GENERAL, "ts": at, "event_ts": at}
    return {"type": "event_callback", "team_id": TEAM, "event": {**event, "message": message}}


def deleted(ts: str, at: str) -> dict[str, Any]:
    event = {"type": "message", "subtype": "message_deleted", "channel": GENERAL, "deleted_ts": ts, "event_ts": at}
    return {"type": "event_callback", "team_id": TEAM, "event": event}


def test_what_can_be_stored_is_stored_at_once_and_owed_no_more(lobby: Lobby) -> None:
    lobby.open().receive(said())
    lobby.waits(ROOT)
    until(lambda: lobby.kept == 0, what="nothing to be kept")  # a second is little on a busy machine
    now = time()
    until(lambda: lobby.arrivals.stored_until(now) == now, what="nothing to be owed")


def test_what_cannot_be_stored_is_kept_told_and_taken_in_later(lobby: Lobby) -> None:
    reception = lobby.open()
    lobby.queue.is_down = True
    for _ in range(2):  # as Slack repeats it
        reception.receive(said())
    reception.receive(said("1700000009.000001"))
    assert lobby.kept == 2
    assert lobby.arrivals.stored_until(time()) == float(ROOT)
    until(lambda: len(lobby.told) == 2, 5, "both to be told")
    assert "I could not write your question down; I will look again at <!date^" in lobby.told[0]
    lobby.queue.is_down = False
    lobby.waits(ROOT, "1700000009.000001")
    until(lambda: lobby.kept == 0, what="the spool to be empty")
    assert len(lobby.told) == 2


def test_whoever_cannot_be_told_yet_is_told_once_slack_is_there(lobby: Lobby) -> None:
    reception = lobby.open()
    lobby.queue.is_down, lobby.reaches = True, False
    reception.receive(said())
    reception.receive(said("1700000005.000001", "lunch?", thread_ts=ROOT))  # nobody asked
    until(lambda: reception._all[next(iter(reception._all))].telling, 5, "a first try")
    lobby.reaches = True
    until(lambda: lobby.told, 5, "the word")
    assert len(lobby.told) == 1


def test_the_next_process_takes_in_what_was_kept(lobby: Lobby) -> None:
    reception = lobby.open()
    lobby.queue.is_down = True
    reception.receive(said())
    reception.stop()
    lobby.queue.is_down = False
    lobby.open()
    lobby.waits(ROOT)
    until(lambda: lobby.kept == 0, what="the spool to be empty")


def test_what_was_forgotten_while_it_waited_is_not_asked(lobby: Lobby) -> None:
    reception = lobby.open()
    lobby.queue.is_down = True
    reception.receive(said())
    lobby.spool.forget_person(ANA)
    reception.receive(said("1700000009.000001"))
    lobby.queue.is_down = False
    lobby.waits("1700000009.000001")


def test_what_can_be_kept_nowhere_is_not_acknowledged_and_still_taken_in(lobby: Lobby, tmp_path: Path) -> None:
    (tmp_path / "spool").write_text("no folder")
    reception = lobby.open()
    lobby.queue.is_down = True
    with pytest.raises(NotStored):
        reception.receive(said())
    lobby.queue.is_down = False
    lobby.waits(ROOT)
    reception.receive(said())


def test_edits_and_deletions_of_what_waits_come_after_it(lobby: Lobby) -> None:
    reception = lobby.open()
    lobby.queue.is_down = True
    late = "1700000001.000001"
    for ts in (late, ROOT):  # Slack brings them backwards
        reception.receive(said(ts))
    for body in (deleted(late, "1700000004.000001"), edited(ROOT, "how many users?", "1700000003.000001")):
        reception.receive(body)
    lobby.queue.is_down = False
    until(lambda: not reception._all, 15, "everything to be taken in")
    root, gone_root = (f"{TEAM}:{GENERAL}:{ts}" for ts in (ROOT, late))
    assert lobby.queue.waiting == [root, f"{root}~1700000003.000001", f"{gone_root}~-{late}"]
    question, gone = (lobby.desk.memory.question(f"{TEAM}:{GENERAL}:{ts}") for ts in (ROOT, late))
    assert question is not None
    assert question.content == "how many users?"
    assert gone is None or not gone.content


def test_replies_wait_for_an_open_gap_and_roots_do_not(lobby: Lobby) -> None:
    reception = lobby.open()
    reception.receive(said())
    finder = Finder(knows=False)
    lobby.gaps._finder = finder
    lobby.gaps.open(Gap(time()))
    reply, root = "1700000002.000001", "1700000003.000001"
    reception.receive(said(reply, f"{MENTION} and iOS?", thread_ts=ROOT))
    reception.receive(said(root))
    lobby.waits(ROOT, root)
    assert lobby.kept == 1
    until(lambda: lobby.told, 5, "the word")
    assert "I was away" in lobby.told[0]
    finder.knows = True
    lobby.waits(ROOT, root, reply)


def test_an_event_that_nobody_understands_is_refused_and_holds_up_nothing(lobby: Lobby) -> None:
    reception = lobby.open()
    broken = said()
    broken["event"]["ts"] = "never"
    broken["event"]["event_ts"] = ROOT
    with pytest.raises(ValueError, match="never"):
        reception.receive(broken)
    reception.receive(said())
    lobby.waits(ROOT)


def test_many_at_once_are_each_taken_in_once(lobby: Lobby) -> None:
    reception = lobby.open()
    times = [f"17000000{n:02}.000001" for n in range(10, 30)]
    threads = [Thread(target=reception.receive, args=(said(ts),)) for ts in times * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(lobby.queue.waiting) == [f"{TEAM}:{GENERAL}:{ts}" for ts in times]


def test_a_direct_message_is_told_of_too(lobby: Lobby) -> None:
    reception = lobby.open()
    lobby.queue.is_down = True
    reception.receive(said(text="how many apps?", channel=DM_OF[ANA], channel_type="im"))
    until(lambda: lobby.told, 5, "the word")


@dataclass
class HeldQueue(KeptQueue):
    """A queue that lets nothing through before `gate`, and keeps how many came at a time."""

    gate: Event = field(default_factory=Event)
    together: list[int] = field(default_factory=list)

    def enqueue_all(self, turns: Sequence[NewTurn]) -> None:
        self.gate.wait(10)
        if any(turn.turn_id.endswith(REFUSED) for turn in turns):
            raise ValueError(REFUSED)
        super().enqueue_all(turns)
        self.together.append(len(turns))


@pytest.mark.parametrize("bad", [(), (REFUSED,)])
def test_what_comes_while_one_is_stored_is_taken_in_together_and_acknowledged_in_order(
    lobby: Lobby, bad: Sequence[str]
) -> None:
    queue = HeldQueue()
    lobby.desk = replace(lobby.desk, accept=queue.enqueue_all, queue=queue)
    reception = lobby.open()
    times = [f"17000000{n:02}.000001" for n in range(10, 30)]
    acknowledged: list[str] = []
    for ts in sorted([*times, *bad]):
        reception.accept(said(ts), partial(acknowledged.append, ts))
    queue.gate.set()
    until(lambda: acknowledged == times, what="all to be acknowledged, but for the refused one")
    assert queue.waiting == [f"{TEAM}:{GENERAL}:{ts}" for ts in times]
    assert all(lobby.desk.memory.question(turn) for turn in queue.waiting)
    assert (max(queue.together) == 1) is bool(bad)  # where one is refused, each goes by itself


def test_what_goes_by_itself_is_not_joined_over_one_that_waits(lobby: Lobby) -> None:
    lobby.gaps._finder = Finder(knows=False)
    lobby.gaps.open(Gap(time()))
    reception, gate, taken = lobby.open(), Event(), list[list[str]]()

    def take(bodies: Sequence[Body]) -> None:
        taken.append([body["event"]["ts"] for body in bodies])
        gate.wait(10)

    reception._take = take
    bodies = [
        said(),
        said("1700000001.000001"),
        said("1700000002.000001", thread_ts=ROOT),  # held by the gap
        said("1700000003.000001", f"{MENTION} stop"),
    ]
    for body in bodies:
        reception.accept(body, lambda: None)
        until(lambda: taken, what="the first to be taken in")
    gate.set()
    until(lambda: len(reception._all) == 1, what="all to be taken in, but for the held one")
    assert taken == [[ROOT], ["1700000001.000001"], ["1700000003.000001"]]


def test_of_what_comes_together_nothing_is_logged_without_its_place_in_the_queue(lobby: Lobby) -> None:
    lobby.queue.is_down = True
    with pytest.raises(OperationalError):
        take_events(lobby.desk, [said(), said("1700000009.000001")])
    lobby.queue.is_down = False
    take_events(lobby.desk, [said(), said("1700000009.000001")])  # as Slack repeats them
    assert lobby.queue.waiting == [f"{TEAM}:{GENERAL}:{ts}" for ts in (ROOT, "1700000009.000001")]


def test_strangers_are_taken_in_one_by_one(lobby: Lobby) -> None:
    desk = replace(lobby.desk, people=People(Home(TEAM), lambda _: None))
    with pytest.raises(SourceUnavailable):
        take_events(desk, [said(), said("1700000009.000001")])
    assert lobby.desk.memory.question(f"{TEAM}:{GENERAL}:{ROOT}") is None
