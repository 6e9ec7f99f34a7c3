"""Stand-ins that keep the contract of the port they stand for."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import psycopg

from ai.analysts.port import SQL_QUERY, Draft, Proposal, Question, Route
from ai.results.table import ResultTable
from ai.types import ThreadKey
from bot.inbound import NewTurn

T = TypeVar("T")


@dataclass
class ScriptedAnalyst:
    """An analyst that proposes what the script says, one line per call, and keeps what it was told."""

    script: list[Proposal]
    problems: list[str] = field(default_factory=list)
    name: str = "scripted analyst"

    def route(self, question: Question) -> Route:
        return Route(SQL_QUERY, "scripted")

    def write_sql(self, question: Question) -> Proposal:
        return self.script.pop(0)

    def repair_sql(self, question: Question, draft: Draft, problem: str) -> Proposal:
        self.problems.append(problem)
        return self.script.pop(0)

    def phrase(self, question: Question, draft: Draft, result: ResultTable) -> Iterator[str]:
        yield f"{result.row_count} rows"


@dataclass
class KeptQueue:
    """A queue that keeps what it is given, in order; `is_down` while its database is away."""

    waiting: list[str] = field(default_factory=list)
    stopped: list[ThreadKey] = field(default_factory=list)
    is_down: bool = False

    def enqueue(self, turn_id: str, thread: ThreadKey, person: str = "", *, is_quick: bool = False) -> None:
        self.enqueue_all([NewTurn(turn_id, thread, person, is_quick)])

    def enqueue_all(self, turns: Sequence[NewTurn]) -> None:
        if self.is_down:
            raise psycopg.OperationalError("away")
        self.waiting += [turn.turn_id for turn in turns if turn.turn_id not in self.waiting]

    def revise(
        self, turn_id: str, edited_ts: str, thread: ThreadKey, person: str = "", *, is_quick: bool = False
    ) -> None:
        self.enqueue(f"{turn_id}~{edited_ts}", thread, is_quick=is_quick)

    def stop(self, turn_id: str) -> None:
        self.waiting.remove(turn_id)

    def stop_thread(self, thread: ThreadKey, before: float) -> int:
        self.stopped.append(thread)
        return len(self.waiting)


class PowerCut(BaseException):
    """The process ends here."""


@dataclass
class RecordedSteps:
    """A `Step` with a memory, like the durable engine's: steps have a place and a name, and replay what they gave.

    `cut_after` steps are recorded, then the power goes: before the effect of the next one, or with `after_effect`
    between its effect and its record.
    """

    recorded: list[tuple[str, Any]] = field(default_factory=list)
    cut_after: int | None = None
    after_effect: bool = False
    place: int = 0
    effects: list[str] = field(default_factory=list)

    def __call__(self, name: str, fn: Callable[[], T]) -> T:
        place, self.place = self.place, self.place + 1
        if place < len(self.recorded):
            known, value = self.recorded[place]
            assert known == name, f"step {place} was {known!r} and is {name!r} now"
            replayed: T = value
            return replayed
        cut = self.cut_after is not None and place >= self.cut_after
        if cut and not self.after_effect:
            raise PowerCut
        self.effects.append(name)
        value = fn()
        if cut:
            raise PowerCut
        self.recorded.append((name, value))
        return value

    def again(self) -> "RecordedSteps":
        """The next run of the same turn, with power."""
        return RecordedSteps(self.recorded)
