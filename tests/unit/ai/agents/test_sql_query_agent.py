"""Writing, checking, running and repairing SQL."""

from collections.abc import Callable

import pytest

from ai.agents.port import CautionEvent, QuestionEvent, TableEvent
from ai.agents.querying.attempts import FROM_DATABASE, failure
from ai.analysts.port import AskBack, CannotAnswer, Draft
from ai.errors import QueryFailed
from tests.desk import Desk
from tests.fakes import ScriptedAnalyst

GOOD = Draft("SELECT name FROM apps", "names")


@pytest.mark.parametrize(
    ("sql", "problem"),
    [
        ("DELETE FROM apps", "SELECT"),
        ("SELECT nothing FROM apps", "nothing"),
        ("SELECT name FROM users", "users"),
        ("SELECT name FROM apps; SELECT 1", "one"),
    ],
)
def test_refused_sql_is_repaired_with_the_reason(open_desk: Callable[..., Desk], sql: str, problem: str) -> None:
    analyst = ScriptedAnalyst([Draft(sql, "bad"), GOOD])
    desk = open_desk(analyst)
    answer = desk.orchestrator.process_message("which apps?", "1.0")
    assert answer.text == "3 rows"
    assert problem in analyst.problems[0]
    assert [query.sql for query in desk.memory.queries("1.0")] == ["SELECT name FROM apps"]


def test_the_words_of_the_database_are_for_the_model_and_not_for_people() -> None:
    assert failure(f"{FROM_DATABASE}no such column: salary") == str(QueryFailed(""))
    assert failure("apps is not a table that you may read.").endswith("apps is not a table that you may read.")


def test_two_repairs_and_no_more(open_desk: Callable[..., Desk]) -> None:
    bad = [Draft(f"SELECT nothing{n} FROM apps", "bad") for n in range(5)]
    analyst = ScriptedAnalyst(list(bad))
    answer = open_desk(analyst).orchestrator.process_message("which apps?", "1.0")
    assert "could not get an answer from the database" in answer.text
    assert analyst.script == bad[3:]


def test_the_same_sql_again_is_not_tried_again(open_desk: Callable[..., Desk]) -> None:
    bad = Draft("SELECT nothing FROM apps", "bad")
    analyst = ScriptedAnalyst([bad, bad, GOOD])
    answer = open_desk(analyst).orchestrator.process_message("which apps?", "1.0")
    assert "could not get an answer" in answer.text
    assert analyst.script == [GOOD]


def test_a_question_back_has_its_options(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(ScriptedAnalyst([AskBack("Which names?", ("apps", "teams"))]))
    asked = desk.orchestrator.process_message("names?", "1.0").events[-1]
    assert isinstance(asked, QuestionEvent)
    assert (asked.text, asked.options) == ("Which names?", ("apps", "teams"))


def test_an_honest_no_is_an_answer_and_no_query(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(ScriptedAnalyst([CannotAnswer("I do not know *that*.")]))
    assert desk.orchestrator.process_message("weather?", "1.0").text == r"I do not know \*that\*."
    assert desk.memory.queries("1.0") == ()


def test_seed_004_calls_an_agent_by_keywords(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk()
    answer = desk.orchestrator.process_message(
        user_message="how many apps do we have?", thread_ts="1.0", conversation_history=[]
    )
    assert "There are 3 apps." in answer.text
    assert not [event for event in answer.events if isinstance(event, TableEvent)]


def test_threads_do_not_see_each_other(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk()
    desk.orchestrator.process_message("how many apps do we have?", "1.0")
    assert "Nothing has been asked" in desk.orchestrator.process_message("show me the SQL", "2.0").text


def test_what_an_answer_may_get_wrong_stands_below_it(open_desk: Callable[..., Desk]) -> None:
    draft = Draft("SELECT COUNT(*) FROM apps WHERE platform = 'Andriod'", "apps")
    answer = open_desk(ScriptedAnalyst([draft])).orchestrator.process_message("how many?", "1.0")
    assert CautionEvent("There is no platform “Andriod”; did you mean “Android”?") in answer.events
    assert "Andriod" not in answer.text
