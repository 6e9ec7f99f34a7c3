"""What a question, a description or an SQL text is about: its telling words, stemmed. Pure."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

Stem = Callable[[str], str]

WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+|[^\W_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
WIDE = "\u3040"  # writing without spaces begins here: its words are cut into pairs of characters
COUNTING = re.compile(r"\b(?:how many|(?:the )?(?:number|amount|count) of)\b", re.IGNORECASE)
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z][a-z])")
SQL_WORDS = re.compile(
    r"\b(?:select|distinct|from|where|group by|order by|having|limit|offset|(?:left|right|inner|outer|cross)? ?join"
    r"|union|with|case|when|then|else|end|over|partition by|asc|desc|null|like|between|exists|cast|\w+alias\d+)\b",
    re.IGNORECASE,
)
COMMON = frozenset(
    "a an the of in on at to for from by with and or as is are was were be been being am do does did done have has had "
    "having will would can could shall should may might must not i me my we us our you your it its this that these those "
    "there here they them their he she his her what which who whom whose when where how why all any some about into up "
    "out if so then than also just s t d m re ve ll nt".split()
)
EMPTY = COMMON | frozenset(
    "please pls show tell give get know find want need see list sql query queries statement question answer result "
    "results data one use used using ran run retrieve behind".split()
)
POINTING = frozenset("last previous latest recent newest most same above again now ever".split())
SAME = {
    "hard": "difficult",
    "harder": "difficult",
    "hardest": "difficult",
    "tough": "difficult",
    "easier": "easy",
    "easiest": "easy",
    "big": "large",
    "bigger": "large",
    "biggest": "large",
    "larger": "large",
    "largest": "large",
    "taught": "teach",
    "sold": "sell",
    "bought": "buy",
    "made": "make",
    "total": "sum",
    "average": "avg",
    "mean": "avg",
}


@dataclass(frozen=True, slots=True)
class Words:
    """`terms` are stems, true for those that name something: a number, a code, a name.

    `phrases` are the words as written, single and in pairs.
    """

    terms: dict[str, bool]
    phrases: frozenset[tuple[str, ...]]


def words_of(text: str, stem: Stem) -> Words:
    """The telling words of what a person wrote."""
    terms: dict[str, bool] = {}
    written = list(_split(COUNTING.sub("count ", text)))
    for place, word in enumerate(written):
        if (lower := word.lower()) not in EMPTY:
            term = stem(SAME.get(lower, lower))
            terms[term] = terms.get(term, False) or _names(word, first=place == 0)
    plain = [word.lower() for word in _split(text)]
    return Words(terms, frozenset([*pairwise(plain), *((word,) for word in plain)]))


def sql_terms(sql: str, stem: Stem) -> frozenset[str]:
    """The tables, columns, functions and values of an SQL text, names cut into their words."""
    lower = (word.lower() for word in _split(CAMEL.sub(" ", SQL_WORDS.sub(" ", sql))))
    return frozenset(stem(SAME.get(word, word)) for word in lower if word not in EMPTY)


def points_to_last(text: str) -> bool:
    """Whether a description says nothing but "the SQL", "that one" or "the last query"."""
    return all(word.lower() in EMPTY | POINTING for word in _split(text))


def _split(text: str) -> Iterator[str]:
    for found in WORD.finditer(text):
        word = found.group()
        if word[0] < WIDE or len(word) < 3:
            yield word
        else:
            yield from (word[at : at + 2] for at in range(len(word) - 1))


def _names(word: str, first: bool) -> bool:
    return any(c.isdigit() for c in word) or any(c.isupper() for c in word[1:]) or (word[0].isupper() and not first)
