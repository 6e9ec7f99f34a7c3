"""Results of a language model's queries in words: by template where one can say it, and the model's own words made safe.

A template says what one row, one column, or names with a figure each hold; every number in it is a cell. The names of the
columns are all that it knows of the query.
"""

from collections.abc import Iterator
from decimal import Decimal

from ai.analysts.replies import unaddressed
from ai.answers.phrase import Asked, literal, phrase
from ai.language.words import plural
from ai.results.table import ResultTable

LONGEST = 800  # characters of an answer in words
BOLD = "**"


def is_simple(table: ResultTable) -> bool:
    """Whether a template says all there is to say."""
    return table.row_count <= 1 or len(table.columns) == 1 or _is_ranking(table)


def by_template(table: ResultTable) -> Iterator[str]:
    """The result, sentence by sentence."""
    names = tuple(_words(column.name) for column in table.columns)
    if table.row_count == 1:
        return phrase(Asked("figures", "rows", "row", names), table)
    if len(names) == 1:
        return phrase(Asked("list", plural(names[0]), names[0]), table)
    if _is_ranking(table):
        return phrase(Asked("groups", "rows", "row", names[-1:], "rows", "row"), table)
    return phrase(Asked("list", "rows", "row"), table)


def made_safe(text: str) -> str:
    """A model's words as our Markdown: bold stays, all else is shown as it is; no links and no mentions."""
    plain = unaddressed(text)[:LONGEST]
    parts = plain.split(BOLD)
    if len(parts) % 2 == 0:
        parts = ["".join(parts)]
    return BOLD.join(map(_escaped, parts))


def _escaped(part: str) -> str:
    """One piece, with the spaces at its ends that `literal` drops."""
    words = part.strip()
    start = part.index(words)
    return part[:start] + literal(words) + part[start + len(words) :]


def _is_ranking(table: ResultTable) -> bool:
    """Names and one figure behind them."""
    if len(table.columns) < 2 or not table.rows:
        return False
    last = [row[-1] for row in table.rows if row[-1] is not None]
    others = (cell for row in table.rows for cell in row[:-1])
    return bool(last) and all(map(_is_figure, last)) and not any(map(_is_figure, others))


def _is_figure(cell: object) -> bool:
    return isinstance(cell, int | float | Decimal) and not isinstance(cell, bool)


def _words(name: str) -> str:
    return " ".join(name.replace("_", " ").split()) or "value"
