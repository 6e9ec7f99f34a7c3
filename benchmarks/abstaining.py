"""Learn when the built-in reader had better ask back, and write the weights, or measure them on unseen databases.

    python -m benchmarks.abstaining [SET ...] [--examples FILE] [--write]

Each question of the own companies, and of the open public databases where they lie, is read; a reading is right when
its rows are. The weights of questions alone are learned, and judged on an eighth of the
databases by those learned from the others. FILE keeps the readings, a set is read only once.
"""

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zlib import crc32

import numpy as np

from ai.nl2sql.confidence.derivation import Derivation
from ai.nl2sql.confidence.features import FEATURES
from ai.nl2sql.confidence.judging import ASKED_BELOW, ASKED_BELOW_IN_THREADS
from ai.nl2sql.meaning import Meaning
from ai.nl2sql.reader import derived, reading_of
from ai.results.table import ResultTable
from ai.sql.catalog import Catalog
from ai.sql.database import Database
from ai.sql.semantics import NO_SEMANTICS, Semantics, fitting, read_semantics
from benchmarks import text_to_sql
from benchmarks.logistic import Logistic, Numbers, fitted, unseen
from benchmarks.report.rows import Row
from benchmarks.weights import in_force, written
from bot.demo.database import SEMANTICS
from tests.corpora.companies import CORPORA, TODAY, asked_about, build, sets
from tests.corpora.score import lines, verdict

PUBLIC = (
    "spider_train", "spider_dev", "spider_realistic", "spider_syn", "sparc_dev", "cosql_dev", "chinook_own",
    "chinook_threads", "defog_idk",
)  # fmt: skip
# Companies that no rule was made for.
STRANGERS = ("school_meals", "fooddelivery", "property", "helpdesk", "energy", "marina", "coworking")
PENALTY = 100.0
FOLDS = 8
# Mistakes with the companies were mended as they were found: each one left stands for several of the next company.
WORTH = 3.0
THRESHOLDS = (0.0, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9)
Item = dict[str, Any]


@dataclass(frozen=True, slots=True)
class KnownReading:
    """A message read: whether a reading came, was right, and its features, zeros left out.

    `outcome` is "right" or "wrong" for a reading, and for none "right" where there is nothing to answer, else "open".
    """

    set: str
    company: str
    is_later: bool
    is_read: bool
    is_answerable: bool
    outcome: str
    values: dict[str, float]


@cache
def catalog_of(file: Path) -> Catalog:
    return Database(file.stem, f"sqlite:///{file}").catalog()


@cache
def semantics_of(file: Path) -> Semantics:
    path = SEMANTICS if file.stem == "demo" else CORPORA / f"{file.stem}.yaml"
    return fitting(read_semantics(path).semantics, catalog_of(file)) if path.exists() else NO_SEMANTICS


class ThreadReader:
    """Reads the messages of a set, each thread once."""

    def __init__(self, file: Path, semantics: Semantics) -> None:
        self._file, self._semantics = file, semantics
        self._threads: dict[tuple[str, ...], tuple[tuple[Meaning, ...], tuple[str, ...]]] = {(): ((), ())}

    def after(self, said: tuple[str, ...]) -> tuple[tuple[Meaning, ...], tuple[str, ...]]:
        """Return the meanings so far, newest first, and the questions since without an answer."""
        if said not in self._threads:
            earlier, lost = self.after(said[:-1])
            made = self.derived(said)
            self._threads[said] = ((made.meaning, *earlier), ()) if made else (earlier, (said[-1], *lost))
        return self._threads[said]

    @cache  # noqa: B019
    def derived(self, said: tuple[str, ...]) -> Derivation | None:
        earlier, lost = self.after(said[:-1])
        previous = earlier[0] if earlier else None
        found = derived(
            said[-1], catalog_of(self._file), TODAY, previous, self._semantics, earlier[1:], unanswered=lost
        )
        return found if isinstance(found, Derivation) else None


