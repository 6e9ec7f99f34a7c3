"""The description of a query. Tables and columns are spelled as in the query, in lower case."""

from dataclasses import dataclass, field
from datetime import date
from typing import Literal

Scalar = str | int | float | bool
Function = Literal[
    "", "count", "distinct", "sum", "avg", "min", "max", "median", "ratio", "difference", "exists", "running", "other"
]
Combination = Literal["", "and", "or", "only in the first", "in both"]
Grain = Literal["", "year", "quarter", "month", "week", "day", "hour"]
Operator = Literal[
    "=", "!=", ">", ">=", "<", "<=", "in", "not in", "null", "not null", "contains", "starts", "ends", "like",
    "weekday", "with", "without", "only", "or", "and", "sql",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Origin:
    """A column of a table; `table` is "" where the query does not tell."""

    table: str
    column: str

    def __str__(self) -> str:
        return f"{self.table}.{self.column}" if self.table else self.column


@dataclass(frozen=True, slots=True)
class Test:
    """A condition. `sql` is its text, with {0}, {1} for the `queries` in it.

    `inner` holds the sides of "or" and "and"; for "with", "without" and "only" those on rows of `table`.
    """

    operator: Operator
    sql: str
    origin: Origin | None = None
    values: tuple[Scalar, ...] = ()
    table: str = ""
    inner: "tuple[Test | Period, ...]" = ()
    queries: "tuple[Facts, ...]" = ()


@dataclass(frozen=True, slots=True)
class Period:
    """Days from `start` on, before `end`; None for an open side."""

    origin: Origin
    start: date | None
    end: date | None


@dataclass(frozen=True, slots=True)
class Output:
    """A column of the result."""

    name: str
    sql: str
    function: Function = ""  # "" for a column passed on
    origins: tuple[Origin, ...] = ()  # the columns behind it
    rows: str = ""  # the table counted
    grain: Grain = ""  # the unit of time it is cut to
    tests: tuple[Test | Period, ...] = ()  # inside the aggregate
    percent: bool = False  # a ratio times 100
    of_total: bool = False  # a ratio over the sum of all groups
    parts: "tuple[Output, ...]" = ()  # the operands of a ratio or difference
    is_plain: bool = False  # one column, or one aggregate over a column or over rows
    metric: str = ""  # of the semantics file
    factor: float = 1.0  # of the column's own unit: 0.01 for cents shown as dollars
    formula: str = ""  # of a computed one, with {0}, {1} for its operands, inside of the aggregate if there is one
    operands: "tuple[Output, ...]" = ()
    window: "Window | None" = None  # the rows a window function looks at
    query: "Facts | None" = None  # a query that stands for one value
    ties: tuple[Origin, ...] = ()  # the columns by which such a query belongs to its row
    overall: bool = False  # such a query without ties
    lacks: str = ""  # a metric with the same expression and a condition that this one has not

    @property
    def is_figure(self) -> bool:
        return self.function != ""


def alike(one: Output, other: Output) -> bool:
    """Whether two outputs are the same figure, whatever their names."""
    parts = len(one.parts) == len(other.parts) and all(map(alike, one.parts, other.parts))
    return parts and _kind(one) == _kind(other) and (one.formula == other.formula)


def between_days(output: Output) -> bool:
    """Whether a formula is the time between two days, which is no day itself."""
    return "JULIANDAY" in output.formula or "EPOCH" in output.formula


def is_change(output: Output) -> bool:
    """Whether an output is one figure less the same one elsewhere, or that in percent of the latter."""
    if output.function == "ratio" and len(output.parts) == 2:
        return output.percent and is_change(output.parts[0])
    if output.function != "difference" or len(output.parts) != 2:
        return False
    first, second = output.parts
    before = second.window is not None and second.window.function == "lag"
    return before or (first.function, first.origins, first.formula) == (second.function, second.origins, second.formula)


def _kind(output: Output) -> tuple[object, ...]:
    return output.function, output.origins, output.rows, output.tests, output.percent, output.window


Having = tuple[Output, Operator, tuple[Scalar, ...]]


@dataclass(frozen=True, slots=True)
class OrderKey:
    """A key of the order; `place` is its index among the outputs, None for a hidden one."""

    by: Output
    place: int | None
    descending: bool


@dataclass(frozen=True, slots=True)
class Window:
    """`function` is that of SQL in lower case ("rank", "lag", "sum"); `frame` is SQL, "" for the usual one."""

    function: str
    partition: tuple[Output, ...] = ()
    order: tuple[OrderKey, ...] = ()
    frame: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """The result of a query."""

    outputs: tuple[Output, ...] = ()
    tables: tuple[str, ...] = ()
    rows: str = ""  # the table of one row of the join, "" if unknown
    tests: tuple[Test | Period, ...] = ()
    havings: tuple[Having, ...] = ()
    ranks: tuple[Having, ...] = ()  # conditions on window functions
    steps: "tuple[Facts, ...]" = ()  # the queries below it
    branches: "tuple[Facts, ...]" = ()  # of a UNION and its like
    combined: Combination = ""  # how the branches are put together
    ties: tuple[Origin, ...] = ()  # the columns by which a query inside another belongs to its row
    groups: tuple[int, ...] = ()  # the outputs grouped by
    hidden_groups: tuple[Output, ...] = ()  # those not shown
    order: tuple[OrderKey, ...] = ()
    limit: int | None = None
    offset: int = 0
    distinct: bool = False
    masked: frozenset[str] = frozenset()  # the outputs, in lower case, with cells masked for the asker
    unsaid: tuple[str, ...] = field(default=())  # parts of the SQL not described

    @property
    def periods(self) -> tuple[Period, ...]:
        return tuple(test for test in self.tests if isinstance(test, Period))

    @property
    def first_place(self) -> Window | None:
        """Return the rank that keeps only the rows in first place."""
        for by, operator, values in self.ranks:
            if by.window and operator in ("<=", "=") and values == (1,) and not by.window.partition:
                return by.window
        return None

    @property
    def conditions(self) -> tuple[Test, ...]:
        return tuple(test for test in self.tests if isinstance(test, Test))
