"""What a question means: frozen values that say everything the SQL will say, and nothing about words or dialects.

A meaning survives its turn as JSON (`to_json`, `from_json`; exact both ways), so that a follow-up can edit it.
Every field names its real table; how the tables hang together is left to `joins`.
"""

from dataclasses import dataclass, replace
from datetime import date
from functools import cache, cached_property
from typing import Any, ClassVar, Literal

from pydantic import ConfigDict, TypeAdapter

from ai.nl2sql.words import name_parts
from ai.types import Json

Function = Literal["count", "sum", "avg", "min", "max", "metric"]
Folding = Literal["count", "sum", "avg", "min", "max", "median"]
Series = Literal["", "change", "running", "moving"]
Operator = Literal[
    "=", "!=", ">", ">=", "<", "<=", "in", "not in", "null", "not null", "contains", "starts", "ends", "weekday"
]
Unit = Literal["day", "week", "month", "quarter", "year", "weekday", "day of month", "month of year", "hour"]
Scalar = bool | int | float | str

_EXACT = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class Field:
    """One column of one table."""

    __pydantic_config__: ClassVar[ConfigDict] = _EXACT
    table: str
    column: str


@dataclass(frozen=True, slots=True)
class Filter:
    """`field operator values`; "null" and "not null" take no value, "in", "not in" and "weekday" some, others one.

    "weekday" takes days of the week, Sunday as 0.

    With `than` the other side is a figure over all rows, and `values` is empty: "above average". With `other` it is
    that column of the same row, or of the row that the key `of` refers to: "more than their manager".
    """

    __pydantic_config__: ClassVar[ConfigDict] = _EXACT
    field: Field
    operator: Operator
    values: tuple[Scalar, ...] = ()
    than: Literal["", "avg", "min", "max"] = ""
    other: Field | None = None
    of: Field | None = None

    def joined(self, other: "Filter") -> "Filter":
        """Return the condition for the values of both."""
        return Filter(self.field, "in", tuple(dict.fromkeys((*self.values, *other.values))))


@dataclass(frozen=True, slots=True)
class Period:
    """`start <= field < end`, by whole days; None leaves that side open."""

    __pydantic_config__: ClassVar[ConfigDict] = _EXACT
    field: Field
    start: date | None
    end: date | None


@dataclass(frozen=True, slots=True)
class Among:
    """`field` is one of those `source` shows: “of those”, “the second one”; with `unit`, its day lies in one."""

    __pydantic_config__: ClassVar[ConfigDict] = _EXACT
    field: Field
    source: "Meaning"
    unit: Unit | None = None


TAKEN = frozenset("used occupied filled spent sold booked taken consumed".split())
OFFERED = frozenset("available total capacity offered planned budgeted possible".split())


def is_part(column: str | None, whole: str | None) -> bool:
    """Whether a column is called like a part of another: `portions_returned` of `portions`, `used` of `available`."""
    part, all_ = {*name_parts(column or "")}, {*name_parts(whole or "")}
    used = bool(part & TAKEN and all_ & OFFERED) and part - TAKEN == all_ - OFFERED
    return used or (bool(all_) and all_ < part)


