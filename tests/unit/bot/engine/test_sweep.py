"""One sweep after another on a clock that only the test moves: what is resumed, ended, given up, renewed and tidied."""

import logging
import sqlite3
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest

from bot.engine.crashes import Crashes
from bot.engine.database import QueueDatabase, understood
from bot.engine.shares import Places
from bot.engine.store import News, TurnRun, TurnStore
from bot.engine.sweep import (
    BATCH,
    GRACE_SECONDS,
    HOUR,
    MISSING_SECONDS,
    RENEW_SECONDS,
    Duties,
    Sweeper,
    prune,
)
from bot.engine.workflow import Running
from bot.inbound import NewTurn
from tests.schedules.threads import simulated
from tests.schedules.world import Process, Task, World, never
from tests.unit.bot.engine.conftest import thread, turn_id

NOON, HANG = 1_800_000_000.0, 100.0
WEEK = 604_800.0  # seconds
OURS, OTHER, THIRD = "bot-ours", "bot-other", "bot-third"


@dataclass
class Hands:
    """What a sweep sees of the turns that run here, and does with them."""

    running: list[Running] = field(default_factory=list)
    known: list[str] = field(default_factory=list)
    stopped: list[str] = field(default_factory=list)
    handed_on: list[str] = field(default_factory=list)
    rings: int = 0

    def ring(self) -> None:
        self.rings += 1

    def knows(self, turn: str) -> bool:
        return turn in self.known

    def stop(self, turns: Collection[str]) -> None:
        self.stopped += turns

    def hand_on(self, running: Running) -> None:
        self.handed_on.append(running.run.turn_id)


@dataclass
class Locks:
    """The leases of engines, and who may sweep."""

    alive: set[str] = field(default_factory=lambda: {OURS})
    is_alone: bool = True
    renewed: int = 0

    def hold(self, engine: str) -> None:
        self.alive.add(engine)

    def is_free(self, engine: str) -> bool:
        return engine not in self.alive

    def renew(self) -> None:
        self.renewed += 1

    @contextmanager
    def alone(self) -> Iterator[bool]:
        yield self.is_alone

    def close(self) -> None:
        self.alive.discard(OURS)


@dataclass
class Room:
    world: World
    database: QueueDatabase
    crashes: Crashes
    hands: Hands = field(default_factory=Hands)
    locks: Locks = field(default_factory=Locks)
    hours: int = 0
    waits: int = 0
    poison: list[str] = field(default_factory=list)
    fails: Exception | None = None

    def __post_init__(self) -> None:
        self.store = TurnStore(self.database, OURS, self.world.time)
        duties = Duties(self.hour, self.give_up, self.wait, HANG)
        self.sweeper = Sweeper(OURS, self.store, self.hands, self.locks, self.crashes, duties)  # type: ignore[arg-type]

    def hour(self) -> None:
        self.hours += 1
        if self.fails is not None:
            raise self.fails

    def wait(self) -> None:
        self.waits += 1

    def give_up(self, turn: str) -> None:
        self.poison.append(turn)
        assert turn not in self.ended(), "the note comes first"

    def sweep(self, after: float = 0.0) -> None:
        self.world.now += after
        self.sweeper.sweep()

    def begin(self, engine: str, *numbers: int) -> list[str]:
        """Let turns of threads run in an engine."""
        turns = [turn_id(thread(number)) for number in numbers]
        self.store.add([NewTurn(turn, thread(number)) for turn, number in zip(turns, numbers, strict=True)])
        there = TurnStore(self.database, engine, self.world.time)
        begun = there.advance(
            News({}, {}, {}), Places(99), lambda waiting, _: [w for w in waiting if w.turn_id in turns]
        )
        assert sorted(each.run.turn_id for each in begun) == sorted(turns)
        return turns

    def states(self) -> dict[str, str]:
        return dict(self.database.read("SELECT turn_id, state FROM engine_turns"))

    def waiting(self) -> list[str]:
        return sorted(turn for turn, state in self.states().items() if state == "waiting")

    def ended(self) -> list[str]:
        return sorted(turn for turn, state in self.states().items() if state == "ended")


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    world = World(NOON, Random(1))
    with simulated(world), closing(QueueDatabase(understood(f"sqlite:///{tmp_path}/engine.sqlite"))) as database:
        TurnStore(database, OURS, world.time).create()
        room = Room(world, database, Crashes(database))
        room.sweep()
        yield room


