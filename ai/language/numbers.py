"""Numbers in words and figures: "three dozen", "twenty-one", "half a million", "1.2k", "$3.5m", "12 %"."""

import re
from decimal import Decimal

EXACT_DIGITS = 28  # of a decimal
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen".split()
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_VALUES = {word: value for value, word in enumerate(_ONES)} | {word: 10 * tens for tens, word in enumerate(_TENS, 2)}
_FACTORS = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
SCALES = {
    word: Decimal(factor)
    for factor, words in {
        100: "hundred", 1_000: "k K thousand Tsd tsd Tausend", 12: "dozen", 100_000: "lakh",
        1_000_000: "m M mn Mn mm MM mio Mio million Million millions Millionen mln", 10_000_000: "crore",
        1_000_000_000: "bn Bn BN b B billion billions Mrd Milliarden", 1_000_000_000_000: "tn T trillion",
    }.items()
    for word in words.split()
} | dict.fromkeys(("cent", "cents"), Decimal("0.01"))  # fmt: skip
_SUFFIX = "[kKmM]|[bB]n|thousand|million|billion|dozen"
_WORD = rf"(?:{'|'.join([*_TENS, *_ONES, *_FACTORS])})"
# patterns for `number_of`, in any letter case
COUNT = rf"(?:\d{{1,6}}|{_WORD}(?:[ -]{_WORD})*|an? dozen|half a dozen)"
FIGURE = rf"[-\u2212]?[$€£]?(?:\d[\d,]*(?:\.\d+)?(?:[ ]?(?:{_SUFFIX}))?|{COUNT}|half a \w+)"
_RUN = re.compile(rf"{_WORD}(?:(?:[ -]|[ ]and[ ]){_WORD})*(?!\w)", re.IGNORECASE)
_FIGURE = re.compile(
    r"(?P<sign>[-+\u2212]?)\s?(?:US\$|[$€£¥₹])?(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
)
_HALF = re.compile(r"(?:half an?|an?) (?P<unit>\w+)", re.IGNORECASE)
_AND_A_HALF = re.compile(r"\s?and a half\b", re.IGNORECASE)


def number_of(text: str) -> Decimal | None:
    """Return the number a whole text says, None for any other text."""
    said = " ".join(text.replace("\u2019", "'").split()).removesuffix("%").strip()
    if half := _HALF.fullmatch(said):
        unit = SCALES.get(half["unit"].lower())
        return None if unit is None else _plain(unit / (2 if said.lower().startswith("half") else 1))
    if found := _FIGURE.match(said):
        value = Decimal(found["digits"].replace(",", "")) * (-1 if found["sign"] in ("-", "\u2212") else 1)
    elif found := _RUN.match(said):
        value = _value(found.group().lower())
    else:
        return None
    rest = said[found.end() :]
    if half := _AND_A_HALF.match(rest):
        value, rest = value + Decimal("0.5"), rest[half.end() :]
    scale = rest.lstrip(" -")
    factor = SCALES.get(scale) or SCALES.get(scale.lower()) if scale else Decimal(1)
    return None if factor is None else _plain(value * factor)


def _plain(value: Decimal) -> Decimal:
    if value.adjusted() >= EXACT_DIGITS:
        return value.normalize()
    return value.quantize(Decimal(1)) if value == value.to_integral_value() else value.normalize()


def _value(run: str) -> Decimal:
    total = current = 0
    for word in re.split(r"[ -]+", run.replace(" and ", " ")):
        if word in _VALUES:
            current += _VALUES[word]
        elif word == "hundred":
            current = max(current, 1) * 100
        else:
            total, current = total + max(current, 1) * _FACTORS[word], 0
    return Decimal(total + current)
