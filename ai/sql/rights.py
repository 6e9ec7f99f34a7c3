"""Who may read what: tables, columns, rows and masks. Values only; how they are enforced is in `ai.sql.policy`."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar

from ai.sql.catalog import Catalog, Table

T = TypeVar("T")
D = TypeVar("D")
Mask = Literal["null", "stars"]


@dataclass(frozen=True, slots=True)
class Rights:
    """What somebody may read. `tables` None means every table of the catalogue; a name that it lists alone is readable.

    `columns` limits a table to these, `denied` takes columns away, `rows` are SQL conditions that a row must meet, `masks`
    replace the values of columns. Names are compared without letter case. `schema` is what unqualified names mean.
    """

    tables: frozenset[str] | None = None
    columns: Mapping[str, frozenset[str]] = field(default_factory=dict)
    denied: Mapping[str, frozenset[str]] = field(default_factory=dict)
    rows: Mapping[str, str] = field(default_factory=dict)
    masks: Mapping[str, Mapping[str, Mask]] = field(default_factory=dict)
    schema: str = ""

    def allows(self, table: str) -> bool:
        """Whether anything of the table may be read."""
        return self.tables is None or table.lower() in {name.lower() for name in self.tables}

    def denied_columns(self, table: Table) -> frozenset[str]:
        """The columns of the table that may not be read, by the catalogue's names and by their own."""
        denied = {name.lower() for name in _of(self.denied, table.name, frozenset())}
        allowed = _of(self.columns, table.name, None)
        listed = None if allowed is None else {name.lower() for name in allowed}
        for column in table.columns:
            if listed is not None and column.name.lower() not in listed:
                denied.add(column.name.lower())
        return frozenset(denied)

    def condition(self, table: str) -> str | None:
        """The SQL condition that rows of the table must meet."""
        return _of(self.rows, table, None)

    def masks_of(self, table: str) -> Mapping[str, Mask]:
        """Masked columns of the table in lower case."""
        return {column.lower(): mask for column, mask in _of(self.masks, table, dict[str, Mask]()).items()}

    def changes(self, table: str) -> bool:
        """Whether the table must be replaced by what may be seen of it."""
        return self.condition(table) is not None or bool(self.masks_of(table))


EVERYTHING = Rights()


def visible(catalog: Catalog, rights: Rights) -> Catalog:
    """The catalogue as somebody with these rights sees it: no word of a masked column or of a row that is hidden."""
    if replace(rights, schema="") == EVERYTHING:
        return catalog
    return replace(catalog, tables=tuple(_seen(table, rights) for table in catalog.tables if rights.allows(table.name)))


def _seen(table: Table, rights: Rights) -> Table:
    denied, masks = rights.denied_columns(table), rights.masks_of(table.name)
    hidden_rows = rights.condition(table.name) is not None
    columns = tuple(
        replace(column, values=()) if hidden_rows or column.name.lower() in masks else column
        for column in table.columns
        if column.name.lower() not in denied
    )
    keys = tuple(key for key in table.foreign_keys if rights.allows(key.target_table))
    return replace(table, columns=columns, foreign_keys=keys)


def _of(mapping: Mapping[str, T], name: str, default: D) -> T | D:
    return next((value for key, value in mapping.items() if key.lower() == name.lower()), default)
