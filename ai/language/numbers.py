"""Numbers in words and figures: "three dozen", "twenty-one", "half a million", "1.2k", "$3.5m", "12 %"."""

import re
from collections.abc import Iterator
from decimal import Decimal

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
_SPELLED = re.compile(
    rf"\b(?:half an?[ ](?P<half>hundred|thousand|million|billion|dozen)|an?[ ](?P<unit>hundred|thousand|million|billion|dozen)|"
    rf"(?P<run>{_WORD}(?:(?:[ -]|[ ]and[ ]){_WORD})*))(?![\w-]*(?:-\w*[A-Z])|\w)",
    re.IGNORECASE,
)
_RUN = re.compile(rf"{_WORD}(?:(?:[ -]|[ ]and[ ]){_WORD})*(?!\w)", re.IGNORECASE)
_FIGURE = re.compile(
    r"(?P<sign>[-+\u2212]?)\s?(?:US\$|[$€£¥₹])?(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
)
_HALF = re.compile(r"(?:half an?|an?) (?P<unit>\w+)", re.IGNORECASE)
_AND_A_HALF = re.compile(r"\s?and a half\b", re.IGNORECASE)
_LONE_ONE = re.compile(
    r"\bone(?=\s+(?:of(?! the (?:two|three|four|five|six|seven|eight|nine|ten|\d+)\b)|another|that|which|who|is|was|has|in|on|by|thing|can|could|would|with|to|for|at|from|day|and|or|but|another)\b|\s*[.,;:)!?]|\s*$)",
    re.IGNORECASE,
)
_OF_MANY = re.compile(r" of (?:the |our |these )?(?:two|three|four|five|six|seven|eight|nine|ten|\d+)\b", re.IGNORECASE)
_PRONOUN_BEFORE = re.compile(r"\b(?:the|this|that|each|every|no|any|which|only|last|next|another|number|top|second|other|best|worst|same|in|a|\w+est)\s+$", re.IGNORECASE)  # fmt: skip


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
    return value.quantize(Decimal(1)) if value == value.to_integral_value() else value.normalize()


def spelled(text: str) -> Iterator[tuple[int, int, Decimal, Decimal]]:
    """Yield start, end, value and precision of each number in words; "one" only where it counts."""
    for match in _SPELLED.finditer(text):
        if match["half"] or match["unit"]:
            word = (match["half"] or match["unit"]).lower()
            value = SCALES[word] / (2 if match["half"] else 1)
            yield match.start(), match.end(), value, value / 5
            continue
        run = match["run"].lower()
        if run == "one" and (
            _LONE_ONE.match(text, match.start())
            or (_PRONOUN_BEFORE.search(text[: match.start()]) and not _OF_MANY.match(text, match.end()))
        ):
            continue
        value = _value(run)
        yield match.start(), match.end(), value, _precision(value)


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


def _precision(value: Decimal) -> Decimal:
    """Return the rounding: of "three million" millions, of "twenty-one" none."""
    factor = next((factor for factor in (10**9, 10**6) if value >= factor and not value % factor), 1)
    return Decimal(factor)
