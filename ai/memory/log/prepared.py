"""Statements that every turn waits for: compiled once, and given to SQLite's own driver.

SQLAlchemy takes longer to hand such a statement over than SQLite to run it. What it does for each call, with names, types
and rows, is done here once. The statement is the same, in the same transaction and with the same errors; on PostgreSQL,
where the way to the server is longer than either, SQLAlchemy runs it. docs/decisions/0006 has the figures.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from sqlite3 import Cursor
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, UpdateBase
from sqlalchemy.dialects import sqlite

from ai.memory.log.database import driver_of, run

Values = Mapping[str, Any]
Row = tuple[Any, ...]


class Compiled(NamedTuple):
    """A statement in SQLite's words, the values that always stand in it, and how values are stored in it and read from it."""

    sql: str
    fixed: Values
    stored: Mapping[str, Callable[[Any], Any]]
    read: Sequence[tuple[int, Callable[[Any], Any]]]


class Prepared:
    """One statement. Rows are tuples of what the driver gives: moments are text in SQLite, see `moment`."""

    def __init__(self, statement: Select[Any] | UpdateBase) -> None:
        self._statement = statement

    def all(self, connection: Connection, values: Values) -> Sequence[Row]:
        """Run it for these values, and give its rows."""
        driver = driver_of(connection)
        if driver is None:
            return connection.execute(self._statement, values).all()
        return self._run(driver, values).fetchall()

    def read(self, connection: Connection, values: Values) -> Sequence[Row]:
        """The same with the values as their columns have them: moments, JSON, truth values."""
        rows = self.all(connection, values)
        if connection.dialect.name != "sqlite":
            return rows
        readers = self._compiled.read
        return [_read(row, readers) for row in rows]

    def do(self, connection: Connection, values: Values) -> None:
        """Run it for these values; it has no rows."""
        driver = driver_of(connection)
        if driver is None:
            connection.execute(self._statement, values)
        else:
            self._run(driver, values)

    def _run(self, driver: Any, values: Values) -> Cursor:
        sql, fixed, stored, _ = self._compiled
        given = {**fixed, **values}
        for name, store in stored.items():
            given[name] = store(given[name])
        return run(driver, sql, given)

    @cached_property
    def _compiled(self) -> Compiled:
        dialect = sqlite.dialect(paramstyle="named")
        compiled = self._statement.compile(dialect=dialect)
        fixed = {name: value for name, value in compiled.params.items() if value is not None}
        storing = {
            name: bind.type.dialect_impl(dialect).bind_processor(dialect) for bind, name in compiled.bind_names.items()
        }
        reading = [
            column.type.dialect_impl(dialect).result_processor(dialect, None)
            for column in self._statement.exported_columns
        ]
        return Compiled(
            str(compiled),
            fixed,
            {name: store for name, store in storing.items() if store},
            [(place, read) for place, read in enumerate(reading) if read],
        )


def _read(row: Row, readers: Sequence[tuple[int, Callable[[Any], Any]]]) -> Row:
    values = list(row)
    for place, read in readers:
        values[place] = read(values[place])
    return tuple(values)


def moment(stored: Any) -> datetime:
    """A moment as `Prepared` gives it."""
    return datetime.fromisoformat(f"{stored}+00:00") if isinstance(stored, str) else stored
