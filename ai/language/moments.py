"""Named days and units of the calendar: "31/10", "the 13th", "third quarter of 2025", "week before last".

Every one becomes whole days, reckoned from the asker's day. Without a year the latest one that began is meant.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import date, timedelta

from dateutil.relativedelta import relativedelta

from ai.language.spans import STEPS, Span, unit_of

MONTHS = {
    name: number
    for number, names in enumerate(
        "january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sep sept|october oct"
        "|november nov|december dec".split("|"),
        start=1,
    )
    for name in names.split()
}
WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9}  # a winter lies in two years
ORDINALS = {
    name: number
    for number, names in enumerate(("first 1st", "second 2nd", "third 3rd", "fourth 4th"), start=1)
    for name in names.split()
}
COUNTS = {"a": 1, "an": 1, "one": 1, "two": 2, "couple of": 2, "a couple of": 2, "three": 3, "four": 4,
          "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
          "a dozen": 12}  # fmt: skip
NEAR = {"today": 0, "yesterday": 1, "day before yesterday": 2, "tomorrow": -1, "day after tomorrow": -2}
HOLIDAYS = {"christmas": (12, 25), "christmas day": (12, 25), "christmas eve": (12, 24), "new year": (1, 1),
            "new year's day": (1, 1), "halloween": (10, 31), "valentine's day": (2, 14)}  # fmt: skip

AFTER_THANKSGIVING = {
    "thanksgiving": 0,
    "black friday": 1,
    "cyber monday": 4,
}  # days after the fourth Thursday of November

_YEAR = r"(?:19|20)\d\d"
_TH = r"(?:st|nd|rd|th)?"
_N = rf"(?P<n>\d+|{'|'.join(sorted(COUNTS, key=len, reverse=True))})"
_WHICH = "this|current|last|previous|past|next|coming|upcoming"
_UNITS = "day|week|month|quarter|year"
_MONTH = rf"(?P<month>{'|'.join(MONTHS)})"
_OF_YEAR = rf"(?: (?:of |in )?(?:(?P<y>{_YEAR})|(?P<ry>this|last) year))?"
_NTH = "|".join(ORDINALS)


Rule = tuple[str, Callable[[re.Match[str], date], Span | None]]


def count_of(text: str) -> int:
    return int(text) if text.isdigit() else COUNTS[text]


def read(text: str, today: date, rules: tuple[Rule, ...]) -> Span | None:
    """Return what the first fitting rule makes of a whole text; None without one, or where there is no such day."""
    for pattern, build in rules:
        with suppress(ValueError, OverflowError):  # “Q7”, “a billion years ago”
            found = re.fullmatch(pattern, text)
            if found and (span := build(found, today)):
                return span
    return None


def moment(text: str, today: date) -> Span | None:
    """Return the single day or unit of the calendar that a text names."""
    return read(text.removeprefix("in ").removeprefix("the "), today, _MOMENTS)


def _year_of(found: re.Match[str], today: date) -> int | None:
    said = found.groupdict()
    if said.get("y") or said.get("yy"):
        return int(said["y"] or f"20{said['yy']}")
    return today.year - (said["ry"] == "last") if said.get("ry") else None


def _begun(start: date, year: int | None, today: date) -> date:
    return start.replace(year=today.year - 1) if year is None and start > today else start


def _near(found: re.Match[str], today: date) -> Span:
    return unit_of("day", today - timedelta(days=NEAR[found["near"]]))


def shift_of(which: str) -> int:
    """Return how many units after the current one is meant: 1 for “next”, -1 for “last”."""
    return {"this": 0, "current": 0, "next": 1, "coming": 1, "upcoming": 1}.get(which, -1)


def _relative(found: re.Match[str], today: date) -> Span:
    return unit_of(found["unit"], today + STEPS[found["unit"]] * shift_of(found["which"]))


def _before_last(found: re.Match[str], today: date) -> Span:
    return unit_of(found["unit"], today - STEPS[found["unit"]] * 2)


def _ago(found: re.Match[str], today: date) -> Span:
    return unit_of(found["unit"], today - STEPS[found["unit"]] * count_of(found["n"]))


def _iso(found: re.Match[str], today: date) -> Span:  # noqa: ARG001 - a rule
    year, month, day = int(found["y"]), int(found["m"]), int(found["d"] or 1)
    return unit_of("day" if found["d"] else "month", date(year, month, day))


def _numeric(found: re.Match[str], today: date) -> Span | None:
    """Read "31/10" or "10/31/2026"; where both may be the month it could be either, and is none."""
    first, second = int(found["a"]), int(found["b"])
    dotted = "." in found.group()
    if not dotted and first <= 12 and second <= 12 and first != second:
        return None
    day, month = (first, second) if dotted or first > 12 else (second, first)
    if not dotted and first == second and not found["y"]:
        return None  # "5/5" is rather a rating
    year = int(found["y"] if len(found["y"]) == 4 else f"20{found['y']}") if found["y"] else None
    return unit_of("day", _begun(date(year or today.year, month, day), year, today))


def _named(found: re.Match[str], today: date) -> Span:
    day, year = found.groupdict().get("d"), _year_of(found, today)
    start = date(year or today.year, MONTHS[found["month"]], int(day or 1))
    return unit_of("day" if day else "month", _begun(start, year, today))


def _last_month_named(found: re.Match[str], today: date) -> Span:
    """Read "last November": the latest one that began, in November that of the year before."""
    start = _begun(date(today.year, MONTHS[found["month"]], 1), None, today)
    goes_on = found["which"] == "last" and (start.year, start.month) == (today.year, today.month)
    return unit_of("month", start.replace(year=start.year - goes_on))


def _day_of_month(found: re.Match[str], today: date) -> Span:
    """Read "the 13th": the latest one that began."""
    start = today.replace(day=1)
    while True:
        with suppress(ValueError):
            if (day := start.replace(day=int(found["d"]))) <= today:
                return unit_of("day", day)
        start -= STEPS["month"]


def _part(found: re.Match[str], today: date) -> Span:
    """Read "Q3", "third quarter of 2026", "H1 2026", "first half of last year"."""
    months = 3 if found["part"] in ("q", "quarter") else 6
    year, number = _year_of(found, today), ORDINALS.get(found["n"]) or int(found["n"])
    start = _begun(date(year or today.year, (number - 1) * months + 1, 1), year, today)
    return Span(start, start + relativedelta(months=months))


def _last_part(found: re.Match[str], today: date) -> Span:  # noqa: ARG001 - a rule
    months = {"month": 1, "quarter": 3, "half": 6}[found["unit"]]
    end = date(int(found["y"]) + 1, 1, 1)
    return Span(end - relativedelta(months=months), end)


def _season(found: re.Match[str], today: date) -> Span:
    year = _year_of(found, today)
    start = _begun(date(year or today.year, SEASONS[found["season"]], 1), year, today)
    if found["which"] == "last" and start.year == today.year and start + relativedelta(months=3) > today:
        start -= STEPS["year"]
    return Span(start, start + relativedelta(months=3))


def _weekday(found: re.Match[str], today: date) -> Span:
    """Read "last Tuesday": the latest one before today."""
    back = (today.weekday() - WEEKDAYS.index(found["day"])) % 7 or 7
    return unit_of("day", today - timedelta(days=back))


def _coming_weekday(found: re.Match[str], today: date) -> Span:
    """Read "next Monday": the first one after today; "Monday next week", "Friday of last week"."""
    place = WEEKDAYS.index(found["day"])
    if found.groupdict().get("which"):
        weeks = {"next": 7, "this": 0}.get(found["which"], -7)
        return unit_of("day", today + timedelta(days=weeks + place - today.weekday()))
    return unit_of("day", today + timedelta(days=(place - today.weekday()) % 7 or 7))


def _weekend(found: re.Match[str], today: date) -> Span:
    """Read "last weekend", Saturday and Sunday; "this weekend" is the latest that began."""
    saturday = today - timedelta(days=(today.weekday() - 5) % 7)
    is_now = today.weekday() >= 5
    start = saturday - timedelta(days=7) if found["which"] not in ("this", None) and is_now else saturday
    return Span(start, start + timedelta(days=2))


def _holiday(found: re.Match[str], today: date) -> Span:
    year = _year_of(found, today)
    day = _day_of_holiday(found["name"], year or today.year)
    if year is None and day > today:
        day = _day_of_holiday(found["name"], today.year - 1)
    return unit_of("day", day)


def _day_of_holiday(name: str, year: int) -> date:
    if name not in AFTER_THANKSGIVING:
        return date(year, *HOLIDAYS[name])
    first = date(year, 11, 1)
    fourth_thursday = first + timedelta(days=(3 - first.weekday()) % 7 + 21)
    return fourth_thursday + timedelta(days=AFTER_THANKSGIVING[name])


def _week_number(found: re.Match[str], today: date) -> Span:
    """Read "week 45", "CW45 2025" as ISO 8601 counts them."""
    year = int(found["y"] or today.year)
    monday = date.fromisocalendar(year, int(found["n"]), 1)
    if monday > today and not found["y"]:
        monday = date.fromisocalendar(year - 1, int(found["n"]), 1)
    return unit_of("week", monday)


def _week_around(found: re.Match[str], today: date) -> Span | None:
    inner = moment(found["a"], today)
    is_day = inner and inner.start and inner.end and (inner.end - inner.start).days == 1
    return unit_of("week", inner.start) if inner and inner.start and is_day else None


def _half(month: Span, which: str) -> Span | None:
    """Cut a month after its fifteenth; longer units have halves of their own."""
    if not month.start or not month.end or (month.end - month.start).days > 31:
        return None
    middle = month.start + timedelta(days=15)
    return Span(month.start, middle) if which in ("first", "1st") else Span(middle, month.end)


def _first_part(found: re.Match[str], today: date) -> Span | None:
    """Read "first week of October", "last 10 days of Q3", "second half of October", counted from its ends."""
    whole = moment(found["a"], today)
    if not whole or not whole.start or not whole.end or whole.end - whole.start < timedelta(days=28):
        return None
    if found["unit"] == "half":
        return _half(whole, found["which"])
    step = STEPS[found["unit"]] * count_of(found["n"] or "1")
    last = found["which"] in ("last", "final")
    return Span(whole.end - step, whole.end) if last else Span(whole.start, whole.start + step)


def _bare_year(found: re.Match[str], today: date) -> Span:  # noqa: ARG001 - a rule
    year = int(found["y"])
    return Span(date(year, 1, 1), date(year + 1, 1, 1), year=year)


_MOMENTS: tuple[Rule, ...] = (
    (rf"(?P<near>{'|'.join(NEAR)})", _near),
    (rf"(?P<y>{_YEAR})", _bare_year),
    (r"(?P<y>\d{4})[-/](?P<m>\d\d?)(?:[-/](?P<d>\d\d?))?", _iso),
    (r"(?P<a>\d\d?)[/.](?P<b>\d\d?)(?:[/.](?P<y>\d{4}|\d\d)?)?", _numeric),
    (rf"(?P<which>{_WHICH}) (?:full |whole |complete |calendar )?(?P<unit>{_UNITS})", _relative),
    (rf"(?P<which>this) (?P<unit>{_UNITS})s", _relative),
    (rf"(?P<unit>{_UNITS}) before last", _before_last),
    (rf"{_N} (?P<unit>{_UNITS})s? ago", _ago),
    (rf"(?:month of )?{_MONTH}{_OF_YEAR}", _named),
    (rf"(?P<which>last|this|past) {_MONTH}", _last_month_named),
    (rf"(?P<ry>this|last) year(?:'s)? (?:in )?{_MONTH}(?P<y>(?!))?", _named),
    (rf"(?P<d>\d\d?){_TH} (?:of )?{_MONTH}{_OF_YEAR}", _named),
    (rf"{_MONTH} (?:the )?(?P<d>\d\d?){_TH}{_OF_YEAR}", _named),
    (r"(?P<d>\d\d?)(?:st|nd|rd|th)", _day_of_month),
    (
        rf"(?P<part>[qh])(?P<n>[1-4])[ /']*(?:(?:of )?(?:(?P<y>{_YEAR})|(?P<yy>\d\d)(?!\d)|(?P<ry>this|last) year))?",
        _part,
    ),
    (rf"(?P<y>{_YEAR})[ -](?P<part>[qh])(?P<n>[1-4])", _part),
    (rf"(?P<n>{_NTH}) (?P<part>quarter|half){_OF_YEAR}", _part),
    (rf"(?:last|final) (?P<unit>month|quarter|half) of (?P<y>{_YEAR})", _last_part),
    (rf"(?:(?P<which>last|this) )?(?P<season>{'|'.join(SEASONS)}){_OF_YEAR}", _season),
    (rf"(?:last |this |past |on )?(?P<day>{'|'.join(WEEKDAYS)})", _weekday),
    (rf"(?:on )?(?:next|coming|the coming|the next) (?P<day>{'|'.join(WEEKDAYS)})", _coming_weekday),
    (
        rf"(?:on )?(?:the )?(?P<day>{'|'.join(WEEKDAYS)}) (?:of |in )?(?P<which>next|this|last|previous|past) week",
        _coming_weekday,
    ),
    (r"(?:(?P<which>this|last|past|previous) )?weekend", _weekend),
    (rf"(?P<name>{'|'.join((*HOLIDAYS, *AFTER_THANKSGIVING))}){_OF_YEAR}", _holiday),
    (rf"(?:calendar week|week|cw|kw) ?(?P<n>\d\d?)(?: (?:of )?(?P<y>{_YEAR}))?", _week_number),
    (r"week (?:of|starting|beginning|from) (?:the )?(?P<a>.+)", _week_around),
    (
        rf"(?P<which>{_NTH}|last|final) (?:{_N} )?(?P<unit>day|week|month|quarter|half)s?"
        r" (?:of|in) (?:the )?(?P<a>.+)",
        _first_part,
    ),
)
