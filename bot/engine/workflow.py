"""Run one turn with recorded steps.

When the engine closes, or a database is away, the turn stops at a step and runs again later. `Postponed` is no
Exception, so the turn's own error border lets it pass.
"""

import logging
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Protocol, TypeVar, cast

from ai.stopping import Stop
from ai.types import Step
from bot.engine.outage import is_outage
from bot.engine.records import deserialize, serialize, small_json
from bot.engine.shares import Party
from bot.engine.store import Begun, TurnRun

T = TypeVar("T")
Turn = Callable[[str, Step, Stop], str]
CLAIM = "claim"  # the step whose value tells a first run from another
AGAIN = serialize("an earlier run")
WORTH_SECONDS = 0.02  # a step that took longer is written down at once: it may have cost a call
PUT_OFF_SECONDS, LONGEST_PUT_OFF = 1.0, 15.0
log = logging.getLogger(__name__)


class Postponed(BaseException):
    """Leave the turn unfinished; it runs again within seconds, with its recorded steps."""


class Abandoned(Postponed):
    """End this run: the engine is closing, or the turn was handed on."""


class Reports(Protocol):
    """Hears of runs from their threads."""

    def record(self, running: "Running", *, now: bool) -> None: ...

    def end(self, running: "Running", outcome: str) -> None: ...

    def put_off(self, running: "Running", seconds: float) -> None: ...

    def give_way(self, running: "Running") -> None: ...


@dataclass(slots=True, eq=False)
class Running:
    """A run under way. `since` is when it last began or ended a step, `steps` what it has recorded."""

    run: TurnRun
    party: Party
    steps: dict[str, str]
    since: float
    stop: Stop = field(default_factory=Stop)
    is_over: bool = False
    is_quick: bool = False
    gave_way: float = 0.0  # seconds

    @classmethod
    def of(cls, begun: Begun) -> "Running":
        again = {CLAIM: AGAIN} if begun.run.number > 1 else {}
        running = cls(begun.run, begun.party, {**begun.steps, **again}, monotonic(), is_quick=begun.is_quick)
        if begun.is_stopped:
            running.stop.call()
        return running

    @property
    def computes(self) -> bool:
        return not self.stop.is_listened_to


def work(running: Running, turn: Turn, reports: Reports) -> None:
    """Run a turn to its end, or until it is put off."""
    try:
        outcome = _outcome(running, turn, reports)
    except Abandoned:
        reports.put_off(running, 0)
    except Postponed:
        reports.put_off(running, pause_of(running.run))
    else:
        reports.end(running, outcome)


def _outcome(running: Running, turn: Turn, reports: Reports) -> str:
    try:
        return turn(running.run.turn_id, Steps(running, reports), running.stop)
    except Exception as error:  # the last border: an error that the turn let through must not hold up its thread
        if running.is_over:
            raise Abandoned from error
        if is_outage(error):
            raise Postponed from error
        log.exception("turn %s let an error through", running.run.turn_id)
        return "crashed"


def pause_of(run: TurnRun) -> float:
    """Return the seconds until a turn is tried again, longer with each run."""
    return min(PUT_OFF_SECONDS * run.number, LONGEST_PUT_OFF)


class Steps:
    """The steps of one run. A name that comes again gets a number."""

    def __init__(self, running: Running, reports: Reports) -> None:
        self._running = running
        self._reports = reports
        self._names = Counter[str]()

    def __call__(self, name: str, fn: Callable[[], T]) -> T:
        running = self._running
        if running.is_over:
            raise Abandoned
        self._names[name] += 1
        key = name if self._names[name] == 1 else f"{name}#{self._names[name]}"
        if key in running.steps:
            return cast(T, deserialize(running.steps[key]))
        self._reports.give_way(running)
        running.since = began = monotonic()
        try:
            value: Any = small_json(name, fn())
        except Exception as error:
            if is_outage(error):
                raise Postponed from error
            if running.is_over:  # it may come from closing, and that is no answer
                raise Abandoned from error
            self._record(key, error, began)
            raise
        self._record(key, value, began)
        return cast(T, value)

    def _record(self, key: str, value: Any, began: float) -> None:
        now = self._running.since = monotonic()
        self._running.steps = {**self._running.steps, key: serialize(value)}
        self._reports.record(self._running, now=now - began > WORTH_SECONDS)


def stored(steps: Mapping[str, str]) -> dict[str, str]:
    """Return what is worth a row: the engine itself knows of an earlier run."""
    return {name: value for name, value in steps.items() if (name, value) != (CLAIM, AGAIN)}
