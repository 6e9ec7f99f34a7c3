"""Any rows: stored and read back they are the same, and their CSV holds the same texts in the same places."""

import csv
from datetime import UTC
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ai.results.csv import write_csv
from ai.results.store import ResultStore
from ai.results.table import ResultColumn, Row


def unfolded(moment: Any) -> Any:
    """Without the mark for the repeated hour, which no database keeps."""
    return moment.replace(fold=0)


values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(),
    st.decimals(),
    st.text(),
    st.binary(),
    st.dates(),
    st.datetimes().map(unfolded),
    st.datetimes(timezones=st.just(UTC)).map(unfolded),
    st.times().map(unfolded),
    st.uuids(),
    st.lists(st.one_of(st.none(), st.integers(), st.text()), max_size=3),
    st.dictionaries(st.text(), st.integers(), max_size=3),
)


@st.composite
def tables(draw: st.DrawFn, cells: st.SearchStrategy[Any]) -> tuple[tuple[ResultColumn, ...], list[list[Row]]]:
    width = draw(st.integers(1, 4))
    kinds = [draw(st.sampled_from([cells, st.integers(), st.text(), st.floats()])) for _ in range(width)]
    row = st.one_of(st.tuples(*kinds), st.tuples(*([cells] * width)))
    columns = tuple(ResultColumn(name) for name in draw(st.lists(st.text(), min_size=width, max_size=width)))
    return columns, draw(st.lists(st.lists(row, max_size=5), max_size=4))


@settings(max_examples=100, deadline=None)
@given(tables(values))
def test_stored_rows_are_the_same_rows(table: tuple[tuple[ResultColumn, ...], list[list[Row]]]) -> None:
    columns, batches = table
    rows = [row for batch in batches for row in batch]
    with TemporaryDirectory() as folder:
        store = ResultStore(Path(folder))
        stored = store.write("r", columns, batches, max_rows=10**9, max_bytes=10**12)
        assert (stored.row_count, stored.truncated, stored.columns) == (len(rows), False, columns)
        assert store.describe("r") == stored
        assert list(map(repr, (row for batch in store.batches("r") for row in batch))) == list(map(repr, rows))
        assert list(map(repr, store.head("r", 3).rows)) == list(map(repr, rows[:3]))


@settings(max_examples=100, deadline=None)
@given(tables(st.text()), st.booleans())
def test_csv_holds_every_text(table: tuple[tuple[ResultColumn, ...], list[list[Row]]], guard: bool) -> None:
    columns, batches = table
    texts = [[tuple(str(cell) for cell in row) for row in batch] for batch in batches]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "r.csv"
        count = write_csv(path, columns, texts, formula_guard=guard)
        with path.open(newline="", encoding="utf-8") as file:
            _, *read = csv.reader(file)
    expected = [row for batch in texts for row in batch]
    assert count == len(read) == len(expected)
    for cells, row in zip(read, expected, strict=True):
        assert len(cells) == len(row)
        assert all(cell == text or (guard and cell == f"'{text}") for cell, text in zip(cells, row, strict=True))
