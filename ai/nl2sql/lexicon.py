"""The words of one database: which phrase may name which table, column or value, and how surely.

Built once per catalog. A table also answers to what foreign keys and its own primary key call it: `app_portfolio` with
the key `app_id`, to which `reviews.app_id` refers, is an "app". What the semantics file says of a phrase goes before
all that.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from ai.language.spelling import nearest
from ai.nl2sql.definitions import (
    FORMULA,
    KIND,
    Spread,
    adjectives,
    as_column,
    defined_names,
    defined_phrases,
    defined_values,
    heads,
    metric_field,
    metrics_of,
    spread_names,
    synonym_phrases,
    term_column,
    term_names,
    terms_of,
    with_days,
)
from ai.nl2sql.forgotten_keys import with_forgotten_keys
from ai.nl2sql.joins import Links
from ai.nl2sql.line_values import line_values, taken_in
from ai.nl2sql.meaning import Field, Measure, Scalar
from ai.nl2sql.phrases import ENDED, column_names, read_in_unit, table_names
from ai.nl2sql.spans import is_span, span_column, span_names
from ai.nl2sql.values import LONGEST_PHRASE, own_words, short_labels, short_names, single_names, told_elsewhere
from ai.nl2sql.words import folded, keys, name_parts, plural, singular, stems
from ai.sql.catalog import Catalog, Column, Table
from ai.sql.semantics import NO_SEMANTICS, Metric, Semantics, Term, visible

_NEAR_MISS = 86.0  # likeness; below it, different words of five letters begin to look alike
_SHORTEST_FUZZY = 5
SPANNED = 0.1  # the time between two days of a row
TAIL = 0.15  # the end of a name that nothing else bears
PARTIAL = 0.4  # from this cost on, a phrase is only a part of the name
SINGLE_NAME = 0.2  # the first name of a person, the short one of a firm
HEAD = 0.1  # a term's last word, said for its table
ADJECTIVE, KIND_OF_METRIC = 0.15, 0.3  # a term without its noun; rows that a metric counts


@dataclass(frozen=True, slots=True)
class Sense:
    """One meaning of a phrase: a table, a column of it, or a value in it. `cost` is 0 for the full name."""

    table: str
    column: str | None = None
    value: Scalar | None = None
    cost: float = 0.0

    @property
    def field(self) -> Field:
        if self.column is None:
            raise ValueError(f"{self.table} is a table, not a column")
        return Field(self.table, self.column)


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """The index, one per catalog: equal only to itself. `names` is keyed by stems, `values` by lower-case words."""

    catalog: Catalog
    links: Links
    tables: dict[str, Table] = field(repr=False)
    names: dict[tuple[str, ...], tuple[Sense, ...]] = field(repr=False)
    values: dict[tuple[str, ...], tuple[Sense, ...]] = field(repr=False)
    longest: int = LONGEST_PHRASE
    spellings: tuple[str, ...] = field(default=(), repr=False)
    semantics: Semantics = field(default=NO_SEMANTICS, repr=False)
    metrics: dict[Field, Metric] = field(default_factory=dict, repr=False)
    terms: dict[Field, Term] = field(default_factory=dict, repr=False)
    defined: frozenset[tuple[str, ...]] = field(default=frozenset(), repr=False)
    spread: Spread = field(default_factory=dict, repr=False)
    _columns: dict[Field, Column] = field(default_factory=dict, repr=False, compare=False)
    numeric: dict[Field, bool] = field(default_factory=dict, repr=False, compare=False)  # what is known so far
    facts: dict[str, bool] = field(default_factory=dict, repr=False, compare=False)

    @lru_cache(maxsize=10_000)  # noqa: B019 - lexicons are few, and each reading asks for the same words
    def senses(self, words: tuple[str, ...]) -> tuple[Sense, ...]:
        """Everything that these lower-case words may name; values by their singular and plural too."""
        forms = [words, tuple(folded(word) for word in words)]
        if len(words[-1]) > 3:
            ends = words[-1].endswith("s") and not words[-1].endswith("ss")  # a dress is one of dresses
            other = (words[-1][:-1], singular(words[-1])) if ends else (plural(words[-1]),)
            forms += [(*words[:-1], form) for form in other]
        values = next((found for form in forms if (found := self.values.get(form))), ())
        return self._named(words) + values

    def _named(self, words: tuple[str, ...]) -> tuple[Sense, ...]:
        """What a phrase names; with the metric “invoiced”, “invoices” are still the table's rows."""
        named = self.names.get(stems(words), ())
        if named and not self._of_one_time(words):
            return tuple(sense for sense in named if sense.value is None)
        defined = tuple(sense for sense in named if sense.column)
        if len(defined) == len(named) or not defined:
            return named
        said = {words, (*words[:-1], singular(words[-1]))}
        exact = said & self.defined - synonym_phrases(self.semantics)
        return named if exact else tuple(s for s in named if not (s.column and s.column.startswith(FORMULA)))

    def _of_one_time(self, words: tuple[str, ...]) -> bool:
        """Whether words are of the time of their definition: “staying here” says nothing of “stayed here”."""
        if len(words) == 1:
            return True
        named = (keys(name) for term in self.semantics.terms for name in (term.name, *term.synonyms))
        alike = [phrase for phrase in named if stems(phrase) == stems(words)]
        return not alike or any(_times_of(phrase) == _times_of(words) for phrase in alike)

    def defines(self, words: tuple[str, ...]) -> bool:
        """Whether the semantics file gives these lower-case words a meaning, which then goes before grammar."""
        return words in self.defined or stems(words) in self.defined

    def nearest(self, word: str) -> str | None:
        """The known word or value that a misspelt word must mean, or None when nothing is near enough."""
        if len(word) < _SHORTEST_FUZZY or not word.isalpha():
            return None
        found = nearest(word, self.spellings, _NEAR_MISS) or nearest(singular(word), self.spellings, _NEAR_MISS)
        return found if found and found[0] == word[0] else None

    def table(self, name: str) -> Table:
        table = self.tables.get(name) or self.catalog.table(name)
        if table is None:
            raise LookupError(f"no table {name}")
        return table

    def metric_of(self, figure: Measure | Field) -> Metric | None:
        """Return the figure of the semantics file that a measure stands for."""
        return self.metrics.get(Field(figure.table, figure.column or ""))

    def column(self, of: Field) -> Column:
        if of in self._columns:
            return self._columns[of]
        if is_span(of):
            return span_column(of)
        if metric := self.metrics.get(of):
            return as_column(metric)
        if term := self.terms.get(of):
            return term_column(term)
        column = self.table(of.table).column(of.column)
        if column is None:
            raise LookupError(f"no column {of}")
        self._columns[of] = column
        return column


