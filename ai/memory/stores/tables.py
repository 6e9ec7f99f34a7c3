"""The saved part of a store: all tables with their columns by kind, but nothing made of them."""

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime
from types import MappingProxyType
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    ColumnClause,
    ColumnElement,
    Connection,
    Date,
    Dialect,
    Float,
    Integer,
    LargeBinary,
    String,
    Table,
    TableClause,
    Text,
    cast,
    column,
    inspect,
    table,
    type_coerce,
)
from sqlalchemy.types import BigInteger, NullType, TypeEngine

from ai.files.row_file import Row, RowColumn
from ai.memory import embeddings, keeping, learned, workspaces
from ai.memory.log import checkpoints, moves, shared_files, spending
from ai.memory.log.database import METADATA, AnyText, Utc
from ai.memory.log.kept_files import KEPT_CHUNK, KEPT_FILE

STORED_ROWS = frozenset({KEPT_FILE.name, KEPT_CHUNK.name})
WITH_TABLES = (
    embeddings,
    keeping,
    learned,
    workspaces,
    checkpoints,
    moves,
    shared_files,
    spending,
)  # beside those of the log
OF_TYPES: tuple[tuple[type[TypeEngine[Any]], str], ...] = (
    (AnyText, "text"),
    (JSON, "json"),
    (Utc, "moment"),
    (Date, "day"),
    (LargeBinary, "bytes"),
    (Boolean, "bool"),
    (Integer, "int"),
    (Float, "float"),
)
# A text without a type is taken by PostgreSQL for what its column holds: JSON stays as it was written.
TYPES: MappingProxyType[str, TypeEngine[Any]] = MappingProxyType(
    {
        "text": AnyText(),
        "name": String(),
        "json": NullType(),
        "moment": Utc(),
        "day": Date(),
        "bytes": LargeBinary(),
        "bool": Boolean(),
        "int": BigInteger(),
        "float": Float(),
    }
)
NUL, REPLACEMENT = "\x00", "\ufffd"


def tables() -> Sequence[Table]:
    """Return the tables, parents first; stored rows are saved as files, wherever they are."""
    return [table for table in METADATA.sorted_tables if table.name not in STORED_ROWS]


def columns_in(connection: Connection, of: Table) -> list[Column[Any]]:
    """Return the columns of a table in a store; an older one has fewer, or none."""
    inspected = inspect(connection)
    if not inspected.has_table(of.name):
        return []
    there = {found["name"] for found in inspected.get_columns(of.name)}
    return [known for known in of.columns if known.name in there]


def described(known: Sequence[Column[Any]]) -> list[RowColumn]:
    return [RowColumn(each.name, _kind(each)) for each in known]


def as_stored(known: Sequence[Column[Any]]) -> list[ColumnElement[Any]]:
    """Return the columns as the driver gives them, JSON as text."""
    return [cast(each, Text) if _kind(each) == "json" else type_coerce(each, NullType()) for each in known]


def readers(known: Sequence[Column[Any]], dialect: Dialect) -> list[Callable[[Any], Any]]:
    """Return the conversions from a driver's values to those of a kind. They raise ValueError or TypeError."""

    def text(value: Any) -> str:
        return AnyText().process_result_value(value, dialect) or ""

    of_kind: dict[str, Callable[[Any], Any]] = {
        "text": text,
        "name": str,
        "json": str,
        "moment": _moment,
        "day": _day,
        "bytes": bytes,
        "bool": bool,
        "int": int,
        "float": float,
    }
    return [of_kind[_kind(each)] for each in known]


def light(name: str, columns: Sequence[RowColumn]) -> TableClause:
    made: list[ColumnClause[Any]] = [column(each.name, TYPES[each.kind]) for each in columns]
    return table(name, *made)


def storable(rows: Sequence[Row], columns: Sequence[RowColumn], dialect: Dialect) -> Iterator[dict[str, Any]]:
    """Yield rows by column. PostgreSQL has no NUL in a text; where one is told apart, its column has a sign for it."""
    short = {each.name for each in columns if each.kind in ("name", "json")} if dialect.name == "postgresql" else set()
    for row in rows:
        values = dict(zip((each.name for each in columns), row, strict=True))
        for name in short:
            if values[name] and NUL in values[name]:
                values[name] = values[name].replace(NUL, REPLACEMENT)
        yield values


def _kind(of: Column[Any]) -> str:
    return next((kind for sort, kind in OF_TYPES if isinstance(of.type, sort)), "name")


def _moment(value: Any) -> datetime:
    found = value if isinstance(value, datetime) else datetime.fromisoformat(value)
    return found.replace(tzinfo=UTC)


def _day(value: Any) -> date:
    return value if isinstance(value, date) else date.fromisoformat(value)
