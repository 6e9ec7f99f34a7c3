"""Units of time in SQL: which expressions cut a time to a year, a month or a week, and which values are the running one."""

from datetime import date, datetime, timedelta
from typing import Any

from sqlglot import exp

FORMATS = {
    "%Y": "year", "%Y-%m": "month", "%Y%m": "month", "%Y/%m": "month", "%Y-%m-%d": "day", "%Y%m%d": "day", "%Y-%W": "week",
    "%G-%V": "week", "%Y-%m-01": "month", "%Y-W%W": "week",
}  # fmt: skip
CUTS = {4: "year", 7: "month", 10: "day"}
TRUNCATED = {"YEAR": "year", "QUARTER": "quarter", "MONTH": "month", "WEEK": "week", "DAY": "day"}


def unit_of(node: exp.Expr) -> str | None:
    """The unit of time that an expression cuts to, with its year; None for any other expression."""
    node = bare(node)
    if isinstance(node, exp.TimeToStr | exp.ToChar):
        written = node.args.get("format")
        text = written.name if isinstance(written, exp.Expr) else ""
        return FORMATS.get(text) or {"YYYY": "year", "YYYY-MM": "month", "YYYYMM": "month"}.get(text)
    if isinstance(node, exp.DateTrunc | exp.TimestampTrunc):
        return TRUNCATED.get(node.text("unit").upper())
    if isinstance(node, exp.Substring):
        start, length = node.args.get("start"), node.args.get("length")
        return CUTS.get(int(length.name)) if start and length and start.name == "1" and length.name.isdigit() else None
    return None


def part_of(node: exp.Expr) -> str | None:
    """“year” or “month” alone, as EXTRACT gives it."""
    node = bare(node)
    if isinstance(node, exp.Year | exp.Month):
        return node.key
    if isinstance(node, exp.Extract):
        part = node.name.lower()
        return part if part in ("year", "month") else None
    if isinstance(node, exp.TimeToStr):
        return {"%m": "month", "%Y": "year"}.get(node.text("format"))
    return None


def bare(node: exp.Expr) -> exp.Expr:
    """An expression without its alias, brackets and casts."""
    while isinstance(node, exp.Cast | exp.Paren | exp.Alias | exp.TsOrDsToDate):
        node = node.this
    return node


def is_running(value: Any, unit: str, today: date) -> bool:
    """Whether a cell stands for the period that today is in."""
    digits = "".join(character for character in str(value) if character.isdigit())
    if len(digits) >= len("20260101"):
        return day_of(value) == _start(unit, today)
    return digits == {"year": f"{today:%Y}", "month": f"{today:%Y%m}", "week": f"{today:%Y%W}"}.get(unit)


def _start(unit: str, today: date) -> date:
    """The first day of the period that today is in."""
    if unit == "week":
        return today - timedelta(days=today.weekday())
    if unit == "quarter":
        return date(today.year, (today.month - 1) // 3 * 3 + 1, 1)
    return {"year": today.replace(month=1, day=1), "month": today.replace(day=1)}.get(unit, today)


def day_of(value: Any) -> date | None:
    """The day of a cell or a literal; None where it is none."""
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    try:
        return date.fromisoformat(str(value)[:10])
    except ValueError:
        return None
