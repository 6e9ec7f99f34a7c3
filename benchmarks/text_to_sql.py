"""Measure the built-in reader on public question sets: right, wrong and unanswered, by tag and turn, and time per
question.

Right means the rows of an accepted query.  Databases are halved by name, so that rules tuned
on the open part are measured on the held one.

    python -m benchmarks.text_to_sql [SET ...] [--half open|held|all] [--glossary] [--by hardness,turn] [--misses FILE]
"""

import argparse
import importlib.util
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter, process_time
from typing import Any, Literal
from zlib import crc32

from ai.nl2sql.lexicon import lexicon_of
from ai.nl2sql.meaning import Meaning
from ai.nl2sql.reader import Doubt, Reading, read
from ai.nl2sql.second_look import ThreadMessage, judged
from ai.nl2sql.sketching import sketches
from ai.nl2sql.writer import write_sql
from ai.results.table import ResultColumn, ResultTable
from ai.sql.catalog import Catalog
from ai.sql.database import Database
from ai.sql.semantics import NO_SEMANTICS, Semantics, fitting, read_semantics
from benchmarks.report.rows import MissingPart, Row

SHARED = Path(__file__).resolve().parents[2] / "shared"
QUESTIONS = SHARED / "data" / "nl2sql"
COMPARER = SHARED / "tools" / "ex.py"
GLOSSARIES = Path(__file__).parent / "glossaries"
SETS = (
    "spider_train", "spider_dev", "spider_realistic", "spider_syn", "sparc_dev", "chinook_own", "chinook_threads",
    "defog_idk",
)  # fmt: skip
TODAY = date(2026, 11, 21)
BEST = 5
SHOWN = 1_000  # rows of an answer
LONGEST = 5.0  # seconds
COLUMNS = (
    f"{'':28} {'asked':>6} {'answered':>9} {'right':>7} {'exact':>7} {'precision':>10} {f'best of {BEST}':>10} "
    f"{'p50 ms':>8} {'p95 ms':>8}"
)
Item = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Scored:
    """Whether a question was answered, and right; `within` is right among the first five readings."""

    item: Item
    sql: str | None
    said: str
    seconds: float
    exact: bool = False
    right: bool = False
    within: bool = False

    def miss(self) -> str:
        kept = {name: self.item[name] for name in ("id", "db", "question", "history", "gold_sql")}
        return json.dumps({**kept, "read": self.sql, "said": self.said, "within": self.within})


@dataclass
class Score:
    """Outcomes of one set, or of the part of it under one tag."""

    outcomes: list[Scored] = field(default_factory=list)

    def share(self, name: Literal["exact", "right", "within"], *, answered: bool = False) -> float:
        """Return the share of the questions, or of the answered ones, that came out so."""
        of = [each for each in self.outcomes if each.sql is not None] if answered else self.outcomes
        return sum(getattr(each, name) for each in of) / len(of) if of else 0.0

    def line(self, title: str) -> str:
        answered = [outcome for outcome in self.outcomes if outcome.sql is not None]
        times = sorted(outcome.seconds * 1000 for outcome in self.outcomes)
        slow = quantiles(times, n=20)[-1] if len(times) > 1 else times[0]
        asked = len(self.outcomes)
        right, exact, within = (100 * self.share(name) for name in ("right", "exact", "within"))
        return (
            f"{title:28} {asked:6} {100 * len(answered) / asked:9.1f} {right:7.1f} {exact:7.1f}"
            f" {100 * self.share('right', answered=True):10.1f} {within:10.1f} {median(times):8.1f} {slow:8.1f}"
        )


def is_held(database: str) -> bool:
    """Whether a database belongs to the third that nobody looks at."""
    return crc32(database.encode()) % 3 == 0


def items(name: str, half: str = "open") -> Iterator[Item]:
    with (QUESTIONS / f"{name}.jsonl").open(encoding="utf-8") as lines:
        found = [json.loads(line) for line in lines]
    return (item for item in found if half == "all" or is_held(item["db"]) == (half == "held"))


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


def history(item: Item, semantics: Semantics) -> tuple[list[Meaning], tuple[str, ...]]:
    """Return the earlier meanings, and the questions since without an answer, newest first.

    Of an earlier question that is asked back the likeliest reading is picked.
    """
    earlier: list[Meaning] = []
    lost: tuple[str, ...] = ()
    for said in item["history"]:
        found = _read(said, item["db"], earlier, semantics, lost=lost)
        lost = (said, *lost) if isinstance(found, Doubt) else ()
        earlier = [found.meaning, *earlier] if isinstance(found, Reading) else earlier
    return earlier, lost


def _read(
    question: str, database: str, earlier: Sequence[Meaning], semantics: Semantics, *, lost: tuple[str, ...]
) -> Reading | Doubt:
    previous = earlier[0] if earlier else None
    return read(question, catalog_of(database), TODAY, previous, semantics, earlier[1:], unanswered=lost)


