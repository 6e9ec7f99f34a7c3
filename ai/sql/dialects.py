"""The databases that can be asked, one row each: what the guard and the door must know about their SQL.

Pure facts. `ai.sql.engines` opens and reads the databases of the rows with a `backend`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from ai.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Dialect:
    """One kind of database. `name` is sqlglot's name of its SQL; all names in here are lower case.

    `schemes` are the URL schemes that mean it, and `driver` is the one that SQLAlchemy is handed instead of any of
    them. Where `default_schema` is "", the catalogue says which schema it is. `row_ids` are columns that every table has
    without declaring them, `table_functions` the functions that may stand in FROM with the columns they give, `explain`
    the words that may stand before a query to see its plan. Where `quoted_names_can_be_text`, the engine takes "x" for
    the text 'x' when no column is called so. `backend` names the module and class below `ai.sql.engines` that open the
    database; without it, SQL of this kind can be read but no database be opened.
    """

    name: str
    label: str
    schemes: tuple[str, ...]
    driver: str
    default_schema: str
    row_ids: tuple[str, ...] = ()
    table_functions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    explain: tuple[str, ...] = ("EXPLAIN",)
    quoted_names_can_be_text: bool = False
    backend: str = ""


JSON_TABLE = ("key", "value", "type", "atom", "id", "parent", "fullkey", "path")

DIALECTS: tuple[Dialect, ...] = (
    Dialect(
        name="sqlite",
        label="SQLite",
        schemes=("sqlite",),
        driver="sqlite",
        default_schema="main",
        row_ids=("rowid", "oid", "_rowid_"),
        table_functions={"json_each": JSON_TABLE, "json_tree": JSON_TABLE},
        explain=("EXPLAIN QUERY PLAN", "EXPLAIN"),
        quoted_names_can_be_text=True,
        backend="sqlite.engine:SqliteBackend",
    ),
    Dialect(
        name="postgres",
        label="PostgreSQL",
        schemes=("postgresql", "postgres"),
        driver="postgresql+psycopg",
        default_schema="public",
        backend="postgres.engine:PostgresBackend",
    ),
    Dialect(
        name="mysql",
        label="MariaDB or MySQL",
        schemes=("mysql", "mariadb"),
        driver="mysql+pymysql",
        default_schema="",
        backend="mysql.engine:MySQLBackend",
    ),
    Dialect(
        name="duckdb",
        label="DuckDB",
        schemes=("duckdb",),
        driver="duckdb",
        default_schema="main",
        backend="duckdb.engine:DuckDBBackend",
    ),
    # Warehouses. Their drivers are extras of the package, named as the dialect; Redshift's protocol is PostgreSQL's.
    Dialect(name="snowflake", label="Snowflake", schemes=("snowflake",), driver="snowflake", default_schema=""),
    Dialect(name="bigquery", label="BigQuery", schemes=("bigquery",), driver="bigquery", default_schema=""),
    Dialect(
        name="redshift", label="Redshift", schemes=("redshift",), driver="postgresql+psycopg", default_schema="public"
    ),
    Dialect(name="trino", label="Trino", schemes=("trino",), driver="trino", default_schema=""),
    Dialect(name="databricks", label="Databricks", schemes=("databricks",), driver="databricks", default_schema=""),
    Dialect(
        name="clickhouse",
        label="ClickHouse",
        schemes=("clickhouse", "clickhousedb"),
        driver="clickhousedb",
        default_schema="",
    ),
)


def dialect_named(name: str) -> Dialect:
    """The row of this name; `ConfigError` when there is none."""
    for dialect in DIALECTS:
        if dialect.name == name:
            return dialect
    raise ConfigError(f"There is no SQL dialect named {name!r} here; known are {_known(d.name for d in DIALECTS)}.")


def dialect_of(url: str) -> Dialect:
    """The row that a database URL belongs to; `ConfigError` when it is no URL or none of ours."""
    scheme = parse_url(url).get_backend_name()
    for dialect in DIALECTS:
        if scheme in dialect.schemes:
            return dialect
    schemes = _known(f"{scheme}://" for d in DIALECTS for scheme in d.schemes)
    raise ConfigError(f"Databases of kind {scheme!r} cannot be asked; a database URL starts with {schemes}.")


def normal_url(url: str) -> URL:
    """A database URL with the driver that we use, whichever was written: `postgres://…` is `postgresql+psycopg://…`."""
    return parse_url(url).set(drivername=dialect_of(url).driver)


def parse_url(url: str) -> URL:
    """The parts of a database URL; the error never repeats the URL, which may hold a password."""
    try:
        return make_url(url)
    except (ArgumentError, ValueError):
        raise ConfigError("The database URL does not read as a URL; write for example sqlite:///shop.db.") from None


def _known(names: Iterable[str]) -> str:
    return ", ".join(names)
