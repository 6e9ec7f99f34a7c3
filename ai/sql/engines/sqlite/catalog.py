"""The catalogue of a SQLite file: a handful of queries, and one per table for its words."""

import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError, OperationalError

from ai.sql.catalog import Catalog, Column, ForeignKey, Kind, Table
from ai.sql.engines.deadline import deadline
from ai.sql.engines.sampling import (
    COUNT,
    MAX_WORD,
    SAMPLE_ROWS,
    SAMPLE_SECONDS,
    Sample,
    days_to_fill,
    filled_days,
    may_tell,
    missing_sql,
    most_words,
    quoted,
    with_samples,
)

PARTS_OF_A_QUERY = 400  # SQLite allows 500 parts in one compound SELECT

RELATIONS = """
    SELECT item.name, list.type, list.wr
    FROM sqlite_schema AS item JOIN pragma_table_list AS list ON list.schema = 'main' AND list.name = item.name
    WHERE list.type IN ('table', 'view', 'virtual') AND item.type IN ('table', 'view')
      AND item.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
    ORDER BY item.rowid
"""
COLUMNS_OF_ALL = """
    SELECT item.name, info.name, info.type, info."notnull", info.pk
    FROM sqlite_schema AS item, pragma_table_xinfo(item.name) AS info
    WHERE item.type = 'table' AND info.hidden <> 1 ORDER BY info.cid
"""
COLUMNS_OF_ONE = 'SELECT name, type, "notnull", pk FROM pragma_table_xinfo(?) WHERE hidden <> 1 ORDER BY cid'
KEYS_OF_ALL = """
    SELECT item.name, key.id, key."table", key."from", key."to"
    FROM sqlite_schema AS item, pragma_foreign_key_list(item.name) AS key
    WHERE item.type = 'table' ORDER BY item.rowid, key.id DESC, key.seq
"""

KINDS: tuple[tuple[str, Kind], ...] = (
    ("JSON", "other"),
    ("DATETIME", "datetime"),
    ("TIMESTAMP", "datetime"),
    ("DATE", "date"),
    ("BOOL", "boolean"),
    ("INT", "integer"),
    ("CHAR", "text"),
    ("CLOB", "text"),
    ("TEXT", "text"),
    ("STRING", "text"),
    ("BLOB", "binary"),
    ("REAL", "number"),
    ("FLOA", "number"),
    ("DOUB", "number"),
    ("NUM", "number"),
    ("DEC", "number"),
    ("MONEY", "number"),
)


class _Declared(NamedTuple):
    name: str
    type: str
    required: int
    key_position: int


def tables(connection: Connection, source: str) -> Catalog:
    relations = connection.exec_driver_sql(RELATIONS).fetchall()
    columns = _columns(connection, [name for name, kind, _ in relations if kind == "view"])
    keys = _foreign_keys(connection, columns)
    found = (_table(name, columns[name], keys[name]) for name, *_ in relations if columns[name])
    return Catalog(source, "sqlite", tuple(found), "main")


def sampled(connection: Connection, catalog: Catalog) -> Catalog:
    """Add counts and words, as far as `SAMPLE_SECONDS` allow."""
    stored = {name: not without for name, kind, without in connection.exec_driver_sql(RELATIONS) if kind == "table"}
    with deadline(SAMPLE_SECONDS, driver(connection).interrupt) as expired:

        def look(table: Table) -> Sample | None:
            if table.name not in stored or expired():
                return None
            return _sample(connection, table, rowid=stored[table.name])

        return with_samples(catalog, look)


def kind_of(declared: str) -> Kind:
    return next((kind for part, kind in KINDS if part in declared.upper()), "other")


def _may_hold_words(declared: str) -> bool:
    return "JSON" not in declared.upper() and kind_of(declared) in ("text", "other")


def _columns(connection: Connection, views: list[str]) -> dict[str, list[_Declared]]:
    columns: dict[str, list[_Declared]] = defaultdict(list)
    for table, *declared in driver(connection).execute(COLUMNS_OF_ALL):
        columns[table].append(_Declared(*declared))
    for view in views:
        try:
            columns[view] = [_Declared(*row) for row in connection.exec_driver_sql(COLUMNS_OF_ONE, (view,))]
        except OperationalError:  # a view whose tables are gone cannot be asked about
            columns[view] = []
    return columns


