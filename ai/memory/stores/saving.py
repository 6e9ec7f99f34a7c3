"""Save a store as files of rows: one moment of it, as far as it reads."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import Column, Connection, Select, Table, select
from sqlalchemy.exc import DBAPIError

from ai.errors import Corrupt
from ai.files.row_file import AT_ONCE, Row, write_rows
from ai.files.sqlite_errors import is_damage
from ai.memory.log.database import reading
from ai.memory.migrations import REVISION
from ai.memory.opening import files_at, opening, revision_in, unopened
from ai.memory.seals.checking import any_text
from ai.memory.stores.tables import as_stored, columns_in, described, readers, tables
from ai.results.store import ResultStore

HANDLES = frozenset({"query", "state"})  # whose column `result` names stored rows
NOTHING_READS = "Nothing of the memory can be read ({})."
CUT = "Of the table {} only the first {} rows can be read ({})."
ODD_ROWS = "{} rows of the table {} do not read, and are left out."


@dataclass(slots=True)
class SavedStore:
    """The rows of each table, the stored rows they name, and the losses. Without tables `step` is None."""

    step: str | None = None
    rows: dict[str, int] = field(default_factory=dict)
    results: dict[str, None] = field(default_factory=dict)
    losses: list[str] = field(default_factory=list)


def saved_results(state_url: str, place: str, root: Path) -> ResultStore:
    """Return the stored rows of `RESULTS_STORE`, without opening the memory."""
    return ResultStore(root, files=files_at(place, root, unopened(state_url)))


def save(state_url: str, folder: Path) -> SavedStore:
    """Write the tables of a store into a folder, without changing it. ConfigError or SourceUnavailable."""
    saved, engine = SavedStore(), unopened(state_url)
    try:
        with opening(engine), reading(engine) as connection, any_text(connection):
            saved.step = _step(connection)
            for table in tables() if saved.step else ():
                _save_table(connection, table, folder, saved)
    except Corrupt as error:
        saved.step = saved.step or REVISION
        saved.losses.append(NOTHING_READS.format(error.__cause__ or error))
    engine.dispose()
    return saved


def _step(connection: Connection) -> str | None:
    try:
        return revision_in(connection)
    except DBAPIError as error:
        if not is_damage(error.orig):
            raise
        return REVISION


def _save_table(connection: Connection, table: Table, folder: Path, saved: SavedStore) -> None:
    try:
        known = columns_in(connection, table)
    except DBAPIError as error:
        if not is_damage(error.orig):
            raise
        saved.losses.append(CUT.format(table.name, 0, error.orig))
        return
    if known:
        rows = _readable(connection, table, known, saved)
        saved.rows[table.name] = write_rows(folder / f"{table.name}.arrow", described(known), rows)


def _readable(connection: Connection, table: Table, known: list[Column[Any]], saved: SavedStore) -> Iterator[Row]:
    """Yield rows up to the first unreadable one; leave out those with values of another kind."""
    made = readers(known, connection.dialect)
    handle = next((place for place, each in enumerate(known) if each.name == "result"), None)
    count = odd = 0
    try:
        for row in connection.execute(_streamed(select(*as_stored(known)), connection)):
            try:
                values = [None if value is None else make(value) for make, value in zip(made, row, strict=True)]
            except (ValueError, TypeError):
                odd += 1
                continue
            if table.name in HANDLES and handle is not None and values[handle]:
                saved.results[str(values[handle])] = None
            count += 1
            yield values
    except DBAPIError as error:
        if not is_damage(error.orig):
            raise
        saved.losses.append(CUT.format(table.name, count, error.orig))
    if odd:
        saved.losses.append(ODD_ROWS.format(odd, table.name))


def _streamed(statement: Select[Any], connection: Connection) -> Select[Any]:
    """Let PostgreSQL send some rows at a time; SQLite gives each by itself, so none before a fault is lost."""
    return statement if connection.dialect.name == "sqlite" else statement.execution_options(yield_per=AT_ONCE)
