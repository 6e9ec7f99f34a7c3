"""How each kind of database is opened for reading, interrupted and described: one folder per dialect."""

from collections.abc import Callable

from ai.sql.engines.duckdb.engine import DuckDBBackend
from ai.sql.engines.kept_catalog import KeptCatalog
from ai.sql.engines.mysql.engine import MySQLBackend
from ai.sql.engines.port import Backend, CsvBackend, Piece, QueryLimits, RowStream
from ai.sql.engines.postgres.engine import PostgresBackend
from ai.sql.engines.sqlite.engine import SqliteBackend

__all__ = ["BACKENDS", "Backend", "CsvBackend", "KeptCatalog", "Piece", "QueryLimits", "RowStream"]

BACKENDS: dict[str, Callable[[str, QueryLimits], Backend]] = {
    "sqlite": SqliteBackend,
    "postgres": PostgresBackend,
    "mysql": MySQLBackend,
    "duckdb": DuckDBBackend,
}
