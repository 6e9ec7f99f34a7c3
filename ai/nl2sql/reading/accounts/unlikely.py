"""Checks for unlikely readings: one end of two, the days of another thing, the number of a thing named."""

from ai.nl2sql.chart.parts import Rank
from ai.nl2sql.meaning import Field, Period
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.schema import display, noun, title
from ai.nl2sql.spans import DATED
from ai.nl2sql.values import is_month
from ai.nl2sql.words import name_parts

BOTH_ENDS = "Ask for the lowest and the highest one after the other."


def _one_end(sketch: Sketch) -> None:
    """“smallest and largest bill”: two ranks are no single one."""
    ranks = [part.data for part in sketch.parts("rank") if isinstance(part.data, Rank)]
    if len({rank.descending for rank in ranks}) > 1 and len(sketch.meaning.all_measures) < len(ranks):
        sketch.doubt(BOTH_ENDS)


def _months_of_another(sketch: Sketch) -> None:
    """“data used in October”: rows with a month of their own are not of the days of their parents."""
    for table in {measure.table for measure in sketch.meaning.all_measures}:
        others = [period for period in sketch.meaning.periods if period.field.table != table]
        own = next((c.name for c in sketch.lexicon.table(table).columns if is_month(c)), "") if others else ""
        if own:
            sketch.doubt(f"I cannot read the {title(Field(table, own))} of {noun(sketch.lexicon, table)} as a time.")


def _days_counted(sketch: Sketch) -> None:
    """“visitors” are no rows with a visit date."""
    for part in sketch.parts("measure"):
        for test in getattr(part.data, "filters", ()):
            if isinstance(test, Period) or test.operator != "not null":
                continue
            column = sketch.lexicon.column(test.field)
            if column.kind in DATED and (part.note or not column.nullable):
                sketch.doubt(f"I cannot tell what “{part.said}” counts here.")


def _newest_kind(sketch: Sketch) -> None:
    """“newest acquisition” is no kind of acquisition."""
    meaning = sketch.meaning
    ranks = [part.data for part in sketch.parts("rank") if isinstance(part.data, Rank)]
    keys = [rank.key for rank in ranks if isinstance(rank.key, Field)]
    if not meaning.limit or not keys or sketch.lexicon.column(keys[0]).kind not in DATED or sketch.parts("noun"):
        return
    for part in sketch.parts("attribute"):
        field = part.data
        if (
            isinstance(field, Field)
            and field not in display(sketch.lexicon, field.table)
            and _is_part(part.said, field)
        ):
            kind = sketch.lexicon.column(field)
            if len(kind.values) > 1:
                sketch.doubt(f"I cannot tell what “{part.said}” names here; say what you want to see.")


def _is_part(said: str, field: Field) -> bool:
    return len(said.split()) < len(name_parts(field.column))


UNLIKELY = (_one_end, _months_of_another, _days_counted, _newest_kind)
