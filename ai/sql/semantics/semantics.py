"""What words mean here: the semantics file, shared by every analyst. Owns its values.

A definition is by name: tables as the catalogue spells them, columns as `table.column`, expressions in the SQL of the source.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ai.sql.catalog.catalog import Catalog


@dataclass(frozen=True, slots=True)
class Metric:
    """A figure that people ask for by name: an aggregate `expression` over `table`, perhaps only where `condition`."""

    name: str
    table: str
    expression: str
    condition: str = ""
    description: str = ""
    synonyms: tuple[str, ...] = ()
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Synonym:
    """Another word for a table (`target` is its name) or a column (`target` is `table.column`)."""

    word: str
    target: str


@dataclass(frozen=True, slots=True)
class Wording:
    """How people say a value: `word` means that `column` of `table` is `value`."""

    word: str
    table: str
    column: str
    value: str


@dataclass(frozen=True, slots=True)
class Semantics:
    """The definitions for one source.

    `display` is the column that names a row of a table, `dates` the column that "last month" is about (`table.column` where
    it is a related table's); `hidden` tables are never offered; `rules` are sentences that an owner approved. `version`
    counts the approved changes.
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
    """The catalogue without the tables that are hidden."""
    hidden = {name.lower() for name in semantics.hidden}
    if not hidden:
        return catalog
    return replace(catalog, tables=tuple(table for table in catalog.tables if table.name.lower() not in hidden))


def own_target(table: str, column: str) -> str:
    """`column` of `table` as `table.column`, where it does not name its table already."""
    return column if "." in column else f"{table}.{column}"
