"""Shared by engines on a network: a pool, sessions with a deadline, cutting a connection, errors without secrets."""

import os
import re
import socket
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from functools import partial
from time import monotonic
from typing import Any, ClassVar
from urllib.parse import quote, quote_plus

from sqlalchemy import create_engine
from sqlalchemy.engine import URL, Engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.pool import PoolProxiedConnection

from ai.errors import ConnectionLost, DatathreadError, QueryTimeout, SourceUnavailable
from ai.sql.catalog import Catalog, Table
from ai.sql.dialects import normal_url
from ai.sql.engines.deadline import deadline
from ai.sql.engines.port import QueryLimits
from ai.sql.engines.sampling import SAMPLE_SECONDS, Sample, with_samples

Away = type[SourceUnavailable]
Named = Callable[[], AbstractContextManager[None]]

CONNECT_SECONDS = 10
IDLE_CONNECTIONS = 4
OLDEST_SECONDS = 1800
GRACE_SECONDS = 0.5  # after the server's own time limit, before the connection is cut


class ServedBackend(ABC):
    """A database behind a server; its driver tells how sessions begin, read, end and fail."""

    FAULT: ClassVar[type[Exception]]
    FINGERPRINT: ClassVar[str]
    STORED: ClassVar[str]

    def __init__(self, url: str, limits: QueryLimits) -> None:
        self.url = normal_url(url)
        self.limits = limits
        self._engine = _pooled(self.url, self._connect)

    def fingerprint(self) -> str:
        with self._session(self.limits.seconds) as (session, named), named():
            return str(self._rows(session, self.FINGERPRINT))

    def sampled(self, catalog: Catalog) -> Catalog:
        end = monotonic() + SAMPLE_SECONDS
        with self._session(SAMPLE_SECONDS) as (session, named), named():
            stored = {name for (name,) in self._rows(session, self.STORED)}

            def look(table: Table) -> Sample | None:
                if table.name not in stored or monotonic() > end:
                    return None
                return self._sample(session, catalog, table)

            return with_samples(catalog, look)

    def close(self) -> None:
        self._engine.dispose()

    @contextmanager
    def _session(self, seconds: float) -> Iterator[tuple[Any, Named]]:
        """Yield a connection in a read-only transaction, and a context naming its errors."""
        with ExitStack() as opened:
            with self._named(bool, SourceUnavailable):
                connection = opened.enter_context(_lent(self._engine))
            session: Any = connection.driver_connection
            line = session.fileno()
            expired = opened.enter_context(deadline(seconds + GRACE_SECONDS, lambda: cut(line)))
            with self._named(expired):
                self._begin(session, seconds)
            yield session, partial(self._named, expired)
            with self._named(expired):
                if not self._end(session):
                    connection.invalidate()

    @contextmanager
    def _named(self, expired: Callable[[], bool], away: Away = ConnectionLost) -> Iterator[None]:
        try:
            yield
        except (DBAPIError, PoolTimeout, self.FAULT) as error:
            if expired():
                raise QueryTimeout(self.limits.seconds) from error
            raise self._error(error, away) from error

    def _away(self, away: Away, detail: str) -> SourceUnavailable:
        where = self.url.render_as_string(hide_password=True)
        return away(f"The database {where} cannot be reached now ({detail}); try again later.")

    @abstractmethod
    def _connect(self) -> Any: ...

    @abstractmethod
    def _begin(self, session: Any, seconds: float) -> None: ...

    @abstractmethod
    def _end(self, session: Any) -> bool:
        """End the transaction; return whether the session can be used again."""

    @abstractmethod
    def _rows(self, session: Any, sql: str) -> list[tuple[Any, ...]]: ...

    @abstractmethod
    def _sample(self, session: Any, catalog: Catalog, table: Table) -> Sample | None: ...

    @abstractmethod
    def _error(self, error: Exception, away: Away) -> DatathreadError: ...


def _pooled(url: URL, connect: Callable[[], Any]) -> Engine:
    return create_engine(
        url,
        creator=connect,
        pool_size=IDLE_CONNECTIONS,
        max_overflow=-1,  # the door to the database bounds its queries
        pool_recycle=OLDEST_SECONDS,
        pool_pre_ping=True,
        hide_parameters=True,
    )


@contextmanager
def _lent(engine: Engine) -> Iterator[PoolProxiedConnection]:
    connection = engine.raw_connection()
    well = False
    try:
        yield connection
        well = True
    finally:
        if not well:
            connection.invalidate()
        connection.close()


def cut(descriptor: int) -> None:
    """Shut a network connection down at once: the waiting call fails."""
    with suppress(OSError), socket.socket(fileno=os.dup(descriptor)) as line:
        line.shutdown(socket.SHUT_RDWR)


def without_password(text: str, url: URL) -> str:
    password = str(url.password or "")
    for spelling in {password, quote(password, safe=""), quote_plus(password)} - {""}:
        text = re.sub(rf"(?<!\w){re.escape(spelling)}(?!\w)", "***", text)  # a short one is part of many words
    return text
