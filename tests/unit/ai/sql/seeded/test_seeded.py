"""Wrong SQL is told from right SQL by its reading or by a caution."""

import random
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from json import loads
from pathlib import Path
from typing import Any

import pytest

from ai.answers.naming import Names
from ai.answers.reading import reading
from ai.results.table import ResultColumn, ResultTable
from ai.sql.catalog import Catalog
from ai.sql.cautions import find_cautions
from ai.sql.database import Database
from ai.sql.facts import facts_of
from ai.sql.semantics import Semantics, read_semantics
from bot.demo.database import SEMANTICS
from tests.corpora.companies import CORPORA, TODAY, build
from tests.unit.ai.sql.seeded.mutations import wrong

SETS = ("demo", "saas")
Rows = list[tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Source:
    path: Path
    catalog: Catalog
    semantics: Semantics

    def rows(self, sql: str) -> Rows | None:
        with closing(sqlite3.connect(f"file:{self.path}?mode=ro", uri=True)) as connection:
            try:
                return connection.execute(sql).fetchall()
            except sqlite3.Error:
                return None

    def reading(self, sql: str, question: str) -> str:
        facts = facts_of(sql, self.catalog, TODAY, self.semantics)
        return reading(Names(facts, self.catalog, TODAY, self.semantics, question))

    def cautions(self, sql: str) -> set[str]:
        rows = self.rows(sql) or []
        columns = tuple(ResultColumn(f"c{at}") for at in range(len(rows[0]) if rows else 1))
        table = ResultTable(columns, tuple(rows), len(rows))
        found = find_cautions(sql, self.catalog, table, TODAY, lambda ask: tuple(self.rows(ask) or ()))
        return {caution.text for caution in found}


@dataclass(frozen=True, slots=True)
class Seed:
    source: str
    kind: str
    question: str
    right: str
    wrong: str


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Source]:
    folder = tmp_path_factory.mktemp("seeded")
    build(folder, SETS)
    meant = {"demo": SEMANTICS, "saas": CORPORA / "saas.yaml"}
    return {
        name: Source(
            folder / f"{name}.sqlite",
            Database(name, f"sqlite:///{folder / name}.sqlite").catalog(),
            read_semantics(path).semantics,
        )
        for name, path in meant.items()
    }


def seeds(sources: dict[str, Source], count: int) -> list[Seed]:
    """The same seeds each time: each question gives one of a kind, and no kind is more than a tenth of them."""
    lines = [line for name in SETS for line in (CORPORA / f"{name}.jsonl").read_text("utf-8").splitlines()]
    items = [item for item in map(loads, lines) if item["kind"] == "answerable" and item["gold_sql"]]
    random.Random(7).shuffle(items)
    of_kind, found = Counter[str](), list[Seed]()
    for item in items:
        if len(found) == count:
            break
        kinds = set[str]()
        for seed in _seeds_of(item, sources[item["db"]]):
            if seed.kind not in kinds and of_kind[seed.kind] <= count // 10 and len(found) < count:
                kinds.add(seed.kind)
                of_kind[seed.kind] += 1
                found.append(seed)
    return found


def _seeds_of(item: dict[str, Any], source: Source) -> Iterator[Seed]:
    right = item["gold_sql"][0]
    rows = source.rows(right)
    for kind, sql in wrong(right, source.catalog):
        others = source.rows(sql)
        if others is not None and others != rows:
            yield Seed(item["db"], kind, item["question"], right, sql)


@pytest.mark.parametrize("count", [40, pytest.param(300, marks=pytest.mark.deep)])
def test_wrong_sql_is_named(sources: dict[str, Source], count: int) -> None:
    found = seeds(sources, count)
    missed = [seed for seed in found if not is_named(seed, sources[seed.source])]
    assert len(found) == count
    assert len(missed) <= count * 0.02, [(seed.kind, seed.wrong) for seed in missed]


def is_named(seed: Seed, source: Source) -> bool:
    right, other = (source.reading(sql, seed.question) for sql in (seed.right, seed.wrong))
    return right != other or bool(source.cautions(seed.wrong) - source.cautions(seed.right))
