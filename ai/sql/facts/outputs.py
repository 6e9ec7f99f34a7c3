"""Columns of a result: the aggregate, the columns and the rows that each is computed from."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date

from sqlglot import exp

from ai.sql.facts.conditions import tests_in, value_of
from ai.sql.facts.model import Function, Output
from ai.sql.facts.sources import Scope, row_table, scope_of
from ai.sql.facts.times import bare, part_of, unit_of

AGGREGATES: dict[type[exp.Expr], Function] = {exp.Sum: "sum", exp.Avg: "avg", exp.Min: "min", exp.Max: "max"}
ROUNDING = (exp.Round, exp.Cast, exp.Paren, exp.Coalesce, exp.Nullif, exp.Floor, exp.Ceil)
HUNDRED = 100
CONVERSIONS = (0.01, 0.001, 0.000001)  # of cents, grams, bytes: the figure stays what it was


def output_of(item: exp.Expr, scope: Scope, today: date) -> Output:
    """Describe an item of a SELECT."""
    made = _described(item.unalias(), scope, today)
    return replace(made, name=item.alias_or_name, sql=item.unalias().sql(dialect=scope.catalog.dialect))


def _described(node: exp.Expr, scope: Scope, today: date) -> Output:
    while isinstance(node, ROUNDING):
        node = node.this
    if isinstance(node, exp.Subquery) and isinstance(node.this, exp.Select) and len(node.this.expressions) == 1:
        return output_of(node.this.expressions[0], scope_of(node.this, scope.catalog, scope.named, scope), today)
    describe = DESCRIBERS.get(type(node), _other)
    return describe(node, scope, today)


def _column(node: exp.Column, scope: Scope, today: date) -> Output:
    """A column, followed through the query in FROM that passes it on."""
    found = scope.find(node)
    if found and found[0].query is not None:
        inner = scope.inside(found[0].query)
        item = inner and next((i for i in inner.expressions if i.alias_or_name.lower() == found[1]), None)
        if inner is not None and item is not None:
            return output_of(item, scope_of(inner, scope.catalog, scope.named), today)
    origin = scope.origin(node)
    return Output("", "", "", (origin,) if origin else (), is_plain=True)


def _count(node: exp.Count, scope: Scope, today: date) -> Output:
    counted = node.this
    rows = row_table(scope)
    if isinstance(counted, exp.Case | exp.If):
        found = _conditional(counted, "count", scope, today)
        return found or _computed(node, "other", scope, today)
    if isinstance(counted, exp.Distinct):
        columns = [each for each in counted.expressions if isinstance(each, exp.Column)]
        origins = tuple(origin for each in columns if (origin := scope.origin(each)))
        single = len(counted.expressions) == len(columns) == 1
        return Output("", "", "distinct", origins, rows, is_plain=single)
    if isinstance(counted, exp.Column):
        source = scope.find(counted)
        origin = scope.origin(counted)
        whole = source is not None and source[0].optional
        return Output("", "", "count", (origin,) if origin else (), origin.table if whole and origin else rows)
    return Output("", "", "count", (), rows, is_plain=isinstance(counted, exp.Star | exp.Literal))


def _aggregate(node: exp.Expr, scope: Scope, today: date) -> Output:
    function, inner = AGGREGATES[type(node)], bare(node.this)
    if isinstance(inner, exp.Case | exp.If):
        return _conditional(inner, function, scope, today) or _computed(node, function, scope, today)
    if isinstance(inner, exp.Predicate) and function == "sum":
        return Output("", "", "count", (), row_table(scope), tests=tests_in(inner, scope, today), is_plain=True)
    if isinstance(inner, exp.Sum):  # SUM(SUM(x)) OVER …
        return _aggregate(inner, scope, today)
    if isinstance(inner, exp.Column):
        passed = _column(inner, scope, today)
        plain = passed.is_plain and not passed.is_figure
        if plain:
            return replace(passed, function=function)
        if passed.is_figure:
            return Output("", "", function, passed.origins, parts=(passed,))
    return _computed(node, function, scope, today)


def _computed(node: exp.Expr, function: Function, scope: Scope, today: date) -> Output:
    return replace(_other(node, scope, today), function=function)


def _conditional(node: exp.Expr, function: Function, scope: Scope, today: date) -> Output | None:
    """SUM(CASE WHEN test THEN value ELSE 0 END) is a sum or count of the rows that pass."""
    branches = node.args.get("ifs") or [node]
    otherwise = node.args.get("default") or node.args.get("false")
    if len(branches) != 1 or (node.this is not None and isinstance(node, exp.Case)):
        return None
    nothing = otherwise is None or isinstance(otherwise, exp.Null)
    if not nothing and (function != "sum" or otherwise is None or value_of(otherwise) != 0):
        return None
    tests = tests_in(branches[0].this, scope, today)
    value = bare(branches[0].args["true"])
    if value_of(value) is not None and (function == "count" or (function == "sum" and value_of(value) == 1)):
        return Output("", "", "count", (), row_table(scope), tests=tests, is_plain=True)
    if isinstance(value, exp.Column) and function in ("sum", "avg"):
        origin = scope.origin(value)
        return Output("", "", function, (origin,) if origin else (), tests=tests, is_plain=True)
    return None


def _ratio(node: exp.Expr, scope: Scope, today: date) -> Output:
    """A division, seen through factors: 100.0 * a / b is a ratio in percent."""
    factor, inner = _without_factors(node)
    if isinstance(inner, exp.Div) and value_of(inner.expression) is None:
        own, top = _without_factors(inner.this)
        parts = (_described(top, scope, today), _described(inner.expression, scope, today))
        whole = isinstance(_unwrapped(inner.expression), exp.Window | exp.Subquery)
        base = _other(node, scope, today)
        percent = factor * own == HUNDRED
        return replace(base, function="ratio", percent=percent, parts=parts, of_total=whole)
    if inner is not node and factor == 1:
        return _described(inner, scope, today)
    if isinstance(inner, exp.Div) and (divisor := value_of(inner.expression)) and isinstance(divisor, int | float):
        factor, inner = factor / divisor, inner.this
    if factor in CONVERSIONS and (made := _described(inner, scope, today)).is_plain:
        return replace(made, factor=made.factor * factor)
    return _other(node, scope, today)


def _without_factors(node: exp.Expr) -> tuple[float, exp.Expr]:
    node = _unwrapped(node)
    if isinstance(node, exp.Mul):
        for number, rest in ((node.this, node.expression), (node.expression, node.this)):
            value = value_of(number)
            if isinstance(value, int | float):
                factor, inner = _without_factors(rest)
                return float(value) * factor, inner
    return 1.0, node


def essence(node: exp.Expr) -> exp.Expr:
    """Return an expression without rounding and positive factors: what orders rows the same way."""
    node = _unwrapped(node.unalias())
    if isinstance(node, exp.Div | exp.Mul):
        value = value_of(node.expression)
        if isinstance(value, int | float) and value > 0:
            return essence(node.this)
    return node


def _unwrapped(node: exp.Expr) -> exp.Expr:
    while isinstance(node, ROUNDING):
        node = node.this
    return node


def _difference(node: exp.Sub, scope: Scope, today: date) -> Output:
    parts = (_described(node.this, scope, today), _described(node.expression, scope, today))
    aggregated = any(part.is_figure for part in parts)
    return replace(_other(node, scope, today), function="difference" if aggregated else "", parts=parts)


def _exists(node: exp.Exists, scope: Scope, today: date) -> Output:
    tests = tests_in(node, scope, today)
    return Output("", "", "exists", tests=tests)


def _window(node: exp.Window, scope: Scope, today: date) -> Output:
    inner = _described(node.this, scope, today)
    running = bool(node.args.get("order")) and isinstance(bare(node.this), exp.Sum)
    return replace(inner, function="running" if running else "other", is_plain=False)


def _other(node: exp.Expr, scope: Scope, today: date) -> Output:  # noqa: ARG001 - one signature for all
    """An expression of its columns; a figure where anything in it is aggregated."""
    origins = tuple(dict.fromkeys(origin for c in node.find_all(exp.Column) if (origin := scope.origin(c))))
    unit = unit_of(node)
    if unit is None and isinstance(node, exp.Date):
        unit = "day"
    if unit is None and part_of(node) == "year":
        unit = "year"
    aggregated = node.find(exp.AggFunc) is not None
    return Output("", "", "other" if aggregated else "", origins, grain=unit or "")


def _filtered(node: exp.Filter, scope: Scope, today: date) -> Output:
    inner = _described(node.this, scope, today)
    return replace(inner, tests=(*inner.tests, *tests_in(node.expression.this, scope, today)))


DESCRIBERS: dict[type[exp.Expr], Callable[..., Output]] = {
    exp.Column: _column,
    exp.Count: _count,
    exp.Filter: _filtered,
    exp.Sum: _aggregate,
    exp.Avg: _aggregate,
    exp.Min: _aggregate,
    exp.Max: _aggregate,
    exp.Div: _ratio,
    exp.Mul: _ratio,
    exp.Sub: _difference,
    exp.Exists: _exists,
    exp.Window: _window,
}