def result_of(sql: str, database: Path) -> ResultTable | None:
    """Return what a query gives, the first thousand rows of it; None where it does not run, or for too long."""
    until = perf_counter() + LONGEST
    try:
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
            connection.set_progress_handler(lambda: perf_counter() > until, 10_000)
            found = connection.execute(sql)
            rows = found.fetchall()
    except sqlite3.Error:
        return None
    return ResultTable(tuple(ResultColumn(name[0]) for name in found.description), tuple(rows[:SHOWN]), len(rows))


def outcome(item: Item, semantics: Semantics) -> Scored:
    """Ask one question and judge what came."""
    earlier, lost = history(item, semantics)
    started = process_time()
    found = _read(item["question"], item["db"], earlier, semantics, lost=lost)
    seconds = process_time() - started
    if isinstance(found, Reading):
        found = found.doubt or _doubt(found, item, earlier, semantics, lost=lost) or found
    sql, said = (found.sql, found.text) if isinstance(found, Reading) else (None, found.reason)
    if not item["gold_sql"]:
        return Scored(item, sql, said, seconds)
    compared = _judged(item, sql)
    right = bool(compared["super"])
    others = () if right else candidates(item, earlier, semantics)
    within = right or any(_judged(item, other)["super"] for other in others)
    return Scored(item, sql, said, seconds, bool(compared["ex"]), right, within)


def _doubt(
    found: Reading, item: Item, earlier: Sequence[Meaning], semantics: Semantics, *, lost: tuple[str, ...]
) -> Doubt | None:
    result = result_of(found.sql, database_file(item["db"]))
    said = ThreadMessage(item["question"], earlier, lost)
    return judged(result, said, catalog_of(item["db"]), TODAY, semantics) if result else None


def candidates(item: Item, earlier: Sequence[Meaning], semantics: Semantics) -> list[str]:
    """Return the SQL of the first readings that are whole, likeliest first."""
    lexicon = lexicon_of(catalog_of(item["db"]), semantics)
    found = sketches(item["question"], lexicon, TODAY, earlier[0] if earlier else None)
    whole = [sketch for sketch in found if not sketch.problems and not sketch.unread()]
    return [write_sql(sketch.meaning, lexicon, TODAY) for sketch in whole[:BEST]]


def _judged(item: Item, sql: str | None) -> dict[str, Any]:
    found: dict[str, Any] = comparer().compare(database_file(item["db"]), item["gold_sql"], sql)
    return found


def measure(name: str, half: str = "open", *, glossary: bool = False, every: int = 1) -> Score:
    score = Score()
    present = [item for item in items(name, half) if database_file(item["db"]).exists()]
    for item in present[::every]:
        score.outcomes.append(outcome(item, glossary_of(item["db"]) if glossary else NO_SEMANTICS))
    return score


def by_tag(score: Score, tags: Iterable[str]) -> Iterator[tuple[str, Score]]:
    for tag in tags:
        parts: dict[str, Score] = {}
        for each in score.outcomes:
            if tag in each.item:
                parts.setdefault(str(each.item[tag]), Score()).outcomes.append(each)
        yield from ((f"  {tag} {value}", parts[value]) for value in sorted(parts))


def rows(every: int) -> Iterator[Row]:
    """Ask one question of so many, of the databases that nobody looks at."""
    if not QUESTIONS.exists() or not COMPARER.exists():
        raise MissingPart("the public question sets are absent")
    for name in SETS:
        score = measure(name, "held", every=every)
        if score.outcomes:
            times = [each.seconds * 1000 for each in score.outcomes]
            title = f"{name}, {len(times)} questions"
            yield Row(f"{title}: right", 100 * score.share("right"), "%", more=True)
            yield Row(f"{title}: right of those answered", 100 * score.share("right", answered=True), "%", more=True)
            yield Row(f"{title}: a question, p95", sorted(times)[int(0.95 * len(times))], "ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*", default=SETS)
    parser.add_argument("--half", choices=("open", "held", "all"), default="open")
    parser.add_argument("--glossary", action="store_true", help="read with what glossaries/ says of each database")
    parser.add_argument("--by", default="hardness,turn", help="tags to break each set down by")
    parser.add_argument("--every", type=int, default=1, help="ask only one question of so many")
    parser.add_argument("--misses", type=Path, help="write every open question that was not answered right here")
    wanted = parser.parse_args()
    missed: list[str] = []
    print(COLUMNS)
    for name in wanted.sets:
        if not (QUESTIONS / f"{name}.jsonl").exists() or not COMPARER.exists():
            print(f"{name:28} skipped: {QUESTIONS} is absent")
            continue
        score = measure(name, wanted.half, glossary=wanted.glossary, every=wanted.every)
        missed += [each.miss() for each in score.outcomes if not each.right and not is_held(each.item["db"])]
        if score.outcomes:
            print(score.line(name), flush=True)
        for title, part in by_tag(score, filter(None, wanted.by.split(","))):
            print(part.line(title))
    if wanted.misses:
        wanted.misses.write_text("\n".join(missed), encoding="utf-8")


if __name__ == "__main__":
    main()
