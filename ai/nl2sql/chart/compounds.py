"""Rows called by two names, the first in the singular: “meter readings” are readings."""

from collections.abc import Iterator

from ai.nl2sql.chart.figures import table_named
from ai.nl2sql.chart.parts import Part, Wanted
from ai.nl2sql.chart.rules import Rule, Run
from ai.nl2sql.chart.shape import part_of
from ai.nl2sql.lattice import Item
from ai.nl2sql.meaning import Measure
from ai.nl2sql.words import singular

COMPOUND = 0.1


def _described(run: Run, first: Item, last: Item) -> str:
    """Return the table of the last name, "" unless each of its rows has one of the first."""
    word, table = run.lattice.words[first.end - 1].key, table_named(last)
    path = run.lexicon.links.path(table, table_named(first)) or ()
    return table if path and singular(word) == word and not any(link.many for link in path) else ""


def counted(run: Run) -> Iterator[Part]:
    """“number of meter readings”."""
    if table := _described(run, run.item(1), run.item(2)):
        yield part_of(run, "measure", Wanted(Measure("count", table)), COMPOUND, frozenset({table}))


def rows(run: Run) -> Iterator[Part]:
    """“meter readings”."""
    if table := _described(run, run.item(0), run.item(1)):
        yield part_of(run, "noun", table, COMPOUND, frozenset({table}))


COUNTED = (Rule("count table ~table", counted),)
ROWS = (Rule("table ~table", rows),)
