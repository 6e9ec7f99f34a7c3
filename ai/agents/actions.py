"""What one press does with an answer: rows of words, said by the person pressing, about a query by its number."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from ai.agents.port import ActionsEvent
from ai.nl2sql.meaning import Period, from_json
from ai.results.table import ResultTable
from ai.types import AnsweredQuery

Fits = Callable[[AnsweredQuery, ResultTable], bool]


def _always(_query: AnsweredQuery, _table: ResultTable) -> bool:
    return True


def _is_table(_query: AnsweredQuery, table: ResultTable) -> bool:
    return table.row_count * len(table.columns) > 1


def _has_figures(_query: AnsweredQuery, table: ResultTable) -> bool:
    """Tell several rows with a name or a time beside a figure."""
    kinds = [{type(row[at]) for row in table.rows} - {type(None)} for at in range(len(table.columns))]
    figures = sum(bool(kind) and kind <= {int, float, Decimal} for kind in kinds)
    return table.row_count > 1 and 0 < figures < len(kinds)


def _may_have_moved(query: AnsweredQuery, _table: ResultTable) -> bool:
    """Whether an answer is a figure of a period, or of several."""
    meaning = from_json(query.meaning)
    if meaning is None or not meaning.measures:
        return False
    inside = [test for measure in meaning.measures for test in measure.where if isinstance(test, Period)]
    whole = [period for period in (*meaning.periods, *inside) if period.start and period.end]
    keys = [group for group in meaning.groups if not group.unit]
    return not keys and bool(whole or any(group.unit and group.unit != "weekday" for group in meaning.groups))


@dataclass(frozen=True, slots=True)
class Action:
    """A press. `says` is its message about the query {0}; `is_more` puts it behind “More”."""

    label: str
    says: str
    is_more: bool = False
    fits: Fits = _always


ACTIONS = (
    Action("CSV", "export {0} as csv", fits=_is_table),
    Action("Chart", "plot {0}", fits=_has_figures),
    Action("SQL", "show me the SQL of {0}"),
    Action("Why?", "explain the change in {0}", fits=_may_have_moved),
    Action("Excel", "export {0} as an Excel workbook", is_more=True, fits=_is_table),
    Action("Rows behind it", "export all the rows behind {0}", is_more=True),
    Action("Run again", "run {0} again", is_more=True),
)


def actions(query: AnsweredQuery, table: ResultTable) -> ActionsEvent:
    """Return what can be pressed under an answer."""
    fitting = [action for action in ACTIONS if action.fits(query, table)]
    row, more = (
        tuple(
            (action.label, action.says.format(f"query {query.id}")) for action in fitting if action.is_more == is_more
        )
        for is_more in (False, True)
    )
    return ActionsEvent(row, more, refines=query.id if from_json(query.meaning) else 0)
