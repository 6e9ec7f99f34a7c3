"""Figures are those of all processes; labels have few values, and none that somebody wrote."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from ai.results.store import ResultStore
from bot import __version__
from bot.monitoring import SILENT, Levels, LineCounter, SharedMeter, WatchedTurns
from bot.monitoring.levels import ResultsSize
from bot.monitoring.metrics import BY_NAME, MOST_VALUES, OTHER, stage_of
from tests.cases import cases
from tests.figures import figures

NOTHING = Levels(())


def test_a_value_that_is_not_listed_is_other() -> None:
    meter = SharedMeter()
    meter.add("model_calls", purpose="phrase", outcome="ok")
    meter.add("model_calls", purpose="what somebody wrote", outcome="ok")
    shown = figures(meter.page(NOTHING))
    assert shown["datathread_model_calls_total", ("outcome", "ok"), ("purpose", "phrase")] == 1
    assert shown["datathread_model_calls_total", ("outcome", "ok"), ("purpose", "other")] == 1


def test_a_label_without_a_list_has_few_values_and_plain_ones() -> None:
    meter = SharedMeter()
    for number in range(3 * MOST_VALUES):
        meter.add("refused_queries", layer=f"L{number}")
    meter.add("refused_queries", layer="Müller owes 5 €")
    shown = figures(meter.page(NOTHING))
    layers = [key for key in shown if key[0] == "datathread_refused_queries_total"]
    assert len(layers) == MOST_VALUES + 1
    assert shown["datathread_refused_queries_total", ("layer", "other")] == 2 * MOST_VALUES + 1


def test_nothing_is_kept_where_nobody_asks() -> None:
    SILENT.add("questions", outcome="answered", agent="help")
    SILENT.time("begin_seconds", 1.0)


CHILD = """
import sys
from bot.monitoring import SharedMeter
meter = SharedMeter(sys.argv[1], sys.argv[2])
meter.add("starts", process=sys.argv[2])
meter.time("begin_seconds", 0.3)
if sys.argv[2] == "receiver":
    from bot.monitoring import Levels
    print(meter.page(Levels(())).decode(), end="")
"""


def test_processes_add_up_and_one_that_is_started_anew_goes_on(tmp_path: Path) -> None:
    def run(process: str) -> bytes:
        command = [sys.executable, "-c", CHILD, str(tmp_path), process]
        environment = {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
        return subprocess.run(command, env=environment, check=True, capture_output=True).stdout

    for process in ("worker 1", "worker 1", "worker 2"):
        run(process)
    shown = figures(run("receiver"))
    assert shown["datathread_starts_total", ("process", "worker 1")] == 2
    assert shown["datathread_starts_total", ("process", "receiver")] == 1
    assert shown["datathread_begin_seconds_count",] == 4
    assert len(list(tmp_path.iterdir())) == 6  # two kinds of metrics by three names


ONE_AFTER_ANOTHER = """
import sys
from bot.monitoring import Levels, SharedMeter
for process in ("worker 1", "worker 1", "worker 2"):
    meter = SharedMeter(sys.argv[1], process)
    meter.add("starts", process=process)
