"""Units of time in expressions: the unit of a cut column, and the days of a value."""

import re
from datetime import date, datetime, timedelta
from typing import Any

from sqlglot import exp

from ai.sql.facts.model import Grain

FORMATS: dict[str, Grain] = {
    "%Y": "year", "%Y-%m": "month", "%Y%m": "month", "%Y/%m": "month", "%Y-%m-%d": "day", "%Y%m%d": "day",
    "%Y-%W": "week",
    "%G-%V": "week", "%Y-%m-01": "month", "%Y-W%W": "week", "YYYY": "year", "YYYY-MM": "month", "YYYYMM": "month",
}  # fmt: skip
CUTS: dict[int, Grain] = {4: "year", 7: "month", 10: "day"}
TRUNCATED: dict[str, Grain] = {
    "YEAR": "year", "QUARTER": "quarter", "MONTH": "month", "WEEK": "week", "DAY": "day"
}  # fmt: skip
WEEK = ["weekday 0", "-6 days"]  # SQLite's steps to the Monday
SHIFT = re.compile(r"(?P<sign>[+-]?)(?P<count>\d+) (?P<unit>day|month|year)s?")
PART = re.compile(r"(?P<year>\d{4})(?:-(?P<month>0[1-9]|1[0-2])|-?Q(?P<quarter>[1-4]))?")
WRAPPERS = (exp.Cast, exp.Paren, exp.Alias, exp.TsOrDsToDate, exp.TsOrDsToTimestamp)


def bare(node: exp.Expr) -> exp.Expr:
    while isinstance(node, WRAPPERS) or _is_of_epoch(node):
        node = node.expressions[0] if isinstance(node, exp.Anonymous) else node.this
    return node


def _is_of_epoch(node: exp.Expr) -> bool:
    """Whether seconds since 1970 are made a moment: DATETIME(sold_at, 'unixepoch')."""
    named = isinstance(node, exp.Anonymous) and node.name.upper() == "DATETIME" and len(node.expressions) == 2
    return isinstance(node, exp.UnixToTime) or (named and node.expressions[1].name == "unixepoch")


def unit_of(node: exp.Expr) -> Grain | None:
    """Return the unit of time an expression cuts to, if any."""
    node = bare(node)
    if isinstance(node, exp.TimeToStr | exp.ToChar):
        written = node.args.get("format")
        return FORMATS.get(written.name if isinstance(written, exp.Expr) else "")
    if isinstance(node, exp.DateTrunc | exp.TimestampTrunc):
        return TRUNCATED.get(node.text("unit").upper())
    if isinstance(node, exp.Substring):
        start, length = node.args.get("start"), node.args.get("length")
        return CUTS.get(int(length.name)) if start and length and start.name == "1" and length.name.isdigit() else None
    if isinstance(node, exp.DPipe) and isinstance(node.this, exp.DPipe) and node.this.expression.name == "-Q":
        return "quarter" if unit_of(node.this.this) == "year" else None
    is_date = isinstance(node, exp.Anonymous) and node.name.upper() == "DATE"
    return "week" if is_date and [each.name for each in node.expressions[1:]] == WEEK else None


def part_of(node: exp.Expr) -> str | None:
    """Return “year” or “month” for an EXTRACT of it."""
    node = bare(node)
    if isinstance(node, exp.Year | exp.Month):
        return node.key
    if isinstance(node, exp.Extract):
        part = node.name.lower()
        return part if part in ("year", "month") else None
    if isinstance(node, exp.TimeToStr):
        return {"%m": "month", "%Y": "year"}.get(node.text("format"))
    return None


def day_of(value: Any) -> date | None:
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    try:
        return date.fromisoformat(str(value)[:10])
    except ValueError:
        return None


def span_of(text: str) -> tuple[date, date] | None:
    """Return the first day of “2026”, “2026-10” or “2026-Q3”, and the day after its last one."""
    found = PART.fullmatch(text)
    if found is None or not date.min.year < int(found["year"]) < date.max.year:
        return None
    year, months = int(found["year"]), 12
    month = 1
    if found["month"]:
        month, months = int(found["month"]), 1
    elif found["quarter"]:
        month, months = 3 * int(found["quarter"]) - 2, 3
    return date(year, month, 1), moved(date(year, month, 1), months)


def moved(day: date, months: int) -> date:
    """Return the first of the month so many months later."""
    count = day.year * 12 + day.month - 1 + months
    return date(count // 12, count % 12 + 1, 1)


def written_day(node: exp.Expr, today: date) -> date | None:
    """Return the day of a literal, of CURRENT_DATE, or of one moved by an interval; None for other expressions."""
    node = bare(node)
    if isinstance(node, exp.CurrentDate | exp.CurrentTimestamp):
        return today
    if isinstance(node, exp.DateStrToDate | exp.Date | exp.Timestamp) and isinstance(node.this, exp.Literal):
        return written_day(node.this, today) if not node.expressions and not node.args.get("zone") else None
    if isinstance(node, exp.Literal):
        return today if node.name == "now" else day_of(node.name) if len(node.name) >= len("2026-10-01") else None
    if isinstance(node, exp.Anonymous) and node.name.upper() == "DATE" and node.expressions:
        return _shifted([each.name for each in node.expressions], today)
    if isinstance(node, exp.Add | exp.Sub) and isinstance(node.expression, exp.Interval):
        return _by_interval(node, today)
    return None


def _by_interval(node: exp.Expr, today: date) -> date | None:
    start, interval = written_day(node.this, today), node.expression
    words = [word for part in (interval.this, interval.args.get("unit")) if part is not None for word in [part.name]]
    sign = "-" if isinstance(node, exp.Sub) else "+"
    return _shift(start, f"{sign}{' '.join(words)}") if start else None


def _shifted(words: list[str], today: date) -> date | None:
    """SQLite's date('now', '-30 days', 'start of month')."""
    day = today if words[0] == "now" else day_of(words[0])
    for word in words[1:]:
        day = _shift(day, word) if day else None
    return day


def _shift(day: date, word: str) -> date | None:
    if word in ("start of month", "start of year"):
        return day.replace(day=1, month=1 if word.endswith("year") else day.month)
    found = SHIFT.fullmatch(word.lower())
    if found is None:
        return None
    count = int(found["count"]) * (-1 if found["sign"] == "-" else 1)
    if found["unit"] == "day":
        return day + timedelta(days=count)
    first = moved(day, count * (12 if found["unit"] == "year" else 1))
    return first if day.day == 1 else None
