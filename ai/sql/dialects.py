"""The databases that can be asked, one row each. How each is opened and read is in `ai.sql.engines`."""

from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from ai.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Dialect:
    """A kind of database: sqlglot's `name` of its SQL, its URL `schemes`, and our `driver`.

    `backend` names the module and class below `ai.sql.engines`.
    """

    name: str
    label: str
    schemes: tuple[str, ...]
    driver: str
    backend: str


DIALECTS: tuple[Dialect, ...] = (
    Dialect("sqlite", "SQLite", ("sqlite",), "sqlite", "sqlite.engine:SqliteBackend"),
    Dialect(
        "postgres", "PostgreSQL", ("postgresql", "postgres"), "postgresql+psycopg", "postgres.engine:PostgresBackend"
    ),
    Dialect("mysql", "MariaDB or MySQL", ("mysql", "mariadb"), "mysql+pymysql", "mysql.engine:MySQLBackend"),
    Dialect("duckdb", "DuckDB", ("duckdb",), "duckdb", "duckdb.engine:DuckDBBackend"),
)


def dialect_of(url: str) -> Dialect:
    """Find the dialect of a database URL, or raise `ConfigError`."""
    scheme = parse_url(url).get_backend_name()
    for dialect in DIALECTS:
        if scheme in dialect.schemes:
            return dialect
    schemes = ", ".join(f"{scheme}://" for dialect in DIALECTS for scheme in dialect.schemes)
    raise ConfigError(f"Databases of kind {scheme!r} cannot be asked; a database URL starts with {schemes}.")


def normal_url(url: str) -> URL:
    """Put our driver into a URL."""
    return parse_url(url).set(drivername=dialect_of(url).driver)


def path_of(url: str) -> Path:
    """Return the absolute path of the file in a URL such as `sqlite:///shop.db`."""
    dialect, database = dialect_of(url), parse_url(url).database
    if database in (None, "", ":memory:"):
        file = f"shop.{'db' if dialect.name == 'sqlite' else dialect.name}"
        scheme = dialect.schemes[0]
        raise ConfigError(
            f"A {dialect.label} database URL names a file: {scheme}:///{file} or {scheme}:////home/me/{file}."
        )
    return Path(str(database)).expanduser().resolve()


def parse_url(url: str) -> URL:
    """Parse a database URL; errors do not repeat it, since it may hold a password."""
    try:
        return make_url(url)
    except (ArgumentError, ValueError):
        raise ConfigError("The database URL does not read as a URL; write for example sqlite:///shop.db.") from None
