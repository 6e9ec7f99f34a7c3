"""Numbers as people write them: 1,234.5 · 1.234,5 · 1 234,5 · 1'234.5 · $1.2M · (30) · 12 % · 3x · half a million · two thirds.

A number may be read in more than one way; a caller takes the reading that fits. It knows nothing of results: what a
number must be equal to is decided elsewhere. Names with digits in them ("S3", "GPT-4") are not numbers.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from ai.answers.units import CURRENCY, currency_of, unit_named
from ai.language.numbers import SCALES, spelled

DOZEN = 12
MOST_PARTS = 100  # of "one in 24"
Kind = Literal["plain", "percent", "points", "times"]
Hedge = Literal["exact", "about", "nearly", "under", "barely", "over"]

_CORE = (
    r"\d{1,3}(?:[\u00a0\u2009\u202f'’]\d{3})+(?:[.,]\d+)?|\d{1,3}(?: \d{3})+(?:,\d+)?|\d{1,3}(?:,\d{2,3})+(?:\.\d+)?"
    r"|\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+(?:[.,]\d+)?|\.\d+"
)
_NUMBER = re.compile(
    rf"(?<![\w])(?<![A-Za-z][-.])(?<!\d[.,:/])(?P<sign>(?:(?<=[\s(\[:=~≈])|^)[-−+])?(?P<before>{CURRENCY})?\s?"
    rf"(?P<inner>[-−])?(?P<core>{_CORE})"
)
_SCALE = re.compile(rf"[\s-]?(?P<scale>{'|'.join(sorted(SCALES, key=len, reverse=True))})\b\.?")
_MARK = re.compile(
    r"\s?(?P<points>percentage[ -]points?|%-?points?|pp\b|ppts?\b|points?\b)|\s?-?(?P<percent>%|percent\b|per cent\b|pct\b|Prozent\b)"
    r"|\s?(?P<times>[x×](?!\w)|[ -]?times\b(?! (?:in|on|during|per)\b)|-?fold\b)|\s?(?P<bps>bps\b|basis points\b)",
    re.IGNORECASE,
)
_AFTER = re.compile(rf"\s?(?P<currency>{CURRENCY})(?!\w)|\s?-?(?P<unit>[A-Za-zµ]+)\b")
_HEDGES: tuple[tuple[Hedge, str], ...] = (
    ("barely", r"(?:just over|just above|slightly (?:over|above|more than)|a (?:little|bit) (?:over|above|more than))"),
    ("nearly", r"(?:nearly|almost|just (?:under|below|shy of|short of)|not quite|a (?:little|bit) under|slightly (?:under|below|less than)|close to|fast|knapp)"),
    ("about", r"(?:about|around|roughly|approximately|approx\.?|circa|ca\.?|some|~|≈|in the region of|environ|rund|etwa)"),
    ("under", r"(?:under|less than|fewer than|lower than|smaller than|below|(?<!add )(?<!adds )up to|at most|no more than)"),
    ("over", r"(?:over|more than|above|well over|upwards of|at least|exceed(?:s|ed|ing)?|greater than|higher than|topp(?:ing|ed)|plus de)"),
)  # fmt: skip
_BEFORE = tuple((hedge, re.compile(rf"(?<!\w){words}\s*(?:the |a |an )?$", re.IGNORECASE)) for hedge, words in _HEDGES)
_NAME = re.compile(r"-[A-Z][A-Za-z]")  # "24-hour" is a number, "7-Eleven" is none
_GROUPS = re.compile(r"[ \u00a0\u2009\u202f'’]")
_TIMES_WORDS = {"twice": 2, "double": 2, "doubled": 2, "doubles": 2, "doubling": 2, "thrice": 3, "triple": 3, "tripled": 3, "quadruple": 4, "quadrupled": 4}  # fmt: skip
_TIMES_WORD = re.compile(rf"\b(?:{'|'.join(_TIMES_WORDS)})\b(?![ -](?:check|click|digit))", re.IGNORECASE)
_FRACTION = re.compile(
    r"\b(?:(?P<half>half)(?= of\b| as\b| the\b| all\b| its\b| their\b|\s*[.,;)]|$)|(?P<count>an?|one|two|three|four)[ -]"
    r"(?:(?P<part>third|fifth|tenth)s?(?= of\b| the\b| as\b|\s*[.,;)])|(?P<quarter>quarter)s?(?= of\b| as\b)))|(?P<top>\d+|one|two|three|four) (?:in|out of) (?:every )?"
    r"(?P<bottom>\d+|two|three|four|five|ten)\b",
    re.IGNORECASE,
)
_TO_ONE = re.compile(r"(?:[ -]to[ -]|:)(?:one|1)\b(?![.,]\d)")
_PARTS = {"third": 3, "quarter": 4, "fifth": 5, "tenth": 10}
_SMALL = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "ten": 10}
_SECOND_PART = re.compile(
    r"\b(?:first|second|other|third|fourth|last|final|latter|previous|this|next|a)\s$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Reading:
    """One value that a number may stand for. `step` is one unit of its last digit, `loose` of its last digit not zero."""

    value: Decimal
    step: Decimal
    loose: Decimal
    kind: Kind = "plain"
    unit: str = ""

    @property
    def is_coarse(self) -> bool:
        """Whether no more than two of its digits tell something."""
        return abs(self.value) < 100 * self.loose


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number in a text, with all its readings. `signed` says that a plus or a minus is written."""

    start: int
    end: int
    text: str
    readings: tuple[Reading, ...]
    hedge: Hedge = "exact"
    signed: bool = False
    currency: str = ""
    bracketed: bool = False


