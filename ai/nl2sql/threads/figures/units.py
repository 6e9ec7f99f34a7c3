"""Leave out the unit that a figure has anyway: “only London clients, in pounds” after revenue in pounds."""

import re
from collections.abc import Iterator

from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Meaning
from ai.nl2sql.schema import unit_of
from ai.nl2sql.vocabulary import units
from ai.nl2sql.words import name_parts

IN_UNIT = re.compile(r"(?<=\w)[ ,]+(?:but )?in (?:full |whole )?(?P<unit>[^\W\d_]+)(?: please)?[?.! ]*$", re.IGNORECASE)


def in_own_unit(text: str, before: Meaning, lexicon: Lexicon) -> str:
    """Return a message without the unit of the figure before."""
    found = IN_UNIT.search(text)
    if found is None:
        return text
    said = found["unit"].lower()
    family = next((family for family in units() if said in family), frozenset((said,)))
    return text[: found.start()] if family & set(_units_of(before, lexicon)) else text


def _units_of(before: Meaning, lexicon: Lexicon) -> Iterator[str]:
    for figure in before.all_measures:
        field = Field(figure.table, figure.column or "")
        metric = lexicon.metrics.get(field)
        unit = metric.unit if metric else (known.unit if (known := unit_of(lexicon, field)) else "")
        yield unit.lower()
        yield from name_parts(field.column)[-1:] if not metric else ()
