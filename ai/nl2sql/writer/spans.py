"""The SQL of a time between two days."""

from datetime import date

from sqlglot import exp

from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field
from ai.nl2sql.spans import is_span, parts_of
from ai.nl2sql.writer.names import column_of, hyphened

PER_DAY = {"hours": "24.0", "minutes": "1440.0"}
DAYS_OF = {"years": "365.25", "months": "30.4375", "weeks": "7.0"}
SECONDS_OF_DAY = "86400.0"


def column_sql(field: Field, lexicon: Lexicon, today: date | None) -> exp.Expr:
    """Return a column, or the time that a span stands for; a number kept as text is made one."""
    if is_span(field):
        return span_sql(field, lexicon, today)
    column, kept = column_of(field, lexicon.catalog.dialect), lexicon.column(field)
    worded = kept.kind == "number" and any(part in kept.type.upper() for part in ("CHAR", "TEXT", "STRING"))
    return exp.cast(column, "double") if worded else column


def day_sql(field: Field, lexicon: Lexicon, today: date | None) -> exp.Expr:
    """Return a column of days in the form that functions of dates read."""
    column = column_sql(field, lexicon, today)
    if lexicon.column(field).is_epoch:
        return of_epoch(column, lexicon.catalog.dialect)
    if not lexicon.column(field).is_compact:
        return column
    return hyphened(column if _is_text(field, lexicon) else exp.cast(column, "text"))


def of_epoch(column: exp.Expr, dialect: str) -> exp.Expr:
    """Return seconds since 1970 as a moment."""
    if dialect == "sqlite":
        return exp.Anonymous(this="DATETIME", expressions=[column, exp.Literal.string("unixepoch")])
    return exp.UnixToTime(this=column)


def _is_text(field: Field, lexicon: Lexicon) -> bool:
    return "INT" not in lexicon.column(field).type.upper()


def shown_day(field: Field, lexicon: Lexicon, today: date | None) -> exp.Expr:
    """Return a column as it is shown: a day kept as a number is written as one."""
    column = lexicon.column(field)
    if is_span(field):
        return span_sql(field, lexicon, today)
    if not (column.is_compact or column.is_epoch) or _is_text(field, lexicon):
        return column_of(field, lexicon.catalog.dialect)
    return day_sql(field, lexicon, today)


def span_sql(field: Field, lexicon: Lexicon, today: date | None) -> exp.Expr:
    """Return the time as an expression, in the unit of its column."""
    unit, start, end = parts_of(field)
    first = day_sql(Field(field.table, start), lexicon, today)
    now = exp.Literal.string(today.isoformat()) if today else exp.CurrentDate()
    days = _days(first, day_sql(Field(field.table, end), lexicon, today) if end else now, lexicon.catalog.dialect)
    if unit in DAYS_OF:
        return exp.paren(exp.Div(this=exp.paren(days), expression=exp.Literal.number(DAYS_OF[unit])))
    if unit in PER_DAY:
        return exp.paren(exp.Mul(this=exp.paren(days), expression=exp.Literal.number(PER_DAY[unit])))
    return exp.paren(days)


def _days(first: exp.Expr, last: exp.Expr, dialect: str) -> exp.Expr:
    """Days and parts of days between two days."""
    if dialect == "sqlite":
        ends = [exp.Anonymous(this="JULIANDAY", expressions=[each]) for each in (last, first)]
        return exp.Sub(this=ends[0], expression=ends[1])
    times = [exp.Cast(this=each, to=exp.DataType.build("timestamp")) for each in (last, first)]
    gap = exp.paren(exp.Sub(this=times[0], expression=times[1]))
    return exp.Div(
        this=exp.Extract(this=exp.Var(this="EPOCH"), expression=gap), expression=exp.Literal.number(SECONDS_OF_DAY)
    )
