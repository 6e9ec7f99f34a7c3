"""Date phrases such as "last month", "since March", "1-7 Nov", "between Q1 and Q3" become ranges of whole days.

All arithmetic is done here from the asker's day, so that the SQL holds plain dates and reads the same tomorrow.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from ai.language.date_phrases.fiscal import FiscalYear
from ai.language.moments import (
    AFTER_THANKSGIVING,
    COUNTS,
    HOLIDAYS,
    MONTHS,
    ORDINALS,
    SEASONS,
    WEEKDAYS,
    Rule,
    count_of,
    moment,
    read,
)
from ai.language.questions import Word
from ai.language.spans import STEPS, Span, unit_of

_LONGEST = 10
_TOWARDS = frozenset({"to", "until", "till", "through"})
_ALWAYS = r"(?:in |on |during |for |from |of |over |within )?(?:the )?"


@dataclass(frozen=True, slots=True)
class DatePhrase:
    """A span and how many words of the question said it."""

    span: Span
    length: int


def date_phrase(words: Sequence[Word], today: date, fiscal_month: int = 0) -> DatePhrase | None:
    """Return the longest date phrase that starts at the first of these words."""
    return next(iter(date_phrases(words, today, fiscal_month)), None)


def date_phrases(words: Sequence[Word], today: date, fiscal_month: int = 0) -> list[DatePhrase]:
    """Return the date phrases starting at the first of these words: the longest, and the first end of a range.

    `fiscal_month` starts the fiscal year; without one there is none.
    """
    if words and fiscal_month and (found := _fiscal(words, today, FiscalYear(fiscal_month))):
        return [found]
    return _calendar(words, today)


def _fiscal(words: Sequence[Word], today: date, year: FiscalYear) -> DatePhrase | None:
    for length in range(min(_LONGEST, len(words)), 0, -1) if year.begins(words[0].key) else ():
        said = [word.key for word in words[:length] if not word.quoted]
        if len(said) == length and (span := year.span(" ".join(said), today)):
            return DatePhrase(span, length)
    return None


def _calendar(words: Sequence[Word], today: date) -> list[DatePhrase]:
    if not words or not (words[0].number is not None or _BEGINS.fullmatch(words[0].key)):
        return []
    found: list[DatePhrase] = []
    for length in range(min(_LONGEST, len(words)), 0, -1):
        said = [word.key for word in words[:length]]
        if any(word.quoted for word in words[:length]) or (found and _TOWARDS & set(said)):
            continue
        if span := read(" ".join(said), today, _RULES):
            found.append(DatePhrase(_of_its_year(said, words[length:], today) or span, length))
            if not _TOWARDS & set(said[1:]):
                break
    return found


def _of_its_year(said: Sequence[str], after: Sequence[Word], today: date) -> Span | None:
    """Read “q3 and q4 2025”: the year stands once, for both."""
    bare = _BARE.fullmatch(" ".join(said))
    shared = _SHARED.match(" ".join(word.key for word in after[:_LONGEST])) if bare else None
    if not bare or not shared or bare["part"] == shared["last"]:
        return None
    return moment(f"{bare['part']} {shared['year']}", today)


def _to_date(found: re.Match[str], today: date) -> Span:
    unit = {"m": "month", "q": "quarter", "y": "year", "w": "week"}[found["u"][0]]
    return Span(unit_of(unit, today).start, today + timedelta(days=1))


def _last_some(found: re.Match[str], today: date) -> Span:
    """Return the last N units. Days end with yesterday, the last whole day; `last` says in what they are counted."""
    unit, count = found["unit"].removesuffix("s"), count_of(found["n"])
    return Span(today - STEPS[unit] * count, today, last=(count, unit))


def _next_some(found: re.Match[str], today: date) -> Span:
    return Span(today, today + STEPS[found["unit"].removesuffix("s")] * count_of(found["n"]) + timedelta(days=1))


def _point(found: re.Match[str], today: date) -> Span | None:
    return moment(found["a"], today)


def _bound(text: str, today: date) -> Span | None:
    """Return where a range begins or ends: N units back it is a whole month or year, else a day."""
    ago = re.fullmatch(_AGO, text)
    if ago is None:
        return moment(text, today)
    unit = ago["unit"]
    return unit_of(unit if unit in ("month", "year") else "day", today - STEPS[unit] * count_of(ago["n"]))


def _edge(text: str, today: date) -> Span | None:
    """Read what has a start and an end; "the year" is the current one."""
    return moment(f"this {text}" if text in STEPS else text, today)


def _start_of(found: re.Match[str], today: date) -> Span | None:
    span = _edge(found["a"], today)
    return unit_of("day", span.start) if span and span.start else None


def _end_of(found: re.Match[str], today: date) -> Span | None:
    span = _edge(found["a"], today)
    return unit_of("day", span.end - timedelta(days=1)) if span and span.end else None


def _so_far(found: re.Match[str], today: date) -> Span | None:
    span = moment(found["a"], today)
    return span and Span(span.start, today + timedelta(days=1))


def _since(found: re.Match[str], today: date) -> Span | None:
    edge = re.fullmatch(r"(?:the )?(?:start|beginning) of (?:the )?(.+)", found["a"])
    span = _edge(edge[1], today) if edge else _bound(found["a"], today)
    return span and Span(span.start, None, span.year)


def _after(found: re.Match[str], today: date) -> Span | None:
    span = _bound(found["a"], today)
    return span and Span(span.end, None)


def _before(found: re.Match[str], today: date) -> Span | None:
    span = _bound(found["a"], today)
    return span and Span(None, span.start)


def _until(found: re.Match[str], today: date) -> Span | None:
    edge = re.fullmatch(r"(?:the )?end of (?:the )?(.+)", found["a"])
    span = _edge(edge[1], today) if edge else _bound(found["a"], today)
    return span and Span(None, span.end)


def _between(found: re.Match[str], today: date) -> Span | None:
    last = _bound(found["b"], today)
    if not last or not last.start or not last.end:
        return None
    first = _earlier(found["a"], last, today)
    if not first or not first.start:
        return None
    start = first.start
    if start >= last.end:  # "from November to February" with no year: it began a year earlier
        weekly = found["a"] in WEEKDAYS
        start = start - timedelta(days=7) if weekly else start.replace(year=start.year - 1)
    return Span(start, last.end)


def _earlier(text: str, last: Span, today: date) -> Span | None:
    """Return the beginning of a range; what it leaves out is that of the end."""
    assert last.start is not None
    day = re.fullmatch(r"(?:the )?(\d\d?)(?:st|nd|rd|th)?", text)
    if day:
        return unit_of("day", last.start.replace(day=int(day[1])))
    has_year = re.search(r"\d{4}", text)
    return (None if has_year else moment(f"{text} {last.start.year}", today)) or _bound(text, today)


def _days_of_month(found: re.Match[str], today: date) -> Span | None:
    """Read "1 7 november", which is how "1-7 November" comes cut."""
    year = f" {found['y']}" if found["y"] else ""
    first, last = (moment(f"{found[side]} {found['month']}{year}", today) for side in "ab")
    return Span(first.start, last.end) if first and last and int(found["a"]) < int(found["b"]) else None


_UNITS = "day|week|month|quarter|year"
_N = rf"(?P<n>\d+|{'|'.join(sorted(COUNTS, key=len, reverse=True))})"
_AGO = rf"{_N} (?P<unit>{_UNITS})s? ago"
_MONTH = rf"(?P<month>{'|'.join(MONTHS)})"
_DAYS = r"(?P<a>\d\d?)(?:st|nd|rd|th)? (?:(?:to|until|till|and|through) )?(?P<b>\d\d?)(?:st|nd|rd|th)?"
_Y = r"(?: (?P<y>(?:19|20)\d\d))?"
_ISO = r"\d{4}-\d\d(?:-\d\d)?"
_PART = rf"(?:{'|'.join(MONTHS)}|[qh]\d)"
_BARE = re.compile(rf"{_ALWAYS}(?P<part>{_PART})")
_SHARED = re.compile(
    rf"(?:(?:and|or|vs|versus|to|in|for|und|oder|{_PART}) )*(?P<last>{_PART}) (?:of )?(?P<year>(?:19|20)\d\d|(?:last|this) year)\b"
)
_BEGINS = re.compile(
    r"(?:in|on|during|for|from|of|over|within|the|this|current|last|previous|past|trailing|next|coming|upcoming"
    r"|since|starting|after|later"
    r"|before|earlier|prior|until|till|up|through|between|week|month|quarter|year|today|yesterday|tomorrow|day|calendar"
    r"|mtd|ytd|qtd|wtd|[qh][1-4].*|[ck]w\d*|black|final|weekend|half|so|at|to|as|by|couple|beginning|start|end"
    rf"|{'|'.join(name.split()[0] for name in (*COUNTS, *HOLIDAYS, *AFTER_THANKSGIVING))}"
    rf"|(?:{'|'.join((*MONTHS, *WEEKDAYS, *SEASONS, *ORDINALS))})(?:[-/].*)?|\d.*)"
)
_RULES: tuple[Rule, ...] = (
    (_ALWAYS + r"(?P<a>.+ week) (?:from )?monday (?:to|until|till|through) sunday", _point),
    (_ALWAYS + r"(?P<u>[mqyw])td", _to_date),
    (_ALWAYS + r"(?P<u>month|quarter|year|week)(?: |-)to(?: |-)date", _to_date),
    (_ALWAYS + r"(?P<u>month|quarter|year|week) so far", _to_date),
    (_ALWAYS + r"(?P<a>.+) so far", _so_far),
    (r"so far (?P<a>.+)", _so_far),
    (r"(?:at|by|as of|on) (?:the )?end of (?:the )?(?P<a>.+)", _end_of),
    (r"(?:at|on) (?:the )?(?:start|beginning) of (?:the )?(?P<a>.+)", _start_of),
    (_ALWAYS + rf"(?:last|past|previous|trailing) {_N} (?:full |whole )?(?P<unit>(?:{_UNITS})s?)", _last_some),
    (_ALWAYS + rf"(?:next|coming|upcoming) {_N} (?P<unit>(?:{_UNITS})s?)", _next_some),
    (r"(?:since|starting|starting in|starting from) (?P<a>.+?)(?: on| onwards)?", _since),
    (r"from (?P<a>.+?) (?:on|onwards|onward)", _since),
    (r"(?P<a>.+?) onwards?", _since),
    (r"(?:after|later than) (?P<a>.+)", _after),
    (r"(?:before|earlier than|prior to) (?P<a>.+)", _before),
    (r"(?:until|till|up to|through) (?P<a>.+)", _until),
    (_ALWAYS + rf"(?:between )?{_DAYS} (?:of )?{_MONTH}{_Y}", _days_of_month),
    (_ALWAYS + rf"(?:between )?{_MONTH} {_DAYS}{_Y}", _days_of_month),
    (
        r"(?:in |during |for )?(?:between |from )(?:the )?(?P<a>.+) (?:and|to|until|till|through) (?:the )?(?P<b>.+)",
        _between,
    ),
    (_ALWAYS + r"(?P<a>.+) (?:to|until|till|through) (?:the )?(?P<b>.+)", _between),
    (_ALWAYS + rf"(?P<a>{'|'.join(MONTHS)}|q[1-4])[-/](?P<b>(?:{'|'.join(MONTHS)}|q[1-4]).*)", _between),
    (_ALWAYS + rf"(?P<a>{_ISO}) (?P<b>{_ISO})", _between),
    (_ALWAYS + r"(?P<a>.+)", _point),
)
