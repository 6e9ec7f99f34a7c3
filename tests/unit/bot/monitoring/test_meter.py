"""Figures are those of all processes; labels have few values, and none that somebody wrote."""

import subprocess
import sys
from pathlib import Path

import pytest

from ai.results.store import ResultStore
from bot.monitoring import SILENT, Levels, LineCounter, SharedMeter, WatchedTurns
from bot.monitoring.levels import ResultsSize
from bot.monitoring.metrics import MOST_VALUES, stage_of
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


STEPS = [
    ("open", "open"),
    ("write_sql:1", "write"),
    ("run_sql:0", "query"),
    ("run_why", "query"),
    ("write_sql:whole:run", "query"),
    ("candidate:2", "query"),
    ("chart:17", "chart"),
    ("upload:0#2", "files"),
    ("accept", "other"),
]


@pytest.mark.parametrize(("step", "stage"), STEPS)
def test_a_step_belongs_to_a_stage(step: str, stage: str) -> None:
    assert stage_of(step) == stage


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
