"""The port of a database: its methods, its streams of rows, and the bounds of a query."""

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
    """Bounds of one query: wall time, rows, bytes of all cells as stored, bytes of one cell.

    `lock_seconds` bounds waiting for a lock (SQLite), `memory` an engine on this machine (DuckDB), `at_once` the
    queries of all people together. `blind` keeps statistics from DuckDB's planner, which would tell of rows kept back.
    """

    seconds: float = 30
    rows: int = 100_000
    bytes: int = 100 * 1024 * 1024
    cell_bytes: int = 1024 * 1024
    memory: int = 200 * 1024 * 1024
    at_once: int = 40
    blind: bool = False
    lock_seconds: float = 5


Piece = TypeVar("Piece", Block, Block | Lines)


@dataclass(frozen=True)
class RowStream(Generic[Piece]):
    """A running query: its columns, and its rows in blocks of about a megabyte."""

    columns: tuple[ResultColumn, ...]
    blocks: Iterator[Piece]

    @property
    def batches(self: "RowStream[Block]") -> Iterator[list[Row]]:
        return (block.rows() for block in self.blocks)


class Backend(Protocol):
    """One database, made without connecting. Safe for many threads.

    Raises `SourceUnavailable`, `QueryEnded`, `SqlRefused` by the engine, and `QueryFailed` with the engine's words.
    """

    def ask(self, sql: str, stop: Stop = NEVER) -> AbstractContextManager[RowStream[Block]]:
        """Run one read-only statement until the block ends; `stop` ends it on the server."""

    def fingerprint(self) -> str:
        """Return a word that changes with the schema; cheap enough for every question."""

    def tables(self, source: str) -> Catalog:
        """Read the catalogue in a handful of queries."""

    def sampled(self, catalog: Catalog) -> Catalog:
        """Add row counts and the words of small text columns, as time allows."""

    def close(self) -> None:
        pass


@runtime_checkable
class CsvBackend(Protocol):
    """A database writing the lines of `ai.results.csv` itself."""

    def ask_csv(
        self, sql: str, *, formula_guard: bool, stop: Stop = NEVER
    ) -> AbstractContextManager[RowStream[Block | Lines]]:
        """Run as `ask` does; give lines where the database can write them."""
