"""Measure turns: what became of them, and how long their stages took."""

from collections.abc import Callable
from contextvars import ContextVar
from time import monotonic, time
from typing import TypeVar

from ai.stopping import Stop
from ai.types import Step
from bot.engine import CLAIM, Postponed
from bot.inbound import said_at
from bot.monitoring.meter import Meter
from bot.monitoring.metrics import stage_of

T = TypeVar("T")
TURN: ContextVar[str] = ContextVar("turn", default="")  # the one that this thread is at
ROUTE = "route"
NOBODY = "none"  # the agent of a turn that was not routed


class WatchedTurns:
    """Runs turns as `run` does, and tells a meter."""

    def __init__(self, run: Callable[[str, Step, Stop], str], meter: Meter) -> None:
        self._run = run
        self._meter = meter

    def __call__(self, turn_id: str, step: Step, stop: Stop) -> str:
        stages = _Stages(turn_id, step, self._meter)
        outcome, before = "crashed", TURN.set(turn_id)
        try:
            outcome = self._run(turn_id, stages, stop)
        except Postponed:
            outcome = ""
            self._meter.add("retries", what="turn")
            raise
        finally:
            TURN.reset(before)
            if outcome:
                self._meter.add("questions", outcome=outcome, agent=stages.agent)
                if asked := said_at(turn_id):
                    self._meter.time("answer_seconds", time() - asked, agent=stages.agent)
        return outcome


class _Stages:
    """The steps of a turn, timed. What an earlier run recorded takes no time."""

    def __init__(self, turn_id: str, step: Step, meter: Meter) -> None:
        self._turn_id = turn_id
        self._step = step
        self._meter = meter
        self.agent = NOBODY

    def __call__(self, name: str, fn: Callable[[], T]) -> T:
        value = self._step(name, lambda: self._timed(name, fn))
        if name == ROUTE:
            self.agent = str(value)
        return value

    def _timed(self, name: str, fn: Callable[[], T]) -> T:
        if name == CLAIM:
            if asked := said_at(self._turn_id):
                self._meter.time("begin_seconds", time() - asked)
            return fn()
        began = monotonic()
        try:
            return fn()
        finally:
            self._meter.time("stage_seconds", monotonic() - began, stage=stage_of(name))
