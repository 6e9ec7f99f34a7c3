"""The report of `make bench`: rows, page, difference from the last one, failing benchmarks, missing peers."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import environments
from benchmarks.__main__ import measure
from benchmarks.registry import BENCHMARKS
from benchmarks.report.page import page, written
from benchmarks.report.rows import Report, Row, Section
from benchmarks.report.run import Benchmark, run, section
from tests.paths import ROOT

TOYS = "tests.unit.benchmarks.toys"
WHOLE = Benchmark(f"{TOYS}.whole", "Whole toys", 8, "toys")
FAILING = Benchmark(f"{TOYS}.failing", "Failing toys", 3, "toys")


def measured(*rows: Row, name: str = "toy", size: str = "8 toys") -> Section:
    return Section(name, "A toy", "Measure it.", size, "now", "abc", load=1.0, seconds=2.0, rows=rows)


def test_a_benchmark_tells_rows_peers_and_what_it_is() -> None:
    found = section(WHOLE)
    assert found.rows == (Row("a toy", 8.0, "ms", {"another toy": 16.0}, 100.0), Row("toys a second", 125.0, more=True))
    assert (found.name, found.title, found.size, found.failed) == ("whole", "Whole toys", "8 toys", "")
    assert found.about == "Measure a toy, beside another one.\n\nThe other one is larger."


@pytest.mark.parametrize(
    ("toy", "seconds", "rows", "why"),
    [
        ("failing", 60, 1, "ValueError: ./toys are broken"),
        ("skipping", 60, 0, "skipped: toys are not installed"),
        ("endless", 4, 1, "ended after its 4 s"),
        ("absent", 60, 0, f"ModuleNotFoundError: No module named '{TOYS}.absent'"),
    ],
)
def test_what_fails_stands_in_the_report_and_stops_nothing(toy: str, seconds: int, rows: int, why: str) -> None:
    found, after = run([Benchmark(f"{TOYS}.{toy}", "A toy", 3, "toys", seconds), WHOLE])
    assert (len(found.rows), found.failed) == (rows, why)
    assert len(after.rows) == 2
    said = page(Report({}, (found,)))
    assert f"- **Not measured to its end**: [A toy](#a-toy), {why}" in said


def test_peers_that_cannot_be_installed_are_named(tmp_path: Path, install_from: Callable[[str], Path]) -> None:
    missing = environments.install(["toys"], tmp_path / "peers", install_from("./no-such-folder\n"))
    assert missing == {"toys": "it could not be installed; the output of `make bench` says why"}
    assert environments.python_of("toys", tmp_path / "peers", tmp_path) is None


def test_peers_are_installed_once_for_each_list(tmp_path: Path, install_from: Callable[[str], Path]) -> None:
    peers = tmp_path / "peers"
    lists = install_from("\n")
    assert environments.install(["toys"], peers, lists) == {}
    python = environments.python_of("toys", peers, lists)
    assert python is not None
    made = python.lstat().st_mtime_ns
    assert environments.install(["toys"], peers, lists) == {}
    assert python.lstat().st_mtime_ns == made
    install_from("# another list\n")
    assert environments.python_of("toys", peers, lists) is None


@pytest.fixture
def install_from(tmp_path: Path) -> Callable[[str], Path]:
    def write(pins: str) -> Path:
        (tmp_path / "toys.txt").write_text(pins, "utf-8")
        return tmp_path

    return write


def test_a_report_tells_the_difference_from_the_last_one(tmp_path: Path) -> None:
    to = tmp_path / "benchmarks.md"
    to.with_suffix(".json").write_text(
        Report({}, (measured(Row("a toy", 4.0, "ms"), Row("toys a second", 125.0), name="whole"),)).written(), "utf-8"
    )
    measure([WHOLE], to, [FAILING, WHOLE])
    (kept,) = Report.read(to.with_suffix(".json")).sections
    assert [row.before for row in kept.rows] == [4.0, 125.0]
    said = to.read_text("utf-8")
    assert "| a toy | 8 ms | another toy: 16 ms (2×) | at most 100 ms | +100 % |" in said
    assert "| toys a second | 125 |  |  | the same |" in said
    assert "- **Worse than before** in [Whole toys](#whole-toys): a toy, +100 %" in said


def test_what_is_not_measured_anew_stays(tmp_path: Path) -> None:
    to = tmp_path / "benchmarks.md"
    measure([FAILING, WHOLE], to, [FAILING, WHOLE])
    first = Report.read(to.with_suffix(".json"))
    measure([FAILING], to, [FAILING, WHOLE])
    second = Report.read(to.with_suffix(".json"))
    assert [each.name for each in second.sections] == ["failing", "whole"]
    assert second.sections[1] == first.sections[1]
    assert second.sections[0].rows[0].before == 3.0


def test_another_size_is_not_compared() -> None:
    now = measured(Row("a toy", 8.0), size="8 toys")
    assert now.since(measured(Row("a toy", 4.0), size="4 toys")) == now


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        (Row("lost", 0.0, limit=0.0, beside={"a peer": 20.0}), "| lost | 0 | a peer: 20 | at most 0 |  |"),
        (Row("lost", 1.0, limit=0.0), "| lost | 1 |  | **missed**: at most 0 |  |"),
        (Row("right", 60.0, "%", limit=50.0, more=True), "| right | 60 % |  | at least 50 % |  |"),
        (Row("slow", 2.5, "s", before=2.0), "| slow | 2.5 s |  |  | +25 % |"),
        (Row("lost", 3.0, before=0.0), "| lost | 3 |  |  | was 0 |"),
    ],
)
def test_a_row_is_a_line_of_the_page(row: Row, cells: str) -> None:
    assert cells in page(Report({}, (measured(row),)))


@pytest.mark.parametrize(
    ("row", "is_worse"),
    [
        (Row("slow", 2.0, before=1.0), True),
        (Row("slow", 1.0, before=2.0), False),
        (Row("right", 40.0, more=True, before=80.0), True),
        (Row("right", 79.0, more=True, before=80.0), False),
        (Row("new", 79.0), False),
    ],
)
def test_worse_than_before_is_told_by_what_is_better(row: Row, is_worse: bool) -> None:
    assert row.is_worse == is_worse
    assert replace(row, before=None).is_worse is False


@pytest.mark.parametrize(
    ("figure", "said"),
    [(0.0, "0 s"), (0.012345, "0.0123 s"), (12.345, "12.3 s"), (1234.5, "1,234 s"), (1e-6, "1e-06 s")],
)
def test_figures_have_three_digits_that_count(figure: float, said: str) -> None:
    assert written(figure, "s") == said


def test_every_benchmark_is_listed_with_a_list_of_its_peers() -> None:
    measuring = {path.stem for path in ROOT.glob("benchmarks/*.py") if "\ndef rows(" in path.read_text("utf-8")}
    assert {each.name for each in BENCHMARKS} == measuring
    assert all(environments.pinned(name) for each in BENCHMARKS for name in each.peers)
