"""Columns of a result: the aggregate, the columns and the rows each is computed from."""

from collections.abc import Callable
from dataclasses import replace

from sqlglot import exp

from ai.sql.facts.conditions import tests_in, value_of
from ai.sql.facts.model import Function, OrderKey, Output, Window
from ai.sql.facts.sources import SelectScope, row_table
from ai.sql.facts.times import bare, part_of, unit_of

AGGREGATES: dict[type[exp.Expr], Function] = {
    exp.Sum: "sum",
    exp.Avg: "avg",
    exp.Min: "min",
    exp.Max: "max",
    exp.Median: "median",
}
ROUNDING = (exp.Round, exp.Cast, exp.Paren, exp.Coalesce, exp.Nullif, exp.Floor, exp.Ceil)
HUNDRED = 100
BESIDE = (exp.Lag, exp.Lead, exp.FirstValue, exp.LastValue, exp.NthValue)
STEPS = ("group", "having", "limit", "distinct", "joins")
CONVERSIONS = (0.01, 0.001, 0.000001)  # of cents, grams, bytes: the figure stays what it was


def output_of(item: exp.Expr, scope: SelectScope) -> Output:
    """Describe an item of a SELECT."""
    made = _described(item.unalias(), scope)
    return replace(made, name=item.alias_or_name, sql=item.unalias().sql(dialect=scope.catalog.dialect))


def _described(node: exp.Expr, scope: SelectScope) -> Output:
    while isinstance(node, ROUNDING):
        node = node.this
    query = node.unnest() if isinstance(node, exp.Subquery) else None
    if isinstance(query, exp.Select) and len(query.expressions) == 1:
        return _scalar(query, scope)
    describe = DESCRIBERS.get(type(node), _other)
    return describe(node, scope)


def _scalar(select: exp.Select, scope: SelectScope) -> Output:
    """A query for one value, with its conditions where it has no steps of its own."""
    inner = scope.inner(select, correlated=True)
    where = select.args.get("where")
    made = output_of(select.expressions[0], inner)
    ties = inner.ties()
    whole = any(select.args.get(part) for part in STEPS) or any(s.query is not None for s in inner.sources.values())
    if whole:
        return replace(made, name="", is_plain=False, query=scope.setting.describe(select, scope), overall=not ties)
    tests = (*tests_in(where.this if where else None, inner), *made.tests)
    return replace(made, tests=tests, ties=ties, overall=not ties, is_plain=made.is_plain and bool(ties))


def _column(node: exp.Column, scope: SelectScope) -> Output:
    """A column, followed through a query in FROM."""
    found = scope.find(node)
    if found and found[0].query is not None:
        inner = scope.inside(found[0].query)
        through = exp.column(found[1]) if inner is not None and inner.is_star else None
        item = inner and next((i for i in inner.expressions if i.alias_or_name.lower() == found[1]), through)
        if inner is not None and item is not None:
            return output_of(item, scope.inner(inner))
    origin = scope.origin(node)
    return Output("", "", "", (origin,) if origin else (), is_plain=True)


def _count(node: exp.Count, scope: SelectScope) -> Output:
    counted = node.this
    rows = row_table(scope)
    if isinstance(counted, exp.Case | exp.If):
        found = _conditional(counted, "count", scope)
        return found or _computed(node, "other", scope)
    if isinstance(counted, exp.Distinct):
        only = counted.expressions[0] if len(counted.expressions) == 1 else None
        if isinstance(only, exp.Case) and (passing := _conditional(only, "distinct", scope)):
            return passing
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


def _aggregate(node: exp.Expr, scope: SelectScope) -> Output:
    function, inner = AGGREGATES[type(node)], bare(node.this)
    if isinstance(inner, exp.Case | exp.If):
        return _conditional(inner, function, scope) or _computed(node, function, scope)
    if isinstance(inner, exp.Predicate) and function == "sum":
        return Output("", "", "count", (), row_table(scope), tests=tests_in(inner, scope), is_plain=True)
    if isinstance(inner, exp.Sum):  # SUM(SUM(x)) OVER …
        return _aggregate(inner, scope)
    if isinstance(inner, exp.Column):
        passed = _column(inner, scope)
        plain = passed.is_plain and not passed.is_figure
        if plain:
            return replace(passed, function=function)
        if passed.is_figure:
            return Output("", "", function, passed.origins, parts=(passed,))
    return _computed(node, function, scope)


def _computed(node: exp.Expr, function: Function, scope: SelectScope) -> Output:
    """An aggregate over an expression, or of a kind without a name of its own."""
    inner = node.this if isinstance(node.this, exp.Expr) and not isinstance(node.this, exp.Distinct) else node
    formula, operands = _formula(inner, scope)
    return replace(_other(node, scope), function=function, formula=formula, operands=operands)


def _conditional(node: exp.Expr, function: Function, scope: SelectScope) -> Output | None:
    """SUM(CASE WHEN test THEN value ELSE 0 END) is a sum or count of the passing rows."""
    branches = node.args.get("ifs") or [node]
    otherwise = node.args.get("default") or node.args.get("false")
    if len(branches) != 1 or (node.this is not None and isinstance(node, exp.Case)):
        return None
    nothing = otherwise is None or isinstance(otherwise, exp.Null)
    if not nothing and (function != "sum" or otherwise is None or value_of(otherwise) != 0):
        return None
    tests = tests_in(branches[0].this, scope)
    value = bare(branches[0].args["true"])
    if value_of(value) is not None and (function == "count" or (function == "sum" and value_of(value) == 1)):
        return Output("", "", "count", (), row_table(scope), tests=tests, is_plain=True)
    if isinstance(value, exp.Column) and (function in ("sum", "avg") or (function == "distinct" and nothing)):
        origin = scope.origin(value)
        rows = row_table(scope) if function == "distinct" else ""
        return Output("", "", function, (origin,) if origin else (), rows, tests=tests, is_plain=True)
    if nothing and function in ("sum", "avg") and value_of(value) is None:
        formula, operands = _formula(value, scope)
        return replace(_other(value, scope), function=function, formula=formula, operands=operands, tests=tests)
    return None