print(meter.page(Levels(())).decode(), end="")
"""


def test_meters_of_a_folder_add_up_by_the_names_of_their_processes(tmp_path: Path) -> None:
    command = [sys.executable, "-c", ONE_AFTER_ANOTHER, str(tmp_path)]
    environment = {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    shown = figures(subprocess.run(command, env=environment, check=True, capture_output=True).stdout)
    assert [shown["datathread_starts_total", ("process", f"worker {number}")] for number in (1, 2)] == [2, 1]
    assert len(list(tmp_path.iterdir())) == 4  # two kinds of metrics by two names


def test_a_level_that_cannot_be_read_leaves_the_others() -> None:
    def away() -> dict[str, float]:
        raise OSError("the disk")

    shown = figures(SharedMeter().page(Levels((lambda: {"queue_waiting": 3}, away))))
    assert shown["datathread_queue_waiting",] == 3
    assert shown["datathread_unreadable_levels",] == 1
    assert ("datathread_results_bytes",) not in shown


def test_the_size_of_a_folder_is_counted_once_a_minute(tmp_path: Path) -> None:
    assert ResultsSize(ResultStore(tmp_path / "none")).bytes() == 0
    (tmp_path / "one").write_bytes(b"x" * 10)
    size = ResultsSize(ResultStore(tmp_path))
    assert size.bytes() == 10
    (tmp_path / "two").write_bytes(b"x" * 10)
    assert size.bytes() == 10
    assert ResultsSize(ResultStore(tmp_path)).bytes() == 20


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("steps.jsonl")))
def test_a_step_belongs_to_a_stage(case: dict[str, str]) -> None:
    assert stage_of(case["case"]) == case["stage"]


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("metrics.jsonl")))
def test_a_metric_is_shown_as_its_kind_with_its_labels(case: dict[str, Any]) -> None:
    meter, name, labels = SharedMeter(), case["case"], case["labels"]
    if case["kind"] == "counter":
        meter.add(name, 2, **labels)
    elif case["kind"] == "histogram":
        meter.time(name, -1.0, **labels)
        meter.time(name, 0.0, **labels)
    page = meter.page(Levels((lambda: {name: 2.0} if case["kind"] == "gauge" else {},)))
    assert f"# TYPE {case['shown']} {case['kind']}\n" in page.decode()
    shown, told = figures(page), tuple(sorted(labels.items()))
    if case["kind"] == "histogram":
        bucket = f"{case['shown']}_bucket"
        wanted = [(bucket, *sorted({**labels, "le": bound}.items())) for bound in case["bounds"]]
        assert [key for key in shown if key[0] == bucket] == wanted
        assert (shown[f"{case['shown']}_count", *told], shown[f"{case['shown']}_sum", *told]) == (2, 0)
    elif name != "unreadable_levels":
        assert shown[case["shown"], *told] == 2


LISTED: dict[str, list[tuple[str, tuple[str, ...]]]] = {
    "questions": [
        ("outcome", ("answered", "asked back", "stopped", "failed", "forgotten", "undeliverable", "crashed"))
    ],
    "slack_calls": [("outcome", ("ok", "limited", "refused", "unreachable"))],
    "retries": [("what", ("turn", "slack", "sql"))],
    "model_tokens": [("kind", ("prompt", "cached", "completion"))],
    "log_lines": [("level", ("warning", "error", "critical"))],
}


@pytest.mark.parametrize("name", LISTED)
def test_a_listed_value_of_a_label_is_shown_as_it_is(name: str) -> None:
    meter, metric = SharedMeter(), BY_NAME[name]
    for label, values in LISTED[name]:
        for value in values:
            meter.add(name, 1, **{**dict.fromkeys(metric.labels, OTHER), label: value})
        shown = figures(meter.page(NOTHING))
        wanted = [{**dict.fromkeys(metric.labels, OTHER), label: value} for value in values]
        assert {key for key in shown if key[0] == metric.full_name} == {
            (metric.full_name, *sorted(each.items())) for each in wanted
        }


def test_levels_are_read_again_when_they_are_no_longer_fresh() -> None:
    read = list[int]()

    def part() -> dict[str, float]:
        read.append(1)
        return {"workers": len(read)}

    for fresh, told in ((3_600.0, 1), (0.0, 3)):
        levels = Levels((part,), fresh)
        assert [figures(SharedMeter().page(levels))["datathread_workers",] for _ in range(2)][-1] == told
    assert f'datathread_info{{version="{__version__}"}} 1.0' in SharedMeter().page(levels).decode()


def test_lines_of_the_log_are_counted_from_warnings_on() -> None:
    import logging

    meter = SharedMeter()
    log = logging.getLogger("tests.counted")
    log.addHandler(LineCounter(meter))
    log.propagate = False
    for write in (log.info, log.warning, log.error, log.error):
        write("what happened")
    shown = figures(meter.page(NOTHING))
    assert shown["datathread_log_lines_total", ("level", "warning")] == 1
    assert shown["datathread_log_lines_total", ("level", "error")] == 2


def test_a_turn_that_breaks_is_counted_as_crashed() -> None:
    meter = SharedMeter()

    def breaks(*_: object) -> str:
        raise RuntimeError("broken")

    with pytest.raises(RuntimeError):
        WatchedTurns(breaks, meter)("T/C/1", lambda _, fn: fn(), None)  # type: ignore[arg-type]
    shown = figures(meter.page(NOTHING))
    assert shown["datathread_questions_total", ("agent", "none"), ("outcome", "crashed")] == 1


def test_spans_without_their_extra_say_what_to_install() -> None:
    code = (
        "import sys; sys.modules['opentelemetry'] = None\n"
        "from bot.monitoring import OtelSpans\n"
        "try: OtelSpans('http://127.0.0.1:1')\n"
        "except Exception as error: print(error)"
    )
    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    wanted = "OTEL_EXPORTER_OTLP_ENDPOINT needs packages that are not installed: run pip install 'datathread[otel]'.\n"
    assert told == wanted
