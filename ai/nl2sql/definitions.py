"""What the semantics file adds to the words of a database: synonyms, metrics and wordings, as phrases and what they name.

A metric is read like a number column of its table whose name begins with "=", as a formula does: everything that can be
asked of a total can then be asked of it, and nothing that can be asked of a single row. A term is read like a yes/no
column of its table whose name begins with "?".
"""

from collections.abc import Iterator

from ai.nl2sql.meaning import Field, Scalar
from ai.nl2sql.words import keys
from ai.sql.catalog import Catalog, Column
from ai.sql.semantics import Metric, Semantics, Term

FORMULA = "="
KIND = "?"
Named = tuple[tuple[str, ...], str, str | None]  # lower-case words, table, column
_TRUE = frozenset({"1", "true", "t", "yes", "y"})


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
    return {term_field(term): term for term in semantics.terms}


def term_column(term: Term) -> Column:
    return Column(KIND + term.name, "", "boolean", nullable=False, comment=term.description)


def term_names(semantics: Semantics) -> Iterator[tuple[tuple[str, ...], Field]]:
    for term in semantics.terms:
        for phrase in (term.name, *term.synonyms):
            yield keys(phrase), term_field(term)


def metrics_of(semantics: Semantics) -> dict[Field, Metric]:
    """The metrics by the column that stands for each."""
    return {metric_field(metric): metric for metric in semantics.metrics}


def as_column(metric: Metric) -> Column:
    """The number column that stands for a metric."""
    return Column(FORMULA + metric.name, "", "number", comment=metric.description)


def defined_names(semantics: Semantics, catalog: Catalog) -> Iterator[Named]:
    """The phrases that name a table, a column or a metric."""
    for metric in semantics.metrics:
        for phrase in (metric.name, *metric.synonyms):
            yield keys(phrase), metric.table, FORMULA + metric.name
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
            yield keys(wording.word), Field(table.name, column.name), _as_held(wording.value, column)


def _as_held(value: str, column: Column) -> Scalar:
    if column.kind == "boolean":
        return value.lower() in _TRUE
    if column.kind == "integer":
        return int(value)
    return float(value) if column.kind == "number" else value
