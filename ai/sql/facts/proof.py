"""Answers from nowhere: outputs made of no column and no count of rows, and conditions that no column takes part in."""

from collections.abc import Iterator
from datetime import date

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from ai.sql.catalog import Catalog
from ai.sql.facts.model import Facts
from ai.sql.facts.sources import Scope, Setting, scope_of

MADE_UP = "The query gives {} without reading it from the data; take every value from a column or a count of rows."
DECIDED = "The condition {} is about no column, yet it decides the answer; compare a column instead."
UNSEEN = Setting(Catalog("", "", ()), date.min, lambda _, __: Facts())
NOW = (exp.CurrentDate, exp.CurrentTimestamp, exp.CurrentTime)
LABELS = frozenset(("year", "quarter", "month", "week", "day", "period"))
DEPTH = 20  # queries within queries that a column is followed through


def unproven(sql: str, dialect: str) -> str:
    """Return what is wrong with a query that makes up its answer, "" for any other."""
    try:
        tree = parse_one(sql, dialect=dialect)
    except (SqlglotError, ValueError, RecursionError):
        return ""
    if not isinstance(tree, exp.Query):
        return ""
    named = {cte.alias.lower(): cte.this for cte in tree.find_all(exp.CTE) if isinstance(cte.this, exp.Query)}
    if not _reads(tree, named):
        return MADE_UP.format("its answer")
    selects = [(scope_of(part, UNSEEN, named), part.expressions) for part in _parts(tree)]
    return _made_up(selects, tree) or _decided(tree)


def _parts(tree: exp.Expr) -> Iterator[exp.Select]:
    """The SELECTs whose rows are the result."""
    if isinstance(tree, exp.Subquery):
        yield from _parts(tree.this)
    elif isinstance(tree, exp.SetOperation):
        yield from _parts(tree.this)
        yield from _parts(tree.expression)
    elif isinstance(tree, exp.Select):
        yield tree


def _reads(tree: exp.Expr, named: dict[str, exp.Query]) -> bool:
    """Whether a query names any table that it did not make itself."""
    return any(table.args.get("db") or table.name.lower() not in named for table in tree.find_all(exp.Table))


def _made_up(selects: list[tuple[Scope, list[exp.Expr]]], tree: exp.Query) -> str:
    for scope, items in selects:
        if items and all(_is_constant(item.unalias(), scope) for item in items):
            return MADE_UP.format(_quoted(items))
    if len(selects) == 1:  # numbers beside real columns in the parts of a UNION are their places or labels
        scope, items = selects[0]
        for item in items:
            if _is_number(item.unalias(), scope) and not _is_label(item, tree):
                return MADE_UP.format(_quoted([item]))
    return ""


def _quoted(items: list[exp.Expr]) -> str:
    return f"“{items[0].alias_or_name or items[0].sql()}”"


def _is_constant(node: exp.Expr, scope: Scope, depth: int = 0) -> bool:
    """Whether a value is the same whatever the rows are."""
    if node.find(exp.Star, exp.Count, exp.Sum, exp.Query, exp.Window, exp.AnonymousAggFunc) is not None:
        return False
    if node.find(exp.Exists) is not None or isinstance(node, NOW) or depth > DEPTH:
        return False
    return all(_is_constant_column(column, scope, depth) for column in node.find_all(exp.Column))


def _is_constant_column(column: exp.Column, scope: Scope, depth: int) -> bool:
    found = scope.find(column)
    inner = scope.inside(found[0].query) if found and found[0].query is not None else None
    if found is None or inner is None:
        return False
    item = next((each for each in inner.expressions if each.alias_or_name.lower() == found[1]), None)
    return item is not None and _is_constant(item.unalias(), scope.inner(inner), depth + 1)


def _is_number(node: exp.Expr, scope: Scope) -> bool:
    if not _is_constant(node, scope) or node.find(*NOW) is not None:
        return False
    literals = list(node.find_all(exp.Literal))
    return any(not each.is_string for each in literals) or (not literals and node.find(exp.Column) is not None)


def _is_label(item: exp.Expr, tree: exp.Query) -> bool:
    """Whether a number names what a condition asks for, as `2026 AS year` does."""
    if item.alias.lower() in LABELS:
        return True
    value = item.unalias()
    tests = tree.find_all(exp.Where, exp.Having)
    return isinstance(value, exp.Literal) and any(value in list(test.find_all(exp.Literal)) for test in tests)


def _decided(tree: exp.Query) -> str:
    """Find a condition without a column that is not simply true."""
    for where in tree.find_all(exp.Where, exp.Having):
        tests = where.this.flatten() if isinstance(where.this, exp.And) else (where.this,)
        for test in tests:
            plain = (
                isinstance(test, exp.Predicate | exp.Boolean) and test.find(exp.Column, exp.AggFunc, exp.Query) is None
            )
            if plain and not _is_true(test):
                return DECIDED.format(test.sql())
    return ""


def _is_true(test: exp.Expr) -> bool:
    if isinstance(test, exp.Boolean):
        return bool(test.this)
    return isinstance(test, exp.EQ) and test.this == test.expression
