"""Bring a store to the newest step of its tables, and fill an empty one from files of rows in one transaction."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Table, insert, inspect, select, text

from ai.errors import ConfigError
from ai.files.row_file import Row, RowColumn, columns_of, read_rows
from ai.memory.migrations import REVISION, knows
from ai.memory.opening import migrating, open_engine, opening, revision_in, revision_of, unopened
from ai.memory.seals import Chain
from ai.memory.stores.tables import light, storable, tables

NOT_EMPTY = "The memory {!r} holds rows already: restore into an empty store, with a DATA_DIR of its own."
OTHER_STEP = "The memory {!r} has tables of step {} and the backup has those of {}: restore into an empty database."
TOO_NEW = "The backup has tables of step {} and this release knows steps up to {}: restore it with the newer release."
NEXT = (
    "SELECT setval(pg_get_serial_sequence('{0}', '{1}'), (SELECT max({1}) FROM {0})) WHERE EXISTS (SELECT 1 FROM {0})"
)


@dataclass(frozen=True, slots=True)
class Migrated:
    """The steps of a store's tables; `before` is None where there were none."""

    before: str | None
    after: str = REVISION


def migrate(state_url: str, chain: Chain) -> Migrated:
    """Migrate the store at a URL. ConfigError, SourceUnavailable or Corrupt."""
    engine = unopened(state_url)
    with opening(engine):
        before = revision_of(engine)
    engine.dispose()
    open_engine(state_url, chain).dispose()
    return Migrated(before)


def require_step(step: str | None) -> None:
    """Raise ConfigError for the tables of a newer release."""
    if step is not None and not knows(step):
        raise ConfigError(TOO_NEW.format(step, REVISION))


def require_empty(state_url: str, step: str | None) -> None:
    """Raise ConfigError unless a store can take tables of this step."""
    engine = unopened(state_url)
    with opening(engine), engine.connect() as connection:
        _require_room(connection, step)
    engine.dispose()


def fill(state_url: str, folder: Path, step: str | None, chain: Chain, *, is_whole: bool) -> None:
    """Put the rows of a folder into an empty store, whole or not at all, and migrate it.

    Of a backup with losses, rows without their parents are left out.
    """
    from ai.memory.migrations.runner import upgrade  # loads Alembic

    engine = unopened(state_url)
    with opening(engine), migrating(engine) as connection:
        _require_room(connection, step)
        if step is not None:
            upgrade(connection, step)
        parents = Parents(is_whole)
        for table in tables():
            if (path := folder / f"{table.name}.arrow").exists():
                _fill_table(connection, table, path, parents)
        upgrade(connection)
        chain.adopt(connection)
    engine.dispose()


def _require_room(connection: Connection, step: str | None) -> None:
    current, url = revision_in(connection), connection.engine.url
    if current is None:
        return
    there = inspect(connection).get_table_names()
    if any(
        connection.execute(select(text("1")).select_from(table).limit(1)).first()
        for table in tables()
        if table.name in there
    ):
        raise ConfigError(NOT_EMPTY.format(url))
    if current != step:
        raise ConfigError(OTHER_STEP.format(url, current, step))


@dataclass(slots=True)
class Parents:
    is_whole: bool
    keys: dict[str, set[Any]] = field(default_factory=dict)

    def having(self, table: Table, columns: Sequence[RowColumn], rows: Sequence[Row]) -> Sequence[Row]:
        """Return the rows whose parents are there, and remember their own keys."""
        if self.is_whole:
            return rows
        place = {each.name: number for number, each in enumerate(columns)}
        refers = [(place[key.parent.name], key.column.table.name) for key in table.foreign_keys]
        kept = [row for row in rows if all(row[at] in self.keys.get(parent, ()) for at, parent in refers)]
        own = place[next(iter(table.primary_key.columns)).name] if table.primary_key.columns else None
        if own is not None:
            self.keys.setdefault(table.name, set()).update(row[own] for row in kept)
        return kept


def _fill_table(connection: Connection, table: Table, path: Path, parents: Parents) -> None:
    columns = columns_of(path)
    into = insert(light(table.name, columns))
    for rows in read_rows(path):
        values = list(storable(parents.having(table, columns, rows), columns, connection.dialect))
        if values:
            connection.execute(into, values)
    if connection.dialect.name == "postgresql":
        for name in _counted(connection, table):
            connection.execute(text(NEXT.format(table.name, name)))


def _counted(connection: Connection, table: Table) -> Iterator[str]:
    for each in table.primary_key.columns:
        sequence = text("SELECT pg_get_serial_sequence(:named, :own)")
        if connection.execute(sequence, {"named": table.name, "own": each.name}).scalar():
            yield each.name
