"""Dates: phrases such as "last month", "since March", "in 2024" become ranges of whole days.

All arithmetic is done here from the asker's day, so that the SQL holds plain dates and reads the same tomorrow.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from dateutil.relativedelta import relativedelta

from ai.nl2sql.words import Word

_MONTHS = {
    name: number
    for number, names in enumerate(
        "january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sep sept|october oct"
        "|november nov|december dec".split("|"),
        start=1,
    )
    for name in names.split()
}
_STEPS = {
    "day": relativedelta(days=1),
    "week": relativedelta(weeks=1),
    "month": relativedelta(months=1),
    "quarter": relativedelta(months=3),
    "year": relativedelta(years=1),
}
_ALWAYS = r"(?:in |on |during |for |from |of |over |within )?(?:the )?"


@dataclass(frozen=True, slots=True)
class Span:
    """`start <= day < end`; None leaves a side open. `year` marks a bare year, which may also be a plain number."""

    start: date | None
    end: date | None
    year: int | None = None


@dataclass(frozen=True, slots=True)
class DatePhrase:
    """A span and how many words of the question said it."""

    span: Span
    length: int


def date_phrase(words: Sequence[Word], today: date) -> DatePhrase | None:
    """The longest date phrase that starts at the first of these words."""
    for length in range(min(7, len(words)), 0, -1):
        if any(word.quoted for word in words[:length]):
            continue
        span = _span(" ".join(word.key for word in words[:length]), today)
        if span:
            return DatePhrase(span, length)
    return None


def _span(text: str, today: date) -> Span | None:
    for pattern, build in _RULES:
        found = re.fullmatch(pattern, text)
        span = build(found, today) if found else None
        if span:
            return span
    return None


def _unit(unit: str, today: date) -> Span:
    """The calendar unit that `today` lies in; weeks start on Monday."""
    start = {
        "day": today,
        "week": today - timedelta(days=today.weekday()),
        "month": today.replace(day=1),
        "quarter": today.replace(month=(today.month - 1) // 3 * 3 + 1, day=1),
        "year": today.replace(month=1, day=1),
    }[unit]
    return Span(start, start + _STEPS[unit])


def _relative(found: re.Match[str], today: date) -> Span:
    step = _STEPS[found["unit"]]
    shift = {"this": 0, "current": 0, "last": -1, "previous": -1, "past": -1, "next": 1}[found["which"]]
    return _unit(found["unit"], today + step * shift)


def _last_some(found: re.Match[str], today: date) -> Span:
    """The last N units, up to and with today."""
    tomorrow = today + timedelta(days=1)
    return Span(tomorrow - _STEPS[found["unit"].removesuffix("s")] * int(found["n"]), tomorrow)


def _ago(found: re.Match[str], today: date) -> Span:
    return _unit("day", today - _STEPS[found["unit"].removesuffix("s")] * int(found["n"]))


def _day(text: str, today: date) -> Span | None:
    """A single point: a day, a month or a year, in any of the usual ways to write them."""
    if text in ("today", "yesterday"):
        return _unit("day", today - timedelta(days=text == "yesterday"))
    if re.fullmatch(r"(?:19|20)\d\d", text):
        return Span(*_year(int(text)), year=int(text))
    try:
        if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
            return _unit("day", date.fromisoformat(text))
        if re.fullmatch(r"\d{4}-\d\d", text):
            return _unit("month", date.fromisoformat(text + "-01"))
        return _named(text, today)
    except ValueError:
        return None


def _year(year: int) -> tuple[date, date]:
    return date(year, 1, 1), date(year + 1, 1, 1)


def _named(text: str, today: date) -> Span | None:
    """“march”, “march 2024”, “march 5”, “5 march 2024”, “march 5th 2024”; without a year the latest one that began."""
    found = re.fullmatch(
        r"(?:(?P<d1>\d\d?)(?:st|nd|rd|th)? (?:of )?)?(?P<month>[a-z]+)(?: (?P<d2>\d\d?)(?:st|nd|rd|th)?)?(?: (?P<y>(?:19|20)\d\d))?",
        text,
    )
    if not found or found["month"] not in _MONTHS:
        return None
    day = int(found["d1"] or found["d2"] or 1)
    unit = "day" if found["d1"] or found["d2"] else "month"
    start = date(int(found["y"] or today.year), _MONTHS[found["month"]], day)
    if not found["y"] and start > today:
        start = start.replace(year=today.year - 1)
    return _unit(unit, start)


def _point(found: re.Match[str], today: date) -> Span | None:
    return _day(found["a"], today) or _ago_text(found["a"], today)


def _ago_text(text: str, today: date) -> Span | None:
    for pattern, build in ((_RELATIVE, _relative), (_AGO, _ago)):
        found = re.fullmatch(pattern, text)
        if found:
            return build(found, today)
    return None


def _since(found: re.Match[str], today: date) -> Span | None:
    span = _point(found, today)
    return span and Span(span.start, None, span.year)


def _after(found: re.Match[str], today: date) -> Span | None:
    span = _point(found, today)
    return span and Span(span.end, None)


def _before(found: re.Match[str], today: date) -> Span | None:
    span = _point(found, today)
    return span and Span(None, span.start)


def _until(found: re.Match[str], today: date) -> Span | None:
    span = _point(found, today)
    return span and Span(None, span.end)


def _between(found: re.Match[str], today: date) -> Span | None:
    first, last = _day(found["a"], today), _day(found["b"], today)
    if not first or not last:
        return None
    start = first.start
    if start and last.end and start >= last.end:  # "from November to February" with no year: it began a year earlier
        start = start.replace(year=start.year - 1)
    return Span(start, last.end)


_RELATIVE = r"(?:the )?(?P<which>this|current|last|previous|past|next) (?P<unit>day|week|month|quarter|year)"
_AGO = r"(?P<n>\d+) (?P<unit>(?:day|week|month|quarter|year)s?) ago"
_Rule = tuple[str, Callable[[re.Match[str], date], Span | None]]
_RULES: tuple[_Rule, ...] = (
    (_ALWAYS + _RELATIVE, _relative),
    (_ALWAYS + r"(?:last|past|previous) (?P<n>\d+) (?P<unit>(?:day|week|month|quarter|year)s?)", _last_some),
    (_AGO, _ago),
    (r"(?:since|starting|starting in) (?P<a>.+?)(?: on| onwards)?", _since),
    (r"from (?P<a>.+?) (?:on|onwards)", _since),
    (r"(?:after|later than) (?P<a>.+)", _after),
    (r"(?:before|earlier than|prior to) (?P<a>.+)", _before),
    (r"(?:until|till|up to|through) (?P<a>.+)", _until),
    (r"(?:in |during |for )?(?:between|from) (?P<a>.+) (?:and|to|until|through) (?P<b>.+)", _between),
    (r"(?:in |on |during |for |of |from )?(?:the )?(?:year |month of )?(?P<a>.+)", _point),
)
