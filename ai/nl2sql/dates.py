"""Dates: phrases such as "last month", "since March", "in 2024" become ranges of whole days.

All arithmetic is done here from the asker's day, so that the SQL holds plain dates and reads the same tomorrow.
"""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta

from dateutil.relativedelta import relativedelta

from ai.nl2sql.spans import FEASTS, STEPS, Span, black_friday, feast, unit_of
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
_ALWAYS = r"(?:in |on |during |for |from |of |over |within )?(?:the )?"


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
    found: list[DatePhrase] = []
    for length in range(min(9, len(words)), 0, -1):
        said = [word.key for word in words[:length]]
        if any(word.quoted for word in words[:length]) or (found and _TOWARDS & set(said)):
            continue
        if span := _span(" ".join(said), today):
            found.append(DatePhrase(span, length))
            if not _TOWARDS & set(said[1:]):
                break
    return found


def _span(text: str, today: date) -> Span | None:
    for pattern, build in _RULES:
        with suppress(ValueError, OverflowError):  # “Q7”, “a billion years ago”: no such day
            found = re.fullmatch(pattern, text)
            if found and (span := build(found, today)):
                return span
    return None


def _relative(found: re.Match[str], today: date) -> Span:
    step = STEPS[found["unit"]]
    shift = {"this": 0, "current": 0, "last": -1, "previous": -1, "past": -1, "next": 1}[found["which"]]
    return unit_of(found["unit"], today + step * shift)


def _last_some(found: re.Match[str], today: date) -> Span:
    """The last N units. Days end with yesterday, the last whole day; `unit` says in what they are counted."""
    unit, count = found["unit"].removesuffix("s"), _count(found["n"])
    return Span(today - STEPS[unit] * count, today, last=(count, unit))


def _ago(found: re.Match[str], today: date) -> Span:
    """The whole unit, N units back."""
    unit = found["unit"].removesuffix("s")
    return unit_of(unit, today - STEPS[unit] * _count(found["n"]))


def _point_ago(found: re.Match[str], today: date) -> Span:
    """Where a range begins or ends, N units back: a whole month or year, else a day."""
    unit = found["unit"].removesuffix("s")
    return unit_of(unit if unit in ("month", "year") else "day", today - STEPS[unit] * _count(found["n"]))


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
    return Span(unit_of(unit, today).start, today + timedelta(days=1))


def _weekday(found: re.Match[str], today: date) -> Span:
    """“last Tuesday”: the latest one before today."""
    back = (today.weekday() - _WEEKDAYS.index(found["day"])) % 7 or 7
    return unit_of("day", today - timedelta(days=back))


def _day(text: str, today: date) -> Span | None:
    """A single point: a day, a month or a year, in any of the usual ways to write them."""
    if text in _NEAR:
        return unit_of("day", today - timedelta(days=_NEAR[text]))
    if re.fullmatch(r"(?:19|20)\d\d", text):
        return Span(*_year(int(text)), year=int(text))
    try:
        if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
            return unit_of("day", date.fromisoformat(text))
        if found := re.fullmatch(r"(?P<a>\d\d?)[/.](?P<b>\d\d?)(?:[/.](?P<y>\d\d(?:\d\d)?))?", text):
            return _numbered(found, today)
        if re.fullmatch(r"\d{4}-\d\d", text):
            return unit_of("month", date.fromisoformat(text + "-01"))
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
    return unit_of(unit, start)


def _days_within(found: re.Match[str], today: date) -> Span | None:
    """“1-7 Nov”, “Nov 1 to 7”, “the 3rd to the 9th of May 2026”: days of one month."""
    year = f" {found['y']}" if found["y"] else ""
    first, last = (_named(f"{found[day]} {found['month']}{year}", today) for day in ("d1", "d2"))
    if not (first and last and first.start and last.start and last.end and first.start.day < last.start.day):
        return None
    return Span(first.start.replace(year=last.start.year), last.end)


def _numbered(found: re.Match[str], today: date) -> Span | None:
    """“31/10”, “31.10.2026”: read where only one of the two numbers can be a month."""
    one, two = int(found["a"]), int(found["b"])
    if one <= 12 and two <= 12 and one != two:
        return None
    day, month = (one, two) if two <= 12 else (two, one)
    year = int(found["y"]) if found["y"] else today.year
    start = date(year if year > 99 else 2000 + year, month, day)
    return unit_of("day", start if found["y"] or start <= today else start.replace(year=start.year - 1))