def numerals(text: str) -> tuple[Numeral, ...]:
    """The numbers of a text in their order; text that must not be read as one is blanked by the caller."""
    found: list[Numeral] = []
    for numeral in sorted([*_fractions(text), *_digits(text), *_words(text)], key=lambda n: (n.start, -n.end)):
        if not found or numeral.start >= found[-1].end:
            found.append(replace(numeral, hedge=_hedge(text, numeral)))
    return tuple(_joined(text, found))


def _digits(text: str) -> Iterator[Numeral]:
    for match in _NUMBER.finditer(text):
        start = match.end() - len(match.group().lstrip())  # a space may stand where the currency could
        sign, inner, core = match["sign"] or "", match["inner"] or "", match["core"]
        end, readings = _tail(text, match.end(), _core_readings(core))
        after = _AFTER.match(text, end)
        currency = match["before"] or ""
        if after and after["currency"]:
            currency, end = after["currency"], after.end()
        elif after and (unit := unit_named(after["unit"])):
            readings = tuple(replace(reading, unit=unit) for reading in readings)
            end = after.end()
        if text[end : end + 1].isalpha() or _NAME.match(text, match.end()):
            continue
        negative = sign + inner and (sign + inner)[0] in "-−"
        if negative:
            readings = tuple(replace(reading, value=-reading.value) for reading in readings)
        bracketed = text[start - 1 : start] == "(" and text[end : end + 1] == ")"
        yield Numeral(
            start, end, text[start:end].strip(), readings, "exact", bool(sign + inner),
            currency_of(currency), bracketed,
        )  # fmt: skip


def _core_readings(core: str) -> tuple[Reading, ...]:
    """What digits with points, commas, apostrophes and spaces may stand for."""
    digits = _GROUPS.sub("", core)
    separators = [char for char in digits if char in ".,"]
    if len(set(separators)) == 2:
        return (_decimal(digits, separators[-1]),)
    if len(separators) > 1:
        return (_decimal(digits, ""),)
    if separators and re.fullmatch(r"[1-9]\d{0,2}[.,]\d{3}", digits) and digits == core:
        grouped, decimal = _decimal(digits, ""), _decimal(digits, separators[0])
        return (grouped, decimal) if separators[0] == "," else (decimal, grouped)
    return (_decimal(digits, separators[0] if separators else ""),)


def _decimal(digits: str, point: str) -> Reading:
    whole, _, rest = digits.rpartition(point) if point else (digits, "", "")
    value = Decimal(re.sub(r"\D", "", whole or "0") + ("." + rest if rest else ""))
    step = Decimal(1).scaleb(-len(rest))
    zeros = len(whole + rest) - len((whole + rest).rstrip("0")) if value else 0
    return Reading(value, step, step.scaleb(zeros))


