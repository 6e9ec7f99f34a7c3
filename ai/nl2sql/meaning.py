"""What a question means: frozen values that say everything the SQL will say, and nothing about words or dialects.

A meaning survives its turn as JSON (`to_json`, `from_json`; exact both ways), so that a follow-up can edit it.
Every field names its real table; how the tables hang together is left to `joins`.
"""

from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import ClassVar, Literal

from pydantic import ConfigDict, TypeAdapter

from ai.types import Json

Function = Literal["count", "sum", "avg", "min", "max", "metric"]
Operator = Literal["=", "!=", ">", ">=", "<", "<=", "in", "not in", "null", "not null", "contains", "starts", "ends"]
Unit = Literal["day", "month", "year"]
Scalar = bool | int | float | str

_EXACT = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class Field:
    """One column of one table."""

    __pydantic_config__: ClassVar[ConfigDict] = _EXACT
    table: str
    column: str


@dataclass(frozen=True, slots=True)
class Measure:
    """One aggregate over the rows of `table`. Without a column it counts rows; with one, "count" counts its values.

    "metric" is a figure of the semantics file; `column` then stands for it (see `definitions`).
    """

    __pydantic_config__: ClassVar[ConfigDict] = _EXACT
    function: Function
    table: str
    column: str | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """One key to group by: a column, a column cut to a unit of time, or (without a column) each row of `table`."""

    table: str
    column: str | None = None
    unit: Unit | None = None


@dataclass(frozen=True, slots=True)
class Filter:
    """`field operator values`; "null" and "not null" take no value, "in" and "not in" one or more, all others one."""

    field: Field
    operator: Operator
    values: tuple[Scalar, ...] = ()


@dataclass(frozen=True, slots=True)
class Period:
    """`start <= field < end`, by whole days; None leaves that side open."""

    field: Field
    start: date | None
    end: date | None


@dataclass(frozen=True, slots=True)
class Presence:
    """Only rows that have (or have no) related row in `table`."""

    table: str
    present: bool


@dataclass(frozen=True, slots=True)
class Having:
    """A condition on a measure of each group."""

    measure: Measure
    operator: Operator
    value: int | float


@dataclass(frozen=True, slots=True)
class Order:
    """One sort key; a measure sorts groups."""

    key: Field | Measure
    descending: bool = False


@dataclass(frozen=True, slots=True)
class Meaning:
    """A whole question. Without measures it lists `columns` of the rows of `subject`; with them it computes."""

    subject: str
    columns: tuple[Field, ...] = ()
    measures: tuple[Measure, ...] = ()
    groups: tuple[Group, ...] = ()
    filters: tuple[Filter, ...] = ()
    periods: tuple[Period, ...] = ()
    presences: tuple[Presence, ...] = ()
    havings: tuple[Having, ...] = ()
    order: tuple[Order, ...] = ()
    limit: int | None = None
    offset: int = 0
    distinct: bool = False

    @property
    def all_measures(self) -> tuple[Measure, ...]:
        """Every figure that is computed, shown or not."""
        ordered = (order.key for order in self.order if isinstance(order.key, Measure))
        return tuple(dict.fromkeys((*self.measures, *ordered, *(having.measure for having in self.havings))))

    @property
    def shown_measures(self) -> tuple[Measure, ...]:
        """The figures asked for, and those that rank the rows unless columns were asked for by name."""
        return self.measures if self.columns and not self.measures else self.all_measures

    @property
    def conditions(self) -> tuple[Filter | Period, ...]:
        """Filters and periods."""
        return (*self.filters, *self.periods)

    @property
    def tables(self) -> set[str]:
        """Every table that is spoken of, those apart that must only have, or have no, related row."""
        named = [self.subject, *(group.table for group in self.groups), *(field.table for field in self.columns)]
        named += [measure.table for measure in self.all_measures] + [order.key.table for order in self.order]
        named += [condition.field.table for condition in self.conditions]
        return {table for table in named if table}


@cache
def _codec() -> TypeAdapter[Meaning]:
    return TypeAdapter(Meaning)


def to_json(meaning: Meaning) -> Json:
    """Plain JSON of a meaning."""
    plain: Json = _codec().dump_python(meaning, mode="json")
    return plain


def from_json(plain: Json) -> Meaning | None:
    """The meaning that `to_json` wrote, or None when this JSON is not one of ours (another analyst's, an older form)."""
    try:
        return _codec().validate_python(plain)
    except ValueError:
        return None