def test_the_own_lease_is_renewed_every_other_second(room: Room) -> None:
    assert room.locks.renewed == 1
    room.sweep(RENEW_SECONDS - 1)
    assert room.locks.renewed == 1
    room.sweep(1)
    assert room.locks.renewed == 2
    room.sweep(RENEW_SECONDS - 1)
    assert room.locks.renewed == 2


def test_work_of_the_hour_is_done_at_once_and_every_hour_by_whoever_is_alone(room: Room) -> None:
    assert room.hours == 1
    room.sweep(HOUR - 1)
    assert room.hours == 1
    room.locks.is_alone = False
    room.sweep(1)
    assert room.hours == 1
    room.locks.is_alone = True
    room.sweep()
    room.sweep(HOUR - 1)
    assert room.hours == 2


def test_work_of_the_hour_that_fails_is_tried_again_in_an_hour(room: Room) -> None:
    room.fails = ValueError("no disk")
    with pytest.raises(ValueError, match="no disk"):
        room.sweep(HOUR)
    room.sweep(HOUR - 1)
    assert room.hours == 2


def test_each_sweep_tells_those_who_wait(room: Room) -> None:
    room.sweep()
    assert room.waits == 2


def test_a_bell_is_rung_for_what_is_due_and_for_what_was_lost(room: Room) -> None:
    room.sweep()
    assert room.hands.rings == 0
    (lost,) = room.begin(OTHER, 1)
    room.sweep()
    assert (room.hands.rings, room.waiting()) == (1, [lost])
    room.sweep()
    assert room.hands.rings == 2


def test_a_wish_to_stop_reaches_what_runs(room: Room) -> None:
    mine, other = room.begin(OURS, 1, 2)
    room.hands.known = [mine, other]
    room.store.stop([mine])
    room.sweep()
    assert room.hands.stopped == [mine]


def test_turns_of_the_living_run_on(room: Room) -> None:
    room.locks.alive.add(OTHER)
    room.begin(OTHER, 1)
    room.sweep(HOUR)
    assert room.waiting() == []
    room.locks.alive.discard(OTHER)
    room.locks.is_alone = False
    room.sweep()
    assert room.waiting() == []


def test_turns_that_run_here_by_their_rows_alone_wait_again_after_a_while(room: Room) -> None:
    lost, known = room.begin(OURS, 1, 2)
    room.hands.known = [known]
    room.sweep()
    room.sweep(MISSING_SECONDS)
    assert room.waiting() == []
    room.sweep(0.1)
    assert room.waiting() == [lost]


def test_a_turn_that_is_found_meanwhile_is_not_missing(room: Room) -> None:
    (turn,) = room.begin(OURS, 1)
    room.sweep()
    room.hands.known = [turn]
    room.sweep(MISSING_SECONDS)
    room.hands.known = []
    room.sweep(1)
    room.sweep(MISSING_SECONDS)
    assert room.waiting() == []
    room.sweep(0.1)
    assert room.waiting() == [turn]


def running(room: Room, turn: str, steps: int = 0, number: int = 1) -> Running:
    recorded = {f"step {place}": '{"value": 1}' for place in range(steps)}
    return Running(TurnRun(turn, number), ("T1", "C1", ""), recorded, room.world.now)


def test_a_turn_that_hangs_is_stopped_and_then_handed_on(room: Room) -> None:
    (turn,) = room.begin(OURS, 1)
    room.hands.running, room.hands.known = [running(room, turn)], [turn]
    room.sweep(HANG)
    assert (room.hands.stopped, room.hands.handed_on) == ([], [])
    room.sweep(0.5)
    assert (room.hands.stopped, room.hands.handed_on) == ([turn], [])
    room.sweep(GRACE_SECONDS - 0.5)
    assert room.hands.handed_on == []
    room.sweep(0.5)
    assert (room.hands.handed_on, room.poison) == ([turn], [])


def test_a_turn_that_hangs_again_and_again_is_given_up(room: Room, caplog: pytest.LogCaptureFixture) -> None:
    (turn,) = room.begin(OURS, 1)
    room.hands.known = [turn]
    for number in (1, 2, 3):
        assert room.poison == []
        room.hands.running = [running(room, turn, steps=2, number=number)]
        room.sweep(HANG + GRACE_SECONDS + 1)
    assert (room.poison, room.ended()) == ([turn], [turn])
    assert room.hands.handed_on == [turn] * 3
    assert f"turn {turn} hangs; it is begun anew" in caplog.messages


def test_a_hanging_turn_that_got_further_is_begun_anew_again(room: Room) -> None:
    (turn,) = room.begin(OURS, 1)
    room.hands.known = [turn]
    for number in (1, 2, 3, 4):
        room.hands.running = [running(room, turn, steps=number, number=number)]
        room.sweep(HANG + GRACE_SECONDS + 1)
    assert room.poison == []


