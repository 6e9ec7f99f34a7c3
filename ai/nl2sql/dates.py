"""Dates: phrases such as "last month", "since March", "in 2024" become ranges of whole days.

All arithmetic is done here from the asker's day, so that the SQL holds plain dates and reads the same tomorrow.
"""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
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
    """`start <= day < end`; None leaves a side open. `year` marks a bare year; `last` is (8, "week") in "last 8 weeks"."""

    start: date | None
    end: date | None
    year: int | None = None
    last: tuple[int, str] | None = None

    def whole(self, unit: str) -> "Span":
        """Return the same number of whole units, ending with the last whole one, where they are counted in `unit`."""
        if self.last is None or self.last[1] != unit or self.end is None or unit == "day":
            return self
        end = _unit(unit, self.end).start
        return self if end is None else Span(end - _STEPS[unit] * self.last[0], end, last=self.last)


@dataclass(frozen=True, slots=True)
class DatePhrase:
    """A span and how many words of the question said it."""

    span: Span
    length: int


def date_phrase(words: Sequence[Word], today: date) -> DatePhrase | None:
    """The longest date phrase that starts at the first of these words."""
    return next(iter(date_phrases(words, today)), None)


def date_phrases(words: Sequence[Word], today: date) -> list[DatePhrase]:
    """The date phrases that start at the first of these words: the longest, and a bare point inside a range."""
    if not words or not (words[0].number is not None or _BEGINS.fullmatch(words[0].key)):
        return []
    for length in range(min(9, len(words)), 0, -1):
        if any(word.quoted for word in words[:length]):
            continue
        span = _span(" ".join(word.key for word in words[:length]), today)
        if span:
            return [DatePhrase(span, length)]
    return []


def _span(text: str, today: date) -> Span | None:
    for pattern, build in _RULES:
        with suppress(ValueError, OverflowError):  # “Q7”, “a billion years ago”: no such day
            found = re.fullmatch(pattern, text)
            if found and (span := build(found, today)):
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
    """The last N units. Days end with yesterday, the last whole day; `unit` says in what they are counted."""
    unit, count = found["unit"].removesuffix("s"), _count(found["n"])
    return Span(today - _STEPS[unit] * count, today, last=(count, unit))


def _ago(found: re.Match[str], today: date) -> Span:
    """The whole unit, N units back."""
    unit = found["unit"].removesuffix("s")
    return _unit(unit, today - _STEPS[unit] * _count(found["n"]))


def _point_ago(found: re.Match[str], today: date) -> Span:
    """Where a range begins or ends, N units back: a whole month or year, else a day."""
    unit = found["unit"].removesuffix("s")
    return _unit(unit if unit in ("month", "year") else "day", today - _STEPS[unit] * _count(found["n"]))


def _count(text: str) -> int:
    return int(text) if text.isdigit() else _COUNTS[text]


def _quarter(found: re.Match[str], today: date) -> Span:
    """“Q3”, “Q3 2026”, “H1 2026”; without a year the latest one that began."""
    months = 3 if found["part"] in "q" else 6
    year = int(found["y"] or today.year)
    start = date(year, (int(found["n"]) - 1) * months + 1, 1)
    if not found["y"] and start > today:
        start = start.replace(year=year - 1)
    return Span(start, start + relativedelta(months=months))


def _to_date(found: re.Match[str], today: date) -> Span:
    unit = {"m": "month", "q": "quarter", "y": "year", "w": "week"}[found["u"][0]]
    return Span(_unit(unit, today).start, today + timedelta(days=1))


def _weekday(found: re.Match[str], today: date) -> Span:
    """“last Tuesday”: the latest one before today."""
    back = (today.weekday() - _WEEKDAYS.index(found["day"])) % 7 or 7
    return _unit("day", today - timedelta(days=back))


def _black_friday(found: re.Match[str], today: date) -> Span:
    """The day after the fourth Thursday of November."""
    year = int(found["y"]) if found["y"] else today.year - (found["which"] == "last")
    first = date(year, 11, 1)
    friday = first + timedelta(days=(3 - first.weekday()) % 7 + 22)
    return _unit("day", friday if friday <= today or found["y"] else friday.replace(year=year - 1))


def _fixed(found: re.Match[str], today: date) -> Span:
    day = _FIXED[found["name"]]
    year = int(found["y"]) if found["y"] else today.year - (found["which"] == "last")
    start = date(year, *day)
    return _unit("day", start if start <= today or found["y"] else start.replace(year=year - 1))


def _day(text: str, today: date) -> Span | None:
    """A single point: a day, a month or a year, in any of the usual ways to write them."""
    if text in _NEAR:
        return _unit("day", today - timedelta(days=_NEAR[text]))
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
    text = found["a"].removeprefix("in ")
    return _day(text, today) or _ago_text(text, today)


