"""Columns with personal data are told from others; and what the rights then make of them."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ai.sql.database import Database
from ai.sql.rights import personal, rights_from
from tests.cases import cases


@pytest.mark.parametrize("case", cases(Path(__file__).parent / "personal.jsonl"))
def test_a_column_is_told_by_its_name_or_its_values(case: dict[str, str]) -> None:
    assert personal(case["column"], case["values"]) == case["personal"]


@pytest.mark.parametrize(
    ("masks", "shown"),
    [
        ({}, ("Ada", "ada@example.com", "212-555-0187")),
        ("auto", ("Ada", "***", "***")),
        ({"*": "null"}, ("Ada", None, None)),
        ({"*": "stars", "people": {"reach": "none", "nick": "null"}}, (None, "***", "212-555-0187")),
    ],
)
def test_masks_of_all_that_is_personal(masks: object, shown: tuple[str | None, ...], tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "x.db")) as connection:
        connection.executescript("""
            CREATE TABLE people (nick TEXT, email TEXT, reach TEXT);
            INSERT INTO people VALUES ('Ada', 'ada@example.com', '212-555-0187'), ('Bo', NULL, '212-555-0188'),
              ('Cy', NULL, '212-555-0189');
        """)
    with closing(
        Database("x", f"sqlite:///{tmp_path / 'x.db'}", rights=rights_from({"masks": masks}, "sqlite"))
    ) as door:
        with door.run(door.check("SELECT * FROM people LIMIT 1")) as stream:
            assert [row for batch in stream.batches for row in batch] == [shown]
        words = {column.name: column.values for column in door.catalog().tables[0].columns}
        assert (words["reach"] == ()) == (shown[2] != "212-555-0187")
