"""What codes are called by tables of codes: short forms of it, and what such a table names for other columns."""

from collections import Counter, defaultdict
from collections.abc import Container, Iterator

from ai.nl2sql.grammar import kinds_of
from ai.nl2sql.meaning import Scalar
from ai.nl2sql.values import SHORT, words_of_values
from ai.nl2sql.words import keys
from ai.sql.catalog import Catalog, Column


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
