"""Periods in English: a day, week, month, quarter or year by its name, else from day to day."""

from datetime import date, timedelta

from ai.language.formats import AMERICAN, speaking
from ai.language.formats import day as written_day
from ai.language.formats import month as written_month

DAY = timedelta(days=1)
LAST_DAYS = frozenset((2, 3, 5, 7, 10, 14, 21, 28, 30, 60, 90, 180, 365))


def period_named(start: date | None, end: date | None, today: date, locale: str) -> str:
    """Return “in October”, “yesterday (November 21)”, “from November 15 to 21”; `end` is the day after."""
    if start is None:
        return f"before {_day(end, today, locale)}" if end else ""
    if end is None:
        return f"since {_day(start, today, locale)}" if start < today else f"from {_day(start, today, locale)} on"
    return _unit(start, end, today, locale) or _range(start, end - DAY, today, locale)


def time_named(start: date | None, end: date | None, today: date, locale: str) -> str:
    """Return “October”, “yesterday (November 21)”, “November 15 to 21”."""
    said = period_named(start, end, today, locale)
    return said.split(" ", 1)[1] if said.startswith(("in ", "on ", "from ")) else said


def _unit(start: date, end: date, today: date, locale: str) -> str:
    """Name a day, week, month, quarter or year; "" for any other range."""
    days, last = (end - start).days, end - DAY
    if days == 1:
        near = {0: "today", 1: "yesterday"}.get((today - start).days)
        return f"{near} ({_day(start, today, locale)})" if near else f"on {_day(start, today, locale)}"
    if days == 7 and start.weekday() == 0:
        return f"in the week of {_day(start, today, locale)}"
    if start.day != 1 or end.day != 1:
        return ""
    months = (end.year - start.year) * 12 + end.month - start.month
    if months == 1:
        return f"in {_month(start, today, locale)}"
    if months == 3 and start.month % 3 == 1:
        return f"in Q{start.month // 3 + 1}{'' if start.year == today.year else f' {start.year}'}"
    if months == 12 and start.month == 1:
        return f"in {start.year}"
    apart = start.year != last.year
    return f"from {_month(start, today, locale, other=last)} to {_month(last, today, locale, year=apart)}"


def _range(start: date, last: date, today: date, locale: str) -> str:
    days, same = (last - start).days + 1, (start.year, start.month) == (last.year, last.month)
    if last == today and start.day == 1 and same:
        return f"in {_month(start, today, locale)}"
    if last == today and start == date(last.year, 1, 1):
        return f"in {last.year}"
    american = locale.replace("-", "_") == AMERICAN
    until = str(last.day) if same and american else _day(last, today, locale)
    begins = written_day(start, speaking(locale), year=start.year not in (today.year, last.year))
    span = f"{begins} to {until}"
    if american and same and last.year != today.year:
        span = f"{written_day(start, speaking(locale), year=False)} to {last.day}, {last.year}"
    return f"in the last {days} days ({span})" if last in (today, today - DAY) and days in LAST_DAYS else f"from {span}"


def _day(day: date, today: date, locale: str) -> str:
    return written_day(day, speaking(locale), year=day.year != today.year)


def _month(day: date, today: date, locale: str, other: date | None = None, *, year: bool = False) -> str:
    return written_month(day, speaking(locale), year=year or day.year != (other or today).year)
