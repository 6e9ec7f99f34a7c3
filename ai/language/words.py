"""Words of questions, descriptions, names and SQL, their stems, and those telling something.

Snowball's stemmers keep state, so threads take turns.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from threading import Lock
from typing import Any

import snowballstemmer  # type: ignore[import-untyped]

from ai.language.tables import rows

WITHOUT_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
FLAT = str.maketrans("äöü", "aou")
_TURN = Lock()


def base_form(word: str) -> str:
    """Return the base of an irregular form (“lost” -> lose), any other word as it is."""
    return _irregular().get(word) or (singular(word) if word.endswith(IN_VES) else word)


@lru_cache(maxsize=10_000)
def participles(verb: str) -> tuple[str, ...]:
    """Return the likely participles of a verb: “win” -> won, “cancel” -> cancelled."""
    irregular = tuple(form for form, base in _irregular().items() if base == verb)
    regular = (f"{verb}d",) if verb.endswith("e") else (f"{verb}ed", f"{verb}{verb[-1:]}ed", f"{verb[:-1]}ied")
    return (*irregular, *regular, f"{verb}n")


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """Return the stem of a lower-case word; "lost" and "lose" have the same."""
    return _stemmed("english", base_form(word))


@lru_cache(maxsize=100_000)
def index_stem(word: str) -> str:
    """Return Porter's stem, as the search index keeps it."""
    return _stemmed("porter", word)


def _stemmed(algorithm: str, word: str) -> str:
    with _TURN:
        return str(_stemmer(algorithm).stemWord(word))


@cache
def _stemmer(algorithm: str) -> Any:
    return snowballstemmer.stemmer(algorithm)


@cache
def _irregular() -> dict[str, str]:
    table = rows("ai.language", "irregular", "word", "forms")
    return {form: word for word, forms in table for form in forms.split()}


WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+|[^\W_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
WIDE = "\u3040"  # writing without spaces begins here: its words are cut into pairs of characters
COUNTING = re.compile(r"\b(?:how many|(?:the )?(?:number|amount|count) of)\b", re.IGNORECASE)
NAME_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[^\W\d_A-Z]+|[A-Z]+|\d+")
HUMP = re.compile(r"([a-z0-9])([A-Z])")
ASCII_WORD = re.compile(r"[A-Za-z]+|\d+")
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z][a-z])")
SQL_WORDS = re.compile(
    r"\b(?:select|distinct|from|where|group by|order by|having|limit|offset|(?:left|right|inner|outer|cross)? ?join"
    r"|union|with|case|when|then|else|end|over|partition by|asc|desc|null|like|between|exists|cast|\w+alias\d+)\b",
    re.IGNORECASE,
)
STROKES = str.maketrans("øØłŁđĐßæÆœŒıİ", "oOlLdDsaAoOiI")
COMMON = frozenset(
    "a an the of in on at to for from by with and or as is are was were be been being am do does did done have has had "
    "having will would can could shall should may might must not i me my we us our you your it its this "
    "that these those "
    "there here they them their he she his her what which who whom whose when where how why all any some about into up "
    "out if so then than also just s t d m re ve ll nt".split()
)
EMPTY = COMMON | frozenset(
    "please pls show tell give get know find want need see list sql query queries statement question answer result "
    "results data one use used using ran run retrieve behind".split()
)
REQUESTING = frozenset(
    "a an the of for in on at to by with from is are was were be and or not that which who whom whose "
    "what where when why "
    "how many much all any each show list give find return tell me please i you we our there their its "
    "it this these those "
    "do does did have has had as than then per provide include including based using used between".split()
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
    """Stems of a description, true for names and numbers; its written words, alone and in pairs."""

    terms: dict[str, bool]
    phrases: frozenset[tuple[str, ...]]


def described(text: str) -> Words:
    terms: dict[str, bool] = {}
    written = list(_split(COUNTING.sub("count ", text)))
    for place, word in enumerate(written):
        if (lower := word.lower()) not in EMPTY:
            term = stem(SAME.get(lower, lower))
            terms[term] = terms.get(term, False) or _names(word, first=place == 0)
    plain = [word.lower() for word in _split(text)]
    return Words(terms, frozenset([*pairwise(plain), *((word,) for word in plain)]))


def sql_terms(sql: str) -> frozenset[str]:
    """Return the stems of names and values in an SQL text."""
    lower = (word.lower() for word in _split(CAMEL.sub(" ", SQL_WORDS.sub(" ", sql))))
    return frozenset(stem(SAME.get(word, word)) for word in lower if word not in EMPTY)


def points_to_last(text: str) -> bool:
    """Whether a description says only "the SQL", "that one" or "the last query"."""
    return all(word.lower() in EMPTY | POINTING for word in _split(text))


@lru_cache(maxsize=100_000)
def telling_stems(text: str) -> tuple[str, ...]:
    """Return the stems of the telling words of a question or a name, `camelCase` cut."""
    words = (word.lower() for word in ASCII_WORD.findall(HUMP.sub(r"\1 \2", text)))
    return tuple(stem(word) for word in words if word not in REQUESTING and (len(word) > 1 or word.isdigit()))


def words_in(text: str) -> Iterator[str]:
    """Yield all words as the index keeps them before stemming: lower case, no accents."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(c))
    return (found.group() for found in WORD.finditer(unicodedata.normalize("NFC", bare)))


@lru_cache(maxsize=20_000)
def name_parts(name: str) -> tuple[str, ...]:
    """Cut a name into lower-case words: `InvoiceLine` -> ("invoice", "line")."""
    return tuple(part.lower() for part in NAME_PART.findall(name))


KINDS_OF_TABLES = frozenset({"tbl", "dim", "fact", "fct", "stg", "vw"})
OF_PAIRS = frozenset({"bridge", "brg", "link", "lnk", "map", "rel", "xref"})  # likewise, with keys to two others


def without_kind(parts: tuple[str, ...], keys: int) -> tuple[str, ...]:
    """Return a table's name without a word for the kind of table: `dim_site`, with two `keys` `bridge_site_study`."""
    if len(parts) > 1 and (parts[0] in KINDS_OF_TABLES or (keys > 1 and parts[0] in OF_PAIRS)):
        return parts[1:]
    return parts


def stems(parts: Sequence[str]) -> tuple[str, ...]:
    return tuple(stem(part) for part in parts)


# Of a knife and a shelf; “leaves” and “lives” are verbs more often.
IN_VES = ("knives", "shelves", "wives", "loaves", "thieves", "scarves", "wolves", "calves", "hooves")
UNCOUNTED = frozenset("people staff personnel data news series species children men women".split())


@lru_cache(maxsize=20_000)
def plural(noun: str) -> str:
    *before, last = noun.split(" ")
    if last in UNCOUNTED:
        return noun
    if german := _german_plurals().get(last.lower()):
        return " ".join((*before, german if last.islower() else german.capitalize()))
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun if noun.endswith("s") and not noun.endswith("ss") else noun + "es"
    if noun.endswith("y") and noun[-2:-1] not in set("aeiou"):
        return noun[:-1] + "ies"
    many = noun.removesuffix("e").removesuffix("f") + "ves"
    return many if many.endswith(IN_VES) else noun + "s"


@cache
def _german_plurals() -> dict[str, str]:
    """Return the plurals of German nouns, and of plurals themselves, but for nouns that English has too."""
    table = rows("ai.language", "german", "english", "german")
    english = {word for word, _ in table} | {"land", "tonne", "tag", "tier", "charge"}
    pairs = [pair for _, german in table for pair in pairwise(german.split())]
    both = [(one, many) for one, many in pairs if many.translate(FLAT).startswith(one.translate(FLAT)[:-1])]
    both += [(word, word) for _, german in table for word in german.split() if word.endswith(("er", "el"))]
    return {
        form.translate(spelt): many.translate(spelt)
        for one, many in both
        for form in (one, many)
        for spelt in (WITHOUT_UMLAUTS, {})
        if one not in english
    }


@lru_cache(maxsize=20_000)
def singular(noun: str) -> str:
    if noun.endswith(IN_VES):
        return noun[:-3] + ("fe" if noun.endswith(("knives", "wives")) else "f")
    if noun.endswith("ies") and len(noun) > 4:
        return noun if noun.endswith("series") else noun[:-3] + "y"
    if noun.endswith(("sses", "xes", "ches", "shes")):
        return noun[:-2]
    return noun[:-1] if noun.endswith("s") and not noun.endswith(("ss", "us", "is")) else noun


def _split(text: str) -> Iterator[str]:
    for found in WORD.finditer(text):
        word = found.group()
        if word[0] < WIDE or len(word) < 3:
            yield word
        else:
            yield from (word[at : at + 2] for at in range(len(word) - 1))


def _names(word: str, first: bool) -> bool:
    return any(c.isdigit() for c in word) or any(c.isupper() for c in word[1:]) or (word[0].isupper() and not first)


@lru_cache(maxsize=20_000)
def capital(words: str) -> str:
    """Begin with a capital; the rest stays."""
    return words[:1].upper() + words[1:]


def folded(text: str) -> str:
    """Return a text in lower case and without accents."""
    plain = unicodedata.normalize("NFKD", text.translate(STROKES))
    return "".join(letter for letter in plain if not unicodedata.combining(letter)).lower()
