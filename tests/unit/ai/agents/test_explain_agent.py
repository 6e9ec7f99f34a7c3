"""Answers and pasted SQL in words; only owners run what they paste."""

from collections.abc import Callable

import pytest

from ai.agents.explain_agent import COMMENT, FOR_OWNERS, NOTHING
from ai.agents.port import SqlEvent, TableEvent
from tests.desk import Desk

PASTED = "SELECT platform, COUNT(*) AS n FROM apps GROUP BY platform ORDER BY n DESC"


def test_the_last_answer_is_explained_with_its_sql(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk()
    desk.orchestrator.process_message("how many apps on iOS?", "1.0")
    told = desk.orchestrator.process_message("explain this answer", "1.0")
    assert "How “how many apps on iOS?” was answered:" in told.text
    assert "number of apps on iOS" in told.text
    assert any(isinstance(event, SqlEvent) for event in told.events)


def test_nothing_to_explain(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk()
    desk.orchestrator.process_message("how many apps?", "1.0")
    assert desk.orchestrator.process_message("explain query 99", "1.0").text == NOTHING


@pytest.mark.parametrize("owners", [("",), ()])
def test_pasted_sql_runs_for_owners_only(open_desk: Callable[..., Desk], owners: tuple[str, ...]) -> None:
    told = open_desk(owners=owners).orchestrator.process_message(PASTED, "1.0")
    assert "number of apps by platform" in told.text
    assert (FOR_OWNERS in told.text) == (not owners)
    assert any(isinstance(event, TableEvent) for event in told.events) == bool(owners)


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("DROP TABLE apps", "Only queries may run"),
        ("SELECT * FROM secrets", "There is no table secrets"),
        ("SELECT name -- the name FROM apps", COMMENT),
    ],
)
def test_sql_that_would_not_run_is_refused_with_the_reason(
    open_desk: Callable[..., Desk], sql: str, words: str
) -> None:
    desk = open_desk(owners=("",))
    assert words in desk.orchestrator.process_message(sql, "1.0").text.replace("\\", "")
    assert desk.memory.queries("1.0") == ()