def _month_end(found: re.Match[str], today: date) -> Span | None:
    span = _point(found, today)
    return _unit("day", span.end - timedelta(days=1)) if span and span.end else None


def _so_far(found: re.Match[str], today: date) -> Span | None:
    span = _point(found, today)
    return span and Span(span.start, today + timedelta(days=1))


def _ago_text(text: str, today: date) -> Span | None:
    for pattern, build in ((_RELATIVE, _relative), (_AGO, _point_ago), (_QUARTER, _quarter), (_LAST_DAY, _weekday)):
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
    last = _day(found["b"], today) or _ago_text(found["b"], today)
    year = f" {last.start.year}" if last and last.start and not re.search(r"\d{4}", found["a"]) else ""
    first = (
        (_day(found["a"] + year, today) if year else None) or _day(found["a"], today) or _ago_text(found["a"], today)
    )
    if not first or not last:
        return None
    start = first.start
    if start and last.end and start >= last.end:  # "from November to February" with no year: it began a year earlier
        start = start.replace(year=start.year - 1)
    return Span(start, last.end)


_COUNTS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
           "nine": 9, "ten": 10, "twelve": 12}  # fmt: skip
_NEAR = {"today": 0, "yesterday": 1, "day before yesterday": 2, "the day before yesterday": 2}
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_FIXED = {"christmas": (12, 25), "christmas day": (12, 25), "christmas eve": (12, 24), "new year": (1, 1),
          "new year's day": (1, 1), "halloween": (10, 31), "valentine's day": (2, 14)}  # fmt: skip
_N = r"(?P<n>\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve)"
_QUARTER = r"(?:the )?(?P<part>[qh])(?P<n>[1-4])(?: (?:of )?(?P<y>(?:19|20)\d\d))?"
_LAST_DAY = rf"(?:last |this |past |on )?(?P<day>{'|'.join(_WEEKDAYS)})"
_BEGINS = re.compile(
    r"(?:in|on|during|for|from|of|over|within|the|this|current|last|previous|past|next|since|starting|after|later|before|earlier"
    r"|prior|until|till|up|through|between|year|month|today|yesterday|day|mtd|ytd|qtd|wtd|[qh][1-4]|black|christmas|new|halloween"
    rf"|valentine's|so|at|to|as|by|an?|{'|'.join((*_MONTHS, *_WEEKDAYS))}|\d.*|one|two|three|four|five|six|seven|eight|nine|ten)"
)
_RELATIVE = r"(?:the )?(?P<which>this|current|last|previous|past|next) (?P<unit>day|week|month|quarter|year)"
_AGO = rf"{_N} (?P<unit>(?:day|week|month|quarter|year)s?) ago"
_Rule = tuple[str, Callable[[re.Match[str], date], Span | None]]
_RULES: tuple[_Rule, ...] = (
    (_ALWAYS + _RELATIVE, _relative),
    (_ALWAYS + r"(?P<u>[mqyw])td", _to_date),
    (_ALWAYS + r"(?P<u>month|quarter|year|week)(?: |-)to(?: |-)date", _to_date),
    (_ALWAYS + r"(?P<a>.+) so far", _so_far),
    (r"so far (?P<a>.+)", _so_far),
    (r"(?:at|by|as of|on) (?:the )?end of (?P<a>.+)", _month_end),
    (_ALWAYS + _QUARTER, _quarter),
    (_ALWAYS + _LAST_DAY, _weekday),
    (_ALWAYS + r"black friday(?: (?:(?P<which>last|this) year|(?P<y>(?:19|20)\d\d)))?", _black_friday),
    (_ALWAYS + rf"(?P<name>{'|'.join(_FIXED)})(?: (?:(?P<which>last|this) year|(?P<y>(?:19|20)\d\d)))?", _fixed),
    (_ALWAYS + rf"(?:last|past|previous|trailing) {_N} (?P<unit>(?:day|week|month|quarter|year)s?)", _last_some),
    (_AGO, _ago),
    (r"(?:since|starting|starting in) (?P<a>.+?)(?: on| onwards)?", _since),
    (r"from (?P<a>.+?) (?:on|onwards|onward)", _since),
    (r"(?:after|later than) (?P<a>.+)", _after),
    (r"(?:before|earlier than|prior to) (?P<a>.+)", _before),
    (r"(?:until|till|up to|through) (?P<a>.+)", _until),
    (r"(?:in |during |for )?(?:between|from) (?P<a>.+) (?:and|to|until|through) (?P<b>.+)", _between),
    (r"(?:in |on |during |for |of |from )?(?:the )?(?:year |month of )?(?P<a>.+)", _point),
)
