"""Measure turns: their outcomes, and the times of their stages."""

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
from bot.monitoring.spans import NO_SPANS, Spans

T = TypeVar("T")
TURN: ContextVar[str] = ContextVar("turn", default="")  # the one that this thread is at
ROUTE = "route"
NOBODY = "none"  # the agent of a turn that was not routed


class WatchedTurns:
    """Runs turns as `run` does, and tells a meter."""

    def __init__(self, run: Callable[[str, Step, Stop], str], meter: Meter, spans: Spans = NO_SPANS) -> None:
        self._run = run
        self._meter = meter
        self._spans = spans

    def __call__(self, turn_id: str, step: Step, stop: Stop) -> str:
        stages = _Stages(turn_id, step, self._meter, self._spans)
        outcome, before = "crashed", TURN.set(turn_id)
        try:
            facts: dict[str, str | int] = {}
            with self._spans.turn(turn_id, facts):
                outcome = self._run(turn_id, stages, stop)
                facts |= {"datathread.outcome": outcome, "gen_ai.agent.name": stages.agent}
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
    """The steps of a turn, timed. Records of an earlier run take no time."""

    def __init__(self, turn_id: str, step: Step, meter: Meter, spans: Spans) -> None:
        self._turn_id = turn_id
        self._step = step
        self._meter = meter
        self._spans = spans
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
            with self._spans.stage(self._turn_id, name):
                return fn()
        finally:
            self._meter.time("stage_seconds", monotonic() - began, stage=stage_of(name))
