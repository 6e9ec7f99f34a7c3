"""Grows SQL that four engines understand, over tables that it is told of; now and then it names what may not be read.

A query knows the columns of its sources, so that most of what grows can run. All chance comes from one `Random`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random

Kind = str  # "n" for numbers, "t" for texts
Columns = tuple[tuple[str, Kind], ...]
MISSTEPS = 0.01  # how often a name is one that may not be read, or is not there


@dataclass
class Scope:
    """Sources by alias, and the WITH entries that can be named."""

    sources: dict[str, Columns] = field(default_factory=dict)
    entries: dict[str, Columns] = field(default_factory=dict)


class Grower:
    """`tables` may be read; `wild` are sources and `wild_values` expressions that must not get through, or are odd.

    `failing` are numbers made of a column {0} that fail on some values.
    """

    def __init__(
        self,
        chance: Random,
        tables: Mapping[str, Columns],
        wild: tuple[str, ...],
        wild_values: tuple[str, ...],
        failing: tuple[str, ...] = (),
    ) -> None:
        self.chance = chance
        self.tables = tables
        self.wild = wild
        self.wild_values = wild_values
        self.failing = failing
        self.names = 0

    def query(self, depth: int = 3, around: Scope | None = None) -> tuple[str, Columns]:
        """A query and the columns that it gives."""
        around = around or Scope()
        grow: list[Callable[[int, Scope], tuple[str, Columns]]] = [self.select] * 5
        grow += [self.grouped, self.grouped, self.compound, self.entry] if depth else [self.grouped]
        return self.chance.choice(grow)(depth, around)

    def select(self, depth: int, around: Scope) -> tuple[str, Columns]:
        scope, start = self.sources(depth, around)
        if self.chance.random() < 0.2:
            own = [
                column
                for alias in list(scope.sources)
                if alias not in around.sources
                for column in scope.sources[alias]
            ]
            star = tuple(own) if len(own) == len({name for name, _ in own}) else ()
            return f"SELECT * FROM {start}{self.where(depth, scope)}", star
        made = [(self.value(kind, depth, scope), f"c{n}", kind) for n, kind in enumerate(self.kinds())]
        items = ", ".join(f"{text} AS {name}" for text, name, _ in made)
        distinct = self.chance.choice(["", "", "", "DISTINCT "])
        return f"SELECT {distinct}{items} FROM {start}{self.where(depth, scope)}", tuple((n, k) for _, n, k in made)

    def grouped(self, depth: int, around: Scope) -> tuple[str, Columns]:
        scope, start = self.sources(depth, around)
        kind = self.chance.choice("nt")
        key, counted = self.value(kind, 0, scope), self.value(self.chance.choice("nt"), 0, scope)
        total = self.chance.choice(
            [f"count({counted})", "count(*)", f"sum({self.value('n', 0, scope)})", f"max({key})"]
        )
        number = kind if total.startswith("max") else "n"
        having = self.chance.choice(["", "", " HAVING count(*) > 1"])
        where = self.where(depth, scope)
        return f"SELECT {key} AS k, {total} AS v FROM {start}{where} GROUP BY {key}{having}", (
            ("k", kind),
            ("v", number),
        )

    def compound(self, depth: int, around: Scope) -> tuple[str, Columns]:
        kind = self.chance.choice("nt")
        parts = []
        for _ in range(2):
            scope, start = self.sources(depth - 1, around)
            parts.append(f"SELECT {self.value(kind, depth - 1, scope)} AS u FROM {start}{self.where(depth - 1, scope)}")
        words = self.chance.choice(["UNION", "UNION ALL", "EXCEPT", "INTERSECT"])
        return f" {words} ".join(parts), (("u", kind),)

    def entry(self, depth: int, around: Scope) -> tuple[str, Columns]:
        body, columns = self.query(depth - 1, around)
        name = self.chance.choice([self.name(), self.name(), *self.tables, "secrets"])
        inner = Scope(dict(around.sources), {**around.entries, name: columns})
        rest, given = self.query(depth - 1, inner)
        return (f"WITH {name} AS ({body}) {rest}", given) if not rest.startswith("WITH") else (rest, given)

    def sources(self, depth: int, around: Scope) -> tuple[Scope, str]:
        """What stands after FROM, and the scope that it makes."""
        scope = Scope(dict(around.sources), around.entries)
        text = self.source(depth, scope)
        for _ in range(self.chance.choice([0, 0, 0, 1, 1, 2])):
            kind = self.chance.choice([" JOIN ", " LEFT JOIN ", " CROSS JOIN ", ", "])
            right = self.source(depth, scope)
            on = f" ON {self.condition(0, scope)}" if kind in (" JOIN ", " LEFT JOIN ") else ""
            text = f"{text}{kind}{right}{on}" if kind != ", " or "JOIN" not in text else f"{text} CROSS JOIN {right}"
        return scope, text

    def source(self, depth: int, scope: Scope) -> str:
        alias = self.name()
        if self.chance.random() < MISSTEPS:
            scope.sources[alias] = (("id", "n"), ("token", "t"))
            return f"{self.chance.choice(self.wild)} AS {alias}"
        if depth and self.chance.random() < 0.3:
            body, columns = self.query(depth - 1, Scope({}, scope.entries))
            if columns:
                scope.sources[alias] = columns
                return f"({body}) AS {alias}"
        known = self.known(scope)
        table = self.chance.choice([*known])
        scope.sources[alias] = known[table]
        return f"{table} AS {alias}"

    def known(self, scope: Scope) -> dict[str, Columns]:
        """Return what can stand after FROM by its name."""
        return {**self.tables, **{name: columns for name, columns in scope.entries.items() if columns}}

    def value(self, kind: Kind, depth: int, scope: Scope) -> str:
        if self.chance.random() < MISSTEPS:
            return self.chance.choice(self.wild_values)
        fitting = [f"{alias}.{name}" for alias, columns in scope.sources.items() for name, k in columns if k == kind]
        plain = fitting or [{"n": "7", "t": "'x'"}[kind]]
        column = self.chance.choice(plain)
        if not depth or self.chance.random() < 0.6:
            return column
        text = [
            f"upper({column})",
            f"coalesce({column}, 'none')",
            f"CASE WHEN {self.condition(0, scope)} THEN {column} END",
        ]
        number = [f"({column} + 1)", f"coalesce({column}, 0)", self.scalar(depth - 1, scope)]
        return self.chance.choice(number if kind == "n" else text)

    def scalar(self, depth: int, scope: Scope) -> str:
        inner, start = self.sources(depth, Scope(scope.sources, scope.entries))
        return f"(SELECT count(*) FROM {start} WHERE {self.condition(0, inner)})"

    def where(self, depth: int, scope: Scope) -> str:
        return self.chance.choice(["", f" WHERE {self.condition(depth, scope)}"])

    def condition(self, depth: int, scope: Scope) -> str:
        kind = self.chance.choice("nt")
        left, right = self.value(kind, 0, scope), self.value(kind, 0, scope)
        simple = [f"{left} = {right}", f"{left} IS NOT NULL", f"{left} > {right}", f"NOT {left} = {right}"]
        if self.failing and self.chance.random() < 0.3:
            text = self.value("t", 0, scope)
            fails = self.chance.choice(self.failing).format(self.chance.choice([left, text]))
            return f"CASE WHEN {text} > '{self.chance.choice('5ax')}' THEN {fails} ELSE 1 END = 1"
        if not depth:
            return self.chance.choice(simple)
        inner, start = self.sources(depth - 1, Scope(scope.sources, scope.entries))
        held = self.condition(0, inner)
        nested = [f"{left} IN (SELECT {self.value(kind, 0, inner)} FROM {start} WHERE {held})"]
        nested += [
            f"EXISTS (SELECT 1 FROM {start} WHERE {held})",
            f"({self.condition(0, scope)} OR {self.condition(0, scope)})",
        ]
        return self.chance.choice([*simple, *nested])

    def kinds(self) -> str:
        return "".join(self.chance.choice("nt") for _ in range(self.chance.choice([1, 1, 2, 3])))

    def name(self) -> str:
        self.names += 1
        return f"x{self.names}"
