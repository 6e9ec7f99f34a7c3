"""A look at the first rows of a table: words of small text columns, row counts, personal data."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from ai.sql.catalog import Catalog, Column, Kind, Table
from ai.sql.rights import personal

SAMPLE_ROWS = 200_000
SAMPLE_SECONDS = 10.0
MAX_WORDS = 500
MAX_NAMES = 5_000  # of the things or people of a table
MAX_WORD = 80
MOST_LONG = 0.05  # the part of the words that may be longer, and are left out
FLAGS = 2
COUNT = -1  # marks the number of rows; lower ones tell of gaps in days

NAMES = frozenset("name names title fullname firstname lastname surname company".split())
DAY = re.compile(r"\d{4}-\d\d-\d\d")
COMPACT = re.compile(r"(19|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])")
DAY_NAMES = frozenset("date dt dte day dat datum tag on at ymd ts time timestamp epoch".split())
EPOCH = range(946_684_800, 2_208_988_800)  # seconds of the years 2000 to 2039
AMOUNTS = frozenset(
    "id no nr num number qty quantity count level stars rating score amount price cost rank position size seats min "
    "max total sum units pieces days hours minutes weight".split()
)
PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
MOMENT = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?")


@dataclass(frozen=True, slots=True)
class Sample:
    """The number of rows, the values of columns by name, and the days no row lacks."""

    rows: int | None = None
    values: dict[str, list[object]] = field(default_factory=dict)
    filled: frozenset[str] = frozenset()


def with_samples(catalog: Catalog, look: Callable[[Table], Sample | None]) -> Catalog:
    """Add what `look` finds in each table, if it was looked at."""
    return replace(catalog, tables=tuple(_enriched(table, look(table)) for table in catalog.tables))


def sample_of(table: Table, rows: Iterable[tuple[int, object]]) -> Sample:
    texts = text_columns(table)
    values: dict[str, list[object]] = defaultdict(list)
    count: int | None = None
    filled: list[int] = []
    for number, value in rows:
        if number >= 0:
            values[texts[number].name].append(value)
        elif number == COUNT:
            count = int(str(value))
        elif not int(str(value)):
            filled.append(number)
    whole = filled_days(table, filled) if count else frozenset()
    return Sample(count if count is not None and count <= SAMPLE_ROWS else table.row_estimate, values, whole)


def filled_days(table: Table, numbers: Iterable[int]) -> frozenset[str]:
    """Return the days never missing in a sample."""
    names = [column.name for column in days_to_fill(table)]
    return frozenset(names[COUNT - 1 - number] for number in numbers)


def days_to_fill(table: Table) -> list[Column]:
    """Return the columns of days the schema lets be empty."""
    return [column for column in table.columns if column.nullable and _may_be_days(column)]


def _may_be_days(column: Column) -> bool:
    named = DAY_NAMES & {part.lower() for part in PARTS.findall(column.name)}
    return column.kind in ("date", "datetime") or (bool(named) and column.kind in ("text", "integer", "other"))


def missing_sql(place: int, table: str, column: str, text: str = "") -> str:
    """Write a statement giving a negative number for a column, and 1 where a row has no value there, else 0."""
    counted = f"CAST(count(*) AS {text})" if text else "count(*)"
    head = f"SELECT {column} AS c FROM {table} LIMIT {SAMPLE_ROWS}"
    missing = f"SELECT 1 AS one FROM ({head}) AS head WHERE c IS NULL LIMIT 1"
    return f"SELECT {COUNT - 1 - place}, {counted} FROM ({missing}) AS missing"


def sample_sql(table: Table, name: str, quoted: Callable[[str], str], text: str) -> str:
    """Write a statement giving (-1, row count as text), (position of a text column, one of its values), and gaps."""
    count = f"SELECT -1, CAST(count(*) AS {text}) FROM (SELECT 1 AS one FROM {name} LIMIT {SAMPLE_ROWS + 1}) AS t"
    parts = (
        _distinct(n, name, quoted(column.name), text, most_words(column))
        for n, column in enumerate(text_columns(table))
    )
    missing = (missing_sql(n, name, quoted(column.name), text) for n, column in enumerate(days_to_fill(table)))
    return " UNION ALL ".join((count, *parts, *missing))


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def text_columns(table: Table) -> list[Column]:
    return [column for column in table.columns if column.kind == "text" or may_tell(column, table)]


def may_tell(column: Column, table: Table) -> bool:
    """Whether numbers may be more than amounts: days, or yes and no."""
    return may_hold_days(column) or _may_be_flags(column, table)


def _may_be_flags(column: Column, table: Table) -> bool:
    keys = {*table.primary_key, *(name for key in table.foreign_keys for name in key.columns)}
    named = {part.lower() for part in PARTS.findall(column.name)}
    return column.kind == "integer" and column.name not in keys and not named & (AMOUNTS | DAY_NAMES)


def most_words(column: Column) -> int:
    """Return how many different values of a column are worth reading."""
    return FLAGS + 1 if column.kind == "integer" and not may_hold_days(column) else _most_texts(column) + 1


def _most_texts(column: Column) -> int:
    parts = [part.lower() for part in PARTS.findall(column.name)]
    return MAX_NAMES if parts and parts[-1] in NAMES and column.kind == "text" else MAX_WORDS


def may_hold_days(column: Column) -> bool:
    """Whether whole numbers are called like days: 20261031 in `ord_dt`, seconds in `sold_at`."""
    return column.kind == "integer" and bool(DAY_NAMES & {part.lower() for part in PARTS.findall(column.name)})


def kind_of_texts(texts: list[str]) -> Kind:
    if all(DAY.fullmatch(text) for text in texts) or is_compact(texts):
        return "date"
    if all(DAY.fullmatch(text) or MOMENT.fullmatch(text) for text in texts):
        return "datetime"
    return "text"


def is_compact(texts: list[str]) -> bool:
    """Whether texts are days without hyphens."""
    return all(COMPACT.fullmatch(text) for text in texts)


def _distinct(number: int, table: str, column: str, text: str, most: int) -> str:
    return (
        f"SELECT {number}, word FROM (SELECT DISTINCT LEFT(CAST(c AS {text}), {MAX_WORD + 1}) AS word"
        f" FROM (SELECT {column} AS c FROM {table} LIMIT {SAMPLE_ROWS}) AS head WHERE c IS NOT NULL"
        f" LIMIT {most}) AS words"
    )


def _enriched(table: Table, sample: Sample | None) -> Table:
    looked = sample or Sample(table.row_estimate)
    columns = tuple(
        replace(_described(column, looked.values.get(column.name, [])), is_filled=column.name in looked.filled)
        for column in table.columns
    )
    return replace(table, columns=columns, row_estimate=looked.rows)


def _described(column: Column, values: list[object]) -> Column:
    texts = list(_texts(values))
    if column.kind == "integer":
        return _in_numbers(column, texts) if texts and len(texts) == len(values) else column
    column = replace(column, personal=personal(column.name, texts))
    if not texts or len(texts) < len(values):
        return column
    kind = kind_of_texts(texts)
    short = [text for text in texts if len(text) <= MAX_WORD]
    few = kind == "text" and len(texts) <= _most_texts(column) and len(texts) - len(short) <= len(texts) * MOST_LONG
    words = sorted(text for text in short if text.strip()) if few else ()
    return replace(column, kind=kind, values=tuple(words), is_compact=is_compact(texts))


def _in_numbers(column: Column, texts: list[str]) -> Column:
    if set(texts) == {"0", "1"}:
        return replace(column, is_flag=True)
    if is_compact(texts):
        return replace(column, kind="date", is_compact=True)
    seconds = all(text.isdecimal() and int(text) in EPOCH for text in texts)
    return replace(column, kind="datetime", is_epoch=True) if seconds else column


def _texts(values: list[object]) -> Iterator[str]:
    return (value for value in values if isinstance(value, str))
