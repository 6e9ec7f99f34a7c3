"""Says results of a model's queries: by template where possible, else in its words made safe."""

from collections.abc import Iterator
from decimal import Decimal

from ai.analysts.port import Draft, Question
from ai.analysts.unaddressed import unaddressed
from ai.answers.filled import written
from ai.answers.naming import Names
from ai.answers.phrase import literal, phrase
from ai.answers.view import View, view_of
from ai.language.texts import locale_for
from ai.results.table import ResultTable
from ai.sql.facts import facts_of

LONGEST = 800  # characters of an answer in words
BOLD = "**"


def is_simple(table: ResultTable) -> bool:
    return table.row_count <= 1 or len(table.columns) == 1 or _is_ranking(table)


def by_template(question: Question, draft: Draft, table: ResultTable) -> Iterator[str]:
    """Say a result from its cells and the facts of its SQL."""
    yield phrase(_view(question, draft, table))


def by_model(text: str, question: Question, draft: Draft, table: ResultTable) -> str:
    """Fill the slots of a model's text; a template stands for what is not proved."""
    view = _view(question, draft, table)
    computed = phrase(view)
    words = unaddressed(text)[:LONGEST]
    return written(words, view.sheet, question=question.text, computed=computed, said=made_safe, shown=literal).text


def made_safe(words: str) -> str:
    """Escape a model's words; bold stays."""
    return BOLD.join(map(_literal, words.split(BOLD)))


def _literal(words: str) -> str:
    """Escape words and keep the white space around them."""
    inner = words.strip()
    start = words.index(inner)
    return words[:start] + literal(inner) + words[start + len(inner) :]


def _view(question: Question, draft: Draft, table: ResultTable) -> View:
    catalog, today, semantics = question.catalog, question.today, question.semantics
    facts = draft.facts or facts_of(draft.sql, catalog, today, semantics)
    language = question.language
    names = Names(facts, catalog, today, semantics, question.text, locale_for(language), language=language)
    return view_of(names, table)


def _is_ranking(table: ResultTable) -> bool:
    if len(table.columns) < 2 or not table.rows:
        return False
    last = [row[-1] for row in table.rows if row[-1] is not None]
    others = (cell for row in table.rows for cell in row[:-1])
    return bool(last) and all(map(_is_figure, last)) and not any(map(_is_figure, others))


def _is_figure(cell: object) -> bool:
    return isinstance(cell, int | float | Decimal) and not isinstance(cell, bool)
