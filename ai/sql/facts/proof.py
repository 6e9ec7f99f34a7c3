"""Answers from nowhere: outputs made of no column and no count of rows, and conditions without a column."""

from collections.abc import Iterator
from datetime import date

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from ai.sql.catalog import Catalog
from ai.sql.facts.model import Facts
from ai.sql.facts.sources import SelectScope, Setting, Source, scope_of

MADE_UP = "The query gives {} without reading it from the data; take every value from a column or a count of rows."
DECIDED = "The condition {} is about no column, yet it decides the answer; compare a column instead."
UNSEEN = Setting(Catalog("", "", ()), date.min, lambda _, __: Facts())
NOW = (exp.CurrentDate, exp.CurrentTimestamp, exp.CurrentTime)
LABELS = frozenset(("year", "quarter", "month", "week", "day", "period"))
ZERO = exp.Literal.number(0)
DEPTH = 20  # queries within queries that a column is followed through


def unproven(sql: str, dialect: str) -> str:
    """Return the fault of a query with a made-up answer, "" for any other."""
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
    if isinstance(tree, exp.Subquery):
        yield from _parts(tree.this)
    elif isinstance(tree, exp.SetOperation):
        yield from _parts(tree.this)
        yield from _parts(tree.expression)
    elif isinstance(tree, exp.Select):
        yield tree


def _reads(tree: exp.Expr, named: dict[str, exp.Query]) -> bool:
    return any(table.args.get("db") or table.name.lower() not in named for table in tree.find_all(exp.Table))


def _made_up(selects: list[tuple[SelectScope, list[exp.Expr]]], tree: exp.Query) -> str:
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


def _is_constant(node: exp.Expr, scope: SelectScope, depth: int = 0) -> bool:
    node = _settled(node)
    if isinstance(node, exp.Column) and isinstance(node.this, exp.Star):
        return _is_constant_source(scope.sources.get(node.table.lower()), "", scope, depth)
    if node.find(exp.Star, exp.Count, exp.Sum, exp.Query, exp.Window, exp.AnonymousAggFunc) is not None:
        return False
    if node.find(exp.Exists) is not None or isinstance(node, NOW) or depth > DEPTH:
        return False
    return all(_is_constant_column(column, scope, depth) for column in node.find_all(exp.Column))


def _settled(node: exp.Expr) -> exp.Expr:
    """Return what constants leave: of COALESCE(7, x) and x * 0 + 7 the 7."""
    inner = node.unnest()
    match inner:
        case exp.Coalesce() if _is_literal(inner.this):
            return _settled(inner.this)
        case exp.Mul() if ZERO in (inner.this.unnest(), inner.expression.unnest()):
            return ZERO
        case exp.Add() | exp.Sub() if _settled(inner.this) == ZERO:
            return _settled(inner.expression)
        case exp.Add() | exp.Sub() if _settled(inner.expression) == ZERO:
            return _settled(inner.this)
        case exp.Case() | exp.If():
            branches = inner.args.get("ifs") or [inner]
            if all(branch.this.find(exp.Column, exp.Query, exp.AggFunc) is None for branch in branches):
                first: exp.Expr = branches[0].args["true"]
                return first
    return inner


def _is_literal(node: exp.Expr) -> bool:
    return isinstance(node.unnest(), exp.Literal)


def _is_constant_column(column: exp.Column, scope: SelectScope, depth: int) -> bool:
    found = scope.find(column)
    return found is not None and _is_constant_source(found[0], found[1], scope, depth)


def _is_constant_source(source: Source | None, name: str, scope: SelectScope, depth: int) -> bool:
    """Whether a column of a source, or all for "", is made of constants."""
    if source is None or source.query is None:
        return source is not None and source.values is not None
    if _reads_itself(source.query, name):
        return False
    parts = list(_parts(source.query))
    place = next((at for at, item in enumerate(parts[0].expressions) if item.alias_or_name.lower() == name), None)
    for part in parts:
        items = part.expressions if not name else part.expressions[place : place + 1] if place is not None else []
        inner = scope.inner(part)
        if not items or not all(_is_constant(item.unalias(), inner, depth + 1) for item in items):
            return False
    return bool(parts)


def _reads_itself(query: exp.Query, name: str) -> bool:
    """Whether a query counts up from its own rows, as a calendar does."""
    cte = query.find_ancestor(exp.CTE)
    return (
        bool(name) and cte is not None and any(t.name.lower() == cte.alias.lower() for t in query.find_all(exp.Table))
    )


def _is_number(node: exp.Expr, scope: SelectScope) -> bool:
    """Whether a value is made of constants, a number among them."""
    return _is_constant(node, scope) and node.find(*NOW) is None and _has_number(node, scope)


def _has_number(node: exp.Expr, scope: SelectScope, depth: int = 0) -> bool:
    if depth > DEPTH or any(not each.is_string for each in node.find_all(exp.Literal)):
        return depth <= DEPTH
    found = [where for column in node.find_all(exp.Column) if (where := scope.find(column))]
    return any(_gives_number(source, name, scope, depth) for source, name in found)


def _gives_number(source: Source, name: str, scope: SelectScope, depth: int) -> bool:
    if source.values is not None:
        alias = source.values.args.get("alias")
        names = [column.name.lower() for column in alias.columns] if alias else []
        place = names.index(name) if name in names else 0
        cells = [row.expressions[place] for row in source.values.expressions if place < len(row.expressions)]
        return any(isinstance(cell, exp.Literal) and not cell.is_string for cell in cells)
    inner = scope.inside(source.query) if source.query is not None else None
    items = [item for item in inner.expressions if item.alias_or_name.lower() == name] if inner is not None else []
    return inner is not None and any(_has_number(item.unalias(), scope.inner(inner), depth + 1) for item in items)


def _is_label(item: exp.Expr, tree: exp.Query) -> bool:
    """Whether a number repeats the value of a condition, as `2026 AS year` does."""
    if item.alias.lower() in LABELS:
        return True
    value = item.unalias()
    tests = tree.find_all(exp.Where, exp.Having)
    return isinstance(value, exp.Literal) and any(value in list(test.find_all(exp.Literal)) for test in tests)


def _decided(tree: exp.Query) -> str:
    """Find a condition without a column other than TRUE, and a limit of nothing."""
    for limit in tree.find_all(exp.Limit):
        if limit.expression == ZERO:
            return DECIDED.format(limit.sql().strip())
    conditions = [found.this for found in tree.find_all(exp.Where, exp.Having, exp.Qualify)]
    conditions += [on for join in tree.find_all(exp.Join) if (on := join.args.get("on")) is not None]
    for condition in conditions:
        for test in condition.flatten() if isinstance(condition, exp.And) else (condition,):
            if _is_fixed(test) and not _is_true(test.unnest()):
                return DECIDED.format(test.sql())
            if any(_is_fixed(side) for either in test.find_all(exp.Or) for side in either.flatten()):
                return DECIDED.format(test.sql())
    return ""


def _is_fixed(test: exp.Expr) -> bool:
    """Whether a condition is the same for all rows."""
    return test.find(exp.Column, exp.AggFunc, exp.Query, exp.Placeholder, exp.Parameter, exp.Func) is None


def _is_true(test: exp.Expr) -> bool:
    if isinstance(test, exp.Boolean):
        return bool(test.this)
    if isinstance(test, exp.Literal):
        return test.name != "0"
    return isinstance(test, exp.EQ) and test.this == test.expression
