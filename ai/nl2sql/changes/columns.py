"""Which columns may explain a figure: those of its table and of tables one many-to-one key away."""

from collections.abc import Iterator

from ai.nl2sql.lexicon import Lexicon, truths
from ai.nl2sql.meaning import Field
from ai.nl2sql.schema import display, is_numeric
from ai.nl2sql.words import name_parts
from ai.sql.catalog import Column, Table

MOST_VALUES, MOST_DIMENSIONS, MOST_QUANTITIES = 60, 7, 3


def dimensions(lexicon: Lexicon, table: str) -> tuple[Field, ...]:
    """Return the dimensions of a figure over this table, its own before those of others."""
    found = list(_of(lexicon, lexicon.table(table), own=True))
    for link in lexicon.links.steps.get(table, ()):
        if not link.many and len(lexicon.links.rivals(link)) == 1 and link.target != table:
            found += _of(lexicon, lexicon.table(link.target), own=False)
    return tuple(dict.fromkeys(found))[:MOST_DIMENSIONS]


def quantities(lexicon: Lexicon, table: str) -> tuple[Field, ...]:
    """Return the whole numbers of a table that may count what is sold."""
    columns = (column for column in lexicon.table(table).columns if column.kind == "integer")
    fields = (Field(table, column.name) for column in columns)
    return tuple(field for field in fields if is_numeric(lexicon, field))[:MOST_QUANTITIES]


def _of(lexicon: Lexicon, table: Table, *, own: bool) -> Iterator[Field]:
    """Yield columns with few words; names of rows only where the rows are few."""
    few = table.row_estimate is not None and table.row_estimate <= MOST_VALUES
    naming = display(lexicon, table.name)
    for column in table.columns:
        field = Field(table.name, column.name)
        if column.personal or _refers(table, column):
            continue
        is_name = field in naming and not own and few and column.kind == "text"
        if is_name or 1 < len(column.values) <= MOST_VALUES or (truths(column) and column.kind != "text"):
            yield field


def _refers(table: Table, column: Column) -> bool:
    """Return whether a column names a row; one of several key columns may be a dimension."""
    referring = {name.lower() for key in table.foreign_keys for name in key.columns}
    is_own = (column.name,) == table.primary_key
    return is_own or column.name.lower() in referring or name_parts(column.name)[-1:] == ("id",)
