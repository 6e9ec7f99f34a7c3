"""SQLite files as they are found in the wild: odd paths, odd bytes, full-text tables, broken views, loose keys."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ai.errors import ConfigError, QueryFailed, SourceUnavailable
from ai.results.store import ResultStore
from ai.results.table import Row
from ai.sql.catalog import Catalog, Column, ForeignKey, Table
from ai.sql.database import Database, QueryLimits
from ai.sql.dialects import path_of
from ai.sql.engines.sqlite.catalog import kind_of
from ai.sql.guard import Checked, check


def database(folder: Path, script: str, name: str = "x.db") -> Database:
    with closing(sqlite3.connect(folder / name)) as connection:
        connection.executescript(script)
    return Database("x", f"sqlite:///{folder / name}")


def rows_of(asked: Database, sql: str) -> list[Row]:
    with asked.run(check(sql, asked.catalog())) as stream:
        return [row for batch in stream.batches for row in batch]


def table_of(catalog: Catalog, name: str) -> Table:
    found = catalog.table(name)
    assert found is not None
    return found


def column_of(folder: Path, declared: str, values: str) -> Column:
    catalog = database(folder, f"CREATE TABLE t (c {declared}); INSERT INTO t VALUES {values};").catalog()
    return table_of(catalog, "t").columns[0]


def test_relative_paths_and_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert path_of("sqlite:///data/x.db") == tmp_path / "data" / "x.db"
    assert path_of("sqlite:///./data/../x.db") == tmp_path / "x.db"
    assert path_of("sqlite:///~/x.db") == tmp_path / "home" / "x.db"
    assert path_of("sqlite:////srv/x.db") == Path("/srv/x.db")


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///", "sqlite:///:memory:"])
def test_a_url_that_names_no_file(url: str) -> None:
    with pytest.raises(ConfigError, match="names a file"):
        Database("x", url)


@pytest.mark.parametrize("name", ["a b.db", "50%.db", "#1.db", "größe.db", "q'uote.db"])
def test_files_of_any_name_open(name: str, tmp_path: Path) -> None:
    assert rows_of(database(tmp_path, "CREATE TABLE t (a); INSERT INTO t VALUES (1);", name), "SELECT a FROM t") == [
        (1,)
    ]


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "x.db").write_text("hello " * 500)
    with pytest.raises(SourceUnavailable, match="is no SQLite database"):
        Database("x", f"sqlite:///{tmp_path / 'x.db'}").ping()


def test_a_missing_file_is_named_in_the_sentence(tmp_path: Path) -> None:
    with pytest.raises(SourceUnavailable, match=r"no database file at .*nowhere\.db"):
        Database("x", f"sqlite:///{tmp_path / 'nowhere.db'}").ping()


def test_text_that_is_no_unicode_does_not_stop_a_query(tmp_path: Path) -> None:
    asked = database(tmp_path, "CREATE TABLE t (a TEXT); INSERT INTO t VALUES (CAST(x'41ff42' AS TEXT));")
    assert rows_of(asked, "SELECT a FROM t") == [("A\ufffdB",)]


def test_values_of_any_type_stand_in_one_column(tmp_path: Path) -> None:
    asked = database(tmp_path, "CREATE TABLE t (a INT); INSERT INTO t VALUES (1), (2.5), ('x'), (x'00'), (NULL);")
    assert rows_of(asked, "SELECT a FROM t") == [(1,), (2.5,), ("x",), (b"\x00",), (None,)]


def test_full_text_tables_can_be_read(tmp_path: Path) -> None:
    asked = database(
        tmp_path, "CREATE VIRTUAL TABLE notes USING fts5(title, body); INSERT INTO notes VALUES ('a', 'b c');"
    )
    assert rows_of(asked, "SELECT title, body FROM notes WHERE body LIKE '%c'") == [("a", "b c")]
    assert [table.name for table in asked.catalog().tables] == ["notes"]


def test_a_file_that_is_being_written_can_be_read(tmp_path: Path) -> None:
    asked = database(tmp_path, "PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1);")
    with closing(sqlite3.connect(tmp_path / "x.db", isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("INSERT INTO t VALUES (2)")
        assert rows_of(asked, "SELECT a FROM t") == [(1,)]
        writer.execute("COMMIT")
    assert rows_of(asked, "SELECT a FROM t") == [(1,), (2,)]


def test_statements_without_rows_are_not_run_as_queries(tmp_path: Path) -> None:
    asked = database(tmp_path, "CREATE TABLE t (a);")
    with pytest.raises(QueryFailed), asked.run(Checked("/* nothing */", "", ())):
        raise AssertionError


def test_what_the_door_cuts_the_store_marks_as_cut(tmp_path: Path) -> None:
    limits = QueryLimits(rows=1000, bytes=100_000)
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, {} FROM n"
    asked = Database("x", f"sqlite:///{tmp_path / 'x.db'}", limits=limits)
    database(tmp_path, "CREATE TABLE t (a);")
    for more, rows in (("1", 1000), ("hex(zeroblob(500))", 98)):
        with asked.run(check(endless.format(more), asked.catalog())) as stream:
            stored = ResultStore(tmp_path / "r").write(
                "r", stream.columns, stream.batches, max_rows=limits.rows, max_bytes=limits.bytes
            )
        assert stored.truncated
        assert stored.row_count == pytest.approx(rows, abs=3)


@pytest.mark.parametrize(
    ("declared", "kind"),
    [
        ("INTEGER", "integer"),
        ("bigint unsigned", "integer"),
        ("VARCHAR(20)", "text"),
        ("TEXT", "text"),
        ("double precision", "number"),
        ("DECIMAL(10,2)", "number"),
        ("numeric", "number"),
        ("DATE", "date"),
        ("datetime", "datetime"),
        ("TIMESTAMP WITH TIME ZONE", "datetime"),
        ("BOOLEAN", "boolean"),
        ("BLOB", "binary"),
        ("JSON", "other"),
        ("json text", "other"),
        ("CLOB", "text"),
        ("NCHAR(5)", "text"),
        ("string", "text"),
        ("REAL", "number"),
        ("float", "number"),
        ("money", "number"),
        ("geometry", "other"),
        ("", "other"),
    ],
)
def test_declared_types_have_a_kind(declared: str, kind: str) -> None:
    assert kind_of(declared) == kind


@pytest.mark.parametrize(
    ("declared", "values", "kind", "words"),
    [
        ("TEXT", "('b'), ('a'), ('b'), (NULL), ('')", "text", ("a", "b")),
        ("TEXT", "('2024-01-01'), (NULL), ('2023-12-31')", "date", ()),
        ("TEXT", "('2024-01-01'), ('2024-01-01 10:00'), ('2024-01-01T10:00:00.5Z')", "datetime", ()),
        ("TEXT", "('2024-01-01'), ('soon')", "text", ("2024-01-01", "soon")),
        ("TEXT", "(NULL)", "text", ()),
        ("TEXT", "('a'), (x'00')", "text", ()),
        ("", "('a'), ('b')", "text", ("a", "b")),
        ("", "('a'), (1)", "other", ()),
        ("TEXT", "('a'), (printf('%.81c', 'x'))", "text", ()),
        ("INTEGER", "(1), (2)", "integer", ()),
    ],
)
def test_values_tell_kinds_and_words(
    declared: str, values: str, kind: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    column = column_of(tmp_path, declared, values)
    assert (column.kind, column.values) == (kind, words)


@pytest.mark.parametrize(("values", "is_flag"), [("(0), (1), (NULL)", True), ("(0), (1), (2)", False), ("(1)", False)])
def test_ones_and_zeros_say_yes_or_no(values: str, is_flag: bool, tmp_path: Path) -> None:
    assert column_of(tmp_path, "INTEGER", values).is_flag is is_flag


def test_columns_with_many_words_list_none(tmp_path: Path) -> None:
    values = ", ".join(f"('word {n}')" for n in range(501))
    assert column_of(tmp_path, "TEXT", values).values == ()


def test_keys_without_columns_mean_the_primary_key(tmp_path: Path) -> None:
    catalog = database(
        tmp_path,
        """
        CREATE TABLE a (x INT, y INT, PRIMARY KEY (y, x));
        CREATE TABLE b (p INT, q INT, r INT, FOREIGN KEY (p, q) REFERENCES A, FOREIGN KEY (r) REFERENCES nowhere (id));
        CREATE TABLE c (p INT REFERENCES b);
        """,
    ).catalog()
    assert table_of(catalog, "a").primary_key == ("y", "x")
    assert table_of(catalog, "b").foreign_keys == (ForeignKey(("p", "q"), "a", ("y", "x")),)
    assert table_of(catalog, "c").foreign_keys == ()


def test_views_have_columns_and_broken_ones_are_left_out(tmp_path: Path) -> None:
    catalog = database(
        tmp_path,
        """
        CREATE TABLE t (a INTEGER, "b c" TEXT AS (a || 'x'));
        CREATE VIEW good AS SELECT a, count(*) AS n FROM t GROUP BY a;
        CREATE TABLE gone (a);
        CREATE VIEW broken AS SELECT a FROM gone;
        DROP TABLE gone;
        """,
    ).catalog()
    assert [table.name for table in catalog.tables] == ["t", "good"]
    assert [column.name for column in table_of(catalog, "t").columns] == ["a", "b c"]
    assert [(column.name, column.kind) for column in table_of(catalog, "good").columns] == [
        ("a", "integer"),
        ("n", "other"),
    ]


def test_a_wide_schema_takes_few_queries(tmp_path: Path) -> None:
    columns = ", ".join(f"c{n} TEXT" for n in range(600))
    catalog = database(tmp_path, f"CREATE TABLE t ({columns}); INSERT INTO t (c599) VALUES ('last');").catalog()
    assert table_of(catalog, "t").columns[599].values == ("last",)
    assert table_of(catalog, "t").row_estimate == 1


def test_an_empty_file_has_an_empty_catalogue(tmp_path: Path) -> None:
    assert database(tmp_path, "").catalog() == Catalog("x", "sqlite", (), "main")
