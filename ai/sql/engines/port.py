"""The port behind the door to a database: what one kind of database must be able to do, and the bounds of a query."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar, runtime_checkable

from ai.results.cells import Block
from ai.results.csv import Lines
from ai.results.table import ResultColumn, Row
from ai.sql.catalog import Catalog
from ai.stopping import NEVER, Stop


@dataclass(frozen=True, slots=True)
class QueryLimits:
    """Bounds of one query: wall time in seconds, rows, bytes of all cells as they are stored, bytes of one cell.

    `memory` is how many bytes the engine itself may use, where the engine runs on this machine for us (DuckDB).
    """

    seconds: float = 30
    rows: int = 100_000
    bytes: int = 100 * 1024 * 1024
    cell_bytes: int = 1024 * 1024
    memory: int = 200 * 1024 * 1024


Piece = TypeVar("Piece", Block, Block | Lines)


@dataclass(frozen=True)
class RowStream(Generic[Piece]):
    """A running query: its columns, and its rows as they arrive, in blocks of about a megabyte."""

    columns: tuple[ResultColumn, ...]
    blocks: Iterator[Piece]

    @property
    def batches(self: "RowStream[Block]") -> Iterator[list[Row]]:
        return (block.rows() for block in self.blocks)


class Backend(Protocol):
    """One database of one kind. Made from a URL and limits; making it connects to nothing. For many threads at once.

    Everything here raises `SourceUnavailable` when the database cannot be reached, `QueryTimeout` when the time of the
    limits is over, `SqlRefused` when the engine itself refuses, and `QueryFailed` with the engine's words otherwise.
    """

    def ask(self, sql: str, stop: Stop = NEVER) -> AbstractContextManager[RowStream[Block]]:
        """Run one statement that can only read; it ends with the block, also when rows are left.

        Calling `stop` ends it on the server; what is raised then may be any of the errors above.
        """

    def fingerprint(self) -> str:
        """A word that changes whenever the schema does; cheap enough to ask before every question."""

    def tables(self, source: str) -> Catalog:
        """Everything that may be asked about, in a handful of queries whatever the number of tables."""

    def sampled(self, catalog: Catalog) -> Catalog:
        """The catalogue with row counts and the words of small text columns, as far as there is time to look."""

    def close(self) -> None:
        """Let go of idle connections and processes."""


@runtime_checkable
class CsvBackend(Protocol):
    """A database that can write our CSV itself, as `ai.results.csv` would."""

    def ask_csv(
        self, sql: str, *, formula_guard: bool, stop: Stop = NEVER
    ) -> AbstractContextManager[RowStream[Block | Lines]]:
        """Like `ask`, with lines in place of the blocks of a query that the database can write so."""
