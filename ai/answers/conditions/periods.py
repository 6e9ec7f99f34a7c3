"""Periods in words: "in October", "last 7 days (November 15 to 21)", "2026 so far"."""

import re
from datetime import date, timedelta

from ai.answers.formats import format_of
from ai.answers.naming import Names
from ai.language import formats as written
from ai.sql.facts import Period

DAY = timedelta(days=1)
LAST_DAYS = frozenset((2, 3, 5, 7, 10, 14, 21, 28, 30, 60, 90, 180, 365))


def is_open(period: Period, today: date) -> bool:
    """Tell whether a period that has begun has not ended."""
    return (
        (period.start is None or period.start <= today)
        and period.start is not None
        and (period.end is None or period.end > today)
    )


def period_words(period: Period, names: Names) -> str:
    """Return “in October”, “yesterday (November 21)”, “from November 15 to 21”."""
    start, end, today = period.start, period.end, names.today
    if start is None:
        return f"before {_day(end, names)}" if end else ""
    if end is None:
        return f"since {_day(start, names)}" if start < today else f"from {_day(start, names)} on"
    return _unit(start, end, names) or _range(start, end - DAY, names)


def period_label(period: Period, names: Names) -> str:
    """Return a period on its own: "October 2026", "last 7 days (November 15 to 21)", "2026 so far"."""
    words = period_words(period, names).removeprefix("in the ").removeprefix("in ").removeprefix("on ")
    words = words.removeprefix("from ") if period.end else words
    day = period.end - DAY if period.end else period.start
    if day and "(" not in words and not re.search(r"\d{4}", words):
        words = (
            f"{words} {day.year}" if re.search(r"[^\W\d]$", words) or words.startswith("Q") else f"{words}, {day.year}"
        )
    if period.start is not None and period.start > names.today:
        return f"{words} (not begun)"
    return (
        f"{words} so far" if period.end and period.end > names.today + DAY and is_open(period, names.today) else words
    )


def _unit(start: date, end: date, names: Names) -> str:
    """Name a day, week, month, quarter or year; "" for any other range."""
    days = (end - start).days
    if days == 1:
        near = {0: "today", 1: "yesterday"}.get((names.today - start).days)
        return f"{near} ({_day(start, names)})" if near else f"on {_day(start, names)}"
    if days == 7 and start.weekday() == 0:
        return f"in the week of {_day(start, names)}"
    if start.day != 1 or end.day != 1:
        return ""
    months = (end.year - start.year) * 12 + end.month - start.month
    if months == 1:
        return f"in {_month(start, names)}"
    if months == 3 and start.month % 3 == 1:
        year = "" if start.year == names.today.year else f" {start.year}"
        return f"in Q{start.month // 3 + 1}{year}"
    if months == 12 and start.month == 1:
        return f"in {start.year}"
    last = end - DAY
    return f"from {_month(start, names, other=last)} to {_month(last, names)}"


def _range(start: date, last: date, names: Names) -> str:
    days = (last - start).days + 1
    if last == names.today and start.day == 1 and (start.year, start.month) == (last.year, last.month):
        return f"in {_month(start, names)}"
    if last == names.today and start == date(last.year, 1, 1):
        return f"in {last.year}"
    same = (start.year, start.month) == (last.year, last.month)
    until = str(last.day) if same and names.locale == written.AMERICAN.replace("_", "-") else _day(last, names)
    span = f"{_day(start, names)} to {until}"
    if last in (names.today, names.today - DAY) and days in LAST_DAYS and not (same and start.day == 1):
        return f"in the last {days} days ({span})"
    return f"from {span}"


def _day(day: date, names: Names) -> str:
    return format_of("", "", [day], locale=names.locale).said(day, today=names.today)


def _month(day: date, names: Names, other: date | None = None) -> str:
    year = day.year != (other or names.today).year or (
        other is not None and other.year != names.today.year and day.year != other.year
    )
    return written.month(day, names.locale if names.locale.startswith("en") else written.EUROPEAN, year=year)
