"""Writes the query for the rows behind a figure: the same tables and conditions, nothing added up."""

from collections.abc import Iterator, Mapping

import sqlglot
from sqlglot import exp

from ai.sql.catalog import Catalog, Column, Table

ADDED_UP = ("group", "distinct", "windows", "order", "offset")


def rows_behind(sql: str, catalog: Catalog) -> str | None:
    """Return SQL for the rows that `sql` counts or adds up, None where a query of this kind has no such rows.

    Tables with a figure come whole, the others with the columns that `sql` names.
    """
    tree = sqlglot.parse_one(sql, dialect=catalog.dialect)
    if _is_cut(tree):
        return None
    tables = _tables(tree, catalog)
    if not tables:
        return None
    shown = [exp.column(name, table=alias, quoted=True) for alias, name in _columns(tree, tables)]
    for part in ADDED_UP:
        tree.set(part, None)
    tree.set("expressions", shown)
    return str(tree.sql(dialect=catalog.dialect))


def _is_cut(tree: exp.Expr) -> bool:
    """Whether conditions on groups, a LIMIT or another query decide what is shown."""
    return any(tree.args.get(part) for part in ("having", "limit", "qualify", "with_"))


def _tables(tree: exp.Expr, catalog: Catalog) -> dict[str, Table]:
    """Return the tables by alias, none unless all are tables of the catalogue."""
    start = tree.args.get("from_")
    sources = [start.this, *(join.this for join in tree.args.get("joins") or ())] if start else []
    found: dict[str, Table] = {}
    for source in sources:
        table = catalog.table(source.name)
        if table is None:
            return {}
        found[source.alias_or_name] = table
    return found


def _columns(tree: exp.Expr, tables: Mapping[str, Table]) -> Iterator[tuple[str, str]]:
    """Yield alias and name of each column to show, those of whole tables first."""
    named = [column for column in tree.find_all(exp.Column) if not column.find_ancestor(exp.Join)]
    places = {_place(column, tables) for column in named}
    whole = _with_figures(tree, tables)
    for alias, table in tables.items():
        shown = [column.name for column in table.columns if alias in whole or (alias, column.name) in places]
        yield from ((alias, name) for name in shown)


def _with_figures(tree: exp.Expr, tables: Mapping[str, Table]) -> frozenset[str]:
    inside = [column for figure in tree.find_all(exp.AggFunc) for column in figure.find_all(exp.Column)]
    found = frozenset(place[0] for column in inside if (place := _place(column, tables)))
    return found or frozenset([next(iter(tables))])


def _place(column: exp.Column, tables: Mapping[str, Table]) -> tuple[str, str] | None:
    """Return the alias and name of a column, None for one of a query inside."""
    for alias, table in tables.items():
        known: Column | None = table.column(column.name)
        if known and column.table in ("", alias):
            return alias, known.name
    return None
