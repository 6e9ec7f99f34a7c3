"""What the values of a column are said with: texts, countries, codes, and the two values of a yes/no column."""

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Sequence
from itertools import pairwise

from ai.language.countries import country_names, peoples
from ai.language.thesaurus import is_word
from ai.nl2sql.grammar import MAY_NAME, MAY_TELL, STATES, kinds_of
from ai.nl2sql.meaning import Scalar
from ai.nl2sql.phrases import WEAK_PARTS, synonyms
from ai.nl2sql.vocabulary import is_kind
from ai.nl2sql.words import folded, keys, name_parts
from ai.sql.catalog import Catalog, Column

FULL_NAME, FIRST_AND_LAST, SHORT = frozenset({"name", "fullname"}), 2, 2
SHORTEST_NAME = 3  # letters, and one more
OWN_NAMES = (("name",), ("title",), ("company", "name"), ("company",))
LONGEST_PHRASE = 8  # words that are looked up together
SEXES = {
    "f": "female females woman women girl girls lady ladies",
    "m": "male males man men boy boys gentleman gentlemen",
}
MONTHS = frozenset({"month", "mth", "monat", "yearmonth", "ym", "period"})
STATE_NAMES = frozenset("state status stage phase outcome result step".split())
TERMS = frozenset("daily weekly monthly quarterly yearly annual".split())  # of plans and contracts
SAME_TERM = {"annual": "yearly", "yearly": "annual"}
SEXED = frozenset({"sex", "gender"})
LABEL_PARTS = re.compile(r"\s*[/;,(]\s*|\s+[-–—]\s+")
_SIGNED = re.compile(r"[-+<>≤≥~±]\s?\d")
_AMOUNTS = frozenset({"table", "cable", "variable", "payable", "receivable", "available"})  # no yes or no
_TRUE_WORDS, _FALSE_WORDS = frozenset({"1", "t", "y", "true", "yes"}), frozenset({"0", "f", "n", "false", "no"})
_ASKS, _TELLS = frozenset({"is", "has", "was", "can", "does"}), frozenset({"flag", "ok", "yn", "enabled"})


def words_of_values(column: Column) -> Iterator[tuple[tuple[str, ...], Scalar]]:
    """The words a column's values are said with; a yes/no column is said with its own name."""
    said = tuple(part for part in name_parts(column.name) if part not in WEAK_PARTS)
    for value, truth in truths(column):
        if truth:
            yield from ((way, value) for way in (said, *((synonym,) for synonym in synonyms(said))))
            yield from (((f"{said[0].removesuffix('e')}ed",), value) for _ in said[:1] if len(said) == 1)
            yield from (((*said, switched), value) for switched in ("on", "enabled") if said)
        elif said:
            yield from (((*said, switched), value) for switched in ("off", "disabled"))
            yield from (((f"{prefix}{said[0]}", *said[1:]), value) for prefix in ("in", "un", "non-"))
    if column.kind == "text":
        yield from _texts(column)


def _texts(column: Column) -> Iterator[tuple[tuple[str, ...], Scalar]]:
    """The texts of a column, without accents too, and the names of the countries or peoples that they stand for."""
    for text in column.values:
        words = keys(text)
        if _SIGNED.match(text):
            continue  # said without its sign it would be another one: “2 stars” is not “-2 stars”
        grammar = len(words) == 1 and _mere_grammar(words) and text.islower()
        if 0 < len(words) <= LONGEST_PHRASE and not (grammar and not _is_deed(words[0], column)):
            yield words, text
            yield from (((SAME_TERM[word],), text) for word in words if len(words) == 1 and word in SAME_TERM)
            plain = tuple(folded(word) for word in words)
            if plain != words:
                yield plain, text
    yield from _labels(column)
    for name, value in country_names(column.values):
        if keys(name) != keys(value):
            yield keys(name), value
    for name, value in coded_names(name_parts(column.name), column.values):
        yield keys(name), value
    if name_parts(column.name)[-1:] in (("region",), ("continent",), ("area",)):
        for value in column.values:
            yield from (((people,), value) for people in peoples(value))


def _labels(column: Column) -> Iterator[tuple[tuple[str, ...], Scalar]]:
    """What codes are called by a table of codes, whole and each part: “stale” of “Stale / past its best”."""
    for value, label in column.labels.words if column.labels else ():
        parts = [keys(part) for part in LABEL_PARTS.split(label)]
        yield from (
            (words, value) for words in dict.fromkeys((keys(label), *parts)) if 0 < len(words) <= LONGEST_PHRASE
        )


