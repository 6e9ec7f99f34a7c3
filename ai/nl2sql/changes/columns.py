"""Find the columns to explain a figure: those of its table and of tables one many-to-one key away."""

import re
from collections.abc import Iterator

from ai.nl2sql.additivity import held
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Measure
from ai.nl2sql.schema import display, is_numeric, unit_of
from ai.nl2sql.values import truths
from ai.nl2sql.vocabulary import MEASURED_IN
from ai.nl2sql.words import name_parts, singular
from ai.sql.catalog import Column, Table

MOST_VALUES, MOST_DIMENSIONS, MOST_QUANTITIES = 60, 7, 3
MOST_LOADED = 30  # values of a column whose rows may come in separate loads
OWN_NAMES = frozenset(
    "surname lastname firstname forename fullname nachname vorname familienname nom prenom apellido apellidos"
    " cognome".split()
)
PERSONS = frozenset(
    "person employee mitarbeiter kunde customer client patient member user student teacher lehrer agent driver".split()
)
NAMED = frozenset("first last family given full maiden middle".split())  # before “name”, a person's
UNIT_NAMES = frozenset("usd eur gbp chf jpy amount revenue price fee cost value sales total net gross".split())
AMOUNTS = frozenset(
    "betrag umsatz preis kosten erloes erlös minutes minuten hours stunden duration dauer weight".split()
)
COUNTED = frozenset("quantity qty menge anzahl count number num units pieces stueck stück".split())


def dimensions(lexicon: Lexicon, table: str) -> tuple[Field, ...]:
    """Return all dimensions of a figure over this table, its own before those of others."""
    found = list(_of(lexicon, lexicon.table(table), own=True)) or list(_unsampled(lexicon.table(table)))
    for link in lexicon.links.steps.get(table, ()):
        if not link.many and len(lexicon.links.rivals(link)) == 1 and link.target != table:
            found += _of(lexicon, lexicon.table(link.target), own=False)
    return tuple(dict.fromkeys(found))


def is_loaded(lexicon: Lexicon, field: Field) -> bool:
    """Whether silence of a value may be a missing load: values are few, and no people."""
    return not {*name_parts(field.column)} & PERSONS and len(lexicon.column(field).values) <= MOST_LOADED


def _names_people(name: str) -> bool:
    parts = name_parts(name)
    return bool(OWN_NAMES & {*parts}) or (parts[-1:] == ("name",) and bool(NAMED & {*parts}))


def quantities(lexicon: Lexicon, table: str) -> tuple[Field, ...]:
    """Return the whole numbers of a table, possible counts of things sold."""
    fields = (Field(table, column.name) for column in lexicon.table(table).columns if column.kind == "integer")
    counted = (field for field in fields if is_numeric(lexicon, field) and not _is_amount(lexicon, field))
    return tuple(field for field in counted if not held(Measure("sum", table, field.column), lexicon))[:MOST_QUANTITIES]


def has_price(lexicon: Lexicon, measure: Measure) -> bool:
    """Whether a sum is an amount, as of money or time, rather than a number of things."""
    field = Field(measure.table, measure.column or "")
    metric = lexicon.metrics.get(field)
    if metric is None:
        return measure.function == "sum" and _is_amount(lexicon, field)
    columns = lexicon.table(metric.table).columns
    named = [column for column in columns if re.search(rf"\b{re.escape(column.name)}\b", metric.expression)]
    return any(_is_amount(lexicon, Field(metric.table, column.name)) for column in named)


def _is_amount(lexicon: Lexicon, field: Field) -> bool:
    parts = name_parts(field.column)
    column = lexicon.column(field)
    named = {*parts} & (AMOUNTS | MEASURED_IN | UNIT_NAMES)
    unit = unit_of(lexicon, field)
    plain = singular(parts[-1]) == parts[-1] and not {*parts} & COUNTED
    return column.kind in ("integer", "number") and bool(named or unit or column.kind == "number" or plain)


def _unsampled(table: Table) -> Iterator[Field]:
    """Yield texts of a table whose values the asker may not know beforehand, as where rows are hidden."""
    texts = (column for column in table.columns if column.kind == "text" and not column.personal)
    if not any(column.values for column in table.columns):
        yield from (Field(table.name, column.name) for column in texts if not _refers(table, column))


def _of(lexicon: Lexicon, table: Table, *, own: bool) -> Iterator[Field]:
    """Yield columns with few words; names of rows only where the rows are few."""
    few = table.row_estimate is not None and table.row_estimate <= MOST_VALUES
    naming = display(lexicon, table.name)
    for column in table.columns:
        field = Field(table.name, column.name)
        if column.personal or _refers(table, column) or _names_people(column.name):
            continue
        is_name = field in naming and not own and few and column.kind == "text"
        if is_name or 1 < len(column.values) <= MOST_VALUES or (truths(column) and column.kind != "text"):
            yield field


def _refers(table: Table, column: Column) -> bool:
    """Whether a column names a row; one of several key columns may be a dimension."""
    referring = {name.lower() for key in table.foreign_keys for name in key.columns}
    is_own = (column.name,) == table.primary_key
    return is_own or column.name.lower() in referring or name_parts(column.name)[-1:] == ("id",)
