"""Says results of a model's queries: by template where possible, else in its words made safe."""

from collections.abc import Iterator
from decimal import Decimal

from ai.analysts.port import Draft, Question
from ai.analysts.replies import unaddressed
from ai.answers.phrase import literal, phrase
from ai.answers.view import viewed
from ai.results.table import ResultTable

LONGEST = 800  # characters of an answer in words
BOLD = "**"


def is_simple(table: ResultTable) -> bool:
    return table.row_count <= 1 or len(table.columns) == 1 or _is_ranking(table)


def by_template(question: Question, draft: Draft, table: ResultTable) -> Iterator[str]:
    """Say a result from its cells and the facts of its SQL."""
    yield phrase(viewed(draft.sql, table, question.catalog, question.semantics, question.today, question.text))


def made_safe(text: str) -> str:
    """Turn a model's words into our Markdown: bold stays, links and mentions go."""
    plain = unaddressed(text)[:LONGEST]
    parts = plain.split(BOLD)
    if len(parts) % 2 == 0:
        parts = ["".join(parts)]
    return BOLD.join(map(_escaped, parts))


def _escaped(part: str) -> str:
    words = part.strip()
    start = part.index(words)
    return part[:start] + literal(words) + part[start + len(words) :]


def _is_ranking(table: ResultTable) -> bool:
    if len(table.columns) < 2 or not table.rows:
        return False
    last = [row[-1] for row in table.rows if row[-1] is not None]
    others = (cell for row in table.rows for cell in row[:-1])
    return bool(last) and all(map(_is_figure, last)) and not any(map(_is_figure, others))


def _is_figure(cell: object) -> bool:
    return isinstance(cell, int | float | Decimal) and not isinstance(cell, bool)