def examples(
    items: Sequence[Item], name: str, folder: Path, *, public: bool, threads: bool = False
) -> Iterator[KnownReading]:
    """Read a set, later messages of its threads only if asked to."""
    readers: dict[str, ThreadReader] = {}
    for item in items:
        file = folder / f"{item['db']}.sqlite"
        if (item["history"] and not threads) or not file.exists():
            continue
        if item["db"] not in readers:
            readers[item["db"]] = ThreadReader(file, NO_SEMANTICS if public else semantics_of(file))
        said = (*(item["history"] or ()), item["question"])
        made = readers[item["db"]].derived(said)
        result = text_to_sql.result_of(_sql(made), file) if made else None
        values = _values(replace(made, result=result)) if made else {}
        kind = item.get("kind", "answerable" if item["gold_sql"] else "unanswerable")
        judged = {**item, "kind": kind}
        outcome = _public_outcome(judged, made) if public else _outcome(judged, made, result, file)
        company = f"{'public ' * public}{item['db']}"
        yield KnownReading(name, company, len(said) > 1, made is not None, kind == "answerable", outcome, values)


def _values(made: Derivation) -> dict[str, float]:
    found = {name: float(feature(made)) for name, feature in FEATURES.items()}
    return {name: value for name, value in found.items() if value}


def _sql(made: Derivation) -> str:
    return reading_of(made.meaning, (), made.lexicon, TODAY).sql


def _outcome(item: Item, made: Derivation | None, result: ResultTable | None, file: Path) -> str:
    if made is None:
        return verdict(item, {"status": "refused"}, file)
    if result is None:
        return "wrong"  # it does not run
    return verdict(item, {"status": "answered", "rows": list(result.rows), "total": result.row_count}, file)


def _public_outcome(item: Item, made: Derivation | None) -> str:
    if item["kind"] != "answerable":
        return "wrong" if made else "right"
    if made is None:
        return "open"
    found = text_to_sql.comparer().compare(text_to_sql.database_file(item["db"]), item["gold_sql"], _sql(made))
    return "right" if found["super"] else "wrong"


def gathered(keep: Path | None, only: Sequence[str] = (), *, threads: bool = False) -> list[KnownReading]:
    """Read every set, or those named, but none in the file already."""
    known = (
        [KnownReading(**json.loads(line)) for line in keep.read_text("utf-8").splitlines()]
        if keep and keep.exists()
        else []
    )
    seen = {example.set for example in known}
    with TemporaryDirectory() as temporary:
        databases = Path(temporary)
        for name, items, folder, public in _sets(databases):
            if name in seen or (only and name not in only):
                continue
            new = list(examples(items, name, folder, public=public, threads=threads))
            known += new
            print(name, dict(Counter(each.outcome for each in new)), flush=True)
            if keep:
                with keep.open("a", encoding="utf-8") as kept:
                    kept.writelines(json.dumps(asdict(each)) + "\n" for each in new)
    return sorted(known, key=lambda example: example.set)


def _sets(databases: Path) -> Iterator[tuple[str, list[Any], Path, bool]]:
    files = sorted(sets(CORPORA), key=lambda file: not file.stem.startswith(STRANGERS))
    for file in files:
        build(databases, asked_about(file))
        yield file.stem, lines(file), databases, False
    for name in PUBLIC:
        if (text_to_sql.QUESTIONS / f"{name}.jsonl").exists() and text_to_sql.COMPARER.exists():
            yield name, list(text_to_sql.items(name)), text_to_sql.QUESTIONS / "db", True


def table_of(found: Sequence[KnownReading]) -> Numbers:
    return np.array([[each.values.get(name, 0.0) for name in FEATURES] for each in found])


def outcomes_of(found: Sequence[KnownReading]) -> Numbers:
    return np.array([each.outcome == "right" for each in found], dtype=np.float64)


def scaled(logits: Numbers, right: Numbers) -> tuple[float, float]:
    """Return the factor and the shift to make the logits of unseen readings true probabilities."""
    found = fitted(logits[:, None], right, 1e-3)
    factor = float(found.weights[0] / found.scales[0])
    return factor, float(found.bias - factor * found.means[0])


