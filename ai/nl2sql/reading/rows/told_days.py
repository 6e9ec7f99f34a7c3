"""“… and when”, “with date”: show the day of each row beside its other columns."""

from ai.nl2sql.definitions import is_metric
from ai.nl2sql.lasting import deed_day
from ai.nl2sql.meaning import Field
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.schema import days
from ai.nl2sql.spans import DATED, dates, is_span

DATES = frozenset({"date", "dates"})
NEAR = 4  # words between “when” and its verb


def with_day(sketch: Sketch) -> None:
    """Add the fitting day where one is asked for and none is shown."""
    meaning = sketch.meaning
    told = [part for part in sketch.flags("unit") if part.said.lower() in DATES and part.start not in sketch.used]
    asked = [part for part in sketch.flags("when") if part.start > 0]
    if not (told or asked) or meaning.measures or meaning.groups or not meaning.columns or meaning.distinct:
        return
    if any(_is_day(sketch, field) for field in meaning.columns) and not told:
        return
    day = _fitting(sketch, (told or asked)[0].end)
    if day is None or day in meaning.columns:
        return
    sketch.used |= {part.start for part in told}
    sketch.edit(columns=(*meaning.columns, day))


def _is_day(sketch: Sketch, field: Field) -> bool:
    return not is_metric(field) and not is_span(field) and sketch.lexicon.column(field).kind in DATED


def _fitting(sketch: Sketch, end: int) -> Field | None:
    """Return the day of the verb behind “when”, else the one the conditions or the order are about."""
    meaning, table = sketch.meaning, sketch.lexicon.table(sketch.meaning.subject)
    said = (deed_day(table, word.key) for word in sketch.lattice.words[end : end + NEAR])
    if done := next(filter(None, said), ""):
        return Field(table.name, done)
    about = [period.field for period in meaning.periods]
    about += [test.field for test in meaning.filters if test.operator == "not null" or test.other]
    about += [each.key for each in meaning.order if isinstance(each.key, Field)]
    about = [field for field in dict.fromkeys(about) if field.table in sketch.lexicon.tables and _is_day(sketch, field)]
    if about:
        return about[0] if len(about) == 1 else None
    own = [Field(table.name, column.name) for column in dates(table)]
    told = own if len(own) == 1 else days(sketch.lexicon, table.name)
    return told[0] if len(told) == 1 and told[0].table == table.name else None
