"""Identifiers, literals and tests as sqlglot trees; the names of the columns of a result."""

from datetime import date, timedelta
from functools import cache
from importlib.resources import files

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect

from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Filter, Measure, Operator, Period, Scalar, Unit
from ai.nl2sql.schema import called, noun
from ai.nl2sql.words import singular

COMPARE: dict[Operator, type[exp.Binary]] = {
    "=": exp.EQ, "!=": exp.NEQ, ">": exp.GT, ">=": exp.GTE, "<": exp.LT, "<=": exp.LTE,
}  # fmt: skip
FORMATS: dict[Unit, str] = {
    "day": "%Y-%m-%d", "month": "%Y-%m", "year": "%Y", "day of month": "%d", "month of year": "%m",
    "hour": "%H",
}  # fmt: skip
CUTS: dict[Unit, str] = {
    "week": "DATE_TRUNC('week', {})",
    "quarter": "DATE_TRUNC('quarter', {})",
    "weekday": "EXTRACT(DOW FROM {})",
}
SQLITE_CUTS: dict[Unit, str] = {
    "week": "DATE({}, 'weekday 0', '-6 days')",
    "quarter": "STRFTIME('%Y', {0}) || '-Q' || ((CAST(STRFTIME('%m', {0}) AS INTEGER) + 2) / 3)",
    "weekday": "STRFTIME('%w', {})",
}

DAYS = "sunday monday tuesday wednesday thursday friday saturday".split()


@cache
def _reserved() -> frozenset[str]:
    """Words that some database reserves; quoting one too many does no harm."""
    return frozenset(files(__package__).joinpath("reserved.txt").read_text("utf-8").splitlines())


def identifier(name: str, dialect: str) -> exp.Identifier:
    """Return a name, quoted where the dialect needs it."""
    plain = bool(exp.SAFE_IDENTIFIER_RE.match(name)) and not Dialect.get_or_raise(dialect).case_sensitive(name)
    return exp.Identifier(this=name, quoted=not plain or name.lower() in _reserved())


def table_of(name: str, dialect: str) -> exp.Table:
    return exp.Table(this=identifier(name, dialect))


def column_of(field: Field, dialect: str) -> exp.Column:
    return exp.Column(this=identifier(field.column, dialect), table=identifier(field.table, dialect))


def literal(value: Scalar | date | None) -> exp.Expr:
    if isinstance(value, date):
        return exp.Literal.string(value.isoformat())
    return exp.convert(value)


def cut(column: exp.Expr, unit: Unit, dialect: str) -> exp.Expr:
    """Return a date cut to a unit of time."""
    if unit in FORMATS:
        return exp.TimeToStr(this=column, format=exp.Literal.string(FORMATS[unit]))
    pattern = (SQLITE_CUTS if dialect == "sqlite" else CUTS)[unit]
    template = pattern.replace("{0}", ":it").replace("{}", ":it")
    parsed: exp.Expr = exp.maybe_parse(template, dialect=dialect)
    return exp.replace_placeholders(parsed, it=column)


def test(column: exp.Expr, condition: Filter, dialect: str) -> exp.Expr:
    """Return a filter as a predicate."""
    values = [literal(value) for value in condition.values]
    if condition.operator in ("null", "not null"):
        empty = exp.Is(this=column, expression=exp.null())
        return empty if condition.operator == "null" else exp.not_(empty)
    if condition.operator in ("in", "not in"):
        inside = exp.In(this=column, expressions=values)
        return inside if condition.operator == "in" else exp.not_(inside)
    if condition.operator == "weekday":
        return on_weekdays(column, condition, dialect)
    if condition.operator in ("contains", "starts", "ends"):
        return _like(column, condition)
    return COMPARE[condition.operator](this=column, expression=values[0])


def on_weekdays(column: exp.Expr, condition: Filter, dialect: str) -> exp.Expr:
    """Return the test that a day is one of these days of the week."""
    days = [exp.convert(str(day) if dialect == "sqlite" else day) for day in condition.values]
    return exp.In(this=cut(column, "weekday", dialect), expressions=days)


def during(column: exp.Expr, period: Period, *, compact: bool = False) -> list[exp.Expr]:
    """Return the ends of a period as predicates; `compact` days are written without hyphens."""
    first, last = (f"{day:%Y%m%d}" if day and compact else day for day in (period.start, period.end))
    start: list[exp.Expr] = [exp.GTE(this=column, expression=literal(first))] if first else []
    end: list[exp.Expr] = [exp.LT(this=column.copy(), expression=literal(last))] if last else []
    return [*start, *end]


def hyphened(column: exp.Expr) -> exp.Expr:
    """Return a compact day as "2026-10-31"."""
    year, month, day = (
        exp.Substring(this=column.copy(), start=exp.convert(start), length=exp.convert(length))
        for start, length in ((1, 4), (5, 2), (7, 2))
    )
    hyphen = exp.Literal.string("-")
    parts = (hyphen, month, hyphen.copy(), day)
    joined: exp.Expr = year
    for part in parts:
        joined = exp.DPipe(this=joined, expression=part)
    return exp.paren(joined)


def _like(column: exp.Expr, condition: Filter) -> exp.Expr:
    escaped = str(condition.values[0]).replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    before, after = condition.operator != "starts", condition.operator != "ends"
    like = exp.Like(this=column, expression=exp.Literal.string("%" * before + escaped + "%" * after))
    return exp.Escape(this=like, expression=exp.Literal.string("\\")) if "\\" in escaped else like


_ALIASES = {
    "count": "{}_count", "sum": "total_{}", "avg": "average_{}", "min": "lowest_{}", "max": "highest_{}",
    "metric": "{}",
}  # fmt: skip


def alias_of(measure: Measure, lexicon: Lexicon) -> str:
    said = (
        called(lexicon, Field(measure.table, measure.column))
        if measure.column
        else noun(lexicon, measure.table, many=False)
    )
    alias = _ALIASES[measure.function].format(said.replace(" ", "_")).replace("total_total", "total")
    if measure.per:
        below = called(lexicon, Field(measure.per.table, measure.per.column)) if measure.per.column else "row"
        per = f"{alias}_per_{singular(below).replace(' ', '_')}"
        alias = "share_percent" if measure.is_share and not measure.less else per
    if measure.less:
        return "change_percent" if measure.per == measure.less else f"{alias}_change"
    times = [_dated(test) for test in measure.where if isinstance(test, Period) and test.start]
    tests = [word for test in measure.where if isinstance(test, Filter) and not measure.per for word in _said(test)]
    return "_".join((alias, *tests, *times))


def _dated(period: Period) -> str:
    """Return "2026_10" for a month, else the first and the last day."""
    if period.start is None or period.end is None:
        return f"{period.start or period.end:%Y_%m_%d}"
    last = period.end - timedelta(days=1)
    if period.start.day == period.end.day == 1 and (period.start.month, period.start.year) == (last.month, last.year):
        return f"{period.start:%Y_%m}"
    return f"{period.start:%Y_%m_%d}" + (f"_to_{last:%m_%d}" if last != period.start else "")


def _said(test: Filter) -> tuple[str, ...]:
    """The value that a figure of its own rows is called by: `company_count_usa`."""
    if test.operator == "weekday":
        return tuple(DAYS[int(day)] for day in test.values)
    if test.operator not in ("=", "in"):
        return ()
    values = [str(value).lower() for value in test.values]
    return tuple(value for value in values if value.isalnum() and value.isascii())