def _times_of(words: tuple[str, ...]) -> tuple[bool, ...]:
    """For each verb of a phrase whether it goes on."""
    return tuple(word.endswith("ing") for word in words if word.endswith(("ing", "ed")))


@lru_cache(maxsize=16)
def lexicon_of(catalog: Catalog, semantics: Semantics = NO_SEMANTICS) -> Lexicon:
    """The lexicon of a catalog, and of definitions that fit it."""
    catalog = with_forgotten_keys(with_days(visible(catalog, semantics), semantics))
    names: defaultdict[tuple[str, ...], list[Sense]] = defaultdict(list)
    values: defaultdict[tuple[str, ...], list[Sense]] = defaultdict(list)
    keys_to = _keys_to(catalog)
    told_by = told_elsewhere(catalog)
    for table in catalog.tables:
        for words, cost in table_names(table, keys_to[table.name.lower()]):
            if (amount := taken_in(table, words)) != "":
                names[stems(words)].append(Sense(table.name, amount, cost=cost))
        for words, sense in _named_in(table, semantics):
            names[stems(words)].append(sense)
        for column in table.columns:
            for words, value in own_words(column, told_by.get(table.name, ())):
                values[words].append(Sense(table.name, column.name, value))
            for words, value in single_names(table.name, column):
                values[words].append(Sense(table.name, column.name, value, SINGLE_NAME))
    told = list(_defined_values(semantics, catalog))
    told += [(words, sense) for words, sense in _short_names(catalog) if not (words in values or stems(words) in names)]
    told += [(words, Sense(*of, cost=SINGLE_NAME)) for words, of in short_labels(catalog) if stems(words) not in names]
    for words, sense in told:
        values[words].append(sense)
    lines = {metric_field(metric): metric for metric in line_values(catalog, semantics)}
    for line, metric in lines.items():
        names[stems(metric.name.split())].append(Sense(line.table, line.column))
    return Lexicon(
        catalog,
        Links.of(catalog),
        {table.name: table for table in catalog.tables},
        {
            key: _cheapest(_named_so(key, all_))
            for key, all_ in _with_defined(names, values, semantics, catalog).items()
        },
        {key: tuple(dict.fromkeys(senses)) for key, senses in values.items()},
        spellings=_spellings(catalog, (words for words, all_ in values.items() if any(not s.cost for s in all_))),
        semantics=semantics,
        metrics={**metrics_of(semantics), **lines},
        terms=terms_of(semantics),
        defined=defined_phrases(semantics, catalog),
        spread=spread_names(semantics),
    )


