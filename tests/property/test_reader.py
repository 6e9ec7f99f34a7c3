"""Whatever is asked, the reader answers or doubts; what it answers, the guard lets through and the database runs."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.nl2sql.grammar import signs
from ai.nl2sql.meaning import from_json, to_json
from ai.nl2sql.reader import Doubt, Reading
from ai.sql.database import Database
from ai.sql.guard import check
from tests.unit.ai.nl2sql.store import open_store, read_thread

GRAMMAR = sorted(" ".join(words) for words in signs())
NAMES = [
    *(
        "apps",
        "teams",
        "reviews",
        "releases",
        "orders",
        "flights",
        "paintings",
        "installs",
        "revenue",
        "stars",
        "price",
    ),
    *("country", "platform", "category", "name", "day", "year", "active", "group", "iOS", "Germany", "Pingo", "Ada"),
]
LITERALS = ["5", "2.5k", "2024", "since June", "last month", "today", '"x"', "'; DROP TABLE teams; --", "zzz", "…", "%"]
QUESTION = st.lists(st.sampled_from(GRAMMAR) | st.sampled_from(NAMES) | st.sampled_from(LITERALS), max_size=7).map(
    " ".join
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Database:
    return open_store(tmp_path_factory.mktemp("store"))


@settings(deadline=None)
@given(thread=st.lists(QUESTION, min_size=1, max_size=3))
def test_every_reading_runs(thread: list[str], store: Database) -> None:
    catalog = store.catalog()
    found = read_thread(thread, catalog)
    if isinstance(found, Doubt):
        assert found.reason
        return
    assert isinstance(found, Reading)
    assert from_json(to_json(found.meaning)) == found.meaning
    with store.run(check(found.sql, catalog)) as stream:
        assert len(stream.columns) > 0
        for batch in stream.batches:
            assert all(len(row) == len(stream.columns) for row in batch)


@settings(deadline=None)
@given(text=st.text(max_size=200))
def test_any_text_is_taken(text: str, store: Database) -> None:
    assert isinstance(read_thread([text], store.catalog()), Doubt | Reading)
