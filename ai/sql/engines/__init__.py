"""How each kind of database is opened for reading, interrupted and described: one folder per dialect."""

from importlib import import_module

from ai.errors import MissingExtra
from ai.sql.dialects import Dialect
from ai.sql.engines.kept_catalog import KeptCatalog
from ai.sql.engines.port import Backend, CsvBackend, Piece, QueryLimits, RowStream
from ai.sql.engines.rights import RightsDrift, hold, roles_of

__all__ = [
    "Backend",
    "CsvBackend",
    "KeptCatalog",
    "Piece",
    "QueryLimits",
    "RightsDrift",
    "RowStream",
    "hold",
    "open_backend",
    "roles_of",
]

EXTRAS = {"psycopg": ("PostgreSQL", "postgres"), "pymysql": ("MySQL", "mysql")}  # by the driver


def open_backend(dialect: Dialect, url: str, limits: QueryLimits) -> Backend:
    """Make the backend of a dialect; no other driver is loaded. MissingExtra where it is not there."""
    module, _, name = dialect.backend.partition(":")
    try:
        engine = import_module(f"{__name__}.{module}")
    except ModuleNotFoundError as error:
        if error.name not in EXTRAS:
            raise
        raise MissingExtra(*EXTRAS[error.name]) from None
    made: Backend = getattr(engine, name)(url, limits)
    return made
