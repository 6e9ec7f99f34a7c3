"""What is measured around a turn, a call of the model, a call of Slack and the levels of a bot, without a bot."""

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic, time
from typing import Any, TypeVar
from urllib.error import URLError

import pytest
from opentelemetry.proto.trace.v1.trace_pb2 import Span
from opentelemetry.trace import StatusCode
from slack_sdk.errors import SlackApiError

from ai.ledger import LedgerEntry, Prices, Purpose, Spender, TokenUsage
from ai.memory.log.lines import LineMarks
from ai.types import ThreadKey
from bot.engine import Postponed, TurnQueue
from bot.monitoring import (
    NO_SPANS,
    Levels,
    OtelSpans,
    SharedMeter,
    WatchedClient,
    WatchedLedger,
    WatchedTurns,
    levels_of,
    shared_folder,
)
from local_slack.in_process import slack_in_process
from tests.collector import collector, spans_in
from tests.desk import open_desk
from tests.figures import figures
from tests.processes import free_port

T = TypeVar("T")
NOTHING = Levels(())
SPENDER = Spender("T1:C1:1", ThreadKey("T1", "C1", "1"), "U1")
ENTRY = LedgerEntry(SPENDER, "write_sql", 1, "m", datetime.now(UTC), currency="EUR")


def at_once(_name: str, fn: Callable[[], T]) -> T:
    return fn()


def shown_by(meter: SharedMeter) -> dict[tuple[object, ...], float]:
    """Return what is not 0, without bounds of histograms and times of making."""
    page = figures(meter.page(NOTHING)).items()
    return {key: value for key, value in page if value and not str(key[0]).endswith(("_bucket", "_created", "_info"))}


def a_turn(_turn: str, step: Any, _stop: Any) -> str:
    step("claim", lambda: 1)
    step("route", lambda: "help")
    step("run_sql:0", lambda: monotonic())
    return "answered"


def test_a_turn_is_counted_with_its_agent_its_times_and_its_stages() -> None:
    meter = SharedMeter()
    asked = f"T1:C1:{time() - 40:.6f}"
    assert WatchedTurns(a_turn, meter)(asked, at_once, None) == "answered"  # type: ignore[arg-type]
    shown = shown_by(meter)
    assert shown["datathread_questions_total", ("agent", "help"), ("outcome", "answered")] == 1
    assert shown["datathread_begin_seconds_count",] == shown["datathread_answer_seconds_count", ("agent", "help")] == 1
    assert 40 <= shown["datathread_begin_seconds_sum",] < 90
    assert 40 <= shown["datathread_answer_seconds_sum", ("agent", "help")] < 90
    assert shown["datathread_stage_seconds_count", ("stage", "query")] == 1
    assert 0 < shown["datathread_stage_seconds_sum", ("stage", "query")] < 40
    assert not [key for key in shown if "claim" in str(key)]


def test_a_turn_without_a_time_in_its_name_and_one_of_recorded_steps_take_none() -> None:
    meter = SharedMeter()
    WatchedTurns(a_turn, meter)("T1:C1:x", at_once, None)  # type: ignore[arg-type]
    again = SharedMeter()
    WatchedTurns(a_turn, again)(f"T1:C1:{time():.6f}", lambda *_: "help", None)  # type: ignore[arg-type]
    for shown in (shown_by(meter), shown_by(again)):
        assert shown["datathread_questions_total", ("agent", "help"), ("outcome", "answered")] == 1
        assert ("datathread_begin_seconds_count",) not in shown
    assert [key for key in shown_by(again) if "stage" in str(key[0])] == []
    assert [key for key in shown_by(meter) if "answer_seconds" in str(key[0])] == []


def test_a_turn_put_off_is_begun_again_and_no_question() -> None:
    meter = SharedMeter()

    def put_off(*_: object) -> str:
        raise Postponed

    with pytest.raises(Postponed):
        WatchedTurns(put_off, meter)("T1:C1:1", at_once, None)  # type: ignore[arg-type]
    assert shown_by(meter) == {("datathread_retries_total", ("what", "turn")): 1}


