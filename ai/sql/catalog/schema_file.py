"""Schemas written down as JSON, plain or gzipped: table name -> columns, pk, fk, or `same_as` another table."""

import gzip
import json
from json import JSONDecodeError
from pathlib import Path
from typing import Any

from ai.errors import ConfigError
from ai.sql.catalog.catalog import Catalog, Column, ForeignKey, Table


def read_schema(path: Path) -> Catalog:
    """The schema in a file as a catalogue without a dialect; `ConfigError` when the file does not hold one.

    A column has `name`, and may have `type`, `description` and `samples`; `pk` lists columns, `fk` holds triples
    (column, other table, its column).
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
