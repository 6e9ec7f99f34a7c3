"""The words of the semantics file: synonyms, metrics and wordings, each with the thing it names.

A metric is read like a number column of its table whose name begins with "=", a term like a yes/no column whose name
begins with "?".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from ai.nl2sql.grammar import kinds_of
from ai.nl2sql.meaning import Field, Scalar
from ai.nl2sql.words import Word, keys, name_parts, singular, stem, stems
from ai.sql.catalog import Catalog, Column, Table
from ai.sql.semantics import Metric, Semantics, Term, own_target

FORMULA = "="
KIND = "?"
Phrase = tuple[str, ...]  # lower-case words
Named = tuple[Phrase, str, str | None]  # with table and column
LINKING = frozenset({"of", "the", "a", "an", "in", "at", "on", "to", "for", "who", "that", "is", "are", "our"})
DAY_NAMES = (("date",), ("day",), ("birthday",), ("birthdate",), ("on",), ("at",))
ISO_DAY = re.compile(r"\d{4}-\d\d-\d\d")
PLAIN_NUMBER = re.compile(r"(?:0|[1-9]\d*)(?:\.\d+)?")
NUMBERS_AS_TEXT = frozenset(
    "age score height weight price cost amount salary quantity stock capacity population distance points".split()
)
_TRUE = frozenset({"1", "true", "t", "yes", "y"})


@dataclass(frozen=True, slots=True)
class SpreadName:
    """The telling words of a defined name, in no order, and its key; `exact` forbids other forms."""

    words: frozenset[str]
    key: Phrase
    exact: bool = False

    def form(self, word: Word) -> str:
        """Return a word of a question as the name would hold it."""
        return singular(word.key) if self.exact else word.stem


Spread = dict[str, tuple[SpreadName, ...]]


def is_metric(field: Field) -> bool:
    return field.column.startswith(FORMULA)


def metric_field(metric: Metric) -> Field:
    return Field(metric.table, FORMULA + metric.name)


def is_term(field: Field) -> bool:
    return field.column.startswith(KIND)


def term_field(term: Term) -> Field:
    return Field(term.table, KIND + term.name)


def terms_of(semantics: Semantics) -> dict[Field, Term]:
    """The terms by the yes/no column that stands for each."""
    return {term_field(term): term for term in (*semantics.terms, *counted_kinds(semantics))}


def counted_kinds(semantics: Semantics) -> Iterator[Term]:
    """Yield the rows of a metric as a kind of row: with `visits`, an appointment that took place is a visit."""
    known = {term.name.lower() for term in semantics.terms}
    for metric in semantics.metrics:
        if counts_rows(metric) and metric.condition and singular(metric.name).lower() not in known:
            yield Term(singular(metric.name), metric.table, metric.condition, (metric.name, *metric.synonyms))


def counts_rows(metric: Metric) -> bool:
    return metric.expression.replace(" ", "").upper() == "COUNT(*)"


def with_days(catalog: Catalog, semantics: Semantics) -> Catalog:
    """Return the catalogue with texts that hold days or numbers as such: declared, or by their name and values."""
    declared = {own_target(table, column).lower() for table, column in semantics.dates.items()}
    return replace(catalog, tables=tuple(_with_days(table, declared) for table in catalog.tables))


def _with_days(table: Table, declared: set[str]) -> Table:
    columns = tuple(_as_it_holds(table, column, declared) for column in table.columns)
    return table if columns == table.columns else replace(table, columns=columns)


def _as_it_holds(table: Table, column: Column, declared: set[str]) -> Column:
    if column.kind != "text":
        return column
    dated = f"{table.name}.{column.name}".lower() in declared or name_parts(column.name)[-1:] in DAY_NAMES
    if dated and all(ISO_DAY.match(value) for value in column.values):
        return replace(column, kind="date", values=())
    counted = bool(NUMBERS_AS_TEXT & set(name_parts(column.name)[-1:])) and column.name not in table.primary_key
    if counted and column.values and all(PLAIN_NUMBER.fullmatch(value) for value in column.values):
        return replace(column, kind="number", values=())
    return column


def term_column(term: Term) -> Column:
    return Column(KIND + term.name, "", "boolean", nullable=False, comment=term.description)


def term_names(semantics: Semantics) -> Iterator[tuple[tuple[str, ...], Field]]:
    for term in (*semantics.terms, *counted_kinds(semantics)):
        for phrase in (term.name, *term.synonyms):
            yield keys(phrase), term_field(term)


def adjectives(semantics: Semantics) -> Iterator[tuple[tuple[str, ...], Field]]:
    """Yield a term without the name of its rows: “overdue” of “overdue invoice”, “alive” of “pet alive”."""
    for words, field in term_names(semantics):
        own = _called(field.table, semantics)
        if len(words) > 1 and stem(words[-1]) in own:
            yield words[:-1], field
        elif len(words) > 1 and stem(words[0]) in own:
            yield words[1:], field


def _called(table: str, semantics: Semantics) -> set[str]:
    """Return the stems of the words for the rows of a table."""
    synonyms = {stem(s.word.lower()) for s in semantics.synonyms if s.target.lower() == table.lower()}
    return {*stems(name_parts(table))} | synonyms


def heads(semantics: Semantics) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the last word of each term with its table: rows of which some are an “active customer” are customers."""
    for term in semantics.terms:
        for words in (keys(phrase) for phrase in (term.name, *term.synonyms)):
            led = stem(words[0]) in _called(term.table, semantics)  # “pet alive”
            if len(words) > 1 and words[-1].isalpha() and not led and not kinds_of(words[-1]) | LINKING & set(words):
                yield words[-1:], term.table


