"""The corpora of cautions: queries on small databases as real files, and which cautions each draws."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from ai.results.table import ResultColumn, ResultTable, Row
from ai.sql.cautions import Caution, find_cautions
from ai.sql.database import Database

HERE = Path(__file__).parent
TODAY = date(2026, 11, 22)


@dataclass(frozen=True, slots=True)
class Score:
    """Seeded faults that were and were not told, and clean queries that drew a note."""

    told: int
    missed: int
    false: int

    @property
    def recall(self) -> float:
        return self.told / (self.told + self.missed)

    @property
    def precision(self) -> float:
        return self.told / (self.told + self.false)


def open_databases(folder: Path) -> dict[str, Database]:
    """Each script of this folder as a database of its name."""
    return {script.stem: _opened(script, folder) for script in sorted(HERE.glob("*.sql"))}


def cautions_of(sql: str, database: Database) -> tuple[Caution, ...]:
    """What is told of a query after it ran."""
    with database.run(database.check(sql)) as stream:
        columns = tuple(ResultColumn(column.name, column.type) for column in stream.columns)
        rows = tuple(row for batch in stream.batches for row in batch)
    table = ResultTable(columns, rows, len(rows))

    def ask(query: str) -> tuple[Row, ...]:
        with database.run(database.check(query)) as answer:
            return tuple(row for batch in answer.batches for row in batch)

    return find_cautions(sql, database.catalog(), table, TODAY, ask)


def _opened(script: Path, folder: Path) -> Database:
    path = folder / f"{script.stem}.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script.read_text("utf-8"))
    return Database(script.stem, f"sqlite:///{path}")


def scored(lines: Iterator[dict[str, object]], databases: dict[str, Database]) -> Score:
    """How a corpus does as a whole."""
    told = missed = false = 0
    for line in lines:
        kinds = {caution.kind for caution in cautions_of(str(line["sql"]), databases[str(line["on"])])}
        wanted = set(line["expect"]) if isinstance(line["expect"], list) else set()
        told, missed, false = told + len(wanted & kinds), missed + len(wanted - kinds), false + len(kinds - wanted)
    return Score(told, missed, false)
