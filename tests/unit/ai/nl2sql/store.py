"""A small company's database as a real SQLite file, and what a thread of questions becomes on it."""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

from ai.nl2sql.meaning import Meaning, from_json, to_json
from ai.nl2sql.reader import Doubt, Reading, read
from ai.sql.catalog import Catalog
from ai.sql.database import Database
from ai.sql.guard import check
from ai.sql.semantics import NO_SEMANTICS, Semantics

SCRIPT = Path(__file__).with_name("store.sql")
MARINA = Path(__file__).with_name("marina.sql")
DOCK = Path(__file__).with_name("dock.sql")
TODAY = date(2026, 11, 22)


def open_store(folder: Path, script: Path = SCRIPT) -> Database:
    """Build the file and open it by the product's own door."""
    path = folder / f"{script.stem}.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script.read_text("utf-8"))
    return Database(script.stem, f"sqlite:///{path}")


def read_thread(questions: Sequence[str], catalog: Catalog, semantics: Semantics = NO_SEMANTICS) -> Reading | Doubt:
    """What the last question of a thread is read as, each question after the one before."""
    found: Reading | Doubt = Doubt("nothing was asked")
    earlier: list[Meaning] = []
    for question in questions:
        found = read(question, catalog, TODAY, earlier[0] if earlier else None, semantics, earlier[1:])
        earlier = [found.meaning, *earlier] if isinstance(found, Reading) else earlier
    return found


def assert_gives(case: Mapping[str, Any], found: Reading | Doubt, store: Database) -> None:
    """A question is doubted with the words that `case` says, else its SQL gives the rows of `case` in any order."""
    if "says" in case:
        assert isinstance(found, Doubt), found
        assert found.reason == case["says"]
        return
    assert isinstance(found, Reading), found
    with store.run(check(found.sql, store.catalog())) as stream:
        rows = [list(row) for batch in stream.batches for row in batch]
    assert sorted(map(repr, rows)) == sorted(map(repr, case["rows"])), found.sql


def assert_read_as(case: Mapping[str, Any], found: Reading | Doubt, store: Database) -> None:
    """A question is read as the words of `case` say, its SQL gives their rows in any order, and its meaning can be kept."""
    assert isinstance(found, Reading), found
    assert found.text == case["reading"]
    assert_gives(case, found, store)
    assert from_json(to_json(found.meaning)) == found.meaning
