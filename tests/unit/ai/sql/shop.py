"""A small shop with awkward names, as a SQLite file, for the tests of the guard and of the door."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from ai.sql.catalog import Catalog
from ai.sql.database import Database, QueryLimits

SCRIPT = Path(__file__).with_name("shop.sql")


def build_database(path: Path, script: str = "") -> str:
    """Write the file and give its URL; `script` adds to it."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(SCRIPT.read_text("utf-8") + script)
    return f"sqlite:///{path}"


def open_shop(folder: Path, limits: QueryLimits | None = None, script: str = "") -> Database:
    return Database("shop", build_database(folder / "shop.db", script), limits=limits)


def without(catalog: Catalog, *names: str) -> Catalog:
    """The catalogue as somebody sees it who may not read these tables."""
    return replace(catalog, tables=tuple(table for table in catalog.tables if table.name not in names))
