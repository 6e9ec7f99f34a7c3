"""The questions that a greeting offers are questions that work."""

from ai.nl2sql.examples import example_questions
from ai.nl2sql.reader import Reading, read
from ai.sql.catalog import Catalog
from ai.sql.database import Database
from tests.unit.ai.nl2sql.store import TODAY


def test_three_different_examples_that_are_read(store: Database) -> None:
    questions = example_questions(store.catalog(), TODAY)
    assert len(set(questions)) == 3
    for question in questions:
        assert isinstance(read(question, store.catalog(), TODAY), Reading)


def test_an_empty_database_has_none() -> None:
    assert example_questions(Catalog("empty", "sqlite", ()), TODAY) == ()


def test_an_empty_database_holds_nothing_to_ask() -> None:
    assert not isinstance(read("how many apps do we have?", Catalog("empty", "sqlite", ()), TODAY), Reading)
