"""Follow-ups on the rows that are there: no analyst is asked and no query runs, and the result is one like any other."""

from collections.abc import Callable

import pytest

from ai.agents.port import Answer, FileEvent, NoteEvent, SqlEvent, TableEvent
from ai.analysts.port import Draft
from ai.results.table import Row
from tests.desk import Desk
from tests.fakes import ScriptedAnalyst

QUERY = Draft("SELECT name, platform, app_id FROM apps", "the apps", {"subject": "apps"})


@pytest.fixture
def desk(open_desk: Callable[..., Desk]) -> Desk:
    """A desk whose analyst has one proposal, and it is used up."""
    desk = open_desk(ScriptedAnalyst([QUERY]))
    desk.orchestrator.process_message("which apps?", "1.0")
    return desk


def rows_of(answer: Answer) -> list[Row]:
    (table,) = [event.table for event in answer.events if isinstance(event, TableEvent)]
    return list(table.rows)


def test_one_follow_up_works_on_the_one_before(desk: Desk) -> None:
    say = desk.orchestrator.process_message
    assert [row[0] for row in rows_of(say("sort by app id, highest first", "1.0"))] == ["=1+1", "Bo", "Ada"]
    assert [row[0] for row in rows_of(say("only the iOS ones", "1.0"))] == ["=1+1", "Ada"]
    answer = say("only the first 1", "1.0")
    assert rows_of(answer) == [("=1+1", "iOS", 3)]
    (note,) = [event for event in answer.events if isinstance(event, NoteEvent)]
    assert "no query" in note.analyst
    file = say("export this as csv", "1.0").events[-1]
    assert isinstance(file, FileEvent)
    assert file.path.read_text("utf-8").splitlines()[1:] == ["'=1+1,iOS,3"]
    assert desk.memory.queries("1.0")[0].meaning == QUERY.meaning


def test_the_sql_says_what_was_done_and_would_give_the_same(desk: Desk) -> None:
    desk.orchestrator.process_message("top 2 by app id", "1.0")
    (sql,) = [
        e.sql for e in desk.orchestrator.process_message("show me the SQL", "1.0").events if isinstance(e, SqlEvent)
    ]
    assert "FROM apps" in sql
    assert "LIMIT 2" in sql
    desk = desk_with(desk, sql)
    assert [row[0] for row in rows_of(desk.orchestrator.process_message("run it", "2.0"))] == ["=1+1", "Bo"]


def desk_with(desk: Desk, sql: str) -> Desk:
    analyst = desk.services.analyst
    assert isinstance(analyst, ScriptedAnalyst)
    analyst.script.append(Draft(sql, "again"))
    return desk


def test_shown_again_it_is_the_same_result(desk: Desk) -> None:
    assert len(rows_of(desk.orchestrator.process_message("as a table", "1.0"))) == 3
    assert len(desk.memory.queries("1.0")) == 1


def test_what_the_rows_cannot_answer_is_a_question_for_the_analyst(desk: Desk) -> None:
    desk = desk_with(desk, "SELECT name, platform FROM apps WHERE app_id = 2")
    assert rows_of(desk.orchestrator.process_message("only the paid ones", "1.0")) == [("Bo", "Android")]


def test_a_repeated_turn_makes_one_result(desk: Desk) -> None:
    before = len(desk.memory.queries("1.0"))
    desk.orchestrator.process_message("add the share of total", "1.0")
    assert len(desk.memory.queries("1.0")) == before + 1


def test_where_nothing_is_kept_it_is_a_question(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(ScriptedAnalyst([QUERY]))
    assert len(rows_of(desk.orchestrator.process_message("only the first 2", "1.0"))) == 3
