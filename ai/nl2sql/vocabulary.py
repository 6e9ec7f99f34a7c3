"""General words of business and chat: families of synonyms, columns that do not add up, units, short forms."""

from collections.abc import Collection
from functools import cache, lru_cache

from ai.language.shortened import written_out
from ai.language.tables import rows
from ai.nl2sql.words import name_parts, stem
from ai.sql.semantics import PENCE, SMALL_UNITS

SUBUNITS = SMALL_UNITS | frozenset("cts penny micros".split())
MONEY = SUBUNITS - {PENCE} | frozenset(
    "price cost amount amt total fee fees revenue salary wage value budget charge discount tax net gross prc balance "
    "sum spend income rent deposit".split()
)
JOINING = frozenset({"signup", "sign-up", "sign up", "registration"})  # of people, whatever their table is called
MEASURED_IN = SUBUNITS | frozenset("g kg lb min minutes ms sec seconds hours km cm mm percent".split())

ADDED = frozenset(
    "revenue amount sales total sum count number num quantity qty income profit earnings cost spend volume turnover"
    " payment fee tax value weight stock inventory budget expense salary consumption output scrap traffic"
    " attendance".split()
)

PARTS_OF_AMOUNTS = frozenset(
    "tax vat discount shipping freight fee tip rounding refund refunded returned credited reversed chargeback".split()
)

UNITS_SAID = frozenset("kwh kwp kw mw mwh hl ml sqm qm ha mb gb tb".split())  # “kwp” names a column too


@cache
def words_of(kind: str) -> tuple[str, ...]:
    """Return the lines of a kind in `vocabulary.tsv`: “synonyms” are families, `_` joins the words of a phrase."""
    return tuple(words for named, words in rows("ai.nl2sql", "vocabulary", "kind", "words") if named == kind)


@cache
def single_words_of(kind: str) -> tuple[str, ...]:
    """Return the single words of a kind, in the order of vocabulary.tsv."""
    return tuple(word for line in words_of(kind) for word in line.split())


@cache
def currencies() -> frozenset[str]:
    """Return the words for currencies."""
    return frozenset().union(*(family for family in units() if family & {"eur", "usd", "gbp", "chf"}))


@cache
def units() -> tuple[frozenset[str], ...]:
    """Return the families of words for one unit."""
    return tuple(frozenset(family.split()) for family in words_of("unit"))


@cache
def abbreviations() -> dict[str, str]:
    table = rows("ai.nl2sql", "abbreviations", "short", "written")
    return {row[0]: row[1] for row in table}


@cache
def _stems_of(kind: str) -> frozenset[str]:
    return frozenset(stem(word) for word in single_words_of(kind))


def is_bad_name(name: Collection[str]) -> bool:
    """Whether most is worst, by the stems of a name."""
    return not _stems_of("bad").isdisjoint(name) and _stems_of("good").isdisjoint(name)


@lru_cache(maxsize=4096)
def _stems_in_full(name: str) -> frozenset[str]:
    """Return the stems of a name's words, of short ones those of the words that they stand for: `appts`."""
    short = written_out()
    return frozenset(stem(word) for part in name_parts(name) for word in (part, *short.get(part, ())))


def is_kind(name: str, *kinds: str) -> bool:
    """Whether a table is called by a word of one of some kinds: `Orders` is a “sale”."""
    parts = _stems_in_full(name)
    return any(not _stems_of(kind).isdisjoint(parts) for kind in kinds)
