"""PostgreSQL: a read-only transaction per query, server time limits, rows streamed by COPY.

Queries are described first, and wrapped so that the server stops at the row limit and at a cell that is too big.
"""

from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from typing import Any

import psycopg
from psycopg import errors
from sqlalchemy.exc import TimeoutError as PoolTimeout

from ai.errors import (
    DatathreadError,
    QueryCancelled,
    QueryFailed,
    QueryLocked,
    QueryTimeout,
    SqlRefused,
)
from ai.results.cells import Block
from ai.results.csv import Lines
from ai.results.table import ResultColumn
from ai.sql.catalog import Catalog, Table
from ai.sql.engines.pool import CONNECT_SECONDS, Away, Named, ServedBackend, without_password
from ai.sql.engines.port import Piece, RowStream
from ai.sql.engines.postgres import catalog as postgres_catalog
from ai.sql.engines.postgres.copy import copied, copied_lines
from ai.sql.engines.postgres.csv import csv_of
from ai.sql.engines.postgres.values import load_exactly, reading_of, sized
from ai.sql.engines.sampling import Sample, quoted, sample_of, sample_sql
from ai.stopping import NEVER, Stop

Session = psycopg.Connection[tuple[Any, ...]]
Described = list[tuple[str, int]]  # name and type (its number) of each column

CANCEL_SECONDS = 2.0
SETTINGS = {
    "lock_timeout": "5s",
    "idle_in_transaction_session_timeout": "60s",
    "work_mem": "32MB",
    "timezone": "UTC",
    "datestyle": "ISO, MDY",
    "intervalstyle": "postgres",
    "bytea_output": "hex",
    "extra_float_digits": "1",
    "standard_conforming_strings": "on",
    "row_security": "on",
}
BOUND_FILES = (  # only who may change the setting can: elsewhere the role has it, see docs/databases.md
    "SELECT set_config('temp_file_limit', '1GB', true) FROM pg_roles WHERE rolname = current_user AND rolsuper"
)
UNREACHABLE = (errors.OperationalError, errors.InterfaceError)
LOCKED = (errors.LockNotAvailable, errors.DeadlockDetected)
FORBIDDEN = (errors.InsufficientPrivilege, errors.ReadOnlySqlTransaction)