def _season(found: re.Match[str], today: date) -> Span:
    """The three months of a season of the north; without a year the latest one that began."""
    month = _SEASONS[found["season"]]
    start = date(int(found["y"] or today.year), month, 1)
    if not found["y"] and start > today:
        start = start.replace(year=start.year - 1)
    return Span(start, start + relativedelta(months=3))


def _point(found: re.Match[str], today: date) -> Span | None:
    text = found["a"].removeprefix("in ").removeprefix("the ")
    return _day(text, today) or _ago_text(text, today)


def _month_end(found: re.Match[str], today: date) -> Span | None:
    span = _point(found, today)
    return unit_of("day", span.end - timedelta(days=1)) if span and span.end else None


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
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9}
_TOWARDS = frozenset({"to", "until", "till", "through"})
_NTH = r"(?:st|nd|rd|th)?"
_TO = r"(?: (?:to|until|till|through|and) (?:the )?)"
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)})"
_YEAR = r"(?: (?P<y>(?:19|20)\d\d))?"
_N = r"(?P<n>\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve)"
_QUARTER = r"(?:the )?(?P<part>[qh])(?P<n>[1-4])(?: (?:of )?(?P<y>(?:19|20)\d\d))?"
_LAST_DAY = rf"(?:last |this |past |on )?(?P<day>{'|'.join(_WEEKDAYS)})"
_BEGINS = re.compile(
    r"(?:in|on|during|for|from|of|over|within|the|this|current|last|previous|past|next|since|starting|after|later|before|earlier"
    r"|prior|until|till|up|through|between|year|month|today|yesterday|day|mtd|ytd|qtd|wtd|[qh][1-4]|black|christmas|new|halloween"
    rf"|valentine's|spring|summer|autumn|fall|so|at|to|as|by|an?|{'|'.join((*_MONTHS, *_WEEKDAYS))}|\d.*|one|two|three|four|five|six|seven|eight|nine|ten)"
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
    (_ALWAYS + r"black friday(?: (?:(?P<which>last|this) year|(?P<y>(?:19|20)\d\d)))?", black_friday),
    (_ALWAYS + rf"(?P<name>{'|'.join(FEASTS)})(?: (?:(?P<which>last|this) year|(?P<y>(?:19|20)\d\d)))?", feast),
    (_ALWAYS + rf"(?:last|past|previous|trailing) {_N} (?P<unit>(?:day|week|month|quarter|year)s?)", _last_some),
    (_AGO, _ago),
    (
        _ALWAYS
        + rf"(?:from |between )?(?:the )?(?P<d1>\d\d?){_NTH}(?:{_TO}| )(?P<d2>\d\d?){_NTH} (?:of )?{_MONTH}{_YEAR}",
        _days_within,
    ),
    (_ALWAYS + rf"(?:from |between )?{_MONTH} (?P<d1>\d\d?){_NTH}(?:{_TO}| )(?P<d2>\d\d?){_NTH}{_YEAR}", _days_within),
    (_ALWAYS + rf"(?P<season>{'|'.join(_SEASONS)}) (?:of )?(?P<y>(?:19|20)\d\d)", _season),
    (_ALWAYS + r"(?P<season>spring|summer|autumn)", _season),
    (r"(?:since|starting|starting in) (?P<a>.+?)(?: on| onwards)?", _since),
    (r"from (?P<a>.+?) (?:on|onwards|onward)", _since),
    (r"(?:after|later than) (?P<a>.+)", _after),
    (r"(?:before|earlier than|prior to) (?P<a>.+)", _before),
    (r"(?:until|till|up to|through) (?P<a>.+)", _until),
    (
        rf"(?P<a>(?:{'|'.join(_MONTHS)})(?: \d{{4}})?) (?:to|until|till|through) (?P<b>(?:{'|'.join(_MONTHS)})(?: \d{{4}})?)",
        _between,
    ),
    (r"(?:in |during |for )?(?:between|from) (?P<a>.+) (?:and|to|until|through) (?P<b>.+)", _between),
    (r"(?:in |on |during |for |of |from )?(?:the )?(?:year |month of )?(?P<a>.+)", _point),
)
