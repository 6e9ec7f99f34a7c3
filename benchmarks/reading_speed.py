"""Measure how long reading a question takes: on a wide schema, and for a very long message beside a short one."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import process_time

from ai.nl2sql.lexicon import lexicon_of
from ai.nl2sql.reader import read
from ai.sql.catalog import Catalog
from ai.sql.database import Database
from benchmarks.report.rows import Row

TODAY = date(2026, 11, 21)
THINGS = (
    "customer order invoice product supplier store employee ticket payment contract shipment campaign visit lease "
    "claim".split()
)
PARTS = (
    "name status price amount created_on region category owner score weight priority quantity country channel level "
    "note".split()
)
QUESTIONS = (
    "How many {0}s do we have?",
    "What is the average price of {0}s per region?",
    "Show the name and status of {0}s with amount over 100 sorted by created on",
    "Which {0} has the highest score?",
    "List the 5 cheapest {0}s in Berlin created last month",
    "How many different categories of {0}s are there for each country?",
    "names of the buyers whose weight is above average",
    "total quantity of the {0}s handled by every agent in terms of priority",
)
LONG = 21_000  # characters
SLOWEST = 300.0  # ms of processor time
ROUNDS, COLUMNS = 5, 16


def script(tables: int, columns: int) -> Iterator[str]:
    for number in range(tables):
        thing = f"{THINGS[number % len(THINGS)]}_{number}"
        typed = (
            f"{PARTS[at % len(PARTS)]}{at // len(PARTS) or ''} {'TEXT' if at % 2 else 'REAL'}"
            for at in range(columns - 2)
        )
        parent = f"{THINGS[(number // 2) % len(THINGS)]}_{number // 2}"
        key = f", parent_id INTEGER REFERENCES {parent} ({parent}_id)" if number else ", parent_id INTEGER"
        yield f"CREATE TABLE {thing} ({thing}_id INTEGER PRIMARY KEY{key}, {', '.join(typed)});"


def wide_catalog(folder: Path, tables: int, columns: int) -> Catalog:
    path = folder / "wide.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("\n".join(script(tables, columns)))
    return Database("wide", f"sqlite:///{path}").catalog()


def milliseconds(question: str, catalog: Catalog) -> float:
    started = process_time()
    read(question, catalog, TODAY)
    return (process_time() - started) * 1000


def rows(tables: int) -> Iterator[Row]:
    with TemporaryDirectory() as folder:
        catalog = wide_catalog(Path(folder), tables, COLUMNS)
        started = process_time()
        lexicon_of(catalog)
        yield Row(f"making the lexicon, {COLUMNS} columns a table", process_time() - started, "s")
        asked = [question.format(thing) for thing in THINGS for question in QUESTIONS]
        times = [milliseconds(question, catalog) for question in asked]
        yield Row(f"a question, median of {len(times)}", median(times), "ms")
        yield Row("a question, p95", quantiles(times, n=20)[-1], "ms", limit=SLOWEST)
        short = median(milliseconds(asked[0], catalog) for _ in range(ROUNDS))
        long = median(milliseconds((asked[2] + " ") * (LONG // len(asked[2])), catalog) for _ in range(ROUNDS))
        yield Row(f"a message of {LONG:,} characters", long, "ms", {"a short one": short})
