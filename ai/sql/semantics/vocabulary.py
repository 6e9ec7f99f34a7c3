"""The values of the semantic layer, shared by every analyst.

Tables are spelled as in the catalogue, columns as `table.column`, expressions in the SQL of the source.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from ai.sql.catalog import Catalog, ForeignKey, Table

Grain = Literal["day", "week", "month"]
Take = Literal["last", "mean", "none"]
PENCE = "p"  # at the end of a name, where amounts of the same database end so: `total_p`
SMALL_UNITS = frozenset({"cents", "cent", "ct", "pence", "minor", PENCE})  # of a currency, at the end of a name


@dataclass(frozen=True, slots=True)
class NonAdditive:
    """A figure that may not be summed over time (MetricFlow's non-additive measures).

    `over` is the grain of its totals. Over a longer time `take` the value at the end ("last"), the mean of the totals
    ("mean"), or nothing: the question is asked back ("none").
    """

    over: Grain
    take: Take


@dataclass(frozen=True, slots=True)
class Metric:
    """A named figure: the aggregate `expression` over the rows of `table` where `condition` holds.

    `date` is the column that dates it, where that is not the one of its table.
    """

    name: str
    table: str
    expression: str
    condition: str = ""
    description: str = ""
    synonyms: tuple[str, ...] = ()
    unit: str = ""
    date: str = ""
    non_additive: NonAdditive | None = None


@dataclass(frozen=True, slots=True)
class Term:
    """A named kind of row: the rows of `table` where `condition` holds, in the SQL of the source."""

    name: str
    table: str
    condition: str
    synonyms: tuple[str, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True)
class Join:
    """A key that the schema forgot: `child` refers to `parent`, each a `table.column`."""

    child: str
    parent: str


@dataclass(frozen=True, slots=True)
class Unit:
    """What a bare column is counted in: `value * scale` is in `unit`."""

    unit: str = ""
    scale: float = 1.0


@dataclass(frozen=True, slots=True)
class Synonym:
    """Another word for `target`, a table or a `table.column`."""

    word: str
    target: str


@dataclass(frozen=True, slots=True)
class Wording:
    """People say `word` for `table.column = value`."""

    word: str
    table: str
    column: str
    value: str


@dataclass(frozen=True, slots=True)
class Semantics:
    """The definitions for one source.

    By table, `display` gives the column naming a row and `dates` the column meant by "last month" (`table.column` for a
    related table's). `units` and `non_additive` are by `table.column`. `hidden` tables are never offered. `rules` are
    approved sentences; `version` counts approved changes. The fiscal year starts with `fiscal_month`, 0 for none.
    """

    metrics: tuple[Metric, ...] = ()
    terms: tuple[Term, ...] = ()
    joins: tuple[Join, ...] = ()
    units: Mapping[str, Unit] = field(default_factory=dict, hash=False)
    non_additive: Mapping[str, NonAdditive] = field(default_factory=dict, hash=False)
    synonyms: tuple[Synonym, ...] = ()
    display: Mapping[str, str] = field(default_factory=dict, hash=False)
    dates: Mapping[str, str] = field(default_factory=dict, hash=False)
    wordings: tuple[Wording, ...] = ()
    hidden: frozenset[str] = frozenset()
    rules: tuple[str, ...] = ()
    version: int = 0
    fiscal_month: int = 0


NO_SEMANTICS = Semantics()


def visible(catalog: Catalog, semantics: Semantics) -> Catalog:
    """Return the catalogue without hidden tables, and with the declared joins as foreign keys."""
    hidden = {name.lower() for name in semantics.hidden}
    if not hidden and not semantics.joins:
        return catalog
    shown = (table for table in catalog.tables if table.name.lower() not in hidden)
    return replace(catalog, tables=tuple(_joined(table, catalog, semantics) for table in shown))


def _joined(table: Table, catalog: Catalog, semantics: Semantics) -> Table:
    """Add declared keys, spelled as in the catalogue; those naming a column that is not there are left out."""
    keys = list(table.foreign_keys)
    for join in semantics.joins:
        own, _, name = join.child.rpartition(".")
        target, _, target_name = join.parent.rpartition(".")
        column = table.column(name) if own.lower() == table.name.lower() else None
        parent = catalog.table(target)
        target_column = parent.column(target_name) if parent else None
        if column and parent and target_column:
            key = ForeignKey((column.name,), parent.name, (target_column.name,))
            keys += [] if any(known.columns == key.columns for known in keys) else [key]
    return replace(table, foreign_keys=tuple(keys))


def own_target(table: str, column: str) -> str:
    """Return `column` as `table.column`, unless it names its table already."""
    return column if "." in column else f"{table}.{column}"
