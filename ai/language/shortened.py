"""Shortened words in the names of a schema: `dmg` for damage, `veh` for vehicle, `cst` for customer."""

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from ai.language.tables import rows
from ai.language.thesaurus import is_word
from ai.language.words import COMMON, singular

STATE = re.compile(r"\w{3,}(?:ed|ing|en|wn)")
VOWELS = frozenset("aeiou")
SKELETON, BEGINNING, BEGUN, CLIPPED = 0, 1, 2, 3  # ways to shorten a word, the likeliest first
SHORT = range(2, 6)  # letters of a shortened word
SHORTEST = 4  # letters of a word that may be shortened
OF_NUMBERS = {"cst": "cost"}  # elsewhere it may be a customer


@cache
def written_out() -> dict[str, tuple[str, ...]]:
    """Return the usual short forms in the names of a schema, with their words; `shortened.tsv` has them."""
    return {short: tuple(written.split()) for short, written in rows("ai.language", "shortened", "short", "written")}


def is_short(part: str) -> bool:
    """Whether a part of a name is no word but may shorten one; `rnt` does, `pay` does not."""
    spelled = bool(VOWELS & set(part)) and is_word(part)
    return len(part) in SHORT and part.isalpha() and not spelled


def shortening(part: str, word: str) -> int | None:
    """Return how a part shortens a word: dmg -> damage, veh -> vehicle, cst -> customer, svc -> service."""
    bones = _bones(word)
    if part == bones and len(part) < len(word):
        return SKELETON
    if len(part) < 3 or len(word) < len(part) + 2:
        return None
    if word.startswith(part):
        return BEGINNING
    if bones.startswith(part):
        return BEGUN
    left = iter(bones)
    return CLIPPED if part[:1] == bones[:1] and part[-1] == bones[-1] and all(c in left for c in part) else None


def is_begun(part: str, word: str) -> bool:
    """Whether a part keeps the first consonants of a word: `cst` of customers, not `svc` of services."""
    fits = (shortening(part, form) for form in (word, singular(word)))
    return is_short(part) and any(fit is not None and fit < CLIPPED for fit in fits)


@lru_cache(maxsize=20_000)
def _bones(word: str) -> str:
    """Return the first letter of a word and its later consonants: channel -> chnl, extra -> xtr."""
    heard = word[1:] if word.startswith("ex") else word
    bare = heard[:1] + "".join(letter for letter in heard[1:] if letter not in VOWELS)
    return "".join(letter for at, letter in enumerate(bare) if letter != bare[at - 1 : at])


def figure_parts(parts: Sequence[str], kind: str) -> tuple[str, ...]:
    """Write out the parts of a column's name that mean another thing in a figure: `acq_cst` is a cost."""
    counted = kind in ("integer", "number") and parts[-1:] not in (("id",), ["id"])
    return tuple(OF_NUMBERS.get(part, part) if counted else part for part in parts)


def state_said(code: str, words: Iterable[str]) -> str:
    """Return the word of a question for the code of a state: “cancelled” for CANC, “paid” for PAID; "" without one."""
    short = code.lower()
    known = short if is_word(short) else ""
    said = [word for word in words if word == known or written_out().get(short) == (word,)]
    said += [word for word in words if STATE.fullmatch(word) and shortening(short, word) is not None]
    return said[0] if code.isupper() and said else ""


def spoken(part: str, words: Iterable[str]) -> str:
    """Return the noun of a question for a shortened part of a name, else the part."""
    if not is_short(part):
        return part
    nouns = [one for word in words if len(one := singular(word.lower())) >= SHORTEST and one not in COMMON]
    nouns = [noun for noun in nouns if not noun.endswith(("ed", "ing"))]
    fits = [(fit, at) for at, noun in enumerate(nouns) if (fit := shortening(part, noun)) is not None]
    noun = nouns[min(fits)[1]] if fits else part
    return noun if part not in written_out() or is_word(noun) else part  # “custmers” are customers