class Books:
    """A ledger that keeps what it was told."""

    def __init__(self) -> None:
        self.told: list[object] = []

    def enter(self, spender: Spender, purpose: Purpose, model: str, expected: TokenUsage) -> LedgerEntry:
        self.told.append((spender, purpose, model, expected))
        return ENTRY

    def settle(self, entry: LedgerEntry, usage: TokenUsage, ms: int, outcome: str) -> None:
        self.told.append((entry, usage, ms, outcome))


def test_a_call_of_the_model_is_booked_and_counted_with_its_tokens_and_cost() -> None:
    meter, books, usage = SharedMeter(), Books(), TokenUsage(1_000_000, 200_000, 50_000)
    ledger = WatchedLedger(books, Prices(2.0, 10.0, 1.0, "EUR"), meter)
    assert ledger.enter(SPENDER, "write_sql", "m", usage) is ENTRY
    for _ in range(2):
        assert ledger.enter(SPENDER, "repair_sql", "m", usage) is ENTRY
    ledger.settle(ENTRY, usage, 1500, "ok")
    assert books.told == [
        (SPENDER, "write_sql", "m", usage),
        *[(SPENDER, "repair_sql", "m", usage)] * 2,
        (ENTRY, usage, 1500, "ok"),
    ]
    of = ("purpose", "write_sql")
    assert shown_by(meter) == {
        ("datathread_retries_total", ("what", "sql")): 2,
        ("datathread_model_calls_total", ("outcome", "ok"), of): 1,
        ("datathread_model_seconds_count", of): 1,
        ("datathread_model_seconds_sum", of): 1.5,
        ("datathread_model_tokens_total", ("kind", "prompt"), of): 1_000_000,
        ("datathread_model_tokens_total", ("kind", "cached"), of): 200_000,
        ("datathread_model_tokens_total", ("kind", "completion"), of): 50_000,
        ("datathread_model_cost_total", ("currency", "EUR")): pytest.approx(1.6 + 0.2 + 0.5),
    }


def test_calls_of_slack_are_counted_by_method_and_end() -> None:
    meter = SharedMeter()
    with slack_in_process() as slack:
        client = WatchedClient(slack.bot_token, base_url=f"{slack.url}/api/")
        client.meter = meter
        client.auth_test()
        with pytest.raises(SlackApiError):
            client.conversations_info(channel="C0NONE")
        slack.fault("users.info", "ratelimited", retry_after=1)
        with pytest.raises(SlackApiError):
            client.users_info(user="U0ANA")
    gone = WatchedClient("x", base_url=f"http://127.0.0.1:{free_port()}/api/", timeout=1)
    gone.meter = meter
    with pytest.raises(URLError):
        gone.auth_test()
    named = "datathread_slack_calls_total"
    assert shown_by(meter) == {
        (named, ("method", "auth.test"), ("outcome", "ok")): 1,
        (named, ("method", "conversations.info"), ("outcome", "refused")): 1,
        (named, ("method", "users.info"), ("outcome", "limited")): 1,
        (named, ("method", "auth.test"), ("outcome", "unreachable")): 1,
    }


def test_the_levels_of_a_bot_are_those_of_its_queue_its_memory_and_its_disk(tmp_path: Path) -> None:
    with open_desk(tmp_path) as desk:
        queue = TurnQueue(f"sqlite:///{tmp_path / 'engine.sqlite'}", tmp_path)
        queue.open()
        desk.orchestrator.process_message("how many apps?", SPENDER.thread)
        shown = figures(SharedMeter().page(levels_of(queue, desk.memory, tmp_path)))
        LineMarks(desk.memory.parts.engine).beat("line", "T1", 0.0, time() - 40)
        silent = figures(SharedMeter().page(levels_of(queue, desk.memory, tmp_path)))
        queue.close()
    assert {name: shown[f"datathread_{name}",] for name in ("queue_waiting", "queue_oldest_seconds", "workers")} == {
        "queue_waiting": 0,
        "queue_oldest_seconds": 0,
        "workers": 0,
    }
    assert min(shown[f"datathread_{name}",] for name in ("memory_bytes", "results_bytes", "disk_free_bytes")) > 0
    assert shown["datathread_unreadable_levels",] == 0
    assert ("datathread_line_silence_seconds",) not in shown
    assert 40 <= silent["datathread_line_silence_seconds",] < 90
    assert [key for key, value in shown.items() if key[0] == "datathread_info" and value == 1]