def _tail(text: str, end: int, readings: tuple[Reading, ...]) -> tuple[int, tuple[Reading, ...]]:
    """Scale words and marks after the digits: thousand, M, %, points, times."""
    scale = _SCALE.match(text, end)
    if scale and not text[scale.end() :][:1].isalnum():
        factor = SCALES[scale["scale"]]
        digit = Decimal(1) if factor == DOZEN else factor  # "two dozen" is no rounder than 24
        scaled = tuple(replace(r, value=r.value * factor, step=r.step * digit, loose=r.loose * digit) for r in readings)  # fmt: skip
        readings = (*scaled, *readings) if scale["scale"] in ("m", "t", "B", "cent", "cents") else scaled
        end = scale.end()
    if to_one := _TO_ONE.match(text, end):
        return to_one.end(), tuple(replace(reading, kind="times") for reading in readings)
    mark = _MARK.match(text, end)
    if mark and mark.lastgroup:
        kind: Kind = "points" if mark.lastgroup in ("points", "bps") else "percent" if mark.lastgroup == "percent" else "times"  # fmt: skip
        factor = Decimal("0.01") if mark.lastgroup == "bps" else Decimal(1)
        marked = tuple(replace(r, kind=kind, value=r.value * factor, step=r.step * factor) for r in readings)
        readings = (*marked, *readings) if _may_be_plain(text, mark) else marked  # fmt: skip
        end = mark.end()
    return end, readings


def _may_be_plain(text: str, mark: re.Match[str]) -> bool:
    """Whether a number with this mark may be a plain one: "logged in 178 times"."""
    compares = re.match(r"\s+(?:as|more|the|higher|larger|that|what|greater|bigger|fewer|less)\b", text[mark.end() :])
    return (mark.group().strip() == "times" and not compares) or mark.lastgroup == "points"


def _words(text: str) -> Iterator[Numeral]:
    for start, end, value, step in spelled(text):
        tail_end, readings = _tail(text, end, (Reading(value, step, step),))
        after = _AFTER.match(text, tail_end)
        if after and after["unit"] and (unit := unit_named(after["unit"])):
            tail_end, readings = after.end(), tuple(replace(reading, unit=unit) for reading in readings)
        yield Numeral(start, tail_end, text[start:tail_end], readings)
    for match in _TIMES_WORD.finditer(text):
        value = Decimal(_TIMES_WORDS[match.group().lower()])
        yield Numeral(match.start(), match.end(), match.group(), (Reading(value, Decimal("0.2"), Decimal(1), "times"),))


def _fractions(text: str) -> Iterator[Numeral]:
    """Parts of a whole in words, as percentages; none is taken more exactly than to three points."""
    for match in _FRACTION.finditer(text):
        if _SECOND_PART.search(text[: match.start()]):
            continue
        if match["half"]:
            share = Decimal(50)
        elif part := match["part"] or match["quarter"]:
            share = Decimal(100 * _SMALL[match["count"].lower()]) / _PARTS[part.lower()]
        else:
            top, bottom = (_small(match[name]) for name in ("top", "bottom"))
            if not 0 < top < bottom <= MOST_PARTS and "in" in match.group().split():
                continue
            if not bottom or match.group().lower().split()[1] == "out":
                continue
            share = Decimal(100 * top) / bottom
        yield Numeral(
            match.start(),
            match.end(),
            match.group(),
            (Reading(share, min(Decimal(6), share / 8), Decimal(10), "percent"),),
        )


def _small(word: str) -> int:
    return int(word) if word.isdigit() else _SMALL[word.lower()]


def _hedge(text: str, numeral: Numeral) -> Hedge:
    before, after = text[max(0, numeral.start - 30) : numeral.start], text[numeral.end : numeral.end + 7]
    if after.startswith("+"):
        return "over"
    if after.startswith(" or so"):
        return "about"
    return next((hedge for hedge, pattern in _BEFORE if pattern.search(before)), "exact")


def _joined(text: str, found: list[Numeral]) -> Iterator[Numeral]:
    """Durations in two parts are one number: "2 h 30 min", "1 hour and 5 minutes"."""
    waiting: Numeral | None = None
    for numeral in found:
        if waiting is not None:
            gap = text[waiting.end : numeral.start]
            one, two = waiting.readings[0], numeral.readings[0]
            if one.unit and two.unit and re.fullmatch(r"\s*(?:,|and)?\s*", gap) and TIME.get(one.unit, 0) > TIME.get(two.unit, 0) > 0:  # fmt: skip
                value = one.value * TIME[one.unit] / TIME[two.unit] + two.value
                joined = replace(two, value=value)
                numeral = replace(numeral, start=waiting.start, text=text[waiting.start : numeral.end], readings=(joined,))  # fmt: skip
            else:
                yield waiting
        waiting = numeral
    if waiting is not None:
        yield waiting


TIME = {"second": Decimal(1), "minute": Decimal(60), "hour": Decimal(3600), "day": Decimal(86400)}