def single_names(table: str, column: Column) -> Iterator[tuple[tuple[str, ...], Scalar]]:
    """Yield the first and last names of just one person in a table of people: “sophie”."""
    parts = name_parts(column.name)
    if column.kind != "text" or not FULL_NAME & {*parts} or not ("full" in parts or is_kind(table, "people")):
        return
    people = [(keys(value), value) for value in column.values]
    if not people or any(len(words) != FIRST_AND_LAST for words, _ in people):
        return
    had = Counter(word for words, _ in people for word in set(words))
    for words, value in people:
        yield from (((word,), value) for word in words if had[word] == 1 and len(word) > SHORT and not kinds_of(word))


def short_names(table: str, column: Column) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield what just one name of a table's is called for short: “kraai” for Kraai & Co, “electric rivers”.

    A word of the language stands for a firm alone, and only where its name begins so.
    """
    if column.kind != "text" or name_parts(column.name) not in OWN_NAMES or is_kind(table, "people"):
        return
    names = [(tuple(word for word in keys(value) if word.isalpha()), value) for value in column.values]
    names = [(words, value) for words, value in names if len(words) > 1]
    had = Counter(run for words, _ in names for run in {*words, *pairwise(words)})
    for words, value in names:
        first = words[0]
        alone = len(first) > SHORTEST_NAME and had[first] == 1 and not kinds_of(first)
        if alone and (is_kind(table, "buyer", "firm") or not is_word(first)):
            yield (first,), value
        if len(words) > FIRST_AND_LAST:
            runs = (run for run in pairwise(words) if had[run] == 1 and not any(kinds_of(word) for word in run))
            yield from ((run, value) for run in runs)


def _mere_grammar(words: tuple[str, ...]) -> bool:
    """Whether a word is one of grammar; “paid” and “open” may be a state as well."""
    return bool(kinds_of(*words) - STATES)


def _is_deed(word: str, column: Column) -> bool:
    """Whether a word of grammar is a state or kind of rows: “done”, “print”, “annual”."""
    kinds = kinds_of(word) - STATES
    return (
        word in TERMS or kinds <= MAY_NAME or (kinds <= MAY_TELL and bool(STATE_NAMES & set(name_parts(column.name))))
    )


def truths(column: Column) -> tuple[tuple[Scalar, bool], ...]:
    """The two values of a yes/no column, each with what it says; () for any other column."""
    if column.kind == "boolean":
        return ((True, True), (False, False))
    parts = name_parts(column.name)
    asks = len(parts) > 1 and (parts[0] in _ASKS or parts[-1] in _TELLS)
    if column.kind == "integer" and (
        column.is_flag or asks or (parts[-1].endswith("able") and parts[-1] not in _AMOUNTS)
    ):
        return ((1, True), (0, False))
    lowered = {value.lower() for value in column.values}
    if len(column.values) == 2 and lowered <= _TRUE_WORDS | _FALSE_WORDS:
        return tuple((value, value.lower() in _TRUE_WORDS) for value in column.values)
    return ()


def coded_names(parts: Sequence[str], values: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield (word, value) for a column named by these words: “women” for F in `sex`."""
    if not SEXED & set(parts):
        return
    for value in values:
        letter = "f" if value.lower() in ("w", "woman") else value[:1].lower()
        if len(value) == 1 or value.lower() in SEXES.get(letter, "").split():
            yield from ((word, value) for word in SEXES.get(letter, "").split() if word != value.lower())


def is_month(column: Column) -> bool:
    """Whether a column keeps months or years without their days, such as “2026-10”."""
    return column.kind in ("text", "integer", "other") and bool(MONTHS & set(name_parts(column.name)))


def told_elsewhere(catalog: Catalog) -> dict[str, set[str]]:
    """Return the codes and labels of tables of codes that are values of other columns."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for labels in (column.labels for table in catalog.tables for column in table.columns):
        if labels:
            found[labels.table] |= {word for pair in labels.words for word in pair}
    return found


def own_words(column: Column, told: Container[Scalar]) -> Iterator[tuple[tuple[str, ...], Scalar]]:
    """Yield the words of a column's values, without those that are told of other columns."""
    return ((words, value) for words, value in words_of_values(column) if value not in told)


def short_labels(catalog: Catalog) -> Iterator[tuple[tuple[str, ...], tuple[str, str, str]]]:
    """Yield first words that just one code of a column is called by, with table, column and code: “web” for Web shop."""
    for table in catalog.tables:
        for column in table.columns:
            yield from ((words, (table.name, column.name, value)) for words, value in _first_words(column))


def _first_words(column: Column) -> Iterator[tuple[tuple[str, ...], str]]:
    words = [(keys(label), value) for value, label in (column.labels.words if column.labels else ())]
    had = Counter(word for said, _ in words for word in set(said))
    for said, value in words:
        first = said[0] if len(said) > 1 else ""
        if len(first) > SHORT and had[first] == 1 and not kinds_of(first):
            yield (first,), value
