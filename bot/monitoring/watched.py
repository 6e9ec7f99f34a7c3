"""Measure turns and their stages, calls of the language model and of Slack, and lines of the log."""

import logging
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from time import monotonic, time
from typing import Any, TypeVar

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.web import SlackResponse

from ai.ledger import Ledger, LedgerEntry, Prices, Purpose, Spender, TokenUsage
from ai.stopping import Stop
from ai.types import Step
from bot.engine import CLAIM, Postponed
from bot.inbound import said_at
from bot.monitoring.meter import SILENT, Meter
from bot.monitoring.metrics import stage_of
from bot.monitoring.spans import NO_SPANS, Spans

T = TypeVar("T")
TURN: ContextVar[str] = ContextVar("turn", default="")  # the one that this thread is at
ROUTE = "route"
TOO_MANY = 429
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


@dataclass(frozen=True, slots=True)
class WatchedLedger:
    """A ledger telling a meter the cost of each call."""

    ledger: Ledger
    prices: Prices
    meter: Meter
    spans: Spans = NO_SPANS

    def enter(self, spender: Spender, purpose: Purpose, model: str, expected: TokenUsage) -> LedgerEntry:
        if purpose == "repair_sql":
            self.meter.add("retries", what="sql")
        return self.ledger.enter(spender, purpose, model, expected)

    def settle(self, entry: LedgerEntry, usage: TokenUsage, ms: int, outcome: str) -> None:
        self.ledger.settle(entry, usage, ms, outcome)
        self.spans.call(entry, usage, ms, outcome)
        meter, purpose = self.meter, entry.purpose
        meter.add("model_calls", purpose=purpose, outcome=outcome)
        meter.time("model_seconds", ms / 1000, purpose=purpose)
        for kind, tokens in (("prompt", usage.prompt), ("cached", usage.cached), ("completion", usage.completion)):
            meter.add("model_tokens", tokens, purpose=purpose, kind=kind)
        meter.add("model_cost", self.prices.cost(usage), currency=entry.currency)


class WatchedClient(WebClient):
    """A client telling `meter` of each call and its end."""

    meter: Meter = SILENT

    def api_call(self, api_method: str, **call: Any) -> SlackResponse:
        outcome = "unreachable"
        try:
            answer = super().api_call(api_method, **call)
            outcome = "ok"
        except SlackApiError as error:
            outcome = "limited" if getattr(error.response, "status_code", 0) == TOO_MANY else "refused"
            raise
        finally:
            self.meter.add("slack_calls", method=api_method, outcome=outcome)
        return answer


class LineCounter(logging.Handler):
    def __init__(self, meter: Meter) -> None:
        super().__init__(logging.WARNING)
        self._meter = meter

    def emit(self, record: logging.LogRecord) -> None:
        self._meter.add("log_lines", level=record.levelname.lower())


def count_lines(meter: Meter) -> None:
    logging.getLogger().addHandler(LineCounter(meter))
