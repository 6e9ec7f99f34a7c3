"""How a name is said: as a verb, as a code, as a word of grammar, or as the value or the column that it names."""

from collections.abc import Sequence
from dataclasses import replace

from ai.language.thesaurus import is_word
from ai.language.words import EMPTY
from ai.nl2sql.definitions import is_metric
from ai.nl2sql.grammar import kinds_of
from ai.nl2sql.lexicon import PARTIAL, Lexicon, Sense
from ai.nl2sql.values import STATE_NAMES, truths
from ai.nl2sql.vocabulary import ADDED
from ai.nl2sql.words import Word, name_parts, singular

ACTORS = frozenset({"we", "i", "they", "you", "people", "did", "does", "do", "to"})  # before what they do
DID = frozenset({"did", "does", "do"})  # before one who acts: “did customers pay on time?”
DONE = frozenset("paid sold sent made left held lent found met lost spent returned built kept won read".split())
BEING = frozenset("is are was were already not been".split())
COUNTS = frozenset({("how", "many"), ("number", "of")})
PLACES = frozenset({"us", "uk"})  # said in small letters too
IN = frozenset({"in", "the", "from", "for", "within", "excluding", "without", "vs", "versus", "our", "and", "or", "of"})


def is_participle(word: str) -> bool:
    """Whether a word tells what was done: “retired”, “paid”."""
    return word in DONE or word.endswith(("ed", "en", "wn", "ut"))


def must_be_read(words: Sequence[Word], start: int) -> bool:
    """Whether a word may not pass as grammar: “make” of “cost per make”, “works” of “how many works do we have”."""
    word = words[start]
    if start == 0 or word.key in EMPTY:
        return False
    counted = start > 1 and (words[start - 2].key, words[start - 1].key) in COUNTS and singular(word.key) != word.key
    return (counted or "group" in kinds_of(words[start - 1].key)) and is_word(singular(word.key))


def kind_of(sense: Sense) -> str:
    return "value" if sense.value is not None else "column" if sense.column else "table"


def named_too(words: Sequence[Word], start: int, key: tuple[str, ...], value: Sense, lexicon: Lexicon) -> bool:
    """Whether what may be a value, and is not written like one, is also the name of a table or a column."""
    written = start > 0 and words[start].text[:1].isupper()
    named = [sense for sense in lexicon.senses(key) if sense.value is None and sense.cost < PARTIAL]
    return not written and bool(named) and all(sense.column != value.column for sense in named)


def is_code(word: Word, key: tuple[str, ...], sense: Sense) -> bool:
    """Whether two letters stand for a country that the data has by name: “KR”; “in” and “de” do not."""
    return len(key) == 1 and len(word.text) == 2 and str(sense.value).lower() != key[0] and key[0] not in PLACES


def said_as_verb(kind: str, words: Sequence[Word], start: int, end: int, sense: Sense) -> bool:
    """“what did we pay” names no part of `pay_method`, “booked” no table that is called bookings."""
    if kind == "table":
        return end == start + 1 and words[start].key.endswith("ed") and words[start].key not in name_parts(sense.table)
    acts = start > 0 and (words[start - 1].key in ACTORS or words[0].key in DID)
    return kind == "column" and sense.cost >= PARTIAL and acts


def only_describes(word: Word, sense: Sense) -> bool:
    """Whether things in the plural only describe a column: “units” are no `unit_price`, “reviews” a `review_count`."""
    one = singular(word.key)
    if one == word.key or sense.cost < PARTIAL or sense.column is None or sense.column[:1] in "=?@":
        return False
    *before, last = name_parts(sense.column)
    return one in before and last not in ADDED and last != "name"


def names_rows(word: Word, sense: Sense, lexicon: Lexicon) -> bool:
    """Whether things in the plural are rows rather than a figure called by a deed: “bills” beside “billed”."""
    deed = sense.column is not None and sense.column[:1] == "=" and sense.column.endswith("ed")
    rows = any(other.column is None and other.cost < PARTIAL for other in lexicon.senses((word.key,)))
    return deed and rows and singular(word.key) != word.key and word.key not in name_parts(sense.column or "")


def is_reference(sense: Sense, lexicon: Lexicon) -> bool:
    """A key is rather said for the row that it refers to."""
    if is_metric(sense.field):
        return False
    table, column = lexicon.table(sense.table), lexicon.column(sense.field)
    referring = {name.lower() for key in table.foreign_keys for name in key.columns}
    return column.name.lower() in referring or (column.name,) == table.primary_key


def is_flag(sense: Sense, lexicon: Lexicon) -> bool:
    """A yes/no column is rather said for the rows that have it."""
    return bool(truths(lexicon.column(sense.field)))


def flag_value(sense: Sense, lexicon: Lexicon) -> Sense:
    """Return the value of a yes/no column that says yes."""
    return replace(sense, value=next(value for value, true in truths(lexicon.column(sense.field)) if true))


def meant_as_value(words: Sequence[Word], start: int) -> bool:
    """A closed-class word is a value where it is written as one: in capitals, or after a preposition."""
    word = words[start]
    shouting = all(other.text.isupper() for other in words if other.text.isalpha())
    titled = all(other.text[:1].isupper() for other in words if other.text.isalpha())
    capital = (word.text.isupper() and not shouting) or (start > 0 and word.text[:1].isupper() and not titled)
    return (
        word.quoted or capital or (start > 0 and words[start - 1].key in IN and len(word.key) < 4 and not _plain(word))
    )


def is_state_of(words: Sequence[Word], start: int, sense: Sense, lexicon: Lexicon) -> bool:
    """Whether a word of grammar is the state of the rows named right before it: “visits done”, “visits are done”."""
    before = next((word.key for word in reversed(words[:start]) if word.key not in BEING), "")
    if not before or not kinds_of(words[start].key) <= {"filler", "verb"}:
        return False
    rows = singular(before) != before and any(
        named.table == sense.table and named.column is None for named in lexicon.senses((before,))
    )
    return rows and str(sense.value).lower() == words[start].key


def describes_rows(words: Sequence[Word], start: int, sense: Sense, lexicon: Lexicon) -> bool:
    """Whether a word of grammar is the state of rows named beside it: “available cats”, “female and available”."""
    word, beside = words[start], words[start + 1 : start + 2]
    if start > 1 and words[start - 1].key == "and":
        beside = words[:start]
    stated = sense.value is not None and STATE_NAMES & {*name_parts(sense.column or "")}
    if not stated or str(sense.value).lower() != word.key or not kinds_of(word.key) <= {"filler", "verb"}:
        return False
    senses = (other for each in beside for other in lexicon.senses((each.key,)))
    return any(other.table == sense.table and (other.value is not None or other.column is None) for other in senses)


def _plain(word: Word) -> bool:
    """A word that is grammar wherever it stands."""
    return word.key in (
        "it",
        "is",
        "in",
        "at",
        "be",
        "do",
        "to",
        "or",
        "of",
        "on",
        "all",
        "any",
        "no",
        "me",
        "my",
        "the",
        "who",
    )


def doers(words: Sequence[Word], start: int, lexicon: Lexicon) -> list[Sense]:
    """Return the values naming the person: “who owns the account” asks for its owner."""
    if start == 0 or words[start - 1].key != "who" or words[start].quoted:
        return []
    names = (f"{words[start].stem}{ending}" for ending in ("er", "r", "or"))
    return [sense for name in names for sense in lexicon.values.get((name,), ()) if sense.value is not None]