def _defined_values(semantics: Semantics, catalog: Catalog) -> Iterator[tuple[tuple[str, ...], Sense]]:
    """Yield the values that the file words, and the adjectives of its terms; a term's own name is no value."""
    kinds = {(words, kind.table) for words, kind in term_names(semantics)}
    for words, held, value in defined_values(semantics, catalog):
        if (words, held.table) not in kinds:
            yield words, Sense(held.table, held.column, value)
    for words, kind in adjectives(semantics):
        yield words, Sense(kind.table, kind.column, True, cost=ADJECTIVE)


def _short_names(catalog: Catalog) -> Iterator[tuple[tuple[str, ...], Sense]]:
    """Yield what single things are called for short."""
    for table in catalog.tables:
        for column in table.columns:
            short = short_names(table.name, column)
            yield from ((words, Sense(table.name, column.name, value, SINGLE_NAME)) for words, value in short)


def _named_in(table: Table, semantics: Semantics) -> Iterator[tuple[tuple[str, ...], Sense]]:
    """The columns of a table, and the times between its days."""
    told = {keys(wording.word) for wording in semantics.wordings}
    for column in table.columns:
        unit = semantics.units.get(f"{table.name}.{column.name}")
        scaled = read_in_unit(column) if unit and unit.scale != 1.0 else ()
        for words, cost in (*column_names(table, column), *scaled):
            if cost != ENDED or words not in told:
                yield words, Sense(table.name, column.name, cost=cost)
    for words, between in span_names(table, semantics.dates.get(table.name, "")):
        yield words, Sense(table.name, between.column, cost=SPANNED)


def _with_defined(
    names: dict[tuple[str, ...], list[Sense]],
    values: Collection[tuple[str, ...]],
    semantics: Semantics,
    catalog: Catalog,
) -> dict[tuple[str, ...], list[Sense]]:
    """Add the names of the file; a defined phrase means nothing else, unless it names a table."""
    defined: defaultdict[tuple[str, ...], list[Sense]] = defaultdict(list)
    for words, table, column in defined_names(semantics, catalog):
        defined[stems(words)].append(Sense(table, column))
    for words, kind in term_names(semantics):
        cost = 0.0 if kind.column.removeprefix(KIND) in {term.name for term in semantics.terms} else KIND_OF_METRIC
        defined[stems(words)].append(Sense(kind.table, kind.column, True, cost))
    tables_of = {stems(words): table for words, table in heads(semantics) if words not in values}
    for key, name in tables_of.items():
        if key not in defined and not any(sense.cost < PARTIAL for sense in names.get(key, ())):
            defined[key] = [Sense(name, cost=HEAD)]
    tables = {key: [sense for sense in names.get(key, ()) if not (sense.column or sense.cost)] for key in defined}
    return {**names, **{key: [*tables[key], *senses] for key, senses in defined.items()}}


def _named_so(key: tuple[str, ...], senses: Sequence[Sense]) -> Iterator[Sense]:
    """Yield the senses of a phrase; with a table of that very name, no related word for the columns of others."""
    tables = {sense.table for sense in senses if sense.column is None and not sense.cost}
    for sense in senses:
        related = sense.column is not None and sense.cost > 0 and sense.table not in tables
        if not (tables and related and not set(key) & set(stems(name_parts(sense.column or "")))):
            yield sense


def _cheapest(senses: Iterable[Sense]) -> tuple[Sense, ...]:
    best: dict[tuple[str, str | None], Sense] = {}
    for sense in sorted(senses, key=lambda s: s.cost):
        best.setdefault((sense.table, sense.column), sense)
    return _only_so_called(tuple(best.values()))


def _only_so_called(senses: tuple[Sense, ...]) -> tuple[Sense, ...]:
    """Let the last word of a table's name stand for it: “purchases” of `iap_purchases`."""
    near = [sense for sense in senses if sense.cost < PARTIAL]
    if len(near) != 1 or near[0].column is not None or near[0].cost < TAIL:
        return senses
    return tuple(replace(sense, cost=TAIL) if sense is near[0] else sense for sense in senses)


def _spellings(catalog: Catalog, values: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    named = {part for table in catalog.tables for part in name_parts(table.name)}
    named |= {part for table in catalog.tables for column in table.columns for part in name_parts(column.name)}
    said = {words[0] for words in values if len(words) == 1}
    return tuple(sorted(word for word in named | said if len(word) >= _SHORTEST_FUZZY))


def _keys_to(catalog: Catalog) -> dict[str, list[str]]:
    """The columns that identify a row of each table, here and where other tables refer to it."""
    found = {
        table.name.lower(): list(table.primary_key[:1] * (len(table.primary_key) == 1)) for table in catalog.tables
    }
    for table in catalog.tables:
        for key in table.foreign_keys:
            if len(key.columns) == 1 and key.target_table.lower() in found:
                found[key.target_table.lower()].append(key.columns[0])
    return found
