"""Results in words: one sentence per shape, as Markdown.

`literal` keeps data values from becoming a mention, a link or formatting.
"""

import re

from ai.answers.changes import at_times, changed, none_changed
from ai.answers.lists import first_of_each, no_rows, rows_of
from ai.answers.naming import sentence
from ai.answers.rankings import compares, ranking
from ai.answers.reading import TOLD, steps_told, told_in_language
from ai.answers.series import by_group, series
from ai.answers.values import figures_of, one_row, told_but_masked
from ai.answers.view import MASK, View
from ai.language.texts import ENGLISH

MOST_WORDS = 40
MARKUP = re.compile(r"([\\`*_{}\[\]()<>#+!|~&@:])")
HIDDEN = re.compile(r"[\x00-\x1f\x7f\u2028\u2029\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]+")


def literal(text: str) -> str:
    """Show exactly these characters, on one line."""
    return MARKUP.sub(r"\\\1", HIDDEN.sub(" ", text)).strip()


def phrase(view: View) -> str:
    """Say a result in at most about 40 words."""
    return literal(phrased(view))


def phrased(view: View) -> str:
    is_english = view.names.language == ENGLISH
    if view.masked_at and len(view.rows) == 1:
        said = told_but_masked(view)
    else:
        said = _shortened(sentence(_sentence(view))) if is_english else told_in_language(view)
    if any(cell == MASK for row in view.rows for cell in row):
        said += f" Cells shown as {MASK} are masked for you."
    said = f"{said} {view.masked}".strip()
    if view.rows:
        said += _steps(view, said)
    if view.result.truncated:
        count = view.result.row_count
        said += f" There are more: only the first {'row was' if count == 1 else f'{count:,} rows were'} kept."
    return said


def _steps(view: View, said: str) -> str:
    """Name the queries that a result comes from, or say that the SQL does more."""
    told = steps_told(view.names)
    if told and view.names.averaged:
        return ""
    if told and len(f"{said} {told}".split()) < MOST_WORDS:
        return f" Based on {told}."
    more = told or set(view.names.facts.unsaid) - TOLD
    return " The SQL does more than this sentence says." if more and view.names.facts.tables else ""


def tells_all(view: View, markdown: str) -> bool:
    """Whether a text holds every cell of the only row."""
    if view.result.row_count != 1:
        return False
    cells = (literal(view.said(view.rows[0], at)) for at, by in enumerate(view.formats) if by.kind != "flag")
    return all(cell in markdown for cell in cells)


def _sentence(view: View) -> str:
    if not view.rows:
        return none_changed(view) or no_rows(view)
    if said := changed(view) or at_times(view) or first_of_each(view):
        return said
    if view.first_place and view.measures and view.keys:
        return ranking(view)
    if view.result.row_count == 1:
        return _single(view)
    if not (view.measures and view.keys):
        return rows_of(view)
    order = view.names.facts.order
    by_figure = bool(order) and order[0].place in view.measures
    if not by_figure and (said := by_group(view)):
        return said
    if _are_records(view):
        return ranking(view) if by_figure else rows_of(view)
    return series(view) if len(view.keys) == 1 and view.is_time(view.keys[0]) and not by_figure else ranking(view)


def _are_records(view: View) -> bool:
    """Tell rows of a table with more than a name and a figure."""
    aggregated = view.names.facts.groups or any(output.is_figure for output in view.outputs)
    times = len(view.keys) == 1 and view.is_time(view.keys[0])
    return not aggregated and len(view.outputs) > 2 and not times and not compares(view)


def _single(view: View) -> str:
    facts = view.names.facts
    if not view.keys:
        return figures_of(view)
    if facts.limit == 1 and facts.order and not facts.offset:
        return ranking(view) if facts.order[0].place in view.figures else rows_of(view)
    last = view.keys[-1]
    is_list = not view.figures and len(view.keys) <= 2 and facts.rows and not facts.groups and not view.is_cut
    if is_list and view.title(last) == view.names.noun(facts.rows, many=False) and view.rows[0][last] is not None:
        return rows_of(view)
    return one_row(view)


def _shortened(text: str) -> str:
    while len(text.split()) > MOST_WORDS:
        cut = max(text.rfind("; "), text.rfind(", ahead of "), text.rfind(", then "), text.rfind(" and "))
        if cut < 0:
            return text
        text = f"{text[:cut]}."
    return text
