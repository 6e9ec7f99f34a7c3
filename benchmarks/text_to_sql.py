"""Measure the built-in reader on public question sets: accuracy, honest refusals, time per question.

The reader's own earlier meanings are the history of each question. Its SQL runs read-only, and the comparer beside the
data judges the rows. Absent sets are skipped. `--glossary` adds `glossaries/` as semantics files.

    python -m benchmarks.text_to_sql [SET ...] [--glossary] [--misses FILE]
"""

import argparse
import importlib.util
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from pathlib import Path
from statistics import quantiles
from time import process_time
from typing import Any

from ai.nl2sql.meaning import Meaning
from ai.nl2sql.reader import Doubt, Reading, read
from ai.sql.catalog import Catalog
from ai.sql.database import Database
from ai.sql.semantics import NO_SEMANTICS, Semantics, fitting, read_semantics

SHARED = Path(__file__).resolve().parents[2] / "shared"
QUESTIONS = SHARED / "data" / "nl2sql"
COMPARER = SHARED / "tools" / "ex.py"
GLOSSARIES = Path(__file__).parent / "glossaries"
SETS = ("chinook_own", "chinook_threads", "spider_dev", "defog_idk")
TODAY = date(2026, 11, 21)
Item = dict[str, Any]


@dataclass
class Score:
    """Outcomes of one set; shares are of 1."""

    asked: int = 0
    answered: int = 0
    exact: int = 0
    contained: int = 0
    seconds: list[float] = field(default_factory=list)
    misses: list[str] = field(default_factory=list)

    def line(self) -> str:
        def percent(part: int, whole: int) -> str:
            return f"{100 * part / whole:5.1f} %" if whole else "     - "

        slow = quantiles(self.seconds, n=20)[-1] * 1000 if len(self.seconds) > 1 else 0.0
        return (
            f"{self.asked:5} asked  {percent(self.answered, self.asked)} answered  {percent(self.exact, self.asked)} exact"
            f"  {percent(self.contained, self.asked)} with more columns  {percent(self.exact, self.answered)} of answered exact"
            f"  {percent(self.contained, self.answered)} of answered with more columns  p95 {slow:.1f} ms"
        )


def items(name: str) -> Iterator[Item]:
    with (QUESTIONS / f"{name}.jsonl").open(encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines)


@cache
def catalog_of(database: str) -> Catalog:
    return Database(database, f"sqlite:///{database_file(database)}").catalog()


def database_file(database: str) -> Path:
    return QUESTIONS / "db" / f"{database}.sqlite"


@cache
def glossary_of(database: str) -> Semantics:
    path = GLOSSARIES / f"{database}.yaml"
    return fitting(read_semantics(path).semantics, catalog_of(database)) if path.exists() else NO_SEMANTICS


@cache
def comparer() -> Any:
    spec = importlib.util.spec_from_file_location("comparer", COMPARER)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(COMPARER)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def replay(item: Item, semantics: Semantics) -> tuple[str | None, float]:
    """Return the SQL for the last question of an item, after its earlier ones, and its seconds of processor time."""
    catalog = catalog_of(item["db"])
    earlier: list[Meaning] = []
    lost = False
    for said in item["history"]:
        found = _read(said, catalog, earlier, semantics, lost=lost)
        lost = isinstance(found, Doubt)
        earlier = [found.meaning, *earlier] if isinstance(found, Reading) else earlier
    started = process_time()
    found = _read(item["question"], catalog, earlier, semantics, lost=lost)
    return found.sql if isinstance(found, Reading) else None, process_time() - started


def _read(
    question: str, catalog: Catalog, earlier: list[Meaning], semantics: Semantics, *, lost: bool
) -> Reading | Doubt:
    """Read a question after others; nothing leans on one that was not answered."""
    previous = earlier[0] if earlier else None
    return read(question, catalog, TODAY, previous, semantics, earlier[1:], unanswered=lost)


def measure(name: str, *, glossary: bool = False) -> Score:
    score = Score()
    for item in items(name):
        if not database_file(item["db"]).exists():
            continue
        sql, seconds = replay(item, glossary_of(item["db"]) if glossary else NO_SEMANTICS)
        score.asked += 1
        score.seconds.append(seconds)
        score.answered += sql is not None
        if item["gold_sql"]:
            right = comparer().compare(database_file(item["db"]), item["gold_sql"], sql)
            score.exact += right["ex"]
            score.contained += right["super"]
            if not right["ex"]:
                score.misses.append(json.dumps({**item, "read": sql, "error": right["error"], "super": right["super"]}))
    return score


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*", default=SETS)
    parser.add_argument("--glossary", action="store_true", help="read with what glossaries/ says of each database")
    parser.add_argument("--misses", type=Path, help="write every question that was not answered exactly here")
    wanted = parser.parse_args()
    missed: list[str] = []
    for name in wanted.sets:
        if not (QUESTIONS / f"{name}.jsonl").exists() or not COMPARER.exists():
            print(f"{name:16} skipped: {QUESTIONS} is absent")
            continue
        score = measure(name, glossary=wanted.glossary)
        missed += score.misses
        print(f"{name:16} {score.line()}", flush=True)
    if wanted.misses:
        wanted.misses.write_text("\n".join(missed), encoding="utf-8")


if __name__ == "__main__":
    main()
