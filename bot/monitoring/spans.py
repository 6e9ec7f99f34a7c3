"""Spans of turns for OpenTelemetry, by its conventions for agents and models: names, times, tokens and outcomes.

No span holds a word of people, SQL, a cell or the text of an error. A call of a model may run in another thread than
its turn. Where spans go stands in the variables OTEL_*, as the library reads them.
"""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from time import time_ns
from typing import Any, Protocol

from ai.errors import MissingExtra
from ai.ledger import LedgerEntry, TokenUsage
from bot.monitoring.metrics import stage_of

SERVICE = "datathread"
SETTING = "OTEL_EXPORTER_OTLP_ENDPOINT"
PATH = "/v1/traces"
NANO = 10**9
Facts = Mapping[str, str | int]


class Spans(Protocol):
    """Takes the spans of turns. `facts` are added at the end of a block."""

    def turn(self, turn_id: str, facts: dict[str, str | int]) -> Any:
        """Return the block of a turn."""

    def stage(self, turn_id: str, step: str) -> Any:
        """Return the block of a step of it."""

    def call(self, entry: LedgerEntry, usage: TokenUsage, ms: int, outcome: str) -> None:
        """Enter a call of the model just ended."""


class _NoSpans:
    @contextmanager
    def turn(self, turn_id: str, facts: dict[str, str | int]) -> Iterator[None]:  # noqa: ARG002 - it drops all
        yield

    @contextmanager
    def stage(self, turn_id: str, step: str) -> Iterator[None]:  # noqa: ARG002
        yield

    def call(self, entry: LedgerEntry, usage: TokenUsage, ms: int, outcome: str) -> None:  # noqa: ARG002
        return


NO_SPANS: Spans = _NoSpans()


class OtelSpans:
    """Sends spans to a collector. Raises MissingExtra without the extra `otel`."""

    def __init__(self, endpoint: str) -> None:
        try:
            from opentelemetry import trace
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
            from opentelemetry.sdk.resources import OTELResourceDetector, Resource
            from opentelemetry.sdk.trace import TracerProvider
            from opentelemetry.sdk.trace.export import BatchSpanProcessor
        except ModuleNotFoundError:
            raise MissingExtra(SETTING, "otel") from None
        self._trace = trace
        named = Resource({"service.name": SERVICE}).merge(OTELResourceDetector().detect())
        self._provider = TracerProvider(resource=named)
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=endpoint.rstrip("/") + PATH)))
        self._tracer = self._provider.get_tracer(SERVICE)
        self._turns: dict[str, Any] = {}

    def close(self) -> None:
        self._provider.shutdown()

    @contextmanager
    def turn(self, turn_id: str, facts: dict[str, str | int]) -> Iterator[None]:
        begun = {"gen_ai.operation.name": "invoke_agent", "datathread.turn": turn_id}
        span = self._turns[turn_id] = self._tracer.start_span(f"invoke_agent {SERVICE}", attributes=begun)
        try:
            with self._ended(span):
                yield
                span.set_attributes(facts)
        finally:
            del self._turns[turn_id]

    @contextmanager
    def stage(self, turn_id: str, step: str) -> Iterator[None]:
        stage = stage_of(step)
        facts = {"datathread.stage": stage}
        if stage == "query":
            facts |= {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "query"}
        with self._ended(self._tracer.start_span(stage, self._parent(turn_id), attributes=facts)):
            yield

    def call(self, entry: LedgerEntry, usage: TokenUsage, ms: int, outcome: str) -> None:
        now = time_ns()
        facts: dict[str, str | int] = {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": "openai",
            "gen_ai.request.model": entry.model,
            "gen_ai.usage.input_tokens": usage.prompt,
            "gen_ai.usage.output_tokens": usage.completion,
            "datathread.purpose": entry.purpose,
            **({} if outcome == "ok" else {"error.type": outcome}),
        }
        parent, began = self._parent(entry.spender.turn_id), now - ms * NANO // 1000
        span = self._tracer.start_span(
            f"chat {entry.model}", parent, self._trace.SpanKind.CLIENT, attributes=facts, start_time=began
        )
        span.end(now)

    def _parent(self, turn_id: str) -> Any:
        span = self._turns.get(turn_id)
        return self._trace.set_span_in_context(span) if span is not None else None

    @contextmanager
    def _ended(self, span: Any) -> Iterator[None]:
        """End a span after the block; an error is told by its kind alone."""
        is_well = False
        try:
            yield
            is_well = True
        finally:
            if not is_well and (error := sys.exc_info()[0]) is not None:
                span.set_attribute("error.type", error.__name__)
                span.set_status(self._trace.StatusCode.ERROR)
            span.end()