def facts(span: Span) -> dict[str, str | int]:
    return {one.key: one.value.string_value or one.value.int_value for one in span.attributes}


def test_spans_hold_a_turn_its_stages_and_its_calls_and_of_an_error_its_kind() -> None:
    usage = TokenUsage(7, 2, 3)
    with collector() as (address, bodies):
        spans = OtelSpans(f"{address}/")
        outcome: dict[str, str | int] = {}
        with spans.turn("T1:C1:1", outcome):
            with spans.stage("T1:C1:1", "run_sql:0"):
                spans.call(ENTRY, usage, 1500, "ok")
            with suppress(KeyError), spans.stage("T1:C1:1", "chart:17"):
                raise KeyError("what somebody wrote")
            outcome["datathread.outcome"] = "answered"
        spans.call(ENTRY, usage, 20, "timeout")
        spans.close()
    found = spans_in(bodies)
    assert [(span.name, facts(span)) for span in found] == [
        ("chat m", {**CALL}),
        ("query", {"datathread.stage": "query", "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "query"}),
        ("chart", {"datathread.stage": "chart", "error.type": "KeyError"}),
        ("invoke_agent datathread", {**TURN, "datathread.outcome": "answered"}),
        ("chat m", {**CALL, "error.type": "timeout"}),
    ]
    call, query, chart, turn, late = found
    assert {call.parent_span_id, query.parent_span_id, chart.parent_span_id} == {turn.span_id}
    assert (turn.parent_span_id, late.parent_span_id) == (b"", b"")
    assert [span.status.code for span in found] == [0, 0, StatusCode.ERROR.value, 0, 0]
    assert call.end_time_unix_nano - call.start_time_unix_nano == 1_500_000_000
    assert {span.kind for span in found} == {Span.SPAN_KIND_INTERNAL, Span.SPAN_KIND_CLIENT}
    assert "somebody" not in str(found)


CALL = {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "openai",
    "gen_ai.request.model": "m",
    "gen_ai.usage.input_tokens": 7,
    "gen_ai.usage.output_tokens": 3,
    "datathread.purpose": "write_sql",
}
TURN = {"gen_ai.operation.name": "invoke_agent", "datathread.turn": "T1:C1:1"}


def test_a_watched_turn_and_its_calls_are_told_as_spans() -> None:
    with collector() as (address, bodies):
        spans = OtelSpans(address)
        ledger = WatchedLedger(Books(), Prices(2.0, 10.0, 1.0, "EUR"), SharedMeter(), spans)

        def run(_turn: str, step: Any, _stop: Any) -> str:
            step("route", lambda: "help")
            step("write_sql", lambda: ledger.settle(ENTRY, TokenUsage(7, 2, 3), 1500, "ok"))
            return "answered"

        WatchedTurns(run, SharedMeter(), spans)("T1:C1:1", at_once, None)  # type: ignore[arg-type]
        spans.close()
    assert [(span.name, facts(span)) for span in spans_in(bodies)] == [
        ("route", {"datathread.stage": "route"}),
        ("chat m", CALL),
        ("write", {"datathread.stage": "write"}),
        ("invoke_agent datathread", {**TURN, "datathread.outcome": "answered", "gen_ai.agent.name": "help"}),
    ]


def test_a_stage_that_ends_well_while_an_error_is_mended_is_no_error() -> None:
    with collector() as (address, bodies):
        spans = OtelSpans(address)
        try:
            int("SQL that does not run")
        except ValueError:
            with spans.stage("T1:C1:1", "repair_sql"):
                pass
        spans.close()
    (repair,) = spans_in(bodies)
    assert (repair.name, facts(repair), repair.status.code) == ("write", {"datathread.stage": "write"}, 0)


def test_without_a_collector_a_turn_runs_all_the_same() -> None:
    with NO_SPANS.turn("T1:C1:1", {}), NO_SPANS.stage("T1:C1:1", "open"):
        NO_SPANS.call(ENTRY, TokenUsage(), 1, "ok")


def test_a_folder_of_figures_goes_with_the_process_that_made_it() -> None:
    with shared_folder() as folder:
        (folder / "one").write_text("1")
        assert folder.name.startswith("datathread-metrics-")
    assert not folder.exists()
