"""Periods along a time axis: reading cells, stepping, naming."""

import re
from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Any

from ai.answers.view import View
from ai.charts.design import Grain
from ai.language import formats as written

MONTH, QUARTER, YEAR = re.compile(r"(\d{4})-(\d\d)"), re.compile(r"(\d{4})-?Q([1-4])"), re.compile(r"(\d{4})(?:\.0)?")
WEEK = re.compile(r"(\d{4})-?W(\d\d?)")
LENGTHS: dict[Grain, int] = {"day": 1, "week": 7, "month": 31, "quarter": 92, "year": 366}
MOST_STEPS = 5_000


def day_of(cell: Any) -> date | None:
    """Return the first day of a cell's period; None for anything else, and for times within a day."""
    if isinstance(cell, datetime):
        return cell.date() if not (cell.hour or cell.minute or cell.second) else None
    if isinstance(cell, date):
        return cell
    text = str(cell).strip()
    try:
        if found := MONTH.fullmatch(text):
            return date(int(found[1]), int(found[2]), 1)
        if found := QUARTER.fullmatch(text):
            return date(int(found[1]), 3 * int(found[2]) - 2, 1)
        if (found := YEAR.fullmatch(text)) and 1500 <= int(found[1]) <= 2500:
            return date(int(found[1]), 1, 1)
        if found := WEEK.fullmatch(text):
            return date.fromisocalendar(int(found[1]), int(found[2]), 1)
        is_midnight = len(text) == 10 or re.fullmatch(r"[T ]00:00(:00(\.0+)?)?(Z|\+00:00)?", text[10:])
        return date.fromisoformat(text[:10]) if is_midnight else None
    except ValueError:
        return None


def grain_of(view: View, at: int, days: Sequence[date]) -> Grain:
    """Return the grain of a column of periods, by the query, else by how its cells are written and spaced."""
    known, texts = view.outputs[at].grain, [str(row[at]) for row in view.rows if row[at] is not None]
    if known in LENGTHS:
        return known
    for pattern, grain in ((YEAR, "year"), (QUARTER, "quarter"), (MONTH, "month"), (WEEK, "week")):
        if texts and all(pattern.fullmatch(text) for text in texts):
            return grain  # type: ignore[return-value]
    steps = Counter((after - before).days for before, after in pairwise(sorted(set(days))))
    if steps and all(step % 7 == 0 for step in steps) and len({day.weekday() for day in days}) == 1:
        return "week"
    if days and all(day.day == 1 for day in days) and len(set(days)) > 2:
        return "month"
    return "day"


def start(day: date, grain: Grain) -> date:
    """Return the first day of the period around a day."""
    match grain:
        case "week":
            return day - timedelta(day.weekday())
        case "month":
            return day.replace(day=1)
        case "quarter":
            return day.replace(month=3 * ((day.month - 1) // 3) + 1, day=1)
        case "year":
            return day.replace(month=1, day=1)
    return day


def following(day: date, grain: Grain) -> date:
    if grain in ("", "day", "week"):
        return day + timedelta(7 if grain == "week" else 1)
    return start(day + timedelta(LENGTHS[grain]), grain)


def missing(days: Sequence[date], grain: Grain) -> list[date]:
    """Return the periods without data between the first and the last; weekends are none where no weekend has data."""
    known, found, day = set(days), list[date](), min(days)
    for _ in range(MOST_STEPS):
        day = following(day, grain)
        if day >= max(days):
            break
        if day not in known:
            found.append(day)
    if grain == "day" and not any(each.weekday() > 4 for each in known):
        return [day for day in found if day.weekday() <= 4]
    return found if day >= max(days) and all(start(each, grain) == each for each in known) else []


def is_open(day: date, grain: Grain, today: date) -> bool:
    """Whether a period has begun and is not over."""
    return day <= today < following(day, grain)


def named(day: date, grain: Grain, locale: str) -> str:
    """Return "Nov 15, 2026", "Nov 2026", "Q4 2026" or "2026"."""
    if grain in ("", "day", "week"):
        return written.day(day, locale, short=True)
    if grain == "month":
        return written.month(day, locale, short=True)
    return f"Q{(day.month + 2) // 3} {day.year}" if grain == "quarter" else str(day.year)


def short(day: date, grain: Grain, locale: str) -> str:
    """Return a name without its year: "Nov 15", "Nov", "Q4"."""
    if grain in ("", "day", "week"):
        return written.day(day, locale, short=True, year=False)
    if grain == "month":
        return written.month(day, locale, short=True, year=False)
    return f"Q{(day.month + 2) // 3}" if grain == "quarter" else str(day.year)
