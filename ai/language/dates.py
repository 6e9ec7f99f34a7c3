"""Days and periods in the asker's time zone: "yesterday", "last week", "November 28th", "Q3 2025".

Quarters and halves are reckoned here, the rest by dateparser. Without a year the latest one begun is taken.
"""

import re
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from dateutil.relativedelta import relativedelta

from ai.errors import UserError
from ai.language.numbers import COUNT, number_of

MONTH = "(?:jan|febr?|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*"
UNIT = "(?:day|week|month|quarter|year)"
WEEKDAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
SOME = rf"(?:{COUNT}|an?)"
ONE_DATE = (
    rf"\d{{4}}-\d\d(?:-\d\d)?|the day before yesterday|yesterday|today|(?:last|this|past|previous) (?:{UNIT}|{WEEKDAY})"
    rf"|{SOME} {UNIT}s? ago|{WEEKDAY}|{MONTH} \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?(?!\d)"
    rf"|\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{MONTH}(?:,? \d{{4}})?|{MONTH} \d{{4}}"
)
NTH = "(?:1st|2nd|3rd|4th|first|second|third|fourth)"
PART = rf"(?:\d{{4}}[- ]?[qh][1-4]|(?:[qh][1-4]|{NTH} (?:quarter|half))(?:,? ?(?:of )?\d{{4}})?)"
POINT = f"(?:{ONE_DATE}|{PART})"
RANGE = re.compile(
    rf"\b(?:between |from )?(?P<first>{POINT}) ?(?: to | and | until | till |\u2013|\.\.) ?(?P<last>{POINT})\b",
    re.IGNORECASE,
)
SINCE = re.compile(rf"\bsince (?P<first>{POINT})\b", re.IGNORECASE)
LAST_FEW = re.compile(
    rf"\b(?:in |over |during )?(?:the )?(?:last|past) (?P<count>{SOME}) (?P<unit>{UNIT})s?\b", re.IGNORECASE
)
ONE = re.compile(rf"\b(?:on |in |of |during )?(?:the )?(?P<first>{ONE_DATE})\b", re.IGNORECASE)
IN_PART = re.compile(
    rf"\b(?:(?:in|during) (?:the )?(?P<part>{PART})|(?:in|during|last) (?P<first>{MONTH}|\d{{4}}))\b", re.IGNORECASE
)
WHOLE_PART = re.compile(rf"(?:the )?{PART}", re.IGNORECASE)
AGO = re.compile(rf"(?P<count>{SOME}) (?P<unit>{UNIT})s? ago", re.IGNORECASE)
NEAR_QUARTER = re.compile(r"(?P<which>last|past|previous|this|next) quarter", re.IGNORECASE)
OF_YEAR = re.compile(r"(?P<year>\d{4})?[- ]?(?P<part>[qh])(?P<number>[1-4])(?:,? ?(?:of )?(?P<later>\d{4}))?")
OF_YEAR_LIKE = re.compile(r"\b(?:\d{4}[- ]?)?[qh]\d\b")
NUMBERED = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4}
NAMED_PART = re.compile(rf"(?P<nth>{'|'.join(NUMBERED)}) (?P<part>[qh])(?:uarter|alf)")
Days = tuple[date, date, date]
UNREADABLE = (
    "“{}” is not a date that I can read; give one like 2025-11-28, yesterday, last week or 2025-11-01 to 2025-11-05."
)


@dataclass(frozen=True, slots=True)
class Period:
    """From `since` on, before `until`, as said in `words`."""

    since: datetime
    until: datetime
    words: str


def period_of(text: str, now: datetime, zone: ZoneInfo) -> Period:
    """Return the period a text names. Raises UserError when it names none."""
    whole = text.strip()
    if WHOLE_PART.fullmatch(whole) and (days := _days(whole, now.astimezone(zone))):
        return _period(days[0], days[1], whole, zone)
    found = period_in(whole, now, zone)
    if found is not None and found.words == whole:
        return found
    days = _days(whole, now.astimezone(zone))
    if days is None:
        raise UserError(UNREADABLE.format(whole))
    return _period(days[0], days[1], whole, zone)


def period_in(text: str, now: datetime, zone: ZoneInfo) -> Period | None:
    """Return the first period a message names, None when it names none."""
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
    if found := ONE.search(text) or IN_PART.search(text):
        days = _days(found.groupdict().get("part") or found["first"], local)
        return _period(days[0], days[1], found.group(), zone) if days else None
    return None


def _period(first: date, after: date, words: str, zone: ZoneInfo) -> Period:
    since, until = (datetime.combine(day, time(), zone).astimezone(UTC) for day in (first, after))
    return Period(since, until, words)


def _days(words: str, local: datetime) -> Days | None:
    """Return the first day of a date, the day after its last one, and the day it was reckoned from."""
    try:
        days = _reckoned(words.lower().removeprefix("the "), local)
    except (ValueError, OverflowError):  # "a billion quarters ago"
        return None
    return days if days and days[0].year > MINYEAR and days[1].year < MAXYEAR else None


def _reckoned(said: str, local: datetime) -> Days | None:
    today = local.date()
    if said == "day before yesterday":
        return _span("day", today - timedelta(2))
    if found := NEAR_QUARTER.fullmatch(said):
        shift = {"this": 0, "next": 3}.get(found["which"], -3)
        return _span("quarter", today + relativedelta(months=shift))
    if OF_YEAR_LIKE.search(said) or NAMED_PART.match(said):
        return _part(said, today)
    if (found := AGO.fullmatch(said)) and (count := _count(found["count"])) is not None:
        if found["unit"] == "quarter":
            return _span("quarter", today - relativedelta(months=3 * count))
        said = f"{count} {found['unit']}s ago"
    dated = _parser(local.replace(tzinfo=None)).get_date_data(re.sub("^(previous|past) ", "last ", said))
    return None if dated.date_obj is None else _span(dated.period, dated.date_obj.date())


def _part(said: str, today: date) -> Days | None:
    named = NAMED_PART.match(said)
    if named:
        said = f"{named['part']}{NUMBERED[named['nth']]}{said[named.end() :]}"
    found = OF_YEAR.fullmatch(said)
    if found is None or (found["part"] == "h" and int(found["number"]) > 2):
        return None
    months = 3 if found["part"] == "q" else 6
    year = int(found["year"] or found["later"] or today.year)
    first = date(year, months * (int(found["number"]) - 1) + 1, 1)
    if first > today and not (found["year"] or found["later"]):
        first -= relativedelta(years=1)
    return first, first + relativedelta(months=months), first


def _span(unit: str, day: date) -> Days:
    """Return the calendar unit around a day; weeks begin on Monday."""
    if unit == "week":
        monday = day - timedelta(day.weekday())
        return monday, monday + timedelta(7), day
    months = {"month": 1, "quarter": 3, "year": 12}.get(unit)
    if months is None:
        return day, day + timedelta(1), day
    first = day.replace(month=(day.month - 1) // months * months + 1, day=1)
    return first, first + relativedelta(months=months), day


def _count(said: str) -> int | None:
    number = 1 if said in ("a", "an") else number_of(said)
    return None if number is None else int(number)


def _parser(now: datetime) -> Any:
    # half a second to load, and few messages need it
    from dateparser.date import DateDataParser  # type: ignore[import-untyped]

    return DateDataParser(languages=["en"], settings={"RELATIVE_BASE": now, "PREFER_DATES_FROM": "past"})
