"""What a running bot tells Prometheus: every process counts, and no word of anybody stands in a figure."""

import json
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import httpx
import pytest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from bot.monitoring.metrics import METRICS
from local_slack.testing import SlackServer, slack_server
from tests.collector import collector, spans_in
from tests.e2e.bot_process import BotProcess
from tests.e2e.conversation import Conversation
from tests.figures import figures
from tests.openai_server import Asked, ModelServer, Reply
from tests.processes import free_port
from tests.wait import until

TOKEN = "token-of-prometheus-01"
MARK = "ZQXMARK"  # begins every word of people, name, cell and text of an error
QUESTION = f"which {MARK}WORDS are there?"
READ = f"SELECT {MARK}COLUMN FROM {MARK}TABLE"
WRITTEN = {
    "words": READ,
    "refused": f"SELECT read_text('{MARK}FILE')",
    "broken": f"SELECT CAST({MARK}COLUMN AS INTEGER) AS n FROM {MARK}TABLE",
}


def written(asked: Asked) -> Reply | None:
    """Write the SQL that the last word of a question names; repair none."""
    if "`intent`" in asked.messages[0]:
        return Reply(data={"intent": "sql_query"})
    sql = next((sql for word, sql in WRITTEN.items() if f"{MARK}{word}" in asked.messages[-1]), READ)
    return Reply(data={"kind": "sql", "sql": sql, "text": f"{MARK}SAID", "expects": "rows"})


@dataclass(frozen=True)
class Watched:
    slack: SlackServer
    bot: BotProcess
    web: httpx.Client
    bodies: list[bytes]

    def spans(self) -> list[Span]:
        return spans_in(self.bodies)

    def turns(self) -> list[Span]:
        return [span for span in self.spans() if span.name == "invoke_agent datathread"]

    def shown(self) -> dict[tuple[object, ...], float]:
        answer = self.web.get("/metrics")
        assert answer.status_code == 200, answer.text
        assert MARK not in answer.text.upper()
        return figures(answer.text)


def shop(folder: Path) -> str:
    path = folder / "shop.duckdb"
    with duckdb.connect(str(path)) as database:
        database.execute(f"CREATE TABLE {MARK}TABLE ({MARK}COLUMN VARCHAR)")
        database.execute(f"INSERT INTO {MARK}TABLE VALUES ('{MARK}CELL')")
    return f"duckdb:///{path}"


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    folder, port = tmp_path_factory.mktemp("bot"), free_port()
    settings = {
        "OPENAI_MODEL": "m",
        "MODEL_PROMPT_PRICE": "2",
        "HTTP_PORT": str(port),
        "METRICS_TOKEN": TOKEN,
        "PROCESSES": "2",
        "LOG_FORMAT": "json",
        "LOG_LEVEL": "DEBUG",
    }
    with (
        ModelServer(written) as model,
        collector() as (address, bodies),
        slack_server() as slack,
        BotProcess(
            slack,
            folder,
            shop(folder),
            OPENAI_BASE_URL=model.url,
            OTEL_EXPORTER_OTLP_ENDPOINT=address,
            OTEL_BSP_SCHEDULE_DELAY="200",
            **settings,
        ) as bot,
        httpx.Client(
            base_url=f"http://127.0.0.1:{port}", headers={"Authorization": f"Bearer {TOKEN}"}, timeout=60
        ) as web,
    ):
        until(lambda: web.get("/readyz").status_code == 200, 60, "the bot to be ready")
        for word in WRITTEN:
            Conversation(slack).ask(f"{QUESTION} {MARK}{word}")
        seen = Watched(slack, bot, web, bodies)
        until(
            lambda: len(seen.turns()) >= len(WRITTEN), 60, "spans"
        )  # a worker that is killed takes those it holds with it
        yield seen


def total(shown: dict[tuple[object, ...], float], name: str, *labels: tuple[str, str]) -> float:
    return sum(value for key, value in shown.items() if key[0] == name and set(labels) <= set(key[1:]))


def test_every_metric_is_told(watched: Watched) -> None:
    shown = watched.shown()
    names = {str(key[0]) for key in shown}
    unheard = {"datathread_log_lines_total"}  # nothing was amiss
    told = {metric.full_name for metric in METRICS if names & {metric.full_name, f"{metric.full_name}_count"}}
    assert {metric.full_name for metric in METRICS} - told <= unheard
    assert len(shown) < 600