def _ratio(node: exp.Expr, scope: SelectScope) -> Output:
    """A division, seen through factors: 100.0 * a / b is a ratio in percent."""
    factor, inner = _without_factors(node)
    if isinstance(inner, exp.Div) and value_of(inner.expression) is None:
        own, top = _without_factors(inner.this)
        parts = (_described(top, scope), _described(inner.expression, scope))
        below = _unwrapped(inner.expression)
        whole = isinstance(below, exp.Window | exp.Subquery) and not isinstance(below.this, exp.Lag | exp.Lead)
        base = _other(node, scope)
        percent = factor * own == HUNDRED
        return replace(base, function="ratio", percent=percent, parts=parts, of_total=whole)
    if inner is not node and factor == 1:
        return _described(inner, scope)
    if isinstance(inner, exp.Div) and (divisor := value_of(inner.expression)) and isinstance(divisor, int | float):
        factor, inner = factor / divisor, inner.this
    if factor in CONVERSIONS and ((made := _described(inner, scope)).is_plain or made.function == "ratio"):
        return replace(made, factor=made.factor * factor)
    return _other(node, scope)


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
    """Return an expression without rounding and positive factors: it orders rows the same way."""
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


def _difference(node: exp.Sub, scope: SelectScope) -> Output:
    parts = (_described(node.this, scope), _described(node.expression, scope))
    aggregated = any(part.is_figure for part in parts)
    return replace(_other(node, scope), function="difference" if aggregated else "", parts=parts)


def _exists(node: exp.Exists, scope: SelectScope) -> Output:
    tests = tests_in(node, scope)
    return Output("", "", "exists", tests=tests)


def _window(node: exp.Window, scope: SelectScope) -> Output:
    function = bare(node.this)
    passed = function.this if isinstance(function, BESIDE) else node.this
    inner = _described(passed, scope)
    order = node.args.get("order")
    keys = tuple(
        OrderKey(_described(key.this, scope), None, bool(key.args.get("desc")))
        for key in (order.expressions if order else ())
    )
    partition = tuple(_described(each, scope) for each in node.args.get("partition_by") or ())
    spec = node.args.get("spec")
    frame = spec.sql(dialect=scope.catalog.dialect) if spec is not None else ""
    running = (
        bool(keys) and isinstance(function, exp.Sum) and frame.count("PRECEDING") == frame.count("UNBOUNDED PRECEDING")
    )
    window = Window(function.key.replace("_", " "), partition, keys, "" if running else frame)
    operands = () if function.this is None and not running else (inner,)
    kind: Function = "running" if running else "other"
    return replace(inner, function=kind, is_plain=False, window=window, formula="", operands=operands)


def _other(node: exp.Expr, scope: SelectScope) -> Output:
    """An expression of its columns; a figure where anything in it is aggregated."""
    origins = tuple(dict.fromkeys(origin for c in node.find_all(exp.Column) if (origin := scope.origin(c))))
    unit = unit_of(node)
    if unit is None and isinstance(node, exp.Date):
        unit = "day"
    if unit is None and part_of(node) == "year":
        unit = "year"
    aggregated = node.find(exp.AggFunc) is not None
    formula, operands = _formula(node, scope)
    function: Function = "other" if aggregated else ""
    return Output("", "", function, origins, grain=unit or "", formula=formula, operands=operands)


def _formula(node: exp.Expr, scope: SelectScope) -> tuple[str, tuple[Output, ...]]:
    """Return an expression with {0}, {1} for its aggregates, queries or columns."""
    copy = exp.Paren(this=_bared(node))
    figures = (exp.AggFunc, exp.Subquery, exp.Window, exp.Filter)
    kinds: tuple[type[exp.Expr], ...] = figures if copy.find(*figures) else (exp.Column,)
    found = [each for each in copy.find_all(*kinds) if each.find_ancestor(*kinds) is None]
    parts = tuple(_described(each.copy(), scope) for each in found) if found != [copy.this] else ()
    for at, each in enumerate(found if parts else ()):
        each.replace(exp.Var(this=f"{{{at}}}"))
    return (copy.this.sql(dialect=scope.catalog.dialect) if parts else ""), parts


def _bared(node: exp.Expr) -> exp.Expr:
    """Copy an expression without rounding, casts and guards against NULL."""
    holder = exp.Paren(this=node.copy())
    for each in list(holder.find_all(*ROUNDING)):
        if each is not holder and not isinstance(each, exp.Paren):
            each.replace(each.this)
    for each in list(holder.find_all(exp.Mul)):
        if value_of(each.this) == 1:
            each.replace(each.expression)
    inner: exp.Expr = holder.this
    return inner


def _filtered(node: exp.Filter, scope: SelectScope) -> Output:
    inner = _described(node.this, scope)
    return replace(inner, tests=(*inner.tests, *tests_in(node.expression.this, scope)))


DESCRIBERS: dict[type[exp.Expr], Callable[..., Output]] = {
    exp.Column: _column,
    exp.Count: _count,
    exp.Filter: _filtered,
    **dict.fromkeys(AGGREGATES, _aggregate),
    exp.Div: _ratio,
    exp.Mul: _ratio,
    exp.Sub: _difference,
    exp.Exists: _exists,
    exp.Window: _window,
}
