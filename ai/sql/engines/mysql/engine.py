"""MariaDB and MySQL: a read-only session and transaction per query, rows streamed one by one.

Only the rights of the account stop files written on the server: see docs/databases.md.
"""

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from itertools import chain
from sys import getsizeof
from typing import Any

import pymysql  # type: ignore[import-untyped]
from pymysql import err
from pymysql.constants import FIELD_TYPE  # type: ignore[import-untyped]
from pymysql.cursors import SSCursor  # type: ignore[import-untyped]
from sqlalchemy.engine import URL
from sqlalchemy.exc import TimeoutError as PoolTimeout

from ai.errors import (
    ConfigError,
    DatathreadError,
    QueryCancelled,
    QueryFailed,
    QueryLocked,
    QueryTimeout,
    SqlRefused,
)
from ai.results.cells import Block, gathered_rows
from ai.results.table import ResultColumn, Row
from ai.sql.catalog import Catalog, Table
from ai.sql.engines.mysql import catalog as mysql_catalog
from ai.sql.engines.pool import CONNECT_SECONDS, Away, Named, ServedBackend, without_password
from ai.sql.engines.port import QueryLimits, RowStream
from ai.sql.engines.sampling import Sample, sample_of, sample_sql
from ai.stopping import NEVER, Stop

SETTINGS = {
    "sql_mode": "'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'",
    "time_zone": "'+00:00'",
    "lock_wait_timeout": "5",
    "innodb_lock_wait_timeout": "5",
    "net_write_timeout": "60",
    "group_concat_max_len": "1048576",
}
TIMED_OUT = {1969, 3024}  # by MariaDB, by MySQL
LOCKED = {1205, 1213, 3572}  # waited too long, a deadlock, not to be waited for
KILLED = {1317, 1927}  # the query, its connection
REFUSED = {1044, 1142, 1143, 1227, 1290, 1370, 1792}  # rights missing, or a write in a transaction that only reads
UNREACHABLE = {1040, 1045, 1049, 1053, 1129, 1130, 1203, 1698, 2002, 2003, 2005, 2006, 2013, 2055}
ROW_PART = 2**24 - 1  # bytes after which the protocol goes on in another packet
TYPES = {number: name.lower() for name, number in vars(FIELD_TYPE).items() if name.isupper()}


class BoundedConnection(pymysql.Connection):  # type: ignore[misc]
    """A connection refusing rows of 16 MB, which the driver would assemble in memory."""

    _result: Any

    def leave(self) -> None:
        """Leave unread rows; by itself the driver would read all of them first."""
        if self._result is not None and self._result.unbuffered_active:
            self._result.unbuffered_active = False
            self._force_close()

    def fileno(self) -> int:
        return int(self._sock.fileno())

    def _read_bytes(self, num_bytes: int) -> bytes:
        if num_bytes >= ROW_PART:
            self._force_close()
            raise err.DataError(0, f"a cell is too big: more than {ROW_PART} bytes")
        content: bytes = super()._read_bytes(num_bytes)
        return content


class MySQLBackend(ServedBackend):
    FAULT = err.Error
    FINGERPRINT = mysql_catalog.FINGERPRINT
    STORED = mysql_catalog.STORED

    def __init__(self, url: str, limits: QueryLimits) -> None:
        super().__init__(url, limits)
        if not self.url.database:
            raise ConfigError("A MariaDB URL ends with the name of the database: mysql://bot@host/shop.")

    @contextmanager
    def ask(self, sql: str, stop: Stop = NEVER) -> Iterator[RowStream[Block]]:
        with self._session(self.limits.seconds) as (session, named), stop.interrupting(partial(self._kill, session)):
            cursor = SSCursor(session)
            with named():
                cursor.execute(sql)
            if cursor.description is None:
                raise QueryFailed("the statement returns no rows")
            columns = tuple(ResultColumn(name, TYPES.get(number, "")) for name, number, *_ in cursor.description)
            try:
                with closing(_each(cursor, named)) as rows:
                    yield RowStream(columns, gathered_rows(rows, _size_of))
            finally:
                session.leave()

    def tables(self, source: str) -> Catalog:
        with self._session(self.limits.seconds) as (session, named), named():
            return mysql_catalog.tables(source, str(self.url.database), partial(self._rows, session))

    def _connect(self) -> BoundedConnection:
        return connected(self.url)

    def _begin(self, session: BoundedConnection, seconds: float) -> None:
        for statement in _opening(session, seconds):
            self._rows(session, statement)

    def _end(self, session: BoundedConnection) -> bool:
        if session.open:
            self._rows(session, "ROLLBACK")
            self._rows(session, "DO RELEASE_ALL_LOCKS()")
        return bool(session.open)

    def _rows(self, session: BoundedConnection, sql: str) -> list[Any]:
        with session.cursor() as cursor:
            cursor.execute(sql)
            return list(cursor.fetchall())

    def _sample(self, session: BoundedConnection, catalog: Catalog, table: Table) -> Sample | None:
        name = f"{quoted(catalog.schema)}.{quoted(table.name)}"
        try:
            return sample_of(table, self._rows(session, sample_sql(table, name, quoted, "CHAR")))
        except err.MySQLError:
            if not session.open:
                raise
            return None

    def _kill(self, session: BoundedConnection) -> None:
        with suppress(err.MySQLError), closing(connected(self.url)) as other:
            self._rows(other, f"KILL QUERY {session.thread_id()}")

    def _error(self, error: Exception, away: Away) -> DatathreadError:
        cause = getattr(error, "orig", None) or error
        number = cause.args[0] if cause.args else 0
        detail = without_password(str(cause.args[-1] if cause.args else cause), self.url)
        if number in TIMED_OUT:
            return QueryTimeout(self.limits.seconds)
        if number in LOCKED:
            return QueryLocked()
        if number in KILLED:
            return QueryCancelled()
        if number in REFUSED:
            return SqlRefused(f"The database server itself refused the query: {detail}.", "L7")
        if number in UNREACHABLE or isinstance(cause, PoolTimeout | err.InterfaceError):
            return self._away(away, detail)
        return QueryFailed(detail)


def connected(url: URL) -> BoundedConnection:
    return BoundedConnection(
        host=url.host or "127.0.0.1",
        port=url.port or 3306,
        user=url.username,
        password=str(url.password or ""),
        database=url.database,
        charset="utf8mb4",
        autocommit=True,
        connect_timeout=CONNECT_SECONDS,
        local_infile=False,
        init_command="SET NAMES utf8mb4",
    )


def quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _opening(session: BoundedConnection, seconds: float) -> tuple[str, ...]:
    """Write the opening statements. DDL ends the transaction, so the session is read-only too."""
    is_mariadb = "mariadb" in session.get_server_info().lower()
    limit = f"max_statement_time = {seconds}" if is_mariadb else f"max_execution_time = {max(1, int(seconds * 1000))}"
    pins = ", ".join(f"SESSION {name} = {value}" for name, value in SETTINGS.items())
    return f"SET {pins}, SESSION {limit}", "SET SESSION TRANSACTION READ ONLY", "START TRANSACTION READ ONLY"


def _each(cursor: SSCursor, named: Named) -> Generator[tuple[Row]]:
    with named():
        yield from zip(cursor.fetchall_unbuffered())


def _size_of(rows: Sequence[Row]) -> int:
    return sum(map(getsizeof, chain.from_iterable(rows)))
