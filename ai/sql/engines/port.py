"""The port behind the door to a database: what one kind of database must be able to do, and the bounds of a query."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import DBAPIError

from ai.errors import DatathreadError
from ai.sql.catalog import Catalog


@dataclass(frozen=True, slots=True)
class QueryLimits:
    """Bounds of one query: wall time in seconds, rows, bytes of all cells together, bytes of one cell."""

    seconds: float = 30
    rows: int = 100_000
    bytes: int = 100 * 1024 * 1024
    cell_bytes: int = 1024 * 1024


class Backend(Protocol):
    """One database of one kind, behind SQLAlchemy. Made from a URL and limits; making it connects to nothing."""

    @property
    def engine(self) -> Engine:
        """Connections from here can only read. Connecting raises `SourceUnavailable` when the database is not there."""

    def guarded(self, connection: Connection) -> AbstractContextManager[Callable[[], bool]]:
        """While inside, the engine's own second opinion and the time limit hold; the value says whether time ran out."""

    def fingerprint(self, connection: Connection) -> str:
        """A word that changes whenever the schema does; cheap enough to ask before every question."""

    def catalog(self, connection: Connection, source: str) -> Catalog:
        """Everything that may be asked about, in few queries."""

    def name_error(self, error: DBAPIError) -> DatathreadError:
        """The driver's error as one of ours: refused, not reachable, or failed."""
