"""Threads of questions: what the last one is read as, and what its SQL gives on a real database behind the guard."""

from pathlib import Path
from typing import Any

import pytest

from ai.nl2sql.lexicon import lexicon_of
from ai.nl2sql.reader import Doubt, Reading
from ai.nl2sql.writer import write_sql
from ai.sql.database import Database
from ai.sql.guard import check
from ai.sql.semantics import Semantics, visible
from tests.cases import cases
from tests.unit.ai.nl2sql.store import TODAY, assert_read_as, read_thread

HERE = Path(__file__).parent


@pytest.mark.parametrize("case", cases(HERE / "readings.jsonl"))
def test_a_thread_is_read_and_answered(case: dict[str, Any], store: Database) -> None:
    assert_read_as(case, read_thread(case["asked"], store.catalog()), store)


@pytest.mark.parametrize("case", cases(HERE / "marina.jsonl"))
def test_a_schema_of_short_names_and_codes_is_read(case: dict[str, Any], marina: Database) -> None:
    assert_read_as(case, read_thread(case["asked"], marina.catalog()), marina)


@pytest.mark.parametrize(
    "asked",
    [
        ["who is the coach of Bert?"],
        ["list the sailors", "with their coach"],
        ["list the sailors", "who coaches them?"],
    ],
)
def test_a_key_to_a_hidden_table_is_shown_as_it_is(asked: list[str], marina: Database) -> None:
    semantics = Semantics(hidden=frozenset({"Trainer"}))
    found = read_thread(asked, visible(marina.catalog(), semantics), semantics)
    assert isinstance(found, Reading), found
    assert "coach of sailors" in found.text


@pytest.mark.parametrize("case", cases(HERE / "doubts.jsonl"))
def test_what_is_not_understood_is_said(case: dict[str, Any], store: Database) -> None:
    found = read_thread(case["asked"], store.catalog())
    assert isinstance(found, Doubt), found
    assert found.reason == case["says"]
    assert list(found.options) == case.get("options", [])
    lexicon = lexicon_of(store.catalog())
    for choice in found.choices:
        with store.run(check(write_sql(choice.meaning, lexicon, TODAY), store.catalog())) as stream:
            assert len(stream.columns) > 0


def test_rows_come_in_the_order_that_was_asked_for(store: Database) -> None:
    catalog = store.catalog()
    found = read_thread(["list names and prices of apps sorted by price descending"], catalog)
    assert isinstance(found, Reading)
    with store.run(check(found.sql, catalog)) as stream:
        rows = [row for batch in stream.batches for row in batch]
    assert [price for _, price in rows] == sorted((price for _, price in rows), reverse=True)
