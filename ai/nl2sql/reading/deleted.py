"""Rows marked as deleted: they count only where a question speaks of them."""

from ai.nl2sql.meaning import Field, Filter
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.schema import noun
from ai.nl2sql.spans import ENDS_OF_NAMES
from ai.nl2sql.values import truths
from ai.nl2sql.words import name_parts

DELETED = frozenset({("deleted",), ("is", "deleted"), ("deleted", "flag"), ("deleted", "yn")})


def without_deleted(sketch: Sketch) -> None:
    """Leave out the deleted rows of what is computed or listed."""
    meaning, lexicon = sketch.meaning, sketch.lexicon
    if not meaning.root or any(word.stem == "delet" for word in sketch.lattice.words):
        return
    for column in lexicon.table(meaning.root).columns:
        parts = tuple(part for part in name_parts(column.name) if part not in ENDS_OF_NAMES)
        field = Field(meaning.root, column.name)
        no = [value for value, truth in truths(column) if not truth]
        dated = column.kind in ("date", "datetime") and column.nullable
        if parts in DELETED and (no or dated) and all(test.field != field for test in meaning.filters):
            kept = Filter(field, "=", (no[0],)) if no else Filter(field, "null")
            sketch.edit(filters=(*meaning.filters, kept))
            sketch.assume(f"deleted {noun(lexicon, meaning.root)} are left out")
            return