class PostgresBackend(ServedBackend):
    FAULT = psycopg.Error
    FINGERPRINT = postgres_catalog.FINGERPRINT
    STORED = postgres_catalog.STORED

    @contextmanager
    def ask(self, sql: str, stop: Stop = NEVER) -> Iterator[RowStream[Block]]:
        with (
            self._described(sql, stop) as (session, named, described),
            closing(_each(self._blocks(session, sql, described), named)) as blocks,
        ):
            yield RowStream(_columns(session, described), blocks)

    @contextmanager
    def ask_csv(self, sql: str, *, formula_guard: bool, stop: Stop = NEVER) -> Iterator[RowStream[Block | Lines]]:
        with self._described(sql, stop) as (session, named, described):
            kinds = [kind for _, kind in described]
            written = csv_of(session, sized(sql, described, self.limits), kinds, formula_guard=formula_guard)
            found: Iterator[Block | Lines] = (
                copied_lines(session, written) if written else self._blocks(session, sql, described)
            )
            with closing(_each(found, named)) as blocks:
                yield RowStream(_columns(session, described), blocks)

    @contextmanager
    def _described(self, sql: str, stop: Stop) -> Iterator[tuple[Session, Named, Described]]:
        with self._session(self.limits.seconds) as (session, named), stop.interrupting(partial(_cancel, session)):
            with named():
                described = _described(session, sql)
            yield session, named, described

    def _blocks(self, session: Session, sql: str, described: Described) -> Iterator[Block]:
        if not described:
            return _plan(session, sql)
        readings = [reading_of(session, kind) for _, kind in described]
        return copied(session, sized(sql, described, self.limits), readings)

    def tables(self, source: str) -> Catalog:
        with self._session(self.limits.seconds) as (session, named), named():
            return postgres_catalog.tables(source, partial(self._rows, session))

    def _error(self, error: Exception, away: Away) -> DatathreadError:
        cause = getattr(error, "orig", None) or error
        detail = without_password(str(cause), self.url)
        if isinstance(cause, errors.QueryCanceled):
            return QueryCancelled() if "user request" in detail else QueryTimeout(self.limits.seconds)
        if isinstance(cause, LOCKED):
            return QueryLocked()
        if isinstance(cause, errors.SerializationFailure):  # a standby makes room for what its primary changed
            return QueryCancelled()
        if isinstance(cause, FORBIDDEN):
            return SqlRefused(f"PostgreSQL itself refused the query: {detail}", "L7")
        if isinstance(cause, PoolTimeout) or (isinstance(cause, UNREACHABLE) and _says_nothing_of_sql(cause)):
            return self._away(away, detail)
        return QueryFailed(detail)

    def _connect(self) -> Session:
        session = psycopg.connect(
            self.url.set(drivername="postgresql").render_as_string(hide_password=False),
            autocommit=True,
            connect_timeout=CONNECT_SECONDS,
            prepare_threshold=None,
            client_encoding="utf8",
            application_name="datathread",
        )
        load_exactly(session.adapters)
        return session

    def _begin(self, session: Session, seconds: float) -> None:
        session.execute(_opening(seconds))

    def _end(self, session: Session) -> bool:
        session.execute(b"ROLLBACK; SELECT pg_advisory_unlock_all()")
        return True

    def _rows(self, session: Session, sql: str) -> list[tuple[Any, ...]]:
        return session.execute(sql.encode()).fetchall()

    def _sample(self, session: Session, catalog: Catalog, table: Table) -> Sample | None:
        name = f"{quoted(catalog.schema)}.{quoted(table.name)}"
        try:
            with session.transaction():
                return sample_of(table, self._rows(session, sample_sql(table, name, quoted, "text")))
        except errors.DatabaseError:
            if session.closed:
                raise
            return None


def _each(blocks: Iterator[Piece], named: Named) -> Generator[Piece]:
    with named():
        yield from blocks


def _plan(session: Session, sql: str) -> Iterator[Block]:
    yield Block.of(session.execute(sql.encode()).fetchall())


def _says_nothing_of_sql(error: psycopg.Error) -> bool:
    return error.sqlstate is None or error.sqlstate[:2] in ("08", "28", "3D", "53", "57")


def _cancel(session: Session) -> None:
    with suppress(psycopg.Error):
        session.cancel_safe(timeout=CANCEL_SECONDS)


def _opening(seconds: float) -> bytes:
    pins = {**SETTINGS, "statement_timeout": f"{max(1, int(seconds * 1000))}ms"}
    settings = "".join(f"SET LOCAL {name} = '{value}'; " for name, value in pins.items())
    return f"BEGIN READ ONLY; {settings}{BOUND_FILES}".encode()


def _described(session: Session, sql: str) -> Described:
    """Describe the columns of a query without running it; [] for an EXPLAIN."""
    prepared = session.pgconn.prepare(b"", sql.encode())
    if prepared.error_message:
        raise errors.error_from_result(prepared, encoding="utf-8")
    found = session.pgconn.describe_prepared(b"")
    if not found.nfields:
        raise QueryFailed("the statement returns no columns")
    if sql.lstrip().upper().startswith("EXPLAIN"):
        return []
    return [((found.fname(n) or b"").decode(), found.ftype(n)) for n in range(found.nfields)]


def _columns(session: Session, described: Described) -> tuple[ResultColumn, ...]:
    if not described:
        return (ResultColumn("QUERY PLAN", "text"),)
    return tuple(ResultColumn(name, _type(session, number)) for name, number in described)


def _type(session: Session, number: int) -> str:
    known = session.adapters.types.get(number)
    if known is None:
        return ""
    return f"{known.name}[]" if number == known.array_oid else known.name