def _table(name: str, declared: list[_Declared], keys: list[ForeignKey]) -> Table:
    return Table(name, tuple(map(_column, declared)), _primary_key(declared), tuple(keys))


def _primary_key(declared: list[_Declared]) -> tuple[str, ...]:
    positions = {column.key_position: column.name for column in declared if column.key_position}
    return tuple(positions[position] for position in sorted(positions))


@lru_cache(4096)  # of thousands of columns, most are declared as another one is
def _column(declared: _Declared) -> Column:
    kind = kind_of(declared.type)
    nullable = not declared.required and not (declared.key_position and kind == "integer")
    return Column(declared.name, declared.type, kind, nullable=nullable)


def _sample(connection: Connection, table: Table, *, rowid: bool) -> Sample | None:
    name = table.name
    looked = [c for c in table.columns if _may_hold_words(c.type) or may_tell(c, table)]
    texts = [column.name for column in looked]
    parts = [_count(name), *([_last(name)] if rowid else []), *(_distinct(n, name, c) for n, c in enumerate(looked))]
    parts += [missing_sql(n, quoted(name), quoted(day.name)) for n, day in enumerate(days_to_fill(table))]
    values: dict[str, list[object]] = defaultdict(list)
    rows: int | None = None
    filled: list[int] = []
    try:
        for number, value in _compound(connection, parts):
            if number >= 0:
                values[texts[number]].append(value)
            elif number < COUNT:
                filled += [number] if not value else []
            elif isinstance(value, int) and (rows is None or rows > SAMPLE_ROWS):
                rows = value
    except DBAPIError:
        return None
    whole = filled_days(table, filled) if rows else frozenset()
    return Sample(rows if rowid or (rows or 0) <= SAMPLE_ROWS else None, values, whole)


def _compound(connection: Connection, parts: list[str]) -> Iterator[tuple[int, object]]:
    for start in range(0, len(parts), PARTS_OF_A_QUERY):
        yield from connection.exec_driver_sql(" UNION ALL ".join(parts[start : start + PARTS_OF_A_QUERY]))


def _count(table: str) -> str:
    return f"SELECT -1, count(*) FROM (SELECT 1 FROM {quoted(table)} LIMIT {SAMPLE_ROWS + 1})"


def _last(table: str) -> str:
    return f"SELECT -1, max(rowid) FROM {quoted(table)}"


def _distinct(number: int, table: str, column: Column) -> str:
    name = quoted(column.name)
    kind = "integer" if column.kind == "integer" else "text"
    return (
        f"SELECT {number}, word FROM (SELECT DISTINCT"
        f" iif(typeof({name}) = '{kind}', substr({name}, 1, {MAX_WORD + 1}), 0) AS word"
        f" FROM (SELECT {name} FROM {quoted(table)} LIMIT {SAMPLE_ROWS}) WHERE {name} IS NOT NULL"
        f" LIMIT {most_words(column)})"
    )


def _foreign_keys(connection: Connection, columns: dict[str, list[_Declared]]) -> dict[str, list[ForeignKey]]:
    """Read keys to known tables; `REFERENCES t` alone means the primary key of `t`."""
    spelled = {name.lower(): name for name, declared in columns.items() if declared}
    pairs: dict[tuple[str, int, str], list[tuple[str, str | None]]] = defaultdict(list)
    for table, number, target, here, there in connection.exec_driver_sql(KEYS_OF_ALL):
        pairs[table, number, spelled.get(target.lower(), "")].append((here, there))
    keys: dict[str, list[ForeignKey]] = defaultdict(list)
    for (table, _, target), links in pairs.items():
        there = tuple(to for _, to in links if to is not None) or _primary_key(columns.get(target, []))
        if target and len(there) == len(links):
            keys[table].append(ForeignKey(tuple(here for here, _ in links), target, there))
    return keys


def driver(connection: Connection) -> sqlite3.Connection:
    raw = connection.connection.driver_connection
    if not isinstance(raw, sqlite3.Connection):
        raise TypeError(f"not a connection of sqlite3: {type(raw).__name__}")
    return raw
