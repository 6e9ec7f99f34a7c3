"""The values of the semantic layer, shared by every analyst.

Tables are spelled as in the catalogue, columns as `table.column`, expressions in the SQL of the source.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ai.sql.catalog import Catalog


@dataclass(frozen=True, slots=True)
class Metric:
    """A named figure: the aggregate `expression` over the rows of `table` where `condition` holds."""

    name: str
    table: str
    expression: str
    condition: str = ""
    description: str = ""
    synonyms: tuple[str, ...] = ()
    unit: str = ""


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
    related table's). `hidden` tables are never offered. `rules` are approved sentences; `version` counts approved changes.
    """

    metrics: tuple[Metric, ...] = ()
    synonyms: tuple[Synonym, ...] = ()
    display: Mapping[str, str] = field(default_factory=dict, hash=False)
    dates: Mapping[str, str] = field(default_factory=dict, hash=False)
    wordings: tuple[Wording, ...] = ()
    hidden: frozenset[str] = frozenset()
    rules: tuple[str, ...] = ()
    version: int = 0


NO_SEMANTICS = Semantics()


def visible(catalog: Catalog, semantics: Semantics) -> Catalog:
    """Return the catalogue without hidden tables."""
    hidden = {name.lower() for name in semantics.hidden}
    if not hidden:
        return catalog
    return replace(catalog, tables=tuple(table for table in catalog.tables if table.name.lower() not in hidden))


def own_target(table: str, column: str) -> str:
    """Return `column` as `table.column`, unless it names its table already."""
    return column if "." in column else f"{table}.{column}"
