"""Which databases can be asked, and which functions their queries may call."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ai.errors import ConfigError
from ai.sql.dialects import DIALECTS, dialect_of, normal_url, path_of
from ai.sql.functions import allowed_functions
from ai.sql.grammars import OWN
from tests.function_lists.generate import DIRECT_ONLY, sqlite_functions


@pytest.mark.parametrize(
    ("url", "dialect", "driver"),
    [
        ("sqlite:///x.db", "sqlite", "sqlite"),
        ("sqlite:////srv/x.db", "sqlite", "sqlite"),
        ("sqlite+pysqlite:///x.db", "sqlite", "sqlite"),
        ("postgres://bot@db/x", "postgres", "postgresql+psycopg"),
        ("postgresql://bot@db/x", "postgres", "postgresql+psycopg"),
        ("postgresql+psycopg2://bot@db/x", "postgres", "postgresql+psycopg"),
        ("mysql://bot@db/x", "mysql", "mysql+pymysql"),
        ("mariadb+mysqldb://bot@db/x", "mysql", "mysql+pymysql"),
        ("duckdb:////srv/x.duckdb", "duckdb", "duckdb"),
    ],
)
def test_a_url_finds_its_dialect_and_our_driver(url: str, dialect: str, driver: str) -> None:
    assert dialect_of(url).name == dialect
    assert normal_url(url).drivername == driver


@pytest.mark.parametrize("url", ["oracle://scott:tiger@db/x", "snowflake://bot:tiger@account/x", "http://example.com"])
def test_another_database_is_refused_by_a_sentence_without_the_password(url: str) -> None:
    with pytest.raises(
        ConfigError,
        match="a database URL starts with sqlite://, postgresql://, postgres://, mysql://, mariadb://, duckdb://",
    ) as refusal:
        dialect_of(url)
    assert "tiger" not in str(refusal.value)


@pytest.mark.parametrize("url", ["", "shop.db", "://", "host:tiger"])
def test_what_is_no_url_is_refused(url: str) -> None:
    with pytest.raises(
        ConfigError, match=r"^The database URL does not read as a URL; write for example sqlite:///shop\.db"
    ) as refusal:
        dialect_of(url)
    assert "tiger" not in str(refusal.value)


@pytest.mark.parametrize(
    ("url", "file"),
    [("sqlite://", "shop.db"), ("sqlite:///:memory:", "shop.db"), ("duckdb:///", "shop.duckdb")],
)
def test_a_url_without_a_file_is_told_how_to_name_one(url: str, file: str) -> None:
    kind = url.partition(":")[0]
    with pytest.raises(
        ConfigError, match=rf"database URL names a file: {kind}:///{file} or {kind}:////home/me/{file}\.$"
    ):
        path_of(url)


def test_the_file_of_a_url_has_its_place(tmp_path: Path) -> None:
    assert path_of(f"sqlite:///{tmp_path}/x/../shop.db") == tmp_path.resolve() / "shop.db"
    assert path_of("duckdb:///shop.duckdb") == Path("shop.duckdb").resolve()


def test_every_grammar_belongs_to_a_dialect() -> None:
    assert set(OWN) <= {dialect.name for dialect in DIALECTS}


@pytest.mark.parametrize("name", [*OWN, "strict"])
def test_every_grammar_has_a_list_of_functions(name: str) -> None:
    listed = allowed_functions(name)
    assert {"count", "sum", "coalesce", "upper"} <= listed
    assert {one for one in listed if not one or one != one.strip().lower() or "#" in one} == set()


def test_the_list_holds_no_function_that_this_sqlite_calls_dangerous() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        rows = connection.execute("SELECT name, builtin, flags FROM pragma_function_list").fetchall()
        pure = set(sqlite_functions(connection))
    dangerous = {name for name, builtin, flags in rows if flags & DIRECT_ONLY or not builtin}
    assert "load_extension" in dangerous
    assert dangerous & (allowed_functions("sqlite") | pure) == set()


@pytest.mark.parametrize(
    "name", ["load_extension", "readfile", "writefile", "edit", "fts3_tokenizer", "sqlite_version", "last_insert_rowid"]
)
def test_the_list_leaves_out_what_reaches_beyond_the_data(name: str) -> None:
    assert name not in allowed_functions("sqlite")