def die(room: Room, engine: str, *numbers: int) -> list[str]:
    """Let turns, known or not, be lost with an engine."""
    turns = room.begin(engine, *numbers)
    room.sweep()
    return turns


def test_a_turn_that_ends_its_process_alone_is_given_up_after_three(
    room: Room, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(3):
        assert room.poison == []
        (turn,) = die(room, f"bot-{number}", 1)
    assert (room.poison, room.ended()) == ([turn], [turn])
    assert f"turn {turn} ends its process again and again; giving it up" in caplog.messages
    assert any(message.startswith("resuming turns") for message in caplog.messages)


def test_losses_before_the_first_step_count_together_however_a_turn_was_lost(room: Room) -> None:
    (turn,) = room.begin(OURS, 1)
    room.sweep()
    room.sweep(MISSING_SECONDS + 0.1)
    die(room, OTHER, 1)
    assert room.crashes.suspects() == [turn]


def test_of_those_that_were_lost_twice_together_one_is_tried_at_a_time(
    room: Room, caplog: pytest.LogCaptureFixture
) -> None:
    first = die(room, "bot-0", 1, 2)
    assert room.waiting() == sorted(first)
    (said,) = (message for message in caplog.messages if message.startswith("resuming turns"))
    assert sorted(said.partition(": ")[2].split(", ")) == sorted(first)
    room.begin("bot-1", 1, 2)
    room.sweep()
    (tried,) = room.waiting()
    room.sweep()
    assert room.waiting() == [tried]
    room.begin("bot-2", first.index(tried) + 1)
    room.locks.alive.add("bot-2")
    room.sweep()
    assert room.waiting() == []
    room.database.write(lambda tx: tx.do("UPDATE engine_turns SET state = 'ended' WHERE turn_id = ?", (tried,)))
    room.sweep()
    assert room.waiting() == [turn for turn in first if turn != tried]


def test_old_turns_go_with_what_is_known_of_their_losses(room: Room) -> None:
    old = [f"T1:C1:{number}.000100" for number in range(BATCH + 1)]
    rows = [(turn, room.world.now - WEEK - 1) for turn in old]
    rows.append(("T1:C1:young.1", room.world.now - WEEK + 1))
    insert = (
        "INSERT INTO engine_turns (turn_id, thread, team, channel, person, place, arrived, state, ended)"
        " VALUES (?, '', '', '', '', 1, 0, 'ended', ?)"
    )
    room.database.write(lambda tx: tx.each(insert, rows))
    for engine in ("bot-0", "bot-1"):
        room.crashes.note(old[-1], engine, 0, alone=False)
    room.sweep(HOUR - 1)
    assert len(room.ended()) == BATCH + 2
    room.world.now -= HOUR - 1
    room.sweeper._tidied = room.world.now - HOUR
    room.sweep()
    assert room.ended() == ["T1:C1:young.1"]
    assert room.crashes.suspects() == []
    assert prune(room.store, room.crashes, room.world.now - WEEK + 2) == ["T1:C1:young.1"]


def test_a_sweep_that_fails_is_made_again_a_second_later_until_the_end(
    room: Room, caplog: pytest.LogCaptureFixture
) -> None:
    away = sqlite3.OperationalError("away")
    away.sqlite_errorcode = sqlite3.SQLITE_BUSY
    room.waits, errors = 0, [away, ZeroDivisionError()]
    process, left = Process("engine"), list[Task]()
    assert room.sweeper._thread.daemon, "a process ends without waiting for its sweep"

    def life() -> None:
        room.sweeper.start()
        room.world.wait(never, 3.5)
        room.sweeper.stop()
        left.extend(task for task in room.world.tasks if task is not room.world.current and not task.is_over)

    room.world.spawn(process, life)

    def wait() -> None:
        room.waits += 1
        if errors:
            raise errors.pop(0)

    object.__setattr__(room.sweeper._duties, "wait", wait)
    with caplog.at_level(logging.WARNING):
        until(room.world, lambda: not room.world.tasks)
    assert (room.waits, left) == (4, [])
    records = [record for record in caplog.records if record.getMessage().startswith("the sweep failed")]
    assert [bool(record.exc_info) for record in records] == [False, True]
    assert room.world.now < NOON + 5
    process.die()


def until(world: World, probe: Callable[[], bool]) -> None:
    for _ in range(1000):
        if probe():
            return
        world.step()
        world.bury()
    raise AssertionError("it does not end")
