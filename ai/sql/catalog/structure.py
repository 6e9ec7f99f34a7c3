"""What a database holds: tables, columns, keys, and the words in its small text columns."""

import gzip
import json
import re
from dataclasses import dataclass
from json import JSONDecodeError
from pathlib import Path
from typing import Any, Literal

from ai.errors import ConfigError

MONTH = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])")
Kind = Literal["integer", "number", "text", "date", "datetime", "boolean", "binary", "other"]


@dataclass(frozen=True, slots=True)
class Labels:
    """What the values of a column are called, by (value, label), and the table that says so."""

    table: str
    words: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Column:
    """A column; `values` are distinct words of a small text column or names, `personal` a kind of personal data or "".

    `is_compact` tells of days kept as "20261031", in digits or as a number, `is_epoch` of seconds since 1970,
    `is_flag` of 1 and 0 for yes and no, `is_filled` of days that may be missing and never are among the first rows.
    """

    name: str
    type: str
    kind: Kind
    nullable: bool = True
    comment: str = ""
    values: tuple[str, ...] = ()
    personal: str = ""
    is_compact: bool = False
    is_epoch: bool = False
    is_flag: bool = False
    is_filled: bool = False
    labels: Labels | None = None

    @property
    def called(self) -> dict[str, str]:
        """What its codes are called."""
        return dict(self.labels.words) if self.labels else {}

    @property
    def may_miss(self) -> bool:
        """Whether rows without a value are to be expected."""
        return self.nullable and not self.is_filled

    @property
    def has_months(self) -> bool:
        """Whether it keeps months as texts that sort: “2026-10”."""
        return self.kind == "text" and bool(self.values) and all(map(MONTH.fullmatch, self.values))


@dataclass(frozen=True, slots=True)
class ForeignKey:
    """`columns` of this table refer to `target_columns` of `target_table`, position by position."""

    columns: tuple[str, ...]
    target_table: str
    target_columns: tuple[str, ...]
    is_guessed: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table or view; `row_estimate` is None where counting would be dear."""

    name: str
    columns: tuple[Column, ...]
    primary_key: tuple[str, ...] = ()
    foreign_keys: tuple[ForeignKey, ...] = ()
    row_estimate: int | None = None
    comment: str = ""

    def column(self, name: str) -> Column | None:
        """Find a column by its name in any letter case."""
        return next((c for c in self.columns if c.name.lower() == name.lower()), None)


@dataclass(frozen=True, slots=True)
class Catalog:
    """All tables that may be asked about; `dialect` is sqlglot's name of its SQL."""

    source: str
    dialect: str
    tables: tuple[Table, ...]
    schema: str = ""

    def table(self, name: str) -> Table | None:
        """Find a table by its name in any letter case."""
        return next((t for t in self.tables if t.name.lower() == name.lower()), None)


def read_schema(path: Path) -> Catalog:
    """Read a catalogue from JSON, plain or gzipped: table name -> `columns`, `pk`, `fk` or `same_as`.

    A column has `name` and perhaps `type`, `description`, `samples`; `fk` holds (column, other table, its column).
    """
    try:
        content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        written: dict[str, dict[str, Any]] = json.loads(content)
        tables = tuple(_table(name, written[entry.get("same_as", name)]) for name, entry in written.items())
    except OSError as error:
        raise ConfigError(f"The schema {path} cannot be read ({error.strerror or error}).") from None
    except (JSONDecodeError, UnicodeDecodeError, AttributeError, KeyError, TypeError, ValueError):
        raise ConfigError(f"{path} is not a schema: a JSON object of tables, each with its columns.") from None
    return Catalog(path.name.partition(".")[0], "", tables)


def _table(name: str, entry: dict[str, Any]) -> Table:
    keys = (ForeignKey((here,), there, (column,)) for here, there, column in entry.get("fk") or () if there)
    return Table(name, tuple(map(_column, entry["columns"])), tuple(entry.get("pk") or ()), tuple(keys))


def _column(entry: dict[str, Any]) -> Column:
    samples = tuple(str(sample) for sample in entry.get("samples") or ())
    return Column(entry["name"], entry.get("type") or "", "other", True, entry.get("description") or "", samples)
