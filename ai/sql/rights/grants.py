"""Who may read what: tables, columns, rows and masks. Values only; how they are enforced is in `ai.sql.guard.policy`."""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import sha256
from typing import Literal, TypeVar

from ai.sql.catalog import Catalog, Table

T = TypeVar("T")
D = TypeVar("D")
Mask = Literal["null", "stars", "none"]
MARK_LENGTH = 16


@dataclass(frozen=True, slots=True)
class Rights:
    """What somebody may read. `tables` None means every table of the catalogue; a name that it lists alone is readable.

    `columns` limits a table to these, `denied` takes columns away, `rows` are SQL conditions that a row must meet, `masks`
    replace the values of columns, `personal` those of every column that holds personal data, as far as its name or a
    sample tells; a column that `masks` names is masked as it says there, or not at all (`none`). Names are compared without letter case. `schema` is what unqualified names mean.
    """

    tables: frozenset[str] | None = None
    columns: Mapping[str, frozenset[str]] = field(default_factory=dict)
    denied: Mapping[str, frozenset[str]] = field(default_factory=dict)
    rows: Mapping[str, str] = field(default_factory=dict)
    masks: Mapping[str, Mapping[str, Mask]] = field(default_factory=dict)
    personal: Mask = "none"
    schema: str = ""

    def allows(self, table: str) -> bool:
        """Whether anything of the table may be read."""
        return self.tables is None or table.lower() in _folded(self.tables)

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

    def masks_of(self, table: Table) -> Mapping[str, Mask]:
        """Masked columns of the table in lower case."""
        masks = {column.name.lower(): self.personal for column in table.columns if column.personal}
        masks |= {column.lower(): mask for column, mask in _of(self.masks, table.name, dict[str, Mask]()).items()}
        return {name: mask for name, mask in masks.items() if mask != "none"}

    def changes(self, table: Table) -> bool:
        """Whether the table must be replaced by what may be seen of it."""
        return self.condition(table.name) is not None or bool(self.masks_of(table))

    @property
    def restrict(self) -> bool:
        """Whether they keep anything back."""
        return replace(self, schema="") != EVERYTHING

    def mark(self, tables: Iterable[Table]) -> str:
        """A word for what is kept back of these tables, the same wherever the same is; "" for nothing."""
        kept = {table.name: held for table in tables if any(held := self._held(table))}
        return sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()[:MARK_LENGTH] if kept else ""

    def _held(self, table: Table) -> tuple[list[str], str, dict[str, Mask]]:
        return sorted(self.denied_columns(table)), self.condition(table.name) or "", dict(self.masks_of(table))


EVERYTHING = Rights()


@dataclass(frozen=True, slots=True)
class SourceRights:
    """The rights on one data source: those of everybody, and those of roles.

    Roles are tried in their order. The first that somebody has holds, and holds alone: rights never add up, so nobody
    reads a combination that no role was given.
    """

    everybody: Rights = EVERYTHING
    roles: tuple[tuple[str, Rights], ...] = ()

    def of(self, roles: Collection[str]) -> Rights:
        """The rights of somebody with these roles."""
        return next((rights for role, rights in self.roles if role in roles), self.everybody)

    def within(self, schema: str) -> "SourceRights":
        """The same, where names without a schema mean this one unless the rights say another."""
        return SourceRights(_in(self.everybody, schema), tuple((role, _in(r, schema)) for role, r in self.roles))


def visible(catalog: Catalog, rights: Rights) -> Catalog:
    """The catalogue as somebody with these rights sees it: no word of a masked column or of a row that is hidden."""
    if not rights.restrict:
        return catalog
    return replace(catalog, tables=tuple(_seen(table, rights) for table in catalog.tables if rights.allows(table.name)))


def _seen(table: Table, rights: Rights) -> Table:
    denied, masks = rights.denied_columns(table), rights.masks_of(table)
    hidden_rows = rights.condition(table.name) is not None
    columns = tuple(
        replace(column, values=()) if hidden_rows or column.name.lower() in masks else column
        for column in table.columns
        if column.name.lower() not in denied
    )
    keys = tuple(key for key in table.foreign_keys if rights.allows(key.target_table))
    return replace(table, columns=columns, foreign_keys=keys)


def _in(rights: Rights, schema: str) -> Rights:
    return replace(rights, schema=rights.schema or schema)


@lru_cache(maxsize=64)  # asked for each table of a catalogue, at every look at it
def _folded(names: frozenset[str]) -> frozenset[str]:
    return frozenset(name.lower() for name in names)


def _of(mapping: Mapping[str, T], name: str, default: D) -> T | D:
    return next((value for key, value in mapping.items() if key.lower() == name.lower()), default)
