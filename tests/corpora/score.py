"""Scores answers of `datathread predict` by the rows that a person saw."""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

Row = tuple[object, ...]
Item = Mapping[str, object]

# A display column beside the asked ones is no fault.
MORE_COLUMNS = 3


def lines(file: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def score(items: Sequence[Item], answers: Sequence[Item], databases: Path) -> Counter[str]:
    """Count `right`, `wrong` and `open` (asked back or refused) answers.

    `databases` holds a SQLite file per `db` of the items.
    """
    by_id = {answer["id"]: answer for answer in answers}
    return Counter(verdict(item, by_id[item["id"]], databases / f"{item['db']}.sqlite") for item in items)


def verdict(item: Item, answer: Item, database: Path) -> str:
    kind, status = item["kind"], answer["status"]
    if status == "answered":
        golds = item["gold_sql"] if kind == "answerable" else []
        assert isinstance(golds, list)
        return "right" if any(_shows(answer, _rows(database, gold)) for gold in golds) else "wrong"
    keeps = {"unanswerable": {"asked", "refused"}, "ambiguous": {"asked"}, "talk": {"silent"}}
    return "right" if status in keeps.get(str(kind), ()) else "open"


def _rows(database: Path, sql: str) -> list[Row]:
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        return connection.execute(sql).fetchall()


def _shows(answer: Item, gold: list[Row]) -> bool:
    shown, total = answer["rows"], answer["total"]
    assert isinstance(shown, list)
    if total != len(gold) or bool(shown) != bool(gold):
        return False
    if not gold:
        return True
    seen = [tuple(map(_rounded, row)) for row in shown]
    wanted = [tuple(map(_rounded, row)) for row in gold]
    if not len(wanted[0]) <= len(seen[0]) <= len(wanted[0]) + MORE_COLUMNS:
        return False
    return any(
        not Counter(tuple(row[at] for at in chosen) for row in seen) - Counter(wanted)
        for chosen in _columns(seen, wanted)
    )


def _columns(seen: list[Row], wanted: list[Row]) -> Iterator[tuple[int, ...]]:
    """Yield the ways to find the wanted columns among those seen."""
    values = [set(column) for column in zip(*wanted, strict=True)]
    choices = [[at for at in range(len(seen[0])) if {row[at] for row in seen} <= column] for column in values]

    def longer(chosen: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(chosen) == len(choices):
            yield chosen
            return
        for at in choices[len(chosen)]:
            if at not in chosen:
                yield from longer((*chosen, at))

    return longer(())


def _rounded(value: object) -> object:
    if isinstance(value, bool | int | float):
        return round(float(value), 4)
    return value
