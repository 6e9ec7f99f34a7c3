"""Grows queries of a hostile analyst: shadowed names, whole rows, windows, orders and what only one engine has.

Every query has one right answer, whatever the order of rows: where a LIMIT stands, all columns are ordered by.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

from tests.cases import cases
from tests.property.grower import Columns, Grower, Kind, Scope

Grown = tuple[str, Columns]
HOSTILE = 0.25  # of the queries inside a query
ODD = 0.03  # of values
SHADOWED = 0.05  # of names
SHARED_NAMES = ("ssn", "secrets", "customers", "orders", "id", "email", "token", "note")
LATERAL = frozenset({"postgres", "duckdb"})
ALL = "any"  # kind of the odd values of every engine
JOINED = (
    "{a} JOIN {b} USING ({c})",
    "{a} NATURAL JOIN {b}",
    "{a} LEFT JOIN {b} USING ({c})",
    "{b} NATURAL LEFT JOIN {a}",
)
RANKS = ("count(*)", "rank()", "dense_rank()", "sum({n})", "max({t})", "min({n})", "count({t})")
FIGURES = ("count(*)", "count({0})", "count(DISTINCT {0})", "max({0})")
FRAMES = ("", "", " RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING", " RANGE UNBOUNDED PRECEDING")
ENDS = (
    "",
    "",
    " ORDER BY {o}",
    " GROUP BY {o}",
    " HAVING count(*) > 0",
    " ORDER BY count(*)",
    " GROUP BY {o} HAVING {o} IS NOT NULL",
)
# Columns of entries called like a table: those that it has, readable or not.
SHADOWS: dict[str, Columns] = {
    "secrets": (("id", "n"), ("token", "t")),
    "customers": (("id", "n"), ("ssn", "t")),
    "orders": (("id", "n"), ("note", "t")),
}
INNER = (
    "SELECT * FROM ({w}) AS {q}",
    "SELECT * FROM (WITH {q} AS ({w}) SELECT * FROM {q}) AS x",
    "SELECT * FROM ({w} UNION ALL SELECT * FROM {s}) AS {q}",
    "SELECT {c} FROM {s} WHERE EXISTS ({w})",
    "SELECT {c} FROM {s} WHERE {i} IN (SELECT {i} FROM ({w}) AS {q})",
)
ODD_VALUES = tuple(case.values[0] for case in cases(Path(__file__).parent / "odd_values.jsonl"))


class HostileGrower(Grower):
    """Grows for one kind of engine; other arguments as of `Grower`."""

    def __init__(
        self,
        kind: str,
        chance: Random,
        tables: Mapping[str, Columns],
        wild: tuple[str, ...],
        wild_values: tuple[str, ...],
        failing: tuple[str, ...],
    ) -> None:
        super().__init__(chance, tables, wild, wild_values, failing)
        self.kind = kind
        self.odd: list[str] = [one["sql"] for one in ODD_VALUES if one["kind"] in (ALL, kind)]

    def query(self, depth: int = 3, around: Scope | None = None) -> Grown:
        around = around or Scope()
        if not depth or self.chance.random() > HOSTILE:
            return super().query(depth, around)
        grow: list[Callable[[int, Scope], Grown]] = [self.windowed, self.first, self.recursive, self.aliased]
        grow += [self.shadowed, self.keyed, self.passed]
        return self.chance.choice(grow)(depth, around)

    def windowed(self, depth: int, around: Scope) -> Grown:
        scope, start = self.sources(depth - 1, around)
        key, order = self.value("t", 0, scope), self.value("n", 0, scope)
        ranked = self.chance.choice(RANKS).format(n=order, t=key)
        part = self.chance.choice(["", f"PARTITION BY {key}"])
        over = f"{ranked} OVER ({part} ORDER BY {self.chance.choice([key, order])}{self.chance.choice(FRAMES)})"
        shown = "t" if ranked.startswith("max") else "n"
        return f"SELECT {key} AS k, {over} AS w FROM {start}{self.where(0, scope)}", (("k", "t"), ("w", shown))

    def first(self, depth: int, around: Scope) -> Grown:
        """Grow the first rows of a query by all of its columns."""
        body, columns = self.query(depth - 1, around)
        if not columns:
            return body, columns
        order = ", ".join(f"{n}{self.chance.choice(['', ' DESC'])}" for n, _ in enumerate(columns, 1))
        return f"SELECT * FROM ({body}) AS {self.name()} ORDER BY {order} LIMIT {self.chance.randint(1, 3)}", columns

    def recursive(self, depth: int, around: Scope) -> Grown:
        name = self.chance.choice([self.name(), *self.tables, "secrets"])
        step = f"SELECT 1 AS id UNION ALL SELECT id + 1 FROM {name} WHERE id < 3"
        rest, columns = self.query(depth - 1, Scope(dict(around.sources), {**around.entries, name: (("id", "n"),)}))
        return (
            (f"WITH RECURSIVE {name} AS ({step}) {rest}", columns) if not rest.startswith("WITH") else (rest, columns)
        )

    def shadowed(self, _depth: int, _around: Scope) -> Grown:
        """Grow an entry called like a table, used by another WITH inside the query."""
        shadow, inner, other = self.chance.choice([*SHADOWS]), self.name(), self.name()
        columns = SHADOWS[shadow]
        items = ", ".join(f"{'7' if kind == 'n' else chr(39) + 'x' + chr(39)} AS {name}" for name, kind in columns)
        names = ", ".join(name for name, _ in columns)
        uses = f"WITH {inner} AS (SELECT {names} FROM {shadow}) SELECT {names} FROM {inner}"
        rest = self.chance.choice(INNER).format(w=uses, q=other, s=shadow, c=names, i=columns[0][0])
        return f"WITH {shadow} AS (SELECT {items}) {rest}", columns

    def keyed(self, _depth: int, _around: Scope) -> Grown:
        """Grow a join by equal columns, with a condition of both sides that may fail."""
        kind, one, two = self.chance.choice("nt"), Scope(), Scope()
        tables = f"{self.source(0, one)} JOIN {self.source(0, two)}"
        left, right = self.value(kind, 0, one), self.value(kind, 0, two)
        text, fails = self.value("t", 0, one), self.chance.choice(self.failing).format(self.value("n", 0, two))
        where = f"CASE WHEN {text} > '{self.chance.choice('5ax')}' THEN {fails} ELSE 1 END = 1"
        return f"SELECT {right} AS c0 FROM {tables} ON {left} = {right} WHERE {where}", (("c0", kind),)

    def passed(self, _depth: int, _around: Scope) -> Grown:
        """Grow a figure of an entry that passes columns of a table on."""
        body, columns = self.select(0, Scope())
        scope = Scope({(name := self.name()): columns})
        figure = self.chance.choice(FIGURES).format(self.value(self.chance.choice("nt"), 0, scope))
        return f"WITH {name} AS ({body}) SELECT {figure} AS v FROM {name}{self.where(0, scope)}", (("v", "n"),)

    def aliased(self, depth: int, around: Scope) -> Grown:
        """Grow a query whose column is called like something else, and used by that name."""
        scope, start = self.sources(depth - 1, around)
        alias = self.chance.choice([*SHARED_NAMES, *scope.sources])
        end = self.chance.choice(ENDS).format(o=alias)
        counts = "GROUP" in end or "count" in end
        shown = "count(*)" if counts and "GROUP" not in end else self.value("n", 0, scope)
        where = self.chance.choice(
            ["", f" WHERE {alias} IS NOT NULL", f" WHERE {alias} = {shown}" if not counts else ""]
        )
        return f"SELECT {shown} AS {alias}{', count(*) AS v' if counts else ''} FROM {start}{where}{end}", ()

    def sources(self, depth: int, around: Scope) -> tuple[Scope, str]:
        chosen = self.chance.random()
        if chosen < 0.9 or not depth:
            return super().sources(depth, around)
        scope = Scope(dict(around.sources), around.entries)
        one = self.source(0, scope)
        if chosen < 0.95 and self.kind in LATERAL:
            body, columns = self.query(depth - 1, scope)
            if columns:
                scope.sources[alias := self.name()] = columns
                return scope, f"{one}, LATERAL ({body}) AS {alias}"
        shape, column = self.chance.choice(JOINED), self.chance.choice(["id", "id", "ssn", "email", "rowid", "ctid"])
        return scope, shape.format(a=one, b=self.source(0, scope), c=column)

    def value(self, kind: Kind, depth: int, scope: Scope) -> str:
        if self.chance.random() < ODD and scope.sources:
            alias = self.chance.choice([*scope.sources])
            column = self.chance.choice([name for name, _ in scope.sources[alias]] or ["id"])
            return self.chance.choice(self.odd).replace("{a}", alias).replace("{c}", column)
        return super().value(kind, depth, scope)

    def name(self) -> str:
        plain = super().name()
        return self.chance.choice(SHARED_NAMES) if self.chance.random() < SHADOWED else plain
