"""What is said of rows that only share a parent with those asked about: experiments run, no trials of the same app."""

from itertools import pairwise

from ai.nl2sql.items import PARTLY, Item
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.schema import noun, title


def loosely_linked(sketch: Sketch) -> None:
    """A column of a table that is not named, and only shares a parent with the rows, is rarely meant."""
    meaning = sketch.meaning
    root = meaning.root
    said = {
        item.sense.table
        for items in sketch.lattice.items.values()
        for item in items
        if item.sense and _names_table(item)
    }
    shown = {group.table for group in meaning.groups} | {m.table for m in meaning.all_measures} | said
    tests = [(root, test.field) for test in meaning.conditions if root]
    nouns = [str(part.data) for part in sketch.parts("noun")][:1]
    for table, field in (*tests, *((table, column) for table in nouns for column in meaning.columns)):
        path = sketch.lexicon.links.path(table, field.table) or ()
        shared = any(step.many and not before.many for before, step in pairwise(path))
        if shared and field.table not in shown:
            things, others = noun(sketch.lexicon, table), noun(sketch.lexicon, field.table)
            sketch.doubt(f"I cannot tell what {title(field)} of {others} says of {things}.")
            return


def _names_table(item: Item) -> bool:
    return item.sense is not None and item.kind == "table" and item.cost < PARTLY
