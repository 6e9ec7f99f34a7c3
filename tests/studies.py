"""Studies without a database: figures by day and value from a few lines, with changes planted in them.

A line has `dimensions` (the weight of each value), `days` (the first and the one behind the last), the compared periods
and `events` (where, when, how many times as much), or a `seed` that all of these are drawn by. `told` writes a finding
as data; `python -m tests.studies` writes `tests/unit/ai/analysis/explained.jsonl` anew.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod
from random import Random
from typing import Any

from ai.analysis.explain import explain
from ai.analysis.finding import Finding, PartRow
from ai.analysis.members import why_members
from ai.analysis.study import Cell, Daily, Days, Key, Parts, Segments, over, total
from tests.paths import ROOT

EXPLAINED = ROOT / "tests/unit/ai/analysis/explained.jsonl"
EVEN = (1.0,) * 7


def days_of(text: str) -> Days:
    """Read "2026-10-05/2026-10-12"."""
    start, _, end = text.partition("/")
    return Days(date.fromisoformat(start), date.fromisoformat(end))


@dataclass(frozen=True)
class Event:
    """What changes the rows, or the amount of each row (`price`), of some values on some days."""

    days: Days
    where: Mapping[str, Key] = field(default_factory=dict)
    times: float = 1.0
    price: float = 1.0

    def holds(self, day: date, values: Mapping[str, Key]) -> bool:
        here = all(values[name] == value for name, value in self.where.items())
        return here and self.days.start <= day < self.days.end


@dataclass(frozen=True)
class PlantedStudy:
    """A study as the queries of a database would give it."""

    line: Mapping[str, Any]

    @property
    def before(self) -> Days:
        return days_of(self.line["before"])

    @property
    def now(self) -> Days:
        return days_of(self.line["now"])

    @property
    def previous(self) -> Days:
        return Days(self.before.start - timedelta(self.before.length), self.before.start)

    @property
    def since(self) -> date:
        return days_of(self.line["days"]).start

    @property
    def is_ratio(self) -> bool:
        return bool(self.line.get("figure") == "ratio")

    @property
    def is_mean(self) -> bool:
        return bool(self.line.get("figure") == "mean")

    @property
    def dimensions(self) -> tuple[str, ...]:
        return tuple(self.line["dimensions"])

    @property
    def loaded(self) -> tuple[str, ...]:
        return tuple(self.line.get("loaded", self.dimensions))

    @property
    def is_summary(self) -> bool:
        return False

    @property
    def has_price(self) -> bool:
        return bool(self.line.get("priced", False))

    @property
    def quantities(self) -> tuple[str, ...]:
        return ("sales.pieces",) if self.has_price else ()

    def daily(self) -> Daily:
        return _summed((day, parts) for day, values, parts in self._rows if self._asked(values))

    def segments(self, dimension: str, *, unfiltered: bool = False) -> Segments:
        rows = [(v[dimension], day, parts) for day, v, parts in self._rows if unfiltered or self._asked(v)]
        return {
            key: _summed((day, parts) for one, day, parts in rows if one == key) for key in {k: 0 for k, *_ in rows}
        }

    def cells(self, dimensions: Collection[str]) -> tuple[Cell, ...]:
        found: dict[tuple[Key, ...], list[tuple[date, Parts]]] = {}
        for day, values, parts in self._rows:
            if self._asked(values):
                found.setdefault(tuple(values[name] for name in dimensions), []).append((day, parts))
        periods = (self.previous, self.before, self.now)
        daily = {key: _summed(rows) for key, rows in found.items()}
        return tuple(
            Cell(key, *(over(rows, days, is_mean=self.is_mean) for days in periods)) for key, rows in daily.items()
        )

    def _asked(self, values: Mapping[str, Key]) -> bool:
        return all(values[name] == value for name, value in self.line.get("only", {}).items())

    @cached_property
    def _rows(self) -> list[tuple[date, Mapping[str, Key], Parts]]:
        return [*_rows_of(self.line)]


def _rows_of(line: Mapping[str, Any]) -> Iterator[tuple[date, Mapping[str, Key], Parts]]:
    """Yield the parts of each day and combination; one without rows is left out."""
    chance = Random(line["case"])
    events = [Event(**{**event, "days": days_of(event["days"])}) for event in line.get("events", ())]
    weights = [
        [(None if value == "" else value, weight) for value, weight in each.items()]
        for each in line["dimensions"].values()
    ]
    for day in days_of(line["days"]).days:
        for chosen in product(*weights):
            values = dict(zip(line["dimensions"], (value for value, _ in chosen), strict=True))
            here = [event for event in events if event.holds(day, values)]
            noise = 1 + line.get("noise", 0.0) * (2 * chance.random() - 1)
            usual = prod(weight for _, weight in chosen) * line.get("weekdays", EVEN)[day.weekday()] * noise
            rows = round(usual * prod(event.times for event in here))
            price = round(line.get("price", 10) * prod(event.price for event in here), 2)
            if rows:
                base = rows * 20 if line.get("figure") == "ratio" else 0
                figure = Fraction(str(price)) * rows
                yield day, values, (figure, Fraction(base), Fraction(rows), Fraction(2 * rows))


def _summed(rows: Iterable[tuple[date, Parts]]) -> dict[date, Parts]:
    found: dict[date, Parts] = {}
    for day, parts in rows:
        found[day] = total([found[day], parts]) if day in found else parts
    return found


def by_chance(seed: int) -> dict[str, Any]:
    """Draw a study of a few weeks: its values, its periods and up to three changes, some of them of single days."""
    chance = Random(seed)
    length = chance.choice((2, 7, 7, 7, 10))
    now = date(2026, 10, 5) + timedelta(chance.choice((0, 0, 0, 3)))
    before = now - timedelta(chance.choice((length, length, 14, 28)))
    values = {
        name: {value: chance.randint(2, 12) for value in chance.sample(("Aachen", "Bonn", "Celle", "", "1"), count)}
        for name, count in chance.choice(((("a.shop", 3),), (("a.shop", 4),), (("a.shop", 3), ("b.kind", 2))))
    }
    kind = chance.choice(("sum", "sum", "priced", "ratio", "mean"))
    return {
        "case": f"by chance {seed}",
        "before": f"{before}/{before + timedelta(length)}",
        "now": f"{now}/{now + timedelta(length)}",
        "days": f"{before - timedelta(chance.choice((7, 28, 35)))}/{now + timedelta(length)}",
        "dimensions": values,
        "events": [_event_by_chance(chance, values, (before, now), length) for _ in range(chance.randint(1, 3))],
        "noise": chance.choice((0, 0.05, 0.2)),
        "weekdays": chance.choice((EVEN, (1, 1, 1.1, 1.2, 1.5, 2, 0.6))),
        **({"priced": True} if kind == "priced" else {"figure": kind}),
    }


def _event_by_chance(
    chance: Random, values: Mapping[str, Mapping[str, int]], starts: tuple[date, date], length: int
) -> dict[str, Any]:
    start = chance.choice((starts[1], starts[1], starts[0]))
    first = chance.choice((0, 0, length // 2))
    last = chance.choice((length, length, first + 1))
    named = chance.sample(sorted(values), chance.randint(0, len(values)))
    return {
        "days": f"{start + timedelta(first)}/{start + timedelta(last)}",
        "where": {name: chance.choice(sorted(values[name])) or None for name in named},
        "times": chance.choice((0, 0, 0.4, 0.7, 0.85, 1, 1.15, 1.6, 3)),
        "price": chance.choice((1, 1, 0.6, 1.1, 2)),
    }


def finding_of(line: Mapping[str, Any]) -> Finding | None:
    study = PlantedStudy(by_chance(line["seed"]) if "seed" in line else line)
    return why_members(study, line["members"]) if "members" in line else explain(study)


def told(found: Finding | None) -> Any:
    """Write a finding as data: what is set, figures to four digits."""
    return _plain(found)


def _plain(value: Any) -> Any:
    if isinstance(value, Fraction | float):
        return float(f"{float(value):.4g}")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Days):
        return f"{value.start}/{value.end}"
    if isinstance(value, PartRow):
        return [value.name, *map(_plain, (value.before, value.now, value.effect))]
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if hasattr(value, "__dataclass_fields__"):
        fields = {name: _plain(getattr(value, name)) for name in value.__dataclass_fields__}
        return {name: each for name, each in fields.items() if each is not False and each not in (None, "", [])}
    return value


if __name__ == "__main__":
    lines = [json.loads(line) for line in EXPLAINED.read_text("utf-8").splitlines()]
    lines = [{**line, "found": told(finding_of(line))} for line in lines]
    EXPLAINED.write_text("".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines), "utf-8")