def learned(found: Sequence[KnownReading]) -> tuple[Logistic, Numbers]:
    """Return the weights of questions alone, and the chance of each by those learned from other databases."""
    table, right = table_of(found), outcomes_of(found)
    public = np.array([each.company.startswith("public ") for each in found])
    worth = np.where(public | (right == 1), 1.0, WORTH)
    start = in_force("threads", table)
    logits = unseen(table, right, [_fold(each.company) for each in found], PENALTY, start, worth)
    factor, shift = scaled(logits[public], right[public])
    weights = fitted(table, right, PENALTY, start, worth).stretched(factor, shift)
    return weights, 1 / (1 + np.exp(-(factor * logits + shift)))


def _fold(company: str) -> str:
    return str(crc32(company.encode()) % FOLDS)


def shares(
    every: Sequence[KnownReading], found: Sequence[KnownReading], chances: Numbers, least: float
) -> tuple[float, float]:
    """Return the shares of right and of wrong messages when readings below a chance are asked back."""
    right = sum(not each.is_read and each.outcome == "right" for each in every)
    wrong = 0
    for each, chance in zip(found, chances, strict=True):
        right += each.outcome == "right" if chance >= least else not each.is_answerable
        wrong += each.outcome == "wrong" and chance >= least
    return 100 * right / len(every), 100 * wrong / len(every)


def curves(every: Sequence[KnownReading], found: Sequence[KnownReading], chances: Numbers) -> Iterator[str]:
    """Say the shares at each threshold: of strangers, of the other companies, of each public set."""
    for title, belongs in KINDS.items():
        whole = [each for each in every if belongs(each)]
        at = [i for i, each in enumerate(found) if belongs(each)]
        if not at:
            continue
        yield f"{title}: {len(whole)} messages"
        for least in THRESHOLDS:
            right, wrong = shares(whole, [found[i] for i in at], chances[at], least)
            yield f"  {least:4.2f}  right {right:5.1f} %  wrong {wrong:5.1f} %  precision {_share(right, wrong):5.1f} %"


def _share(right: float, wrong: float) -> float:
    return 100 * right / (right + wrong) if right + wrong else 0.0


def _of_set(name: str, each: KnownReading) -> bool:
    return each.set == name


KINDS: dict[str, Callable[[KnownReading], bool]] = {
    "companies of strangers": lambda each: each.company in STRANGERS,
    "other companies": lambda each: each.company not in STRANGERS and not each.company.startswith("public "),
    **{name: partial(_of_set, name) for name in PUBLIC},
}


def rows(most: int) -> Iterator[Row]:
    """Judge so many companies of strangers: alone by the weights learned from others, in threads by those in force."""
    every = gathered(None, threads=True)
    found = [each for each in every if each.is_read]
    alone = [each for each in found if not each.is_later]
    chances = in_force("threads", table_of(found)).chances(table_of(found))
    chances[[not each.is_later for each in found]] = learned(alone)[1]
    for name in STRANGERS[:most]:
        for is_later, least in ((False, ASKED_BELOW), (True, ASKED_BELOW_IN_THREADS)):
            whole = [each for each in every if each.company == name and each.is_later == is_later]
            at = [i for i, each in enumerate(found) if each.company == name and each.is_later == is_later]
            right, wrong = shares(whole, [found[i] for i in at], chances[at], least)
            title = f"{name}, {'in threads' if is_later else 'alone'}, {len(whole)} messages"
            yield Row(f"{title}: right", right, "%", more=True)
            yield Row(f"{title}: wrong", wrong, "%")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*", help="read these only, and learn nothing")
    parser.add_argument("--examples", type=Path, help="keep what was read here")
    parser.add_argument("--write", action="store_true", help="write the weights that the reader uses")
    wanted = parser.parse_args()
    every = gathered(wanted.examples, wanted.sets)
    if wanted.sets:
        return
    found = [each for each in every if each.is_read]
    weights, chances = learned(found)
    print("\n".join(curves(every, found, chances)))
    if wanted.write:
        written(weights)


if __name__ == "__main__":
    main()
