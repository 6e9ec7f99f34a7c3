"""What the first rows tell of columns: words, days, flags, personal data; and which columns are looked at."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from ai.sql.catalog import Catalog, Column, ForeignKey, Kind, Table
from ai.sql.engines.sampling import (
    MAX_NAMES,
    MAX_WORD,
    MAX_WORDS,
    SAMPLE_ROWS,
    Sample,
    most_words,
    quoted,
    sample_of,
    sample_sql,
    text_columns,
    with_samples,
)
from tests.cases import cases


def column_with(name: str, kind: Kind, values: Sequence[object]) -> Column:
    """The column as it is known after these values were seen."""
    table = Table("t", (Column(name, "", kind),))
    (seen,) = with_samples(Catalog("x", "sqlite", (table,)), lambda _: Sample(9, {name: [*values]})).tables
    return seen.columns[0]


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("sampling.jsonl")))
def test_values_tell_of_their_column(case: dict[str, Any]) -> None:
    seen = column_with(case["column"], case["was"], case["seen"])
    told = {name for name in ("is_flag", "is_compact", "is_epoch") if getattr(seen, name)}
    assert (seen.kind, told, [*seen.values]) == (case["kind"], {*case.get("told", [])}, case.get("words", []))


@pytest.mark.parametrize(
    ("name", "most"),
    [
        *(
            (f"the_{word}", MAX_NAMES)
            for word in "name names title fullname firstname lastname surname company".split()
        ),
        *((name, MAX_WORDS) for name in ("name_id", "titles", "state", "")),
    ],
)
def test_names_of_things_are_listed_where_other_words_are_too_many(name: str, most: int) -> None:
    assert len(column_with(name, "text", [f"w{number}" for number in range(most)]).values) == most
    assert column_with(name, "text", [f"w{number}" for number in range(most + 1)]).values == ()
    assert most_words(Column(name, "", "text")) == most + 1


def test_few_words_may_be_longer_than_words_are() -> None:
    few = [f"w{number}" for number in range(19)]
    assert len(column_with("state", "text", [*few, "x" * MAX_WORD]).values) == 20
    assert len(column_with("state", "text", [*few, "x" * (MAX_WORD + 1)]).values) == 19
    assert column_with("state", "text", [*few[:18], "x" * (MAX_WORD + 1)]).values == ()


DAY_WORDS = "date dt dte day dat datum tag on at ymd ts time timestamp epoch"
AMOUNT_WORDS = (
    "id no nr num number qty quantity count level stars rating score amount price cost rank position size seats min max "
    "total sum units pieces days hours minutes weight"
)


@pytest.mark.parametrize(
    ("name", "most"),
    [
        *((f"sold_{word}", MAX_WORDS + 1) for word in DAY_WORDS.split()),
        *((f"sold{word.capitalize()}", MAX_WORDS + 1) for word in DAY_WORDS.split()),
        *((f"the_{word}", None) for word in AMOUNT_WORDS.split()),
        ("is_open", 3),
        ("key", None),
        ("parent", None),
    ],
)
def test_numbers_are_looked_at_where_they_may_be_days_or_flags(name: str, most: int | None) -> None:
    column = Column(name, "", "integer")
    table = Table("t", (column,), ("key",), (ForeignKey(("parent",), "t", ("key",)),))
    assert text_columns(table) == ([column] if most else [])
    assert most is None or most_words(column) == most


def test_a_sample_is_one_statement_and_its_rows_are_read_back() -> None:
    table = Table(
        "t",
        (
            Column("n", "", "number"),
            Column("state", "", "text"),
            Column("left_on", "", "date"),
            Column("born", "", "date", nullable=False),
            Column("sold", "", "datetime"),
            Column("paid_at", "", "integer"),
        ),
        row_estimate=77,
    )
    sql = sample_sql(table, '"t"', quoted, "text")
    assert sql.split(" UNION ALL ") == [
        f'SELECT -1, CAST(count(*) AS text) FROM (SELECT 1 AS one FROM "t" LIMIT {SAMPLE_ROWS + 1}) AS t',
        *(
            f"SELECT {at}, word FROM (SELECT DISTINCT LEFT(CAST(c AS text), {MAX_WORD + 1}) AS word FROM (SELECT {name} AS c"
            f' FROM "t" LIMIT {SAMPLE_ROWS}) AS head WHERE c IS NOT NULL LIMIT {MAX_WORDS + 1}) AS words'
            for at, name in enumerate(('"state"', '"paid_at"'))
        ),
        *(
            f"SELECT {-2 - at}, CAST(count(*) AS text) FROM (SELECT 1 AS one FROM (SELECT {name} AS c"
            f' FROM "t" LIMIT {SAMPLE_ROWS}) AS head WHERE c IS NULL LIMIT 1) AS missing'
            for at, name in enumerate(('"left_on"', '"sold"', '"paid_at"'))
        ),
    ]
    rows = [(-1, "5"), (0, "open"), (1, "20260101"), (0, "shut"), (-2, "1"), (-3, "0"), (-4, "0")]
    found = sample_of(table, rows)
    assert found == Sample(5, {"state": ["open", "shut"], "paid_at": ["20260101"]}, frozenset({"sold", "paid_at"}))
    (seen,) = with_samples(Catalog("x", "", (table,)), lambda _: found).tables
    assert [column.name for column in seen.columns if column.is_filled] == ["sold", "paid_at"]
    assert sample_of(table, [(-1, "0"), (-3, "0")]) == Sample(0)
    assert sample_of(table, [(-1, str(SAMPLE_ROWS))]).rows == SAMPLE_ROWS
    assert sample_of(table, [(-1, str(SAMPLE_ROWS + 1))]).rows == 77
    (unseen,) = with_samples(Catalog("x", "", (table,)), lambda _: None).tables
    assert unseen == table


@pytest.mark.parametrize(("name", "is_quoted"), [("a", '"a"'), ('a"b', '"a""b"'), ("", '""')])
def test_a_name_is_quoted(name: str, is_quoted: str) -> None:
    assert quoted(name) == is_quoted
