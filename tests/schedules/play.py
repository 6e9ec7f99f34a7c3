"""Plays a schedule: acts of people and mishaps, each so many slices after the one before; then the world is healthy."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import NamedTuple
from urllib.request import urlopen

from bot.listeners import Intake
from local_slack.testing import GENERAL
from tests.desk import Desk
from tests.intakes import TEAM
from tests.schedules.bot import Receiver, Replica
from tests.schedules.shared import Shared
from tests.schedules.threads import simulated
from tests.schedules.wire import ANSWER, AWAY, BROKEN, LIMITED, LOST, REFUSED, TOKEN, wire_of
from tests.schedules.world import Process, World

PERSISTING = {"away": AWAY, "broken": BROKEN, "token": TOKEN}
PASSING = {"lost": LOST, "limited": LIMITED}
MOST_SECONDS, MOST_SLICES = 400.0, 25_000
QUIET_SECONDS = 6.5  # longer than a turn that nobody is at may go unnoticed


class Act(NamedTuple):
    """`after` so many slices, somebody does something, or something happens."""

    after: int
    name: str
    what: str = ""

    @classmethod
    def read(cls, text: str) -> "Act":
        words = text.split()
        after = int(words.pop(0)) if words[0].isdigit() else 0
        return cls(after, words[0], " ".join(words[1:]))

    def __str__(self) -> str:
        return " ".join(filter(None, [str(self.after) if self.after else "", self.name, self.what]))


def read_schedule(text: str) -> list[Act]:
    return [Act.read(each) for each in text.split(";")]


@dataclass
class Asked:
    """A question, and what its asker did about it later."""

    turn_id: str
    thread: str
    ts: str
    text: str
    asked_at: float
    edits: list[float] = field(default_factory=list)
    in_place: str | None = None  # the ts of what answered it when it was first edited
    stops: list[float] = field(default_factory=list)
    deleted_at: float | None = None


@dataclass
class Play:
    """One walk. `questions` are known by the letter of their thread and their number in it."""

    shared: Shared
    replicas: list[Replica]
    receiver: Receiver
    questions: dict[str, Asked] = field(default_factory=dict)
    roots: dict[str, str] = field(default_factory=dict)
    crashes: int = 0
    refusals: int = 0
    is_at_rest: bool = False

    @property
    def world(self) -> World:
        return self.shared.world

    def act(self, act: Act) -> None:
        for _ in range(act.after):
            self.world.step()
        self.world.now += 0.001
        getattr(self, f"_{act.name}")(act.what)
        self.world.bury()

    def rest(self) -> None:
        """Heal everything, and wait until nothing is left to do; then for a while, in which nothing may happen."""
        self._heal("")
        until, most = self.world.now + MOST_SECONDS, self.world.slices + MOST_SLICES
        while self._is_busy():
            if self.world.now > until or self.world.slices > most:
                return
            for _ in range(20):
                self.world.step()
        quiet = self.world.now + QUIET_SECONDS
        while self.world.now < quiet:
            self.world.step()
        self.is_at_rest = not self._is_busy()

    def _is_busy(self) -> bool:
        return bool(self.shared.wire.inbox or self.shared.unfinished())

    # --- people

    def _ask(self, what: str) -> None:
        thread, *kind = what.split()
        root = self.roots.get(thread)
        if root is not None and self.shared.wire.slack.workspace.history(GENERAL).get(root) is None:
            root = None
        number = 1 + sum(name.startswith(thread) for name in self.questions)
        text = " ".join([*kind, f"question {thread}{number}"])
        ts = self.shared.wire.say(text, root)
        self.roots[thread] = root or ts
        asked = Asked(f"{TEAM}:{GENERAL}:{ts}", self.roots[thread], ts, text, self.world.now)
        self.questions[f"{thread}{number}"] = asked

    def _edit(self, what: str) -> None:
        asked = self.questions.get(what)
        if asked is None or asked.deleted_at is not None:
            return
        if asked.in_place is None:
            shown = [
                each.ts for each in self.shared.wire.shown() if each.turn_id == asked.turn_id and each.number == ANSWER
            ]
            asked.in_place = shown[0] if len(shown) == 1 else None
        asked.edits.append(self.world.now)
        asked.text = f"{asked.text.partition(', ')[0]}, edited {len(asked.edits)}"
        self.shared.wire.edit(asked.ts, asked.text)

    def _delete(self, what: str) -> None:
        asked = self.questions.get(what)
        if asked is not None and asked.deleted_at is None:
            asked.deleted_at = self.world.now
            self.shared.wire.delete(asked.ts)

    def _stop(self, thread: str) -> None:
        if thread in self.roots and self.shared.wire.slack.workspace.history(GENERAL).get(self.roots[thread]):
            self.shared.wire.say("stop", self.roots[thread])
            for name, asked in self.questions.items():
                if name.startswith(thread):
                    asked.stops.append(self.world.now)

    def _press(self, what: str) -> None:
        if what in self.questions:
            self.questions[what].stops.append(self.world.now)
            self.receiver.press_stop(self.questions[what].turn_id)

    # --- mishaps

    def _crash(self, what: str) -> None:
        self.crashes += 1
        member = self.receiver if what == "r" else self.replicas[int(what or 0)]
        member.process.die()

    def _close(self, what: str) -> None:
        self.crashes += 1  # for steps that outlast its patience
        self.replicas[int(what or 0)].close()

    def _wire(self, what: str) -> None:
        kind, _, method = what.partition(" ")
        if kind in PASSING:
            self.shared.wire.once.setdefault(method, []).append(PASSING[kind])
        else:
            self.shared.wire.trouble[method] = PERSISTING[kind]

    def _refuse(self, what: str) -> None:
        self.refusals += 1
        self.shared.wire.once.setdefault("chat.delete", []).extend([REFUSED] * int(what or 1))

    def _queue(self, what: str) -> None:
        self.shared.is_queue_away = what == "away"

    def _heal(self, _: str) -> None:
        self.shared.wire.trouble.clear()
        self.shared.wire.once.clear()
        self.shared.is_queue_away = False

    def _wait(self, seconds: str) -> None:
        until = self.world.now + float(seconds)
        while self.world.now < until:
            self.world.step()


@contextmanager
def played(
    schedule: Sequence[Act], order: int, desk: Desk, intake: Intake, folder: Path, began: float
) -> Iterator[Play]:
    """Walk a schedule to its end. `order` chooses among tasks that may run at one time."""
    world = World(began, Random(order))
    wire = wire_of(world)
    with simulated(world, ("urlopen", urlopen, wire.upload)):
        shared = Shared(world, wire, desk, intake, folder)
        play = Play(shared, [Replica(shared, name) for name in ("one", "two")], Receiver(shared, "receiver"))
        system = Process("system")
        for member in (*play.replicas, play.receiver):
            member.start()
            world.spawn(system, member.supervise)
        try:
            play._wait("0.5")
            for act in schedule:
                play.act(act)
            play.rest()
            yield play
        finally:
            for process in (system, *(member.process for member in (*play.replicas, play.receiver))):
                process.die()
            world.bury()
            shared.close()
