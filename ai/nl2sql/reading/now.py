"""“Right now”, “still”: the rows whose end has not come."""

from ai.nl2sql.meaning import Field, Filter
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.schema import dates, title
from ai.nl2sql.vocabulary import words_of
from ai.nl2sql.words import name_parts

PHRASES = {"now": 1, "moment": 2}  # words before them: “right now”, “at the moment”
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
    end = _end(sketch, table)
    if end and all(test.field != end for test in meaning.conditions):
        sketch.edit(filters=(*meaning.filters, Filter(end, "null")))
        sketch.assume(f"those of now have no {title(end)}")


def _said(sketch: Sketch) -> bool:
    """Whether a word of now was read as mere grammar; “now” opens many a message."""
    read = {at for part in sketch.cover.parts if part.kind != "flag" for at in range(part.start, part.end)}
    states = {at for part in sketch.parts("filter") for at in range(part.start - 1, part.end + 1)}
    for at, word in enumerate(sketch.lattice.words):
        begins = at - PHRASES.get(word.key, 0)
        if word.key in NOW and at not in read and begins not in states and (word.key != "now" or at > 1):
            return True
    return False


def _end(sketch: Sketch, table: str) -> Field | None:
    """Return the only column for the day on which a row ends."""
    ends = {word for line in words_of("over") for word in line.split()}
    found = [c for c in dates(sketch.lexicon.table(table)) if c.nullable and ends & set(name_parts(c.name))]
    return Field(table, found[0].name) if len(found) == 1 else None