def spread_names(semantics: Semantics) -> Spread:
    """Return the defined names of several words by each word of theirs: a metric's by stems, a term's by singulars.

    Their words may stand apart in a question: “how much MRR did we lose” says “MRR lost”.
    """
    metrics = [keys(phrase) for metric in semantics.metrics for phrase in (metric.name, *metric.synonyms)]
    named = [SpreadName(frozenset(stems(words)) - LINKING, stems(words)) for words in metrics if "per" not in words]
    terms = [words for words, _ in term_names(semantics)]
    named += [SpreadName(frozenset(map(singular, words)) - LINKING, stems(words), exact=True) for words in terms]
    found: dict[str, list[SpreadName]] = {}
    for name in named:
        for word in name.words if len(name.words) > 1 else ():
            found.setdefault(word, []).append(name)
    return {word: tuple(dict.fromkeys(names)) for word, names in found.items()}


@lru_cache(maxsize=16)
def described(semantics: Semantics) -> frozenset[str]:
    """Return the stems of what the file says of its metrics beyond their names."""
    return frozenset(stem(word) for metric in semantics.metrics for word in keys(f"{metric.description} {metric.unit}"))


def metrics_of(semantics: Semantics) -> dict[Field, Metric]:
    """The metrics by the column that stands for each."""
    return {metric_field(metric): metric for metric in semantics.metrics}


@lru_cache(maxsize=16)
def synonym_phrases(semantics: Semantics) -> frozenset[Phrase]:
    return frozenset(keys(synonym.word) for synonym in semantics.synonyms)


def as_column(metric: Metric) -> Column:
    """The number column that stands for a metric."""
    return Column(FORMULA + metric.name, "", "number", comment=metric.description)


def defined_names(semantics: Semantics, catalog: Catalog) -> Iterator[Named]:
    """The phrases that name a table, a column or a metric."""
    for metric in semantics.metrics:
        for phrase in (metric.name, *metric.synonyms):
            yield keys(phrase), metric.table, FORMULA + metric.name
            if metric.unit and metric.unit != "ratio" and len(keys(phrase)) == 1:
                yield ("amount", *keys(phrase)), metric.table, FORMULA + metric.name
                yield (*keys(phrase), "amount"), metric.table, FORMULA + metric.name
    for synonym in semantics.synonyms:
        if catalog.table(synonym.target):
            yield keys(synonym.word), synonym.target, None
        else:
            table, _, column = synonym.target.rpartition(".")
            yield keys(synonym.word), table, column


def defined_values(semantics: Semantics, catalog: Catalog) -> Iterator[tuple[tuple[str, ...], Field, Scalar]]:
    """The phrases that say a value, with the value as its column holds it."""
    for wording in semantics.wordings:
        table = catalog.table(wording.table)
        column = table.column(wording.column) if table else None
        if table and column:
            words, counted = keys(wording.word), _counted_in(table, semantics)
            said = words[:-1] if len(words) > 1 and stem(words[-1]) in counted else words
            yield said, Field(table.name, column.name), _as_held(wording.value, column)


def _counted_in(table: Table, semantics: Semantics) -> set[str]:
    """Return the stems of metrics counting rows of a table: of “vaccination visit”, the visits are counted so."""
    metrics = [metric for metric in semantics.metrics if metric.table == table.name and counts_rows(metric)]
    return {stem(metric.name.lower()) for metric in metrics}


def defined_phrases(semantics: Semantics, catalog: Catalog) -> frozenset[Phrase]:
    """Return every phrase that the file gives a meaning, in words and in stems."""
    names = [words for words, _, _ in defined_names(semantics, catalog)]
    kinds = [stems(words) for words, _ in term_names(semantics)]
    values = [words for words, _, _ in defined_values(semantics, catalog)]
    return frozenset((*names, *map(stems, names), *values, *kinds))


def _as_held(value: str, column: Column) -> Scalar:
    if column.kind == "boolean":
        return value.lower() in _TRUE
    if column.kind == "integer":
        return int(value)
    return float(value) if column.kind == "number" else value
