"""What data is there? Told from the catalogue, as far as the asker may see it."""

from collections.abc import Callable

from ai.agents.port import TextEvent
from ai.sql.rights import rights_from
from tests.desk import Desk


def said(desk: Desk, words: str, thread: str = "1.0") -> str:
    events = desk.orchestrator.process_message(words, thread).events
    return " ".join(event.markdown for event in events if isinstance(event, TextEvent))


def test_all_tables_are_told_with_their_columns_and_sizes(open_desk: Callable[..., Desk]) -> None:
    told = said(open_desk(), "what data do you have?")
    assert told.startswith("**shop** holds 1 table:")
    assert "- **apps** (3 rows): name, platform" in told


def test_a_part_is_told_with_its_values_and_with_questions_that_are_answered(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk()
    told = said(desk, "what can I ask about apps?")
    assert "- platform (Android, iOS)" in told
    questions = [line.removeprefix("- ") for line in told.partition("You could ask:\n")[2].splitlines()]
    assert questions
    for number, question in enumerate(questions):
        assert "cannot" not in said(desk, question, f"{number}.1")


def test_a_value_is_found_where_it_may_be_read(open_desk: Callable[..., Desk]) -> None:
    assert "- **apps** has “iOS” as platform" in said(open_desk(), "what do you know about ios?")


def test_a_masked_value_is_not_found(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(rights=rights_from({"masks": {"apps": {"platform": "stars"}}}, "sqlite"))
    assert said(desk, "what do you know about iOS?").startswith("Nothing in the data is called “iOS”.")


def test_a_part_that_is_not_there_is_said_so(open_desk: Callable[..., Desk]) -> None:
    assert said(open_desk(), "what do you know about invoices?").startswith("Nothing in the data is called “invoices”.")


def test_a_column_that_may_not_be_read_is_not_told(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(rights=rights_from({"denied_columns": {"apps": ["platform"]}}, "sqlite"))
    assert "platform" not in said(desk, "which tables are there?")
    assert "Android" not in said(desk, "describe the apps table")


def test_hidden_rows_are_not_counted(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(rights=rights_from({"rows": {"apps": "platform = 'iOS'"}}, "sqlite"))
    for words in ("which tables are there?", "describe the apps table"):
        told = said(desk, words)
        assert "**apps**" in told
        assert "3" not in told
        assert "Android" not in told
