"""Files of kept results, and of all rows when those that are kept are not all."""

from collections.abc import Callable
from zipfile import ZipFile

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


def test_a_parquet_file_where_it_is_named(cut: Desk) -> None:
    answer = cut.orchestrator.process_message("export this as parquet", "1.0")
    (file,) = [event for event in answer.events if isinstance(event, FileEvent)]
    assert file.path.read_bytes().startswith(b"PAR1")
    assert "as Parquet: 2 rows" in answer.text


def test_how_far_a_file_is_can_be_told(cut: Desk) -> None:
    answer = cut.orchestrator.process_message("export all rows", "1.0")
    said = [event.text for event in answer.events if isinstance(event, StatusEvent)]
    assert said[0] == "Running the query again for all rows…"
    assert "3 rows so far" in said[-1]


def files_of(desk: Desk, *said: str) -> list[FileEvent]:
    for text in said:
        answer = desk.orchestrator.process_message(text, "1.0")
    return [event for event in answer.events if isinstance(event, FileEvent)]


def text_of(file: FileEvent) -> list[str]:
    return file.path.read_text("utf-8").splitlines()


@pytest.mark.parametrize("before", [(), ("how many apps do we have?",)], ids=["first message", "after another answer"])
def test_a_question_is_answered_into_a_file_with_whole_rows(
    open_desk: Callable[..., Desk], before: tuple[str, ...]
) -> None:
    (file,) = files_of(open_desk(), *before, "export all apps as csv")
    assert file.path.name == "all-apps.csv"
    assert text_of(file) == ["app_id,name,platform", "1,Ada,iOS", "2,Bo,Android", "3,'=1+1,iOS"]


def test_names_alone_where_the_names_are_wanted(open_desk: Callable[..., Desk]) -> None:
    (file,) = files_of(open_desk(), "export the app names as csv")
    assert text_of(file)[0] == "name"


def test_a_question_that_was_answered_runs_no_second_time(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk()
    files_of(desk, "apps per platform", "export the apps per platform as csv")
    assert len(desk.memory.queries("1.0")) == 1


def test_the_rows_behind_a_figure(open_desk: Callable[..., Desk]) -> None:
    (file,) = files_of(open_desk(), "how many iOS apps do we have?", "export all the rows behind it as csv")
    assert text_of(file) == ["app_id,name,platform", "1,Ada,iOS", "3,'=1+1,iOS"]
    assert file.title == "the rows behind how many iOS apps do we have?"


def test_steps_over_the_rows_of_a_file(open_desk: Callable[..., Desk]) -> None:
    (file,) = files_of(open_desk(), "apps per platform", "export it sorted by platform, without the platform column")
    assert text_of(file)[1:] == ["1", "2"]


def test_steps_that_do_not_fit_are_refused_with_the_way_out(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk()
    desk.orchestrator.process_message("apps per platform", "1.0")
    answer = desk.orchestrator.process_message("export this without the colour column", "1.0")
    assert "name its columns as they are shown" in answer.text


def test_several_results_become_the_sheets_of_one_workbook(open_desk: Callable[..., Desk]) -> None:
    (file,) = files_of(open_desk(), "apps per platform", "list the apps", "both results in one workbook")
    with ZipFile(file.path) as workbook:
        names = workbook.read("xl/workbook.xml").decode()
    assert [name in names for name in ('name="apps per platform"', 'name="apps"')] == [True, True]


def test_several_results_become_a_csv_file_each(open_desk: Callable[..., Desk]) -> None:
    files = files_of(open_desk(), "apps per platform", "list the apps", "export both results as csv")
    assert [file.path.name for file in files] == ["apps-per-platform.csv", "apps.csv"]


def test_a_file_after_a_refused_question_says_that_it_is_older(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk()
    files_of(desk, "list the apps", "how many flurbs are there?")
    text, count = lines_of(desk, "export this as csv")
    assert count == 3
    assert "The question after it had no answer." in text


def test_rows_that_are_gone_come_from_the_database_again(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk()
    files_of(desk, "list the apps")
    (query,) = desk.memory.queries("1.0")
    assert query.result
    desk.memory.parts.results.delete(query.result)
    text, count = lines_of(desk, "export this as csv")
    assert count == 3
    assert "no longer kept" in text
