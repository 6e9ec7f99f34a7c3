"""Dates as people write them: 2025-11-03 · November 3rd, 2025 · 3 Nov · 03.11.2025 · Q3 2025 · H1 · week 32 · 2025 · 14:30.

A moment holds the parts that are said; another one agrees with it when no part that both have differs.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from datetime import date, datetime
from typing import Any

MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december")  # fmt: skip
_BY_NAME = {name[:length]: number for number, name in enumerate(MONTHS, 1) for length in (3, len(name))} | {"sept": 9}
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTH = r"(?P<month>(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec)\b\.?|January|February|March|April|May|June|July|August|September|October|November|December)"
_YEAR = r"(?P<year>(?:19|20)\d{2})"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
_PATTERNS = tuple(
    re.compile(rf"(?<![\w.]){pattern}(?!\w)(?![.,]\d)", re.IGNORECASE if "week" in pattern or "quarter" in pattern else 0)
    for pattern in (
        rf"{_YEAR}[-/](?P<number>[01]?\d)[-/]{_DAY}(?:[T ](?P<hour>\d\d):(?P<minute>\d\d)(?::\d\d(?:\.\d+)?)?Z?)?",
        rf"(?P<first>\d{{1,2}})[./](?P<then>\d{{1,2}})[./]{_YEAR}",
        rf"{_YEAR}-(?P<number>[01]\d)",
        rf"(?P<number>0\d|1[0-2])/{_YEAR}",
        rf"{_MONTH} {_DAY}(?: ?[-–] ?(?P<until>[0-3]?\d)(?:st|nd|rd|th)?)?(?!:)(?:,? {_YEAR})?",
        rf"{_DAY} ?(?:[-–]|to|and|until) ?(?P<until>[0-3]?\d)(?:st|nd|rd|th)?\.? {_MONTH}(?:,? {_YEAR})?",
        rf"{_DAY}\.?(?: of)? {_MONTH}(?:,? {_YEAR})?",
        rf"{_MONTH}(?:,? (?:of )?{_YEAR}|[ -]?['’](?P<short>\d\d))?",
        rf"{_YEAR}[- ]?[Qq](?P<quarter>[1-4])",
        rf"[Qq](?P<quarter>[1-4])(?:[ -/]*(?:of )?(?:FY ?)?{_YEAR}|[ -]?['’](?P<short>\d\d))?",
        rf"(?P<nth>first|second|third|fourth|1st|2nd|3rd|4th) quarter(?: (?:of )?{_YEAR})?",
        rf"[Hh](?P<half>[12])(?:[ -]*{_YEAR})?",
        rf"(?:calendar )?(?:week|KW|CW)[ -]?(?P<week>\d{{1,2}})(?: (?:of )?{_YEAR})?",
        rf"{_YEAR}-?W(?P<week>\d\d)",
        rf"(?:FY ?|mid-|early |late |pre-|post-)?{_YEAR}(?:s)?",
        r"(?P<hour>[0-2]?\d):(?P<minute>[0-5]\d)(?::\d\d)?(?: ?(?P<half_day>[ap])\.?m\b\.?)?",
        r"(?:(?P<from_hour>[0-2]?\d) ?(?:and|to|bis|und|[-–]) ?)?(?P<hour>[0-2]?\d) (?:o['’]clock|Uhr|hrs)",
        r"(?P<hour>1?\d) ?(?P<half_day>[ap])\.?m\b\.?",
        r"(?P<weekday>(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)s?",
    )
)  # fmt: skip
_DAY_AFTER = re.compile(r"^\D{0,3}(?:the )?$")


@dataclass(frozen=True, slots=True)
class Moment:
    """The parts of a date or a time that are known; None is what is not said. `week` is that of the year."""

    year: int | None = None
    quarter: int | None = None
    month: int | None = None
    day: int | None = None
    week: int | None = None
    weekday: int | None = None
    hour: int | None = None
    minute: int | None = None

    def agrees(self, other: "Moment") -> bool:
        """Whether `other` has every part of this one, and the same."""
        return all((mine := getattr(self, name)) is None or mine == getattr(other, name) for name in _PARTS)

    def known(self) -> dict[str, int]:
        """The parts that are known, by their names."""
        return {name: part for name in _PARTS if (part := getattr(self, name)) is not None}


_PARTS = tuple(field.name for field in fields(Moment))


@dataclass(frozen=True, slots=True)
class Dated:
    """A date in a text, with its readings: "03/04/2025" has two."""

    start: int
    end: int
    text: str
    readings: tuple[Moment, ...]

    @property
    def bare_year(self) -> bool:
        """Whether it could as well be a number."""
        return self.text.isdigit()

    @property
    def has_digits(self) -> bool:
        """Whether it says a figure."""
        return any(char.isdigit() for char in self.text)


def dates(text: str) -> tuple[Dated, ...]:
    """The dates of a text in their order, the longest where they overlap."""
    found = sorted(_all(text), key=lambda dated: (dated.start, -dated.end))
    kept: list[Dated] = []
    for dated in found:
        if not kept or dated.start >= kept[-1].end:
            kept.append(dated)
    return tuple(kept)


def moment_of(cell: Any) -> Moment | None:
    """The moment that a cell holds, None when it holds something else. A bare number is none."""
    if isinstance(cell, date):
        time = (cell.hour, cell.minute) if isinstance(cell, datetime) else ()
        week, weekday = cell.isocalendar().week, cell.weekday()
        return Moment(cell.year, _quarter(cell.month), cell.month, cell.day, week, weekday, *time)
    if not isinstance(cell, str):
        return None
    text = cell.strip()
    try:
        if re.match(r"\d{4}-\d\d-\d\d", text):
            whole = datetime.fromisoformat(text)
            return moment_of(whole if len(text) > 10 else whole.date())
    except ValueError:
        pass
    said = dates(text)
    return said[0].readings[0] if len(said) == 1 and said[0].text == text else None


def _all(text: str) -> Iterator[Dated]:
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            readings = tuple(_readings({name: value for name, value in match.groupdict().items() if value}))
            if readings:
                yield Dated(match.start(), match.end(), match.group(), readings)


def _readings(parts: dict[str, str]) -> Iterator[Moment]:
    year = int(parts["year"]) if "year" in parts else 2000 + int(parts["short"]) if "short" in parts else None
    if "first" in parts:
        one, two = int(parts["first"]), int(parts["then"])
        yield from (
            Moment(year, _quarter(month), month, day) for day, month in ((one, two), (two, one)) if 0 < month < 13
        )
        return
    month = _BY_NAME[parts["month"].rstrip(".").lower()] if "month" in parts else int(parts.get("number", 0)) or None
    if month is not None and not 0 < month < 13:
        return
    nth = parts.get("nth", "").lower()
    quarter = int(parts["quarter"]) if "quarter" in parts else _ORDINALS.get(nth) or _quarter(month)
    if "half" in parts:
        yield from (Moment(year, quarter) for quarter in ((1, 2) if parts["half"] == "1" else (3, 4)))
        return
    days: list[int | None] = [int(parts[name]) for name in ("day", "until") if name in parts]
    if "from_hour" in parts:
        yield Moment(hour=int(parts["from_hour"]))
    weekday = _WEEKDAYS.index(parts["weekday"].lower()) if "weekday" in parts else None
    for day in days or [None]:
        yield Moment(year, quarter, month, day, int(parts["week"]) if "week" in parts else None, weekday, *_time(parts))


def _time(parts: dict[str, str]) -> tuple[int | None, int | None]:
    if "hour" not in parts:
        return None, None
    hour = int(parts["hour"])
    if "half_day" in parts:
        hour = hour % 12 + (12 if parts["half_day"] == "p" else 0)
    return hour, int(parts.get("minute", 0)) or None


def _quarter(month: int | None) -> int | None:
    return None if month is None else (month + 2) // 3
