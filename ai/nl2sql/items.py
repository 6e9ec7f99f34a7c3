"""One sense of a run of words."""

from dataclasses import dataclass, replace

from ai.language.spans import Span
from ai.nl2sql.lexicon import Sense

EXACT, PARTLY = 0.05, 0.5  # where one table bears the whole name, others that only hold it cost more


@dataclass(frozen=True, slots=True)
class Item:
    """One sense of the words from `start` to `end`. `kind` is a sign, table, column, value, number, date or literal."""

    kind: str
    start: int
    end: int
    cost: float = 0.0
    value: str = ""
    sense: Sense | None = None
    number: int | float | None = None
    span: Span | None = None
    note: str = ""


def moved(item: Item, cost: float) -> Item:
    return replace(item, cost=item.cost + cost)
