"""Conditions of a query as tests and periods. Ranges of days on one column become one period."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date, timedelta

from sqlglot import exp

from ai.sql.facts.model import Operator, Origin, Period, Scalar, Test
from ai.sql.facts.sources import SelectScope
from ai.sql.facts.times import bare, day_of, part_of, span_of, unit_of, written_day

COMPARED: dict[type[exp.Expr], Operator] = {
    exp.EQ: "=", exp.NEQ: "!=", exp.GT: ">", exp.GTE: ">=", exp.LT: "<", exp.LTE: "<="
}  # fmt: skip
TURNED: dict[Operator, Operator] = {">": "<", ">=": "<=", "<": ">", "<=": ">="}
DENIED: dict[Operator, Operator] = {
    "=": "!=", "!=": "=", ">": "<=", ">=": "<", "<": ">=", "<=": ">", "in": "not in", "not in": "in",
    "null": "not null",
    "not null": "null", "with": "without", "without": "with",
}  # fmt: skip
COMPACT = re.compile(r"(19|20)\d{6}")  # a day without hyphens
DAY = timedelta(days=1)
WEEK = range(7)
PLAIN = (exp.Lower, exp.Upper, exp.Trim, exp.Date)


def tests_in(node: exp.Expr | None, scope: SelectScope) -> tuple[Test | Period, ...]:
    """Return the conditions of a WHERE or ON, periods joined."""
    telling = (part for part in conjuncts(node) if not _is_true(part) and not scope.links(part))
    found = [each for part in telling for each in _read(part, scope)]
    return tuple(_joined(found))


def conjuncts(node: exp.Expr | None) -> tuple[exp.Expr, ...]:
    """Return the conditions joined by AND."""
    if node is None:
        return ()
    return tuple(part.unnest() for part in (node.flatten() if isinstance(node, exp.And) else (node,)))


def _is_true(node: exp.Expr) -> bool:
    return isinstance(node, exp.EQ) and isinstance(node.this, exp.Literal) and node.this == node.expression


def _joined(found: Iterable[Test | Period]) -> Iterator[Test | Period]:
    periods: dict[Origin, Period] = {}
    for each in found:
        if isinstance(each, Test):
            yield each
        elif (known := periods.get(each.origin)) is None:
            periods[each.origin] = each
        else:
            starts = [day for day in (known.start, each.start) if day]
            ends = [day for day in (known.end, each.end) if day]
            periods[each.origin] = Period(each.origin, max(starts, default=None), min(ends, default=None))
    yield from periods.values()


def _read(node: exp.Expr, scope: SelectScope) -> Iterator[Test | Period]:
    if isinstance(node, exp.Between):
        low, high = node.args["low"], node.args["high"]
        yield from _read(exp.GTE(this=node.this, expression=low), scope)
        yield from _read(exp.LTE(this=node.this, expression=high), scope)
    elif isinstance(node, exp.And):
        yield from tests_in(node, scope)
    else:
        yield _period(node, scope) or _test(node, scope)


def _period(node: exp.Expr, scope: SelectScope) -> Period | None:
    """Read a comparison with days, or with a month or year the column is cut to."""
    if type(node) not in COMPARED:
        return None
    operator, left, right = COMPARED[type(node)], node.this, node.expression
    if isinstance(bare(right), exp.Column) and not isinstance(bare(left), exp.Column):
        operator, left, right = TURNED.get(operator, operator), right, left
    span = _span(left, right, scope.today)
    column = next(iter(left.find_all(exp.Column)), None)
    origin = scope.origin(column) if column is not None else None
    if span is None or origin is None:
        return None
    start, end = span
    sides: dict[Operator, tuple[date | None, date | None]] = {
        "=": (start, end), ">=": (start, None), ">": (end, None), "<": (None, start), "<=": (None, end)
    }  # fmt: skip
    return Period(origin, *sides[operator]) if operator in sides else None


def _span(left: exp.Expr, right: exp.Expr, today: date) -> tuple[date, date] | None:
    cut = unit_of(left) or part_of(left)
    inner = bare(left)
    column = inner.this if isinstance(inner, exp.Date) else inner
    text = bare(right).name if isinstance(bare(right), exp.Literal) else ""
    if cut in ("year", "month") and (part_of(left) != "month"):
        return span_of(text) if text else _cut_span(right, cut, today)
    if not isinstance(bare(column), exp.Column):
        return None
    name = bare(column).name.lower()
    if (name == "year" or name.endswith("_year")) and len(text) == len("2026"):
        return span_of(text)
    if len(text) == len("2026-10") and "-" in text:
        return span_of(text)
    day = day_of(text) if COMPACT.fullmatch(text) and bare(right).is_string else written_day(right, today)
    return (day, day + DAY) if day and day.year < date.max.year else None


def _cut_span(right: exp.Expr, cut: str, today: date) -> tuple[date, date] | None:
    day = written_day(right, today)
    return span_of(f"{day:%Y}" if cut == "year" else f"{day:%Y-%m}") if day else None


def _test(node: exp.Expr, scope: SelectScope) -> Test:
    sql = node.sql(dialect=scope.catalog.dialect)
    found = _known(node, scope)
    if found is None:
        return _unknown(node, scope)
    if (
        found.operator == "null"
        and found.origin
        and _is_optional(node, scope)
        and not _may_be_empty(found, node, scope)
    ):
        return Test("without", sql, table=found.origin.table)
    return replace(found, sql=sql)


def _may_be_empty(found: Test, node: exp.Expr, scope: SelectScope) -> bool:
    """Whether only a column of the rows counted is empty: memberships not ended."""
    table = scope.catalog.table(found.origin.table) if found.origin else None
    column = table.column(found.origin.column) if table and found.origin else None
    keys = {name for key in table.foreign_keys for name in key.columns} if table else set()
    return bool(column and column.nullable and column.name not in keys and node.find_ancestor(exp.Case))


def _unknown(node: exp.Expr, scope: SelectScope) -> Test:
    template, queries = without_queries(node)
    facts = tuple(scope.setting.describe(query, scope) for query in queries)
    return Test("sql", template.sql(dialect=scope.catalog.dialect), queries=facts)


def without_queries(node: exp.Expr) -> tuple[exp.Expr, list[exp.Expr]]:
    """Return an expression with {0}, {1} for the queries in it, and those."""
    copy = node.copy()
    found: list[exp.Expr] = [each for each in copy.find_all(exp.Subquery) if each.find_ancestor(exp.Subquery) is None]
    found += [] if found else [each for each in copy.find_all(exp.Query) if each.find_ancestor(exp.Query) is None]
    for at, query in enumerate(found):
        query.replace(exp.Var(this=f"{{{at}}}"))
    return copy, found


def _is_optional(node: exp.Expr, scope: SelectScope) -> bool:
    column = next(iter(node.find_all(exp.Column)), None)
    source = scope.find(column) if column is not None else None
    return bool(source and source[0].optional and source[0].table)


def _known(node: exp.Expr, scope: SelectScope) -> Test | None:
    if isinstance(node, exp.Not):
        return _denied(_known(node.this.unnest(), scope))
    found = _affirmed(node, scope)
    return _denied(found) if node.args.get("negate") else found  # `NOT LIKE`, and `IS NOT` of PostgreSQL


def _denied(test: Test | None) -> Test | None:
    operator = DENIED.get(test.operator) if test else None
    return replace(test, operator=operator) if test and operator else None


def _affirmed(node: exp.Expr, scope: SelectScope) -> Test | None:
    match node:
        case exp.Is(expression=exp.Null()):
            return _of(node.this, "null", (), scope)
        case exp.In():
            return _in(node, scope)
        case exp.Exists():
            return _exists(node.this, scope)
        case exp.Like() | exp.ILike():
            return _like(node, scope)
        case exp.Column():
            return _of(node, "=", (True,), scope)
        case exp.Or():
            sides = tuple(_side(part.unnest(), scope) for part in node.flatten())
            return Test("or", "", inner=sides)
    return _comparison(node, scope) if type(node) in COMPARED else None


def _side(node: exp.Expr, scope: SelectScope) -> Test | Period:
    found = tests_in(node, scope)
    return found[0] if len(found) == 1 else Test("and", "", inner=found)


def _comparison(node: exp.Expr, scope: SelectScope) -> Test | None:
    operator, left, right = COMPARED[type(node)], node.this, node.expression
    value = value_of(right)
    if value is None:
        operator, left, value = TURNED.get(operator, operator), right, value_of(left)
    return None if value is None else _of(left, operator, (value,), scope)


def _in(node: exp.In, scope: SelectScope) -> Test | None:
    query = node.args.get("query")
    if query is not None:
        return _exists(query.unnest(), scope, linked=True)
    values = [value_of(each) for each in node.expressions]
    known = tuple(value for value in values if value is not None)
    if (column := _weekday_of(node.this)) is not None and len(known) == len(values):
        days = tuple(int(day) for day in known if str(day).isdecimal() and int(day) < len(WEEK))
        return _of(column, "weekday", days, scope) if len(days) == len(known) else None
    return _of(node.this, "in", known, scope) if len(known) == len(values) else None


def _weekday_of(node: exp.Expr) -> exp.Expr | None:
    """The day inside an expression for its day of the week, Sunday as 0."""
    inner, column = bare(node), None
    if isinstance(inner, exp.TimeToStr) and inner.args["format"].name == "%w":
        column = inner.this
    if isinstance(inner, exp.Extract) and inner.name.upper() in ("DOW", "DAYOFWEEK"):
        column = inner.expression
    return column if isinstance(column, exp.Expr) else None


def _exists(query: exp.Expr, scope: SelectScope, *, linked: bool = False) -> Test | None:
    """Rows with some in another table; None for a query without a tie to them."""
    select = query.unnest() if isinstance(query, exp.Subquery) else query
    if not isinstance(select, exp.Select) or any(select.args.get(part) for part in ("limit", "having")):
        return None
    inner = scope.inner(select, correlated=True)
    tables = [source.table for source in inner.sources.values()]
    where = select.args.get("where")
    condition = where.this if where else None
    tied = linked or not scope.sources or any(inner.links(part) for part in conjuncts(condition))
    if not all(tables) or not tables or not tied or not all(map(_by_key, select.args.get("joins") or ())):
        return None
    return Test("with", "", table=tables[-1], inner=tests_in(condition, inner))


def _by_key(join: exp.Expr) -> bool:
    plain = not join.args.get("side") and not join.args.get("using")
    pairs = conjuncts(join.args.get("on"))
    equal = (
        isinstance(p, exp.EQ) and isinstance(p.this, exp.Column) and isinstance(p.expression, exp.Column) for p in pairs
    )
    return plain and bool(pairs) and all(equal)


def _like(node: exp.Expr, scope: SelectScope) -> Test | None:
    text = value_of(node.expression)
    if not isinstance(text, str) or "_" in text:
        return None
    inner = text.strip("%")
    if not inner or "%" in inner:
        return None
    ends: dict[tuple[bool, bool], Operator] = {
        (True, True): "contains", (False, True): "starts", (True, False): "ends", (False, False): "="
    }  # fmt: skip
    return _of(node.this, ends[text.startswith("%"), text.endswith("%")], (inner,), scope)


def _of(node: exp.Expr, operator: Operator, values: tuple[Scalar, ...], scope: SelectScope) -> Test | None:
    column = bare(node)
    while isinstance(column, PLAIN):
        column = bare(column.this)
    origin = scope.origin(column) if isinstance(column, exp.Column) else None
    return Test(operator, "", origin, values) if origin else None


def value_of(node: exp.Expr) -> Scalar | None:
    """Return the value of a literal, None for any other expression."""
    node = bare(node)
    if isinstance(node, exp.Lower | exp.Upper):
        node = node.this
    if isinstance(node, exp.Boolean):
        return bool(node.this)
    if isinstance(node, exp.Neg):
        inner = value_of(node.this)
        return -inner if isinstance(inner, int | float) else None
    if not isinstance(node, exp.Literal):
        return None
    if node.is_string:
        return node.name
    return int(node.name) if node.is_int else float(node.name)