def test_questions_queries_calls_and_refusals_are_counted(watched: Watched) -> None:
    shown = watched.shown()
    assert total(shown, "datathread_questions_total") >= len(WRITTEN)
    assert total(shown, "datathread_answer_seconds_count") == total(shown, "datathread_questions_total")
    assert total(shown, "datathread_begin_seconds_count") >= len(WRITTEN)
    assert total(shown, "datathread_stage_seconds_count", ("stage", "query")) >= 1
    assert total(shown, "datathread_refused_queries_total") >= 1
    assert total(shown, "datathread_model_calls_total", ("purpose", "write_sql"), ("outcome", "ok")) >= len(WRITTEN)
    assert total(shown, "datathread_model_tokens_total", ("kind", "prompt")) > 0
    assert total(shown, "datathread_model_cost_total", ("currency", "USD")) > 0
    assert total(shown, "datathread_retries_total", ("what", "sql")) >= 1
    assert total(shown, "datathread_slack_calls_total", ("method", "chat.postMessage"), ("outcome", "ok")) >= 1
    assert shown["datathread_workers",] == 2
    assert shown["datathread_queue_waiting",] == 0
    assert shown["datathread_unreadable_levels",] == 0
    assert shown["datathread_memory_bytes",] > 4096
    assert shown["datathread_results_bytes",] > 0
    assert shown["datathread_line_silence_seconds",] < 30


def test_a_worker_that_dies_goes_on_counting_under_its_name(watched: Watched) -> None:
    before = watched.shown()
    key = ("datathread_starts_total", ("process", "worker 1"))
    watched.bot.signal(signal.SIGKILL, "worker 1")
    until(lambda: watched.shown()[key] == before[key] + 1, 60, "the worker to be started anew")
    until(lambda: watched.shown()["datathread_workers",] == 2, 60, "both workers")
    asked = total(before, "datathread_questions_total")
    assert total(watched.shown(), "datathread_questions_total") >= asked


def test_a_429_is_counted_with_its_method(watched: Watched) -> None:
    limited = (("method", "chat.postMessage"), ("outcome", "limited"))
    before = total(watched.shown(), "datathread_slack_calls_total", *limited)
    watched.slack.fault("chat.postMessage", "ratelimited", times=1)
    Conversation(watched.slack).ask(QUESTION)
    assert total(watched.shown(), "datathread_slack_calls_total", *limited) > before


@pytest.mark.parametrize("sent", [{}, {"Authorization": "Bearer another"}, {"Authorization": f"Basic {TOKEN}"}])
def test_figures_need_the_token(watched: Watched, sent: dict[str, Any]) -> None:
    answer = httpx.get(f"{watched.web.base_url}/metrics", headers=sent)
    assert answer.status_code == 401
    assert "METRICS_TOKEN" in answer.json()["detail"]
    assert TOKEN not in answer.text


def test_the_log_tells_each_turn_and_no_word_of_anybody(watched: Watched) -> None:
    written = watched.bot.log.read_text("utf-8")
    assert MARK not in written.upper()
    lines = [json.loads(line) for line in written.splitlines() if line.startswith("{")]
    ended = [line for line in lines if "outcome" in line]
    assert len(ended) >= len(WRITTEN)
    for line in ended:
        assert line["turn"].startswith("T0LOCAL:")
        assert line["thread"].startswith("T0LOCAL/")
        assert line["seconds"] >= 0
    assert len(lines) >= len(written.splitlines()) - 1  # one line greets whoever started it


def test_spans_follow_the_conventions_and_hold_no_word_of_anybody(watched: Watched) -> None:
    spans = watched.spans()
    assert not any(MARK.encode() in body.upper() for body in watched.bodies)
    turns = {span.span_id for span in watched.turns()}
    calls = [facts(span) for span in spans if span.name == "chat m" and span.parent_span_id in turns]
    assert len(calls) >= len(WRITTEN)
    for call in calls:
        assert call["gen_ai.operation.name"] == "chat"
        assert call["gen_ai.request.model"] == "m"
        assert call["gen_ai.usage.input_tokens"] > 0
    stages = {facts(span)["datathread.stage"] for span in spans if "datathread.stage" in facts(span)}
    assert {"route", "write", "query", "deliver"} <= stages
    outcomes = {facts(span)["datathread.outcome"] for span in spans if span.span_id in turns}
    assert outcomes <= {"answered", "asked back"}


def facts(span: Span) -> dict[str, Any]:
    return {each.key: getattr(each.value, str(each.value.WhichOneof("value"))) for each in span.attributes}
