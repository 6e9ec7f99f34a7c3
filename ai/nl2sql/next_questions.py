"""The questions that an answer leads to: changes of its meaning over the rows it counted, so that each has an answer.

No query runs for them: a change that the checks of a reading refuse is not offered.
"""

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from datetime import date
from itertools import islice
from typing import NamedTuple

from ai.nl2sql import choices
from ai.nl2sql.choices import MeaningPart, Option
from ai.nl2sql.comparison import UNITS
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Filter, Meaning
from ai.nl2sql.refining import Picks, refined
from ai.results.table import Row

MOST = 2
MANY_ROWS = 10
DAYS_OF_MONTH = 31
FEWER = 2  # things than rows, for a figure by thing to say more than the rows


class NextQuestion(NamedTuple):
    """What is chosen, or asked in words, and its meaning; `key` tells it from what was offered before."""

    picks: Picks
    meaning: Meaning
    label: str = ""
    text: str = ""

    @property
    def key(self) -> Meaning:
        return key_of(self.meaning)


def key_of(meaning: Meaning) -> Meaning:
    return meaning.changed(share=False)


def next_questions(
    meaning: Meaning, rows: Sequence[Row], lexicon: Lexicon, today: date, known: Set[Meaning]
) -> tuple[NextQuestion, ...]:
    """Return at most two questions about the rows of an answer, none of them `known`."""
    if len(meaning.measures) != 1 or meaning.fold or meaning.series or meaning.havings or meaning.limit == 1:
        return ()
    if meaning.measures[0].less or not any(row[-1] for row in rows):
        return ()
    tried = _changes(meaning, rows, lexicon)
    made = ((picks, refined(meaning, picks, lexicon, today), label) for picks, label in tried)
    found = (NextQuestion(picks, new, label) for picks, new, label in made if isinstance(new, Meaning))
    return tuple(islice((step for step in found if step.key not in known), MOST))


def _changes(meaning: Meaning, rows: Sequence[Row], lexicon: Lexicon) -> Iterator[tuple[Picks, str]]:
    per = choices.groups(meaning, lexicon)
    if per is None:
        return
    free = [option for option in per.options if option.name not in per.kept]
    times = [option.name for option in free if option.name == _unit(meaning)]
    things = [option.name for option in free if option.name not in UNITS and _is_coarse(option, meaning, lexicon)]
    in_time = any(group.unit for group in meaning.groups)
    times = times if meaning.periods or meaning.measures[0].function != "avg" else []
    first = _leading(meaning, rows, lexicon)
    if first and (times or things):
        within = (times or things)[0]
        yield {"only": first, "per": [within]}, f"{rows[0][0]} by {within}"
    if len(rows) > MANY_ROWS and meaning.limit is None and not in_time:
        yield {"show": ["the 5 highest"]}, "The 5 highest"
    for name in (*things[:1], *([] if in_time else times), *things[1:]):
        yield {"per": [name]}, f"By {name}"


def _is_coarse(option: Option, meaning: Meaning, lexicon: Lexicon) -> bool:
    """Whether a group divides the rows into parts of many, as far as the catalogue knows."""
    group, rows = option.change(meaning).groups[-1], lexicon.table(meaning.root).row_estimate
    if group.column and Field(group.table, group.column) in _tested(meaning):
        return False
    values = lexicon.column(Field(group.table, group.column)).values if group.column else ()
    parts = len(values) if group.column else lexicon.table(group.table).row_estimate
    return parts is not None and parts > 0 and (rows is None or parts * FEWER <= rows)


def _unit(meaning: Meaning) -> str:
    """Return the unit of time that divides the time of an answer into a readable number of parts."""
    found = meaning.periods[0] if meaning.periods else None
    if found is None or not found.start or not found.end:
        return "month"
    days = (found.end - found.start).days
    return "day" if 1 < days <= DAYS_OF_MONTH else "month" if days > DAYS_OF_MONTH else ""


def _leading(meaning: Meaning, rows: Sequence[Row], lexicon: Lexicon) -> list[str]:
    """Return the conditions in force and that of the first row, where the rows are ranked by one column."""
    part = choices.tests(meaning, lexicon)
    ranked = [order for order in meaning.order if order.descending]
    if part is None or len(meaning.groups) != 1 or len(rows) < MOST or not ranked:
        return []
    (group,), value = meaning.groups, rows[0][0]
    if group.unit or not group.column or not isinstance(value, str):
        return []
    wanted = Filter(Field(group.table, group.column), "=", (value,))
    return [*part.kept, *_named(part, meaning, wanted)] if wanted.field not in _tested(meaning) else []


def _tested(meaning: Meaning) -> set[Field]:
    return {test.field for test in meaning.filters}


def _named(part: MeaningPart, meaning: Meaning, wanted: Filter) -> list[str]:
    bare = replace(meaning, filters=())
    return [option.name for option in part.options if option.change(bare).filters == (wanted,)]
