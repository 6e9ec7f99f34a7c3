"""Files of kept results, and of all rows when those that are kept are not all."""

from collections.abc import Callable

import pytest

from ai.agents.port import FileEvent, StatusEvent
from ai.sql.database import QueryLimits
from tests.desk import Desk


@pytest.fixture
def cut(open_desk: Callable[..., Desk]) -> Desk:
    """A desk whose results hold two rows, and a question with three."""
    desk = open_desk(limits=QueryLimits(rows=2))
    desk.orchestrator.process_message("list the apps", "1.0")
    return desk


def lines_of(desk: Desk, wish: str) -> tuple[str, int]:
    answer = desk.orchestrator.process_message(wish, "1.0")
    (file,) = [event for event in answer.events if isinstance(event, FileEvent)]
    return answer.text, file.path.read_text("utf-8").count("\n") - 1


def test_a_file_of_a_cut_result_says_that_rows_are_missing(cut: Desk) -> None:
    text, count = lines_of(cut, "export this as csv")
    assert count == 2
    assert "these are the first 2" in text
    assert "export all rows" in text


@pytest.mark.parametrize("wish", ["export all rows", "export everything as csv", "the full result as csv please"])
def test_all_rows_run_the_query_again_and_that_is_said(cut: Desk, wish: str) -> None:
    text, count = lines_of(cut, wish)
    assert count == 3
    assert "run again" in text


def test_all_rows_of_a_whole_result_run_nothing(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk()
    desk.orchestrator.process_message("list the apps", "1.0")
    text, count = lines_of(desk, "export all rows")
    assert count == 3
    assert "again" not in text


def test_a_workbook_where_excel_is_named(cut: Desk) -> None:
    answer = cut.orchestrator.process_message("export this to excel", "1.0")
    (file,) = [event for event in answer.events if isinstance(event, FileEvent)]
    assert file.path.suffix == ".xlsx"
    assert file.path.read_bytes().startswith(b"PK")
    assert "as an Excel workbook: 2 rows" in answer.text


def test_how_far_a_file_is_can_be_told(cut: Desk) -> None:
    answer = cut.orchestrator.process_message("export all rows", "1.0")
    said = [event.text for event in answer.events if isinstance(event, StatusEvent)]
    assert said[0] == "Running the query again for all rows…"
    assert "3 rows so far" in said[-1]
