"""Ranks without what has no value: a column that may be empty is no first."""

from collections.abc import Sequence

from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Filter, Group
from ai.nl2sql.reading.sketch import Sketch


def keep_known(sketch: Sketch, groups: Sequence[Group]) -> None:
    sketch.edit(filters=tuple(dict.fromkeys((*sketch.meaning.filters, *only_known(sketch.lexicon, groups)))))


def only_known(lexicon: Lexicon, groups: Sequence[Group]) -> list[Filter]:
    """Return the conditions that rank no rows without a value."""
    fields = [Field(g.table, g.column) for g in groups if g.column and not g.unit and not g.column.startswith("=")]
    return [Filter(field, "not null") for field in fields if lexicon.column(field).nullable]
