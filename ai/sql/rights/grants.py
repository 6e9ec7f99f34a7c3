"""Who may read which tables, columns and rows, as values. `ai.sql.guard.policy` enforces them."""

import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import sha256
from typing import Literal, TypeVar

from ai.sql.catalog import Catalog, Table
from ai.types import NOBODY

WORD = re.compile(r"\w+")
T = TypeVar("T")
D = TypeVar("D")
Mask = Literal["null", "stars", "none"]
MARK_LENGTH = 16


@dataclass(frozen=True, slots=True)
class Rights:
    """What somebody may read, in any letter case of names.

    `tables` None means every table; `columns` limits a table to these, `denied` takes columns away, `rows` are SQL
    conditions. `personal` masks columns of personal data not named by `masks`. `schema` is meant by unqualified names.
    """

    tables: frozenset[str] | None = None
    columns: Mapping[str, frozenset[str]] = field(default_factory=dict)
    denied: Mapping[str, frozenset[str]] = field(default_factory=dict)
    rows: Mapping[str, str] = field(default_factory=dict)
    masks: Mapping[str, Mapping[str, Mask]] = field(default_factory=dict)
    personal: Mask = "none"
    schema: str = ""

    def allows(self, table: str) -> bool:
        return self.tables is None or table.lower() in _folded(self.tables)

    def denied_columns(self, table: Table) -> frozenset[str]:
        """Return the columns that may not be read, in lower case."""
        denied = {name.lower() for name in _of(self.denied, table.name, frozenset())}
        allowed = _of(self.columns, table.name, None)
        listed = None if allowed is None else {name.lower() for name in allowed}
        for column in table.columns:
            if listed is not None and column.name.lower() not in listed:
                denied.add(column.name.lower())
        return frozenset(denied)

    def condition(self, table: str) -> str | None:
        return _of(self.rows, table, None)

    def masks_of(self, table: Table) -> Mapping[str, Mask]:
        masks = {column.name.lower(): self.personal for column in table.columns if column.personal}
        masks |= {column.lower(): mask for column, mask in _of(self.masks, table.name, dict[str, Mask]()).items()}
        return {name: mask for name, mask in masks.items() if mask != "none"}

    def changes(self, table: Table) -> bool:
        return any(self._held(table))

    @property
    def restrict(self) -> bool:
        return replace(self, schema="") != EVERYTHING

    def mark(self, tables: Iterable[Table], read: Collection[tuple[str, str]] | None) -> str:
        """Return a word for the restrictions on these tables, equal for equal ones, or "".

        With `read`, pairs of a table and a column in lower case, other columns do not count.
        """
        kept = {table.name: held for table in tables if any(held := self._kept_of(table, read))}
        return sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()[:MARK_LENGTH] if kept else ""

    def _kept_of(
        self, table: Table, read: Collection[tuple[str, str]] | None
    ) -> tuple[list[str], str, dict[str, Mask]]:
        denied, condition, masks = self._held(table)
        if read is None:
            return denied, condition, masks
        return [], condition, {name: mask for name, mask in masks.items() if (table.name, name) in read}

    def _held(self, table: Table) -> tuple[list[str], str, dict[str, Mask]]:
        return sorted(self.denied_columns(table)), self.condition(table.name) or "", dict(self.masks_of(table))


EVERYTHING = Rights()


@dataclass(frozen=True, slots=True)
class SourceRights:
    """The rights on one source: of everybody, and of roles. The first role held counts, and counts alone."""

    everybody: Rights = EVERYTHING
    roles: tuple[tuple[str, Rights], ...] = ()

    @property
    def every(self) -> tuple[Rights, ...]:
        return (self.everybody, *(rights for _, rights in self.roles))

    def of(self, roles: Collection[str]) -> Rights:
        others = Rights(tables=frozenset()) if NOBODY in roles else self.everybody
        return next((rights for role, rights in self.roles if role in roles), others)

    def name_of(self, roles: Collection[str]) -> str:
        """Return the first role held here, or "everybody"."""
        return next((role for role, _ in self.roles if role in roles), NOBODY if NOBODY in roles else "everybody")

    def told_by_rows(self, table: Table) -> frozenset[str]:
        """Return the columns, in lower case, named by a condition of any role on the rows of a table."""
        conditions = (rights.condition(table.name) or "" for rights in self.every)
        words = {word.lower() for condition in conditions for word in WORD.findall(condition)}
        return frozenset(column.name.lower() for column in table.columns if column.name.lower() in words)

    @property
    def hide_rows(self) -> bool:
        return any(rights.rows for rights in self.every)

    def within(self, schema: str) -> "SourceRights":
        """Let unqualified names mean this schema unless the rights name one."""
        return SourceRights(_in(self.everybody, schema), tuple((role, _in(r, schema)) for role, r in self.roles))


def visible(catalog: Catalog, rights: Rights) -> Catalog:
    """Return the readable catalogue, without words of masked columns or hidden rows, and labels of a restricted table."""
    if not rights.restrict:
        return catalog
    allowed = [table for table in catalog.tables if rights.allows(table.name)]
    whole = frozenset(table.name for table in allowed if not rights.changes(table))
    shown = tuple(_seen(table, rights, whole) for table in allowed)
    names = {table.name.lower(): frozenset(column.name.lower() for column in table.columns) for table in shown}
    return replace(catalog, tables=tuple(_with_seen_keys(table, names) for table in shown))


def _seen(table: Table, rights: Rights, whole: Collection[str]) -> Table:
    denied, masks = rights.denied_columns(table), rights.masks_of(table)
    hidden_rows = rights.condition(table.name) is not None
    columns = tuple(
        replace(column, values=(), is_filled=False, labels=None)
        if hidden_rows or column.name.lower() in masks
        else replace(column, labels=None)
        if column.labels and column.labels.table not in whole
        else column
        for column in table.columns
        if column.name.lower() not in denied
    )
    return replace(table, columns=columns, row_estimate=None if hidden_rows else table.row_estimate)


def _with_seen_keys(table: Table, names: Mapping[str, Collection[str]]) -> Table:
    """Leave out keys beyond `names`: columns by table, in lower case."""

    def sees(name: str, columns: Iterable[str]) -> bool:
        seen = names.get(name.lower())
        return seen is not None and all(column.lower() in seen for column in columns)

    keys = (k for k in table.foreign_keys if sees(table.name, k.columns) and sees(k.target_table, k.target_columns))
    primary = table.primary_key if sees(table.name, table.primary_key) else ()
    return replace(table, primary_key=primary, foreign_keys=tuple(keys))


def _in(rights: Rights, schema: str) -> Rights:
    return replace(rights, schema=rights.schema or schema)


@lru_cache(maxsize=64)  # asked for each table of a catalogue, at every look at it
def _folded(names: frozenset[str]) -> frozenset[str]:
    return frozenset(name.lower() for name in names)


def _of(mapping: Mapping[str, T], name: str, default: D) -> T | D:
    return next((value for key, value in mapping.items() if key.lower() == name.lower()), default)
