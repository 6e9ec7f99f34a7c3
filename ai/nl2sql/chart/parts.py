"""Constituents: runs of words with one meaning each, as typed values."""

from dataclasses import dataclass, replace
from typing import Any, Literal

from ai.language.spans import Span
from ai.nl2sql.meaning import Field, Filter, Measure

PartKind = Literal[
    "measure", "attribute", "noun", "filter", "period", "presence", "having", "group", "rank", "order", "limit",
    "ratio",
    "flag",
]  # fmt: skip


LOUD = frozenset(
    {
        "count",
        "much",
        "share",
        "growth",
        "earlier",
        "moving",
        "running",
        "aggregate",
        "average",
        "ordinal",
        "other",
        "versus",
        "group",
        "order",
        "unit",
        "included",
        "new",
        "both",
        "contrast",
        "gain",
        "unused",
        "counted_last",
    }
)
"""Signs that must do something: alone they leave a question unread."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A figure asked for. `mean` is the average of several totals: "average", "median".

    `filters` come with the word counted: "hotfixes"; `more` are further figures: "minimum and maximum". `day`
    is the one on which what is counted happened: "hires".
    """

    measure: Measure
    mean: Literal["", "avg", "median", "min", "max"] = ""
    filters: tuple[Filter, ...] = ()
    more: tuple[Measure, ...] = ()
    day: Field | None = None

    @property
    def figure(self) -> Measure:
        """The measure with its own conditions inside, for ranks and comparisons."""
        return replace(self.measure, where=(*self.measure.where, *self.filters))


@dataclass(frozen=True, slots=True)
class When:
    """A span of days, or days of the week with Sunday as 0, on the column that the words name, if they do.

    `age` is (">", 60, "day") in "older than 60 days". In `also` something must have been too, or not if `not_also`: "in
    2025 but not in 2026".
    """

    span: Span
    field: Field | None = None
    weekdays: tuple[int, ...] = ()
    age: tuple[str, int, str] | None = None
    also: Span | None = None
    not_also: bool = False


def figured(function: str, field: Field) -> Wanted:
    """Return an aggregate over a column; a median is one of totals."""
    if function == "median":
        return Wanted(Measure("sum", field.table, field.column), "median")
    return Wanted(Measure(function, field.table, field.column))  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Rank:
    """The first by a key: "most reviews", "cheapest", "top 5". Without a key it is told elsewhere, or not.

    `every` keeps all rows: "top categories"; `ahead` those from today on: "next appointment"; a `common` one is by
    how many rows have it. `after` are the places before the one asked for: 1 for the second.
    """

    key: Measure | Field | None
    descending: bool
    limit: int | None = None
    asked: bool = True
    every: bool = False
    ahead: bool = False
    common: bool = False
    after: int = 0


@dataclass(frozen=True, slots=True)
class Sorting:
    """An order; "" for the key sorts by name, "date" by the day shown, None by what is there.

    A `loose` one was said with "by" alone: it is the key of a rank, or of an order asked for elsewhere.
    """

    key: Measure | Field | Literal["", "date"] | None
    descending: bool | None = None
    loose: bool = False


@dataclass(frozen=True, slots=True)
class Flag:
    """A word of grammar that stands alone: its sign, and the value of the sign."""

    sign: str
    value: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """One constituent; `data` is of its kind. `tables` are those it speaks of; `note` is an assumption of its reading.

    `such` are the conditions that come with the name of a kind of row: "paying accounts".
    """

    kind: PartKind
    start: int
    end: int
    cost: float
    data: Any
    tables: frozenset[str] = frozenset()
    note: str = ""
    either: bool = False
    said: str = ""
    such: tuple[Filter, ...] = ()
