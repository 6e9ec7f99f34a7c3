"""Cuts a question into words, each with its stem and its number."""

import re
from dataclasses import dataclass

from ai.language.numbers import SCALES, number_of
from ai.language.words import stem

_TOKEN = re.compile(
    r"""
      (?P<quoted>"[^"]+"|“[^”]+”|(?<!\w)'[^']+'(?!\w)|\u2018[^\u2019]+\u2019)
    | (?P<iso>\d{4}-\d{2}(?:-\d{2})?(?!\d)|\d{4}/\d{1,2}/\d{1,2}(?!\d))
    | (?P<day>\d{1,2}/\d{1,2}(?:/\d{2}(?:\d\d)?)?(?![\w/])|\d{1,2}\.\d{1,2}\.(?:\d{2}(?:\d\d)?)?(?![\w.]))
    | (?P<number>[$€£]?\d+(?:,\d{3})*(?:\.\d+)?(?:k|m|bn)?%?(?![\w]))
    | (?P<word>[^\W_](?:[^\W_]|['\u2019&/.+-](?=[^\W_])|\+)*)
    | (?P<sign>[<>!]=|[<>=])
    | (?P<money>(?<![\w])[$€£](?![\w]))
    """,
    re.VERBOSE | re.IGNORECASE,
)
_POSSESSIVE = re.compile(r"['\u2019](s)?$", re.IGNORECASE)
_SCALE_WORDS = ("hundred", "thousand", "million", "billion")


@dataclass(frozen=True, slots=True)
class Word:
    """A word as written, its key (lower case), its stem, and its number if it says one."""

    text: str
    key: str
    stem: str
    number: int | float | None = None
    quoted: bool = False


def split(text: str) -> tuple[Word, ...]:
    """Cut a text without its punctuation; quoted text is one word."""
    return tuple(_word(found) for found in _TOKEN.finditer(text.replace("_", " ")))


def keys(text: str) -> tuple[str, ...]:
    """Return the keys of the words, without the stems of `split`, which take long for thousands of values."""
    return tuple(key for found in _TOKEN.finditer(text.replace("_", " ")) if (key := _key(found)))


def scaled(word: Word, following: Word | None) -> tuple[int | float, int] | None:
    """Return a number with its scale word ("2 million"), and how many words it took."""
    if word.number is None:
        return None
    if following is None or following.key not in _SCALE_WORDS:
        return word.number, 1
    return word.number * int(SCALES[following.key]), 2


def _key(found: re.Match[str]) -> str:
    text = found.group()
    if found.lastgroup == "quoted":
        return text[1:-1].lower()
    if found.lastgroup == "number":
        return text.lower()
    return _POSSESSIVE.sub("", text).lower().replace("\u2019", "'")


def _word(found: re.Match[str]) -> Word:
    text = found.group()
    if found.lastgroup == "quoted":
        return Word(text[1:-1], _key(found), "", quoted=True)
    if found.lastgroup == "number":
        return Word(text, text.lower(), text.lower(), number=_number(text))
    text, key = _POSSESSIVE.sub("", text), _key(found)
    return Word(text, key, stem(key), number=None if key[0].isdigit() else _number(key))


def _number(text: str) -> int | float | None:
    value = number_of(text.lower())
    if value is None:
        return None
    whole = value == value.to_integral_value() and ("." not in text or not text[-1].isdigit())
    return int(value) if whole else float(value)
