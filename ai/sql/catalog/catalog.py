"""What a database holds: tables, columns, keys, and the words that stand in its small text columns."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["integer", "number", "text", "date", "datetime", "boolean", "binary", "other"]


@dataclass(frozen=True, slots=True)
class Column:
    """One column. `values` are its distinct words when it is a text column with few of them, else empty.

    `personal` is the kind of personal data that its name or a sample of its values tells of, "" for none.
    """

    name: str
    type: str
    kind: Kind
    nullable: bool = True
    comment: str = ""
    values: tuple[str, ...] = ()
    personal: str = ""


@dataclass(frozen=True, slots=True)
class ForeignKey:
    """`columns` of this table refer to `target_columns` of `target_table`, position by position."""

    columns: tuple[str, ...]
    target_table: str
    target_columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """One table or view of the default schema. `row_estimate` is None where counting would be dear."""

    name: str
    columns: tuple[Column, ...]
    primary_key: tuple[str, ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    row_estimate: int | None = None
    comment: str = ""

    def column(self, name: str) -> Column | None:
        """The column of this name, letter case ignored."""
        return next((c for c in self.columns if c.name.lower() == name.lower()), None)


@dataclass(frozen=True, slots=True)
class Catalog:
    """All tables that may be asked about, in the order of the database. `dialect` is sqlglot's name of its SQL.

    `schema` is the one schema that they are all in, as the database spells it.
    """

    source: str
    dialect: str
    tables: tuple[Table, ...]
    schema: str = ""

    def table(self, name: str) -> Table | None:
        """The table of this name, letter case ignored."""
        return next((t for t in self.tables if t.name.lower() == name.lower()), None)
