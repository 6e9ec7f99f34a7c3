"""A follow-up on rows that are gone runs their query again as who asks, and says so, or says why it cannot."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from ai.agents.port import Answer, ChartEvent, FileEvent, TableEvent
from ai.agents.querying.rerunning import RAN_AGAIN
from ai.sql.database import QueryLimits
from tests.desk import Desk

ASKED = "how many apps by platform?"


@pytest.fixture
def desk(open_desk: Callable[..., Desk]) -> Desk:
    """A desk with one answer, of which somebody has deleted the rows."""
    desk = open_desk()
    desk.orchestrator.process_message(ASKED, "1.0")
    lose(desk)
    return desk


def lose(desk: Desk) -> None:
    for file in list(desk.memory.parts.results.files.listed()):
        desk.memory.parts.results.files.delete(file.name)


def shown(answer: Answer) -> list[tuple[object, ...]]:
    """Return the rows of the answer, as a table, behind a chart or in a file."""
    for event in answer.events:
        if isinstance(event, TableEvent):
            return list(event.table.rows)
        if isinstance(event, ChartEvent):
            return list(event.table.table.rows)
        if isinstance(event, FileEvent):
            return [tuple(line.split(",")) for line in event.path.read_text("utf-8").splitlines()[1:]]
    return []


@pytest.mark.parametrize(
    ("said", "rows"),
    [
        ("sort by platform", [("Android", 1), ("iOS", 2)]),
        ("sort by platform, desc", [("iOS", 2), ("Android", 1)]),
        ("only the first 1", [("iOS", 2)]),
        ("only the iOS ones", [("iOS", 2)]),
        ("as a table", [("iOS", 2), ("Android", 1)]),
        ("plot it", [("iOS", 2), ("Android", 1)]),
        ("show that as a pie chart", [("iOS", 2), ("Android", 1)]),
        ("export this as csv", [("iOS", "2"), ("Android", "1")]),
        ("export this sorted by platform as csv", [("Android", "1"), ("iOS", "2")]),
    ],
)
def test_the_query_runs_again_and_that_is_said(desk: Desk, said: str, rows: list[tuple[object, ...]]) -> None:
    answer = desk.orchestrator.process_message(said, "1.0")
    assert shown(answer) == rows
    assert answer.text.count(RAN_AGAIN) == 1
    assert desk.memory.query(1).result == "q1"  # the first answer stays as it was


def test_what_ran_again_is_kept(desk: Desk) -> None:
    desk.orchestrator.process_message("sort by platform", "1.0")
    again = desk.orchestrator.process_message("only the first 1", "1.0")
    assert shown(again) == [("Android", 1)]
    assert RAN_AGAIN not in again.text


def test_a_chart_is_changed_after_its_rows_went(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk()
    desk.orchestrator.process_message(ASKED, "1.0")
    desk.orchestrator.process_message("plot it", "1.0")
    lose(desk)
    answer = desk.orchestrator.process_message("as a pie", "1.0")
    (chart,) = [event.chart for event in answer.events if isinstance(event, ChartEvent)]
    assert chart.design.kind == "pie"
    assert answer.text.count(RAN_AGAIN) == 1


def test_several_results_are_all_there(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk()
    for asked in (ASKED, "list the apps"):
        desk.orchestrator.process_message(asked, "1.0")
    desk.memory.parts.results.delete("q1")
    answer = desk.orchestrator.process_message("export both results as csv", "1.0")
    assert [isinstance(event, FileEvent) for event in answer.events].count(True) == 2
    assert f"“{ASKED}”: {RAN_AGAIN}" in answer.text
    assert answer.text.count(RAN_AGAIN) == 1


@pytest.mark.parametrize("said", ["sort by platform", "plot it", "only the iOS ones", "as a table"])
def test_where_it_cannot_run_that_is_said_once(desk: Desk, tmp_path: Path, said: str) -> None:
    with closing(sqlite3.connect(tmp_path / "shop.sqlite")) as connection:
        connection.execute("ALTER TABLE apps RENAME TO elsewhere")
    answer = desk.orchestrator.process_message(said, "1.0")
    assert shown(answer) == []
    assert answer.text.startswith(f"The rows of “{ASKED}” are no longer kept, and its query could not be run again")
    assert "There is no table apps" in answer.text


def test_the_limits_of_who_asks_hold(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(limits=QueryLimits(rows=1))
    desk.orchestrator.process_message(ASKED, "1.0")
    lose(desk)
    answer = desk.orchestrator.process_message("as a table", "1.0")
    assert len(shown(answer)) == 1
