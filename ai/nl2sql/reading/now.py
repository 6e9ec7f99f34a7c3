"""“Right now”, “still”: the rows whose end has not come."""

from ai.nl2sql.meaning import Field, Filter
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.schema import dates, title
from ai.nl2sql.vocabulary import words_of
from ai.nl2sql.words import name_parts

NOW = frozenset("current currently still presently now moment".split())


def unended(sketch: Sketch) -> None:
    """Keep the rows without a day of their end, where a word of now picks nothing else."""
    meaning = sketch.meaning
    counted = {measure.table for measure in meaning.all_measures}
    tables = counted or {meaning.subject}
    plain = all(measure.function == "count" and measure.column is None for measure in meaning.all_measures)
    if not plain or len(tables) != 1 or not meaning.subject or not _said(sketch):
        return
    table = next(iter(tables))
    if any(test.field.table == table for test in meaning.conditions):
        return
    if end := _end(sketch, table):
        sketch.edit(filters=(*meaning.filters, Filter(end, "null")))
        sketch.assume(f"those of now have no {title(end)}")


def _said(sketch: Sketch) -> bool:
    """Whether a word of now was read as mere grammar; “now” opens many a message."""
    read = {at for part in sketch.cover.parts if part.kind != "flag" for at in range(part.start, part.end)}
    words = [word.key for word in sketch.lattice.words]
    return any(word in NOW and at not in read and (word != "now" or at > 1) for at, word in enumerate(words))


def _end(sketch: Sketch, table: str) -> Field | None:
    """Return the only column for the day on which a row ends."""
    ends = {word for line in words_of("over") for word in line.split()}
    found = [c for c in dates(sketch.lexicon.table(table)) if c.nullable and ends & set(name_parts(c.name))]
    return Field(table, found[0].name) if len(found) == 1 else None
