"""A change that is told has the direction and the size of its cells, whatever the numbers."""

import re
import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.answers.phrase import phrased
from ai.answers.view import viewed
from ai.nl2sql.reader import Reading, read
from ai.results.table import ResultColumn, ResultTable
from ai.sql.catalog import Catalog
from ai.sql.database import Database
from ai.sql.semantics import NO_SEMANTICS

TODAY = date(2026, 11, 22)
AMOUNTS = st.none() | st.integers(-10_000, 10_000) | st.just(0)
DAYS = ("2026-10-05", "2026-09-05")


@pytest.fixture(scope="module")
def sales(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sales") / "sales.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE sales (day DATE NOT NULL, region TEXT NOT NULL, amount INTEGER)")
        connection.execute("INSERT INTO sales VALUES ('2026-10-05', 'North', 1), ('2026-09-05', 'South', 2)")
        connection.commit()
    return path


@pytest.fixture(scope="module")
def catalog(sales: Path) -> Catalog:
    return Database("sales", f"sqlite:///{sales}").catalog()


def _told(
    question: str, sales: Path, catalog: Catalog, rows: list[tuple[str, str, int | None]]
) -> tuple[str, list[tuple[object, ...]]]:
    found = read(question, catalog, TODAY)
    assert isinstance(found, Reading), found
    with closing(sqlite3.connect(sales)) as connection:
        connection.execute("DELETE FROM sales")
        connection.executemany("INSERT INTO sales VALUES (?, ?, ?)", rows)
        cursor = connection.execute(found.sql)
        cells = cursor.fetchall()
        columns = tuple(ResultColumn(name[0], "") for name in cursor.description)
    table = ResultTable(columns, tuple(cells), len(cells), False)
    return phrased(viewed(found.sql, table, catalog, NO_SEMANTICS, TODAY, question)), cells


@settings(max_examples=60, deadline=None)
@given(now=AMOUNTS, base=AMOUNTS)
def test_the_direction_is_that_of_the_cells(sales: Path, catalog: Catalog, now: int | None, base: int | None) -> None:
    text, _ = _told(
        "did the amount go up in October?", sales, catalog, [(DAYS[0], "North", now), (DAYS[1], "North", base)]
    )
    rose = now is not None and base is not None and now > base
    fell = now is not None and base is not None and now < base
    assert (" up " in f" {text}") == rose, text
    assert (" down " in f" {text}") == fell, text
    assert text.startswith("Yes") == rose, text
    assert ("%" in text) <= (base is not None and base > 0), text


@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(
        st.tuples(st.sampled_from(("North", "South", "East")), AMOUNTS, AMOUNTS),
        min_size=1,
        unique_by=lambda row: row[0],
    )
)
def test_groups_rise_and_fall_as_their_cells_do(
    sales: Path, catalog: Catalog, rows: list[tuple[str, int | None, int | None]]
) -> None:
    held = [(day, region, amount) for region, *sides in rows for day, amount in zip(DAYS, sides, strict=True)]
    text, cells = _told("amount growth by region in October", sales, catalog, held)
    changes = {str(row[0]): row[3] for row in cells}
    for verb, sign in (("rose", 1), ("fell", -1)):
        some = r"for (?:both|all \d+|\d+(?: of \d+)?)(?: regions)?, "
        found = re.search(rf"{verb} (?:{some}|(?:most )?(?:{some}most )?for )(?!most )(?P<region>[A-Z]\w*)", text)
        assert found is None or float(str(changes[found["region"]])) * sign > 0, text
