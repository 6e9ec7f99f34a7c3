"""Days and periods as people name them, in the asker's time zone: "yesterday", "last week", "November 28th", "2025-11".

What the words mean is read by dateparser; here is only which words of a message are a date, and how long the period is
that they name. A period begins with its first moment and ends before the first moment after it.
"""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from ai.errors import UserError

MONTH = "(?:jan|febr?|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*"
UNIT = "(?:day|week|month|year)"
WEEKDAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
COUNT = r"(?:\d+|an?|one|two|three|four|five|six|seven|ten)"
ONE_DATE = (
    rf"\d{{4}}-\d\d(?:-\d\d)?|the day before yesterday|yesterday|today|(?:last|this|past|previous) (?:{UNIT}|{WEEKDAY})"
    rf"|{COUNT} {UNIT}s? ago|{WEEKDAY}|{MONTH} \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?(?!\d)"
    rf"|\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{MONTH}(?: \d{{4}})?|{MONTH} \d{{4}}"
)
RANGE = re.compile(
    rf"\b(?:between |from )?(?P<first>{ONE_DATE}) ?(?: to | and | until | till |\u2013|\.\.) ?(?P<last>{ONE_DATE})\b",
    re.IGNORECASE,
)
SINCE = re.compile(rf"\bsince (?P<first>{ONE_DATE})\b", re.IGNORECASE)
LAST_FEW = re.compile(
    rf"\b(?:in |over |during )?(?:the )?(?:last|past) (?P<count>{COUNT}) (?P<unit>{UNIT})s?\b", re.IGNORECASE
)
ONE = re.compile(rf"\b(?:on |in |of |during )?(?:the )?(?P<first>{ONE_DATE})\b", re.IGNORECASE)
IN_MONTH = re.compile(rf"\b(?:in|during|last) (?P<first>{MONTH}|\d{{4}})\b", re.IGNORECASE)
UNREADABLE = (
    "“{}” is not a date that I can read; give one like 2025-11-28, yesterday, last week or 2025-11-01 to 2025-11-05."
)


@dataclass(frozen=True, slots=True)
class Period:
    """From the moment `since` on, before `until`. `words` is how it was said."""

    since: datetime
    until: datetime
    words: str


def period_of(text: str, now: datetime, zone: ZoneInfo) -> Period:
    """The period that a text names. UserError when it names none."""
    whole = text.strip()
    found = period_in(whole, now, zone)
    if found is not None and found.words == whole:
        return found
    days = _days(whole, now.astimezone(zone))
    if days is None:
        raise UserError(UNREADABLE.format(whole))
    return _period(days[0], days[1], whole, zone)


def period_in(text: str, now: datetime, zone: ZoneInfo) -> Period | None:
    """The first period that a message names, None when it names none."""
    local = now.astimezone(zone)
    if found := RANGE.search(text):
        first, last = _days(found["first"], local), _days(found["last"], local)
        return _period(first[0], last[1], found.group(), zone) if first and last else None
    if found := SINCE.search(text):
        first = _days(found["first"], local)
        return _period(first[0], local.date() + timedelta(1), found.group(), zone) if first else None
    if found := LAST_FEW.search(text):
        first = _days(f"{found['count']} {found['unit']}s ago", local)
        return _period(first[2], local.date() + timedelta(1), found.group(), zone) if first else None
    if found := ONE.search(text) or IN_MONTH.search(text):
        days = _days(found["first"], local)
        return _period(days[0], days[1], found.group(), zone) if days else None
    return None


def _period(first: date, after: date, words: str, zone: ZoneInfo) -> Period:
    since, until = (datetime.combine(day, time(), zone).astimezone(UTC) for day in (first, after))
    return Period(since, until, words)


def _days(words: str, local: datetime) -> tuple[date, date, date] | None:
    """The first day of what is named, the day after its last one, and the day itself that it was reckoned from."""
    found = _parser(local.replace(tzinfo=None)).get_date_data(words.lower().replace("previous ", "last "))
    if found.date_obj is None:
        return None
    day = found.date_obj.date()
    if found.period == "week":
        monday = day - timedelta(day.weekday())
        return monday, monday + timedelta(7), day
    if found.period == "month":
        first = day.replace(day=1)
        return first, (first + timedelta(31)).replace(day=1), day
    if found.period == "year":
        return day.replace(month=1, day=1), day.replace(year=day.year + 1, month=1, day=1), day
    return day, day + timedelta(1), day


def _parser(now: datetime) -> Any:
    from dateparser.date import DateDataParser  # type: ignore[import-untyped]  # half a second to load, and few messages need it

    return DateDataParser(languages=["en"], settings={"RELATIVE_BASE": now, "PREFER_DATES_FROM": "past"})