@dataclass(frozen=True, slots=True)
class Measure:
    """One aggregate over the rows of `table`. Without a column it counts rows; with one, "count" counts its values.

    "metric" is a figure of the semantics file; `column` then stands for it (see `definitions`). `where` restricts the
    rows of this figure alone. With `per` the figure is divided by another one, with `less` that is taken off: a change,
    in percent where `per` is the same.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _EXACT
    function: Function
    table: str
    column: str | None = None
    where: tuple[Filter | Period, ...] = ()
    per: "Measure | None" = None
    less: "Measure | None" = None

    @property
    def is_share(self) -> bool:
        """Whether it is divided by the same figure of more rows, or by the column that it is a part of."""
        if self.per is None or (self.function, self.table) != (self.per.function, self.per.table):
            return False
        return self.column == self.per.column or (self.function == "sum" and is_part(self.column, self.per.column))


@dataclass(frozen=True, slots=True)
class Group:
    """One key to group by: a column, a column cut to a unit of time, or (without a column) each row of `table`."""

    table: str
    column: str | None = None
    unit: Unit | None = None


@dataclass(frozen=True, slots=True)
class Presence:
    """Only rows that have (or have no) related row in `table` for which `where` holds."""

    table: str
    present: bool
    where: tuple[Filter | Period, ...] = ()


@dataclass(frozen=True, slots=True)
class Having:
    """A condition on a measure of each group: beside a value, another measure `than`, or the `mean` of all groups."""

    measure: Measure
    operator: Operator
    value: int | float = 0
    than: Measure | None = None
    mean: bool = False


@dataclass(frozen=True, slots=True)
class Order:
    """One sort key; a measure sorts groups."""

    key: Field | Measure
    descending: bool = False


@dataclass(frozen=True, slots=True)
class Fold:
    """One more step over the groups: they are computed by `grain` too, then folded into one figure each."""

    function: Folding
    grain: tuple[Group, ...]


@dataclass(frozen=True)  # without slots: what is worked out from it is kept
class Meaning:
    """A whole question. Without measures it lists `columns` of the rows of `subject`; with them it computes.

    One of each tuple in `either` must hold. `limit` counts within each value of `within`. `share` adds the part of the
    total, `series` the change, the running total or the mean of the last `rows` rows along time. `keys` are the ways to
    take where two tables have several, `among` refers to rows shown before. With `every` things without rows stay, at
    0. With `last` only the rows of its last day in the periods count, or in each group of time.
    """

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
    either: tuple[tuple[Filter, ...], ...] = ()
    within: tuple[Group, ...] = ()
    fold: Fold | None = None
    share: bool = False
    series: Series = ""
    rows: int = 1
    keys: tuple[Field, ...] = ()
    among: tuple[Among, ...] = ()
    last: Field | None = None
    every: bool = False

    def is_grouped_by(self, field: Field) -> bool:
        """Whether a column is that of a group, or of its thing."""
        return any(group.table == field.table and group.column in (None, field.column) for group in self.groups)

    def changed(self, **fields: Any) -> "Meaning":
        """Return `replace(self, **fields)`, several times as fast."""
        made = object.__new__(Meaning)
        vars(made).update({name: getattr(self, name) for name in self.__dataclass_fields__}, **fields)
        return made

    def exchanged(self, old: Measure, new: Measure) -> "Meaning":
        """Put one figure in the place of another, among those shown and in the order."""
        measures = tuple(new if measure == old else measure for measure in self.measures)
        order = tuple(replace(each, key=new) if each.key == old else each for each in self.order)
        return self.changed(measures=measures, order=order)

    @property
    def root(self) -> str:
        """The table whose rows are computed or listed."""
        return self.all_measures[0].table if self.all_measures else self.subject

    @cached_property
    def all_measures(self) -> tuple[Measure, ...]:
        """Every figure computed, shown or not."""
        ordered = (order.key for order in self.order if isinstance(order.key, Measure))
        compared = (m for having in self.havings for m in (having.measure, having.than) if m)
        return tuple(dict.fromkeys((*self.measures, *ordered, *compared)))

    @property
    def all_groups(self) -> tuple[Group, ...]:
        """The groups, and the finer ones folded into them."""
        return (*self.groups, *(self.fold.grain if self.fold else ()))

    @property
    def shown_measures(self) -> tuple[Measure, ...]:
        """The figures asked for, and those that rank the rows unless columns were asked for by name."""
        return self.measures if self.columns and not self.measures else self.all_measures

    @property
    def stands_apart(self) -> bool:
        """Whether each figure is of a table of its own, with its own conditions and nothing else around them."""
        around = (self.groups, self.filters, self.periods, self.presences, self.havings, self.order, self.either,
                  self.among, self.columns)  # fmt: skip
        several = len({measure.table for measure in self.measures}) > 1
        plain = all(not measure.per and not measure.less for measure in self.measures)
        return several and plain and not any(around) and not self.fold and not self.last

    @property
    def conditions(self) -> tuple[Filter | Period | Among, ...]:
        """Filters, periods and references of the rows, apart from alternatives."""
        return (*self.filters, *self.periods, *self.among)

    @cached_property
    def tables(self) -> frozenset[str]:
        """Every table that is spoken of, those apart that must only have, or have no, related row."""
        named = [self.subject, *(group.table for group in self.all_groups), *(field.table for field in self.columns)]
        for measure in self.all_measures:
            named += [measure.table, *(test.field.table for test in measure.where)]
            named += [other.table for other in (measure.per, measure.less) if other]
        named += [order.key.table for order in self.order]
        named += [condition.field.table for condition in self.conditions]
        named += [condition.field.table for either in self.either for condition in either]
        named += [self.last.table] if self.last else []
        return frozenset(table for table in named if table)


@cache
def _codec() -> TypeAdapter[Meaning]:
    return TypeAdapter(Meaning)


def to_json(meaning: Meaning) -> Json:
    """Plain JSON of a meaning."""
    plain: Json = _codec().dump_python(meaning, mode="json")
    return plain


def from_json(plain: Json) -> Meaning | None:
    """Return the meaning written by `to_json`; None for other JSON (another analyst's, an older form)."""
    try:
        return _codec().validate_python(plain)
    except ValueError:
        return None
