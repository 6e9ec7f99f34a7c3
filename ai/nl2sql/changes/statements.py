"""The SQL of figures and of their sums by groups."""

from datetime import date

from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Meaning
from ai.nl2sql.writer import write_sql
from ai.nl2sql.writer.select import tree_of


def figure_sql(meaning: Meaning, lexicon: Lexicon, today: date) -> str:
    return write_sql(meaning, lexicon, today)


def sums_sql(meaning: Meaning, lexicon: Lexicon, today: date) -> str:
    """Keep rows without a parent: the parts must add up to the whole."""
    tree = tree_of(meaning, lexicon, today)
    for join in tree.args.get("joins") or ():
        join.set("side", "LEFT")
    return tree.sql(dialect=lexicon.catalog.dialect, pretty=True)
