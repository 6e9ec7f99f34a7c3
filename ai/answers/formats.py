"""One format per column: unit, digits, dates.

The unit comes from the semantics file, else from the name. CSV and JSON files keep exact values.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Literal, TypeGuard

from ai.language import formats as written
from ai.language.formats import AMERICAN, Number, speaking
from ai.language.texts import language_of, translator_of
from ai.language.words import capital, name_parts, plural
from ai.sql.semantics import SMALL_UNITS

Kind = Literal[
    "text", "plain", "number", "money", "percent", "time", "bytes", "unit", "date", "month", "month number", "flag"
]
MILLION = 1_000_000
ROUNDED_FROM = 10_000  # money from here on loses its cents in a sentence
SECONDS = {"s": 1, "ms": 0.001, "min": 60, "h": 3600}
UNIT_WORDS: Mapping[str, str] = {
    "usd": "USD", "eur": "EUR", "gbp": "GBP", "chf": "CHF", "jpy": "JPY", "cad": "CAD", "aud": "AUD", "inr": "INR",
    "dollars": "USD", "euros": "EUR", "pct": "%", "percent": "%", "percentage": "%", "s": "s", "sec": "s", "secs": "s",
    "seconds": "s", "ms": "ms", "millis": "ms", "milliseconds": "ms", "mins": "min", "minutes": "min",
    "hours": "h", "hrs": "h",
    "days": "days", "weeks": "weeks", "years": "years", "kg": "kg", "km": "km", "bytes": "bytes",
}  # fmt: skip
GIVEN = {
    "ratio": "ratio", "fraction": "ratio", "%": "%", "percent": "%", "seconds": "s", "second": "s",
    "milliseconds": "ms",
    "minutes": "min", "minute": "min", "hours": "h", "hour": "h", "byte": "bytes", "day": "days", "€": "EUR",
    "$": "USD", "£": "GBP",
}  # fmt: skip
SIZES = ("bytes", "KB", "MB", "GB", "TB", "PB")
MONTH = re.compile(r"\d{4}-(0[1-9]|1[0-2])")
QUARTER = re.compile(r"(\d{4})-?Q([1-4])")
QUARTER_PARTS = re.compile(r"\bq ([1-4])\b")
DAY = re.compile(r"\d{4}-\d\d-\d\d")
MIDNIGHT = re.compile(rf"({DAY.pattern})[ T]00:00(?::00(?:\.0+)?)?")  # a day, in a column of moments
ACRONYMS = frozenset(
    "id url sku mrr aov arr arpu arpa arpdau arppu nps csat ctr cvr ltv cac gmv dau mau wau cpa cpc cpi cpm roas roi "
    "kpi sla vat".split()
)
LASTING = frozenset("duration length runtime time wait delay playtime session break travel prep lead".split())
WRITTEN_OUT = {"avg": "average", "pct": "share", "num": "number", "cnt": "count", "qty": "quantity"}
STATISTICS = frozenset("avg average mean median min max minimum maximum".split())
NAMING = frozenset("id ids code zip no nr number year hour phone version".split())


@dataclass(frozen=True, slots=True)
class Format:
    """`value * scale` is in `unit`."""

    kind: Kind = "text"
    unit: str = ""
    scale: float = 1.0
    locale: str = AMERICAN
    native: bool = False  # dates in a sentence are in the locale's own language
    labels: Mapping[str, str] = field(default_factory=dict)  # what codes are called

    def cell(self, value: Any) -> str:
        """Write a value for a table, with all digits."""
        if value is None:
            return "–"
        return _written(self, value, said=False)

    def said(self, value: Any, *, today: date | None = None) -> str:
        """Write a value for a sentence: rounded, without the year of today."""
        if value is None:
            return self.word("no value")
        return _written(self, value, said=True, today=today)

    def word(self, english: str) -> str:
        return translator_of(language_of(self.locale)).fill(english) if self.native else english

    def counted(self, count: int) -> str:
        return written.number(count, 0, self.locale)

    @property
    def is_figure(self) -> bool:
        return self.kind in ("number", "money", "percent", "time", "bytes", "unit")


def is_number(value: object) -> TypeGuard[Number]:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool) and math.isfinite(value)


def in_minutes(parts: Sequence[str]) -> bool:
    """Whether “min” at the end of a name are minutes: of `duration_min`, not of a lowest price."""
    return len(parts) > 1 and parts[-1] == "min" and parts[-2] in LASTING


def unit_in(name: str) -> str:
    """Return the unit in the last word of a name, or ""."""
    parts = name_parts(name)
    if in_minutes(parts):
        return "min"
    found = next((UNIT_WORDS[part] for part in parts[::-1][:1] if part in UNIT_WORDS), "")
    return found if found or parts[:1] not in (("pct",), ("percent",)) else "%"


def format_of(
    name: str, unit: str, cells: Sequence[Any], *, kind: str = "", scale: float = 1.0, locale: str = AMERICAN
) -> Format:
    """Choose a format by unit, kind in the database, values and name."""
    known = [cell for cell in cells if cell is not None]
    if kind == "boolean" or (known and all(isinstance(cell, bool) for cell in known)) or _is_flag(name, known):
        return Format("flag", locale=locale)
    if known and all(map(is_number, known)):
        return _numeric(name, GIVEN.get(unit.lower(), unit), known, scale, locale)
    if known and all(isinstance(cell, date) for cell in known):
        return Format("date", locale=locale)
    texts = [cell for cell in known if isinstance(cell, str)]
    if known and len(texts) == len(known):
        for pattern, its in ((DAY, "date"), (MIDNIGHT, "date"), (MONTH, "month"), (QUARTER, "month")):
            if all(pattern.fullmatch(text) for text in texts):
                return Format("date" if its == "date" else "month", locale=locale)
    return Format("number" if unit and not known else "text", unit, scale, locale)


def _is_flag(name: str, known: Sequence[Any]) -> bool:
    return name_parts(name)[:1] in (("is",), ("has",)) and bool(known) and all(cell in (0, 1) for cell in known)


def _numeric(name: str, unit: str, known: Sequence[Any], scale: float, locale: str) -> Format:
    parts = name_parts(name)
    whole = all(float(cell).is_integer() for cell in known)
    if not unit and whole and set(parts) & {"month"} and all(1 <= cell <= 12 for cell in known):
        return Format("month number", locale=locale)
    if not unit and whole and parts and parts[-1] in NAMING:
        return Format("plain", locale=locale)
    if unit in SECONDS:
        return Format("time", unit, scale * SECONDS[unit], locale)
    if unit in ("ratio", "%"):
        return Format("percent", unit, scale * (100 if unit == "ratio" else 1), locale)
    if len(unit) == 3 and unit.isupper():
        return Format("money", unit, scale, locale)
    kind: Kind = "bytes" if unit == "bytes" else "unit" if unit else "number"
    return Format(kind, unit, scale, locale)


def _written(by: Format, value: Any, *, said: bool, today: date | None = None) -> str:
    if is_number(value) and by.kind in _NUMBERS:
        return _NUMBERS[by.kind](_scaled(value, by.scale), by, said)
    if by.kind == "flag":
        return by.word("yes" if value else "no")
    if by.kind in ("date", "month"):
        return _date(value, by, said=said, today=today)
    return _text(by.labels.get(value, value) if isinstance(value, str) else value, by)


def _scaled(value: Number, scale: float) -> Number:
    return value if scale == 1 else float(f"{float(value) * scale:.15g}")


def _text(value: Any, by: Format) -> str:
    match value:
        case bool():
            return by.word("yes" if value else "no")
        case float() if math.isfinite(value):
            return written.number(value, 2 if _size(value) >= 1 else 6, by.locale)
        case datetime():
            return written.moment(value, by.locale)
        case date():
            return written.day(value, by.locale, short=True)
        case bytes():
            return f"{len(value)} bytes"
    return " ".join(str(value).split())


def _size(value: Number) -> float:
    return abs(float(value))


def _plain(value: Number, by: Format, said: bool) -> str:
    return str(int(value)) if float(value).is_integer() else _figure(value, by, said)


def _figure(value: Number, by: Format, said: bool) -> str:
    if isinstance(value, int):
        return written.number(value, 0, by.locale)
    if _size(value) >= 1 or not value:
        most = (1 if said and _size(value) >= 100 else 2) if said or isinstance(value, float) else 6
        return written.number(value, most, by.locale)
    return written.significant(value, 3, by.locale)


def _money(value: Number, by: Format, said: bool) -> str:
    if said and _size(value) >= MILLION:
        return written.short_money(value, by.unit, by.locale)
    whole = float(value).is_integer() or _size(value) >= ROUNDED_FROM
    return written.money(value, by.unit, 0 if said and whole else 2, by.locale)


def _percent(value: Number, by: Format, said: bool) -> str:
    digits = written.significant(value, 3, by.locale) if _size(value) < 1000 else _figure(value, by, said)
    return written.percent(digits, by.locale)


def _bytes(value: Number, by: Format, said: bool) -> str:  # noqa: ARG001
    size, at = float(value), 0
    while abs(size) >= 1024 and at < len(SIZES) - 1:
        size, at = size / 1024, at + 1
    return f"{written.significant(size, 3, by.locale)} {SIZES[at]}"


def _unit(value: Number, by: Format, said: bool) -> str:
    if by.unit == "kg" and said and _size(value) >= ROUNDED_FROM:
        return f"{written.number(float(value) / 1000, 1, by.locale)} {by.word('tonnes')}"
    shown = (
        written.number(value, 1, by.locale)
        if said and not isinstance(value, int) and _size(value) >= 1
        else _figure(value, by, said)
    )
    one = by.unit[:-1] if value == 1 and by.unit.endswith("s") and not by.unit.endswith("ss") else by.unit
    return f"{shown} {by.word(one)}"


def _time(value: Number, by: Format, said: bool) -> str:
    seconds = float(value)
    size, sign = abs(seconds), "-" if seconds < 0 else ""
    if 0 < size < 1:
        return f"{written.significant(seconds * 1000, 3, by.locale)} ms"
    if size < 60:
        return f"{written.significant(seconds, 3, by.locale)} s"
    if size >= 100 * 3600:
        return (
            f"{written.number(round(seconds / 3600, 0 if said else 1), 0 if said else 1, by.locale)} {by.word('hours')}"
        )
    total = round(size)
    hours, minutes, rest = total // 3600, total % 3600 // 60, total % 60
    if hours:
        minutes += rest >= 30
        hours, minutes = hours + minutes // 60, minutes % 60
        return f"{sign}{hours} h {minutes} min" if minutes else f"{sign}{hours} h"
    return f"{sign}{minutes} min {rest} s" if rest else f"{sign}{minutes} min"


def _month_number(value: Number, by: Format, said: bool) -> str:
    tag = speaking(by.locale) if said and not by.native else by.locale
    return written.month(date(2000, int(value), 1), tag, year=False)


def _date(value: Any, by: Format, *, said: bool, today: date | None) -> str:
    tag = speaking(by.locale) if said and not by.native else by.locale
    if isinstance(value, datetime) and (value.hour or value.minute or value.second):
        return written.moment(value, tag)
    text = value.isoformat()[:10] if isinstance(value, date) else MIDNIGHT.sub(r"\1", str(value))
    if found := QUARTER.fullmatch(text):
        return f"Q{found[2]}" if today and found[1] == str(today.year) else f"Q{found[2]} {found[1]}"
    try:
        first = date.fromisoformat(f"{text}-01" if MONTH.fullmatch(text) else text)
    except ValueError:
        return text
    year = today is None or first.year != today.year
    if MONTH.fullmatch(text):
        return written.month(first, tag, year=year or not said, short=not said)
    return written.day(first, tag, year=year or not said, short=not said)


_NUMBERS: Mapping[str, Callable[[Number, Format, bool], str]] = {
    "plain": _plain,
    "number": _figure,
    "money": _money,
    "percent": _percent,
    "bytes": _bytes,
    "unit": _unit,
    "time": _time,
    "month number": _month_number,
}


def heading_words(name: str) -> str:
    """Return "Total revenue" for "total_revenue_usd"."""
    parts = list(name_parts(name))
    while len(parts) > 1 and parts[-1] in UNIT_WORDS and not STATISTICS.issuperset(parts[:-1]):
        parts = parts[: -2 if len(parts) > 2 and parts[-2] == "in" else -1]  # “age in years”
    if len(parts) > 1 and parts[0] in ("is", "has", "pct", "percent", "sum"):
        parts.pop(0)
    if len(parts) == 2 and parts[-1] in ("count", "cnt"):
        return plural(parts[0]).capitalize()
    words = " ".join(in_capitals(WRITTEN_OUT.get(part, part)) for part in parts)
    return capital(QUARTER_PARTS.sub(r"Q\1", words)) or name


def in_capitals(word: str) -> str:
    return word.upper() if word in ACRONYMS else word


def in_whole_units(title: str) -> str:
    """Return “net” for “net cents”, an amount that is told in whole units."""
    name, _, unit = title.rpartition(" ")
    return name if name and unit in SMALL_UNITS else title
