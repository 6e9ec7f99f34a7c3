"""MariaDB and MySQL: a read-only session and transaction per query, rows streamed one by one.

Only the rights of the account stop files written on the server: see docs/databases.md.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from functools import partial
from itertools import chain
from sys import getsizeof
from time import monotonic
from typing import Any

import pymysql  # type: ignore[import-untyped]
from pymysql import err
from pymysql.constants import FIELD_TYPE  # type: ignore[import-untyped]
from pymysql.cursors import SSCursor  # type: ignore[import-untyped]
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from ai.errors import (
    ConfigError,
    ConnectionLost,
    DatathreadError,
    QueryCancelled,
    QueryFailed,
    QueryLocked,
    QueryTimeout,
    SourceUnavailable,
    SqlRefused,
)
from ai.results.cells import Block, gathered_rows
from ai.results.table import ResultColumn, Row
from ai.sql.catalog import Catalog, Table
from ai.sql.dialects import normal_url
from ai.sql.engines.deadline import deadline
from ai.sql.engines.mysql import catalog as mysql_catalog
from ai.sql.engines.pool import CONNECT_SECONDS, GRACE_SECONDS, cut, lent, pooled, without_password
from ai.sql.engines.port import QueryLimits, RowStream
from ai.sql.engines.sampling import SAMPLE_SECONDS, Sample, sample_of, sample_sql, with_samples
from ai.stopping import NEVER, Stop

Away = type[SourceUnavailable]
Named = Callable[[], AbstractContextManager[None]]

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

    @property
    def descriptor(self) -> int:
        return int(self._sock.fileno())

    def _read_bytes(self, num_bytes: int) -> bytes:
        if num_bytes >= ROW_PART:
            self._force_close()
            raise err.DataError(0, f"a cell is too big: more than {ROW_PART} bytes")
        content: bytes = super()._read_bytes(num_bytes)
        return content


class MySQLBackend:
    def __init__(self, url: str, limits: QueryLimits) -> None:
        self.url = normal_url(url)
        self.limits = limits
        if not self.url.database:
            raise ConfigError("A MariaDB URL ends with the name of the database: mysql://bot@host/shop.")
        self._engine = pooled(self.url, partial(connected, self.url))

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

    def fingerprint(self) -> str:
        return str(self._read(mysql_catalog.FINGERPRINT))

    def tables(self, source: str) -> Catalog:
        with self._session(self.limits.seconds) as (session, named), named():
            return mysql_catalog.tables(source, str(self.url.database), partial(_read, session))

    def sampled(self, catalog: Catalog) -> Catalog:
        end = monotonic() + SAMPLE_SECONDS
        with self._session(SAMPLE_SECONDS) as (session, named), named():
            stored = {name for (name,) in _read(session, mysql_catalog.STORED)}

            def look(table: Table) -> Sample | None:
                if table.name not in stored or monotonic() > end:
                    return None
                return _sample(session, table)

            return with_samples(catalog, look)

    def close(self) -> None:
        self._engine.dispose()

    def _read(self, sql: str) -> list[Any]:
        with self._session(self.limits.seconds) as (session, named), named():
            return _read(session, sql)

    @contextmanager
    def _session(self, seconds: float) -> Iterator[tuple[Any, Named]]:
        """Yield a connection in a read-only transaction, and a context naming its errors."""
        with ExitStack() as opened:
            with self._named(bool, SourceUnavailable):
                connection = opened.enter_context(lent(self._engine))
            session: Any = connection.driver_connection
            line = session.descriptor
            expired = opened.enter_context(deadline(seconds + GRACE_SECONDS, lambda: cut(line)))
            with self._named(expired):
                for statement in _opening(session, seconds):
                    _read(session, statement)
            yield session, partial(self._named, expired)
            with self._named(expired):
                if session.open:
                    _read(session, "ROLLBACK")
                    _read(session, "DO RELEASE_ALL_LOCKS()")
                else:
                    connection.invalidate()

    def _kill(self, session: Any) -> None:
        with suppress(err.MySQLError), closing(connected(self.url)) as other:
            _read(other, f"KILL QUERY {session.thread_id()}")

    @contextmanager
    def _named(self, expired: Callable[[], bool], away: Away = ConnectionLost) -> Iterator[None]:
        try:
            yield
        except (DBAPIError, PoolTimeout, err.Error) as error:
            if expired():
                raise QueryTimeout(self.limits.seconds) from error
            raise self._error(error, away) from error

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
            where = self.url.render_as_string(hide_password=True)
            return away(f"The database {where} cannot be reached now ({detail}); try again later.")
        return QueryFailed(detail)


def connected(url: URL) -> Any:
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


def _opening(session: Any, seconds: float) -> tuple[str, ...]:
    """Write the opening statements. DDL ends the transaction, so the session is read-only too."""
    is_mariadb = "mariadb" in session.get_server_info().lower()
    limit = f"max_statement_time = {seconds}" if is_mariadb else f"max_execution_time = {max(1, int(seconds * 1000))}"
    pins = ", ".join(f"SESSION {name} = {value}" for name, value in SETTINGS.items())
    return f"SET {pins}, SESSION {limit}", "SET SESSION TRANSACTION READ ONLY", "START TRANSACTION READ ONLY"


def _read(session: Any, sql: str) -> list[Any]:
    with session.cursor() as cursor:
        cursor.execute(sql)
        return list(cursor.fetchall())


def _each(cursor: SSCursor, named: Named) -> Generator[tuple[Row]]:
    with named():
        for row in cursor.fetchall_unbuffered():
            yield (row,)


def _size_of(rows: Sequence[Row]) -> int:
    return sum(map(getsizeof, chain.from_iterable(rows)))


def _sample(session: Any, table: Table) -> Sample | None:
    try:
        return sample_of(table, _read(session, sample_sql(table, quoted(table.name), quoted, "CHAR")))
    except err.MySQLError:
        if not session.open:
            raise
        return None
