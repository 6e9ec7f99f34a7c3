"""Whatever is asked, the guard answers with a sentence or with SQL that reads what it says it reads, and nothing else.

Queries are grown from the grammar over a real database with one table that may not be read; the byte code that SQLite
makes of a query tells what it opens, and is the judge.
"""

import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from hypothesis import given, settings
from hypothesis import strategies as st

from ai.errors import SqlRefused
from ai.sql.catalog import Catalog, Column, Table
from ai.sql.guard import check

TABLES = {"orders": ("id", "customer", "amount"), "customers": ("id", "name"), "secrets": ("id", "token")}
CATALOG = Catalog(
    "shop",
    "sqlite",
    tuple(Table(name, tuple(Column(c, "", "other") for c in cs)) for name, cs in TABLES.items() if name != "secrets"),
)
GOOD_NAMES = ["orders", "customers", "main.orders", '"orders"', "Customers"] * 4
names = st.sampled_from(
    [*GOOD_NAMES, "a", "b", "x", "secrets", "SECRETS", "[secrets]", "main.secrets", "sqlite_master"]
)
aliases = st.sampled_from(["a", "b", "x", "orders", "secrets", "customers"])
GOOD_COLUMNS = ["id", "id", "id", "a.id", "x.id", "orders.id", "rowid"] * 2
columns = st.sampled_from([*GOOD_COLUMNS, "customer", "name", "token", "b.token", "secrets.token", '"token"', '"x y"'])
atoms = st.one_of(columns, st.sampled_from(["1", "'x'", "NULL", "count(*)", "sqlite_version()", "id", "id"]))


def expressions(queries: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.recursive(
        atoms,
        lambda inner: st.one_of(
            st.builds("({} {} {})".format, inner, st.sampled_from(["=", "+", "||", "AND", "IS", "->>"]), inner),
            st.builds(
                "{}({})".format, st.sampled_from(["abs", "max", "upper", "coalesce", "load_extension", '"hex"']), inner
            ),
            st.builds("CASE WHEN {} THEN {} END".format, inner, inner),
            st.builds("{} IN ({})".format, inner, queries),
            st.builds("{} IN {}".format, inner, names),
            st.builds("EXISTS ({})".format, queries),
            st.builds("({})".format, queries),
            st.builds("sum({}) OVER (PARTITION BY {})".format, inner, inner),
        ),
        max_leaves=4,
    )


def larger(queries: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    expression = expressions(queries)
    source = st.one_of(
        names,
        st.builds("{} AS {}".format, names, aliases),
        st.builds("({}) AS {}".format, queries, aliases),
        st.builds("json_each({}) AS {}".format, expression, aliases),
        st.builds("({} JOIN {} ON {})".format, names, names, expression),
    )
    joined = st.one_of(
        source,
        st.builds("{}, {}".format, source, source),
        st.builds("{} JOIN {} USING (id)".format, source, source),
        st.builds("{} NATURAL JOIN {}".format, source, source),
        st.builds("{} LEFT JOIN {} ON {}".format, source, source, expression),
    )
    item = st.one_of(st.just("*"), expression, st.builds("{} AS {}".format, expression, aliases), st.just("a.*"))
    tail = st.one_of(
        st.just(""),
        st.builds(" WHERE {}".format, expression),
        st.builds(" GROUP BY 1 HAVING {}".format, expression),
        st.builds(" ORDER BY {}".format, expression),
        st.builds(" LIMIT {}".format, expression),
    )
    return st.one_of(
        st.builds("SELECT {} FROM {}{}".format, item, joined, tail),
        st.builds("{} {} {}".format, queries, st.sampled_from(["UNION", "UNION ALL", "EXCEPT", "INTERSECT"]), queries),
        st.builds("WITH {} AS ({}) {}".format, aliases, queries, queries),
        st.builds("WITH {} AS ({}), {} AS ({}) {}".format, aliases, queries, aliases, queries, queries),
        st.builds("WITH RECURSIVE {}(id) AS ({}) {}".format, aliases, queries, queries),
    )


simple = st.builds("SELECT {} FROM {}".format, st.one_of(st.just("*"), columns, st.just("1 AS id")), names)
any_query = st.recursive(simple, larger, max_leaves=6)
WORDS = (
    "SELECT FROM WHERE WITH AS UNION ALL VALUES ( ) , * ; . = + - || -> IN IS NOT NULL AND OR CASE WHEN THEN END JOIN ON USING "
    "ORDER BY GROUP LIMIT OFFSET INTO UPDATE DELETE PRAGMA ATTACH EXPLAIN id token orders secrets a main sqlite_master 1 'x' "
    '"token" [secrets] `secrets` /* */ -- ? :p @v count abs load_extension pragma_table_info json_each \n'
).split(" ")


@cache
def database() -> Path:
    """One file for all examples; `mode=ro` keeps it as it is."""
    path = Path(mkdtemp(prefix="guard-")) / "shop.db"
    with closing(sqlite3.connect(path)) as connection:
        for name, cells in TABLES.items():
            connection.execute(f"CREATE TABLE {name} ({', '.join(cells)})")
            connection.execute(f"INSERT INTO {name} VALUES ({', '.join(str(n) for n, _ in enumerate(cells, 1))})")
        connection.commit()
    return path


def opened_by(sql: str) -> set[str] | None:
    """The tables whose pages SQLite opens for a query, from its own byte code; None when it cannot compile it."""
    with closing(sqlite3.connect(f"file:{database()}?mode=ro", uri=True)) as connection:
        pages = dict(connection.execute("SELECT rootpage, tbl_name FROM sqlite_schema")) | {1: "sqlite_schema"}
        try:
            code = connection.execute(f"EXPLAIN {sql}").fetchall()
        except sqlite3.Error:
            return None
    return {pages[page] for _, operation, _, page, *_ in code if operation == "OpenRead"}


def judge(sql: str) -> None:
    """If the guard lets it through, SQLite must open none but the tables that the guard has named."""
    try:
        checked = check(sql, CATALOG)
    except SqlRefused:
        return
    opened = opened_by(checked.sql.removeprefix("EXPLAIN "))
    assert opened is None or opened <= set(checked.tables), checked.sql


@settings(max_examples=300, deadline=None)
@given(any_query)
def test_sqlite_reads_what_the_guard_says(sql: str) -> None:
    judge(sql)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join))
def test_words_in_any_order_are_judged(sql: str) -> None:
    judge(sql)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_judged(text: str) -> None:
    judge(text)


@settings(max_examples=150, deadline=None)
@given(any_query)
def test_what_was_let_through_stays_as_it_is(sql: str) -> None:
    try:
        once = check(sql, CATALOG)
    except SqlRefused:
        return
    again = check(once.sql, CATALOG)
    assert (again.sql, again.tables, again.columns) == (once.sql, once.tables, once.columns)


def test_the_judge_sees_what_is_opened() -> None:
    assert opened_by("SELECT (SELECT count(*) FROM secrets), name FROM customers") == {"secrets", "customers"}
    assert opened_by("SELECT sql FROM sqlite_master") == {"sqlite_schema"}
    assert opened_by("SELECT nothing") is None
