"""The cost of a query, as estimated by its database before it runs. It advises and refuses nothing."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from ai.results.table import Row

Unit: TypeAlias = Literal["rows", "points of the planner"]
Run: TypeAlias = Callable[[str], Sequence[Row]]


@dataclass(frozen=True, slots=True)
class Cost:
    amount: float
    unit: Unit

    def __str__(self) -> str:
        return f"about {self.amount:,.0f} {self.unit}"


@dataclass(frozen=True, slots=True)
class Preflight:
    """The statement asking one kind of database, with the query as {}, and the reader of its answer."""

    statement: str
    unit: Unit
    read: Callable[[Sequence[Row]], float | None]


def cost_of(dialect: str, sql: str, run: Run) -> Cost | None:
    """Estimate a query with `run`; None if the database does not tell."""
    preflight = PREFLIGHTS.get(dialect)
    amount = preflight.read(run(preflight.statement.format(sql))) if preflight else None
    return None if preflight is None or amount is None else Cost(amount, preflight.unit)


def _planned(rows: Sequence[Row]) -> float | None:
    ((plan,),) = rows
    return float(json.loads(plan)[0]["Plan"]["Total Cost"])


def _looked_at(rows: Sequence[Row]) -> float | None:
    return _sum(_named(json.loads(rows[0][0]), ("rows", "rows_examined_per_scan")))


def _scanned(rows: Sequence[Row]) -> float | None:
    nodes = (node for node in _objects(json.loads(rows[0][1])) if "SCAN" in str(node.get("name", "")))
    return _sum(value for node in nodes for value in _named(node.get("extra_info"), ("Estimated Cardinality",)))


def _objects(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, Mapping):
        yield value
    for inner in value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ():
        yield from _objects(inner)


def _named(value: Any, names: Sequence[str]) -> Iterator[Any]:
    return (found[name] for found in _objects(value) for name in names if name in found)


def _sum(values: Any) -> float | None:
    numbers = [float(value) for value in values if value is not None]
    total = sum(numbers)
    return total if numbers and total == total else None  # what is unknown is NaN, which equals nothing


PREFLIGHTS: dict[str, Preflight] = {
    "postgres": Preflight("EXPLAIN (FORMAT JSON) {}", "points of the planner", _planned),
    "mysql": Preflight("EXPLAIN FORMAT=JSON {}", "rows", _looked_at),
    "duckdb": Preflight("EXPLAIN (FORMAT JSON) {}", "rows", _scanned),
}
