"""Words with a claim about figures, by language. The lists are in `claims.json`."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from ai.language.formats import calendar_names

WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
KANA = re.compile(r"[\u3040-\u30ff]")
COUNTED = re.compile(r"[一二三四五六七八九十百千万億]+(?=[つ人件個本年月日倍割番台社円店ヶか点回位分])")
LOCALES = {"en": "en_US", "de": "de_DE", "fr": "fr_FR", "es": "es_ES", "pt": "pt_BR", "ja": "ja_JP"}
FILLED = "\0"  # stands for a slot
PROVABLE = frozenset(("total", "mean"))  # stand beside a slot that computes them


@dataclass(frozen=True, slots=True)
class Language:
    """`classes` find claiming words of each kind, `says` holds those of slots."""

    code: str
    common: frozenset[str]
    classes: Mapping[str, re.Pattern[str]]
    of: re.Pattern[str]
    says: Mapping[str, str]

    @property
    def locale(self) -> str:
        return LOCALES[self.code]

    def place(self, number: int) -> str:
        """Return "second-highest" for 2."""
        named = self.says["places"].split(",")
        return named[number - 1] if number <= len(named) else self.says["place"].format(n=number)


@cache
def languages() -> tuple[Language, ...]:
    lists = json.loads(files("ai.language").joinpath("claims.json").read_text("utf-8"))
    return tuple(_language(code, kinds) for code, kinds in lists.items())


def languages_of(text: str, question: str = "") -> tuple[Language, ...]:
    """Return the likely languages of a text, the best first; () without lists for it."""
    if KANA.search(text):
        return tuple(each for each in languages() if each.code == "ja")
    best = _likeliest(text)
    if len(best) == 1:
        return best
    asked = _likeliest(question)
    shared = tuple(each for each in asked if each in best) if best else asked
    return shared or best


def _likeliest(text: str) -> tuple[Language, ...]:
    said = [word.casefold() for word in WORD.findall(text)]
    scores = {each.code: sum(word in each.common for word in said) for each in languages()}
    most = max(scores.values())
    return tuple(each for each in languages() if most and scores[each.code] == most)


def claims_in(text: str, known: tuple[Language, ...]) -> list[tuple[int, int, str]]:
    """Return start, end and kind of the longest claiming words."""
    found = [
        (match.start(), match.end(), kind)
        for language in known or languages()
        for kind, pattern in language.classes.items()
        for match in pattern.finditer(text)
    ]
    found += [(match.start(), match.end(), "number") for match in COUNTED.finditer(text)]
    return sorted(
        (start, end, kind)
        for start, end, kind in found
        if not any(first <= start and end <= last and last - first > end - start for first, last, _ in found)
    )


def _language(code: str, kinds: Mapping[str, str | dict[str, str]]) -> Language:
    words = {kind: listed.split() for kind, listed in kinds.items() if isinstance(listed, str)}
    says = kinds["says"]
    patterns = {kind: _pattern(listed, bounded=code != "ja") for kind, listed in words.items() if kind != "common"}
    of = patterns.pop("of")
    patterns["month"] = _pattern([*filter(str.isalpha, calendar_names(LOCALES[code]))], bounded=code != "ja")
    return Language(code, frozenset(words["common"]), patterns, of, says if isinstance(says, dict) else {})


def _pattern(listed: list[str], *, bounded: bool) -> re.Pattern[str]:
    forms = {r"\*": r"\w*", "_": r"\s+", r"\#": rf"(?=[\s*]*[\d{FILLED}])"}  # "over#" claims only before a figure
    texts = (re.sub(r"\\\*|_|\\#", lambda found: forms[found.group()], re.escape(word)) for word in listed)
    joined = "|".join(sorted(texts, key=len, reverse=True))
    return re.compile(rf"(?<!\w)(?:{joined})(?!\w)" if bounded else joined, re.IGNORECASE)
