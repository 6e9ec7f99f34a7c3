"""Units after a figure: the one that it has anyway is left out (“in pounds”), “per install” divides it."""

import re
from collections.abc import Iterator

from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Meaning
from ai.nl2sql.schema import called, is_numeric, unit_of
from ai.nl2sql.vocabulary import units
from ai.nl2sql.words import name_parts, plural

IN_UNIT = re.compile(r"(?<=\w)[ ,]+(?:but )?in (?:full |whole )?(?P<unit>[^\W\d_]+)(?: please)?[?.! ]*$", re.IGNORECASE)

DAILY = {"daily": "day", "weekly": "week", "monthly": "month", "quarterly": "quarter", "yearly": "year"}
PER = re.compile(r"^(?:and |so |ok |but |now )*per (?P<of>[^\W\d_]+)[?.! ]*$", re.IGNORECASE)

ALONG = re.compile(
    r"^(?:and |so |ok |but |now |show )*(?:(?:by|per|each|every) (?P<unit>day|week|month|quarter|year)"
    r"|(?P<daily>daily|weekly|monthly|quarterly|yearly)|(?P<twice>day|week|month|quarter|year) by (?P=twice))"
    r" (?:for|of) (?:these|those|them|each of them|the top (?:\d+|two|three|five|ten))(?: [^\W\d_]+)?[?.! ]*$",
    re.IGNORECASE,
)


def in_own_unit(text: str, before: Meaning, lexicon: Lexicon) -> str:
    """Return a message without the unit of the figure before; “per install” and “monthly for these” with the figure."""
    text = _divided(text, before, lexicon) or _along_time(text, before, lexicon) or text
    found = IN_UNIT.search(text)
    if found is None:
        return text
    said = found["unit"].lower()
    family = next((family for family in units() if said in family), frozenset((said,)))
    return text[: found.start()] if family & set(_units_of(before, lexicon)) else text


def _divided(text: str, before: Meaning, lexicon: Lexicon) -> str:
    """Return “revenue per install” for “per install” after a revenue with installs beside it: those are no groups."""
    found = PER.match(text)
    figure = before.measures[0] if found and len(before.measures) == 1 else None
    if found is None or figure is None or figure.function != "sum" or figure.column is None:
        return ""
    columns = (Field(figure.table, column.name) for column in lexicon.table(figure.table).columns)
    beside = [field for field in columns if name_parts(field.column) == (plural(found["of"].lower()),)]
    divides = beside and is_numeric(lexicon, beside[0])
    return f"{called(lexicon, Field(figure.table, figure.column))} per {found['of']}" if divides else ""


def _along_time(text: str, before: Meaning, lexicon: Lexicon) -> str:
    """Return “their revenue by month” for “monthly for these” after a ranking by revenue."""
    found = ALONG.match(text) if (before.limit or 1) > 1 and len(before.all_measures) == 1 else None
    figure = before.all_measures[0] if found else None
    if found is None or figure is None or not figure.column or figure.function not in ("sum", "metric"):
        return ""
    unit = found["unit"] or found["twice"] or DAILY[found["daily"].lower()]
    return f"their {called(lexicon, Field(figure.table, figure.column)).lstrip('=')} by {unit}"


def _units_of(before: Meaning, lexicon: Lexicon) -> Iterator[str]:
    for figure in before.all_measures:
        field = Field(figure.table, figure.column or "")
        metric = lexicon.metrics.get(field)
        unit = metric.unit if metric else (known.unit if (known := unit_of(lexicon, field)) else "")
        yield unit.lower()
        yield from name_parts(field.column)[-1:] if not metric else ()
