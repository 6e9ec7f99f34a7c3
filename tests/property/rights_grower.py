"""Grows queries that go around rights: WITH entries called like tables, `x IN table`, joins on shared columns, letter case.

`productions.jsonl` tells by which text each of them shows.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.cases import cases
from tests.property.grower import MISSTEPS, Columns, Grower, Scope

READABLE: dict[str, Columns] = {
    "orders": (("id", "n"), ("customer", "n"), ("region", "t"), ("amount", "n")),
    "customers": (("id", "n"), ("name", "t"), ("email", "t")),
    "vip": (("customer", "n"),),
}
WILD = ("secrets", "main.secrets", "sqlite_master", '"SECRETS"', "main.orders", "ORDERS")
WILD_VALUES = (
    "ssn",
    "rowid",
    "email",
    "token",
    "customers.ssn",
    "(SELECT ssn FROM customers LIMIT 1)",
    "(1 IN (SELECT id FROM secrets))",
)
SPELT: tuple[Callable[[str], str], ...] = (str, str, str, str.upper, str.title, '"{}"'.format)
COUNT = (
    "WITH RECURSIVE {0}(n) AS (SELECT min({1}) FROM {2} UNION ALL SELECT n + 1 FROM {0} WHERE n < 3) SELECT n FROM {0}"
)


@dataclass(frozen=True)
class Production:
    """What a query holds that shows by this text, and whether the guard refuses every such query."""

    name: str
    shows: re.Pattern[str]
    is_refused: bool


PRODUCTIONS = tuple(
    Production(one["production"], re.compile(one["shows"]), one.get("refused", False))
    for one in (case.values[0] for case in cases(Path(__file__).with_name("productions.jsonl")))
)


class RightsGrower(Grower):
    """Grows for one role, which may read these of the tables."""

    def __init__(self, chance: Random, tables: tuple[str, ...]) -> None:
        super().__init__(chance, {name: READABLE[name] for name in tables}, WILD, WILD_VALUES)

    def query(self, depth: int = 3, around: Scope | None = None) -> tuple[str, Columns]:
        if depth and self.chance.random() < 0.02:
            name = self.spelt(self.chance.choice([self.name(), *READABLE]))
            column, source = self.chance.choice([("id", "orders"), ("id", "customers")])
            return COUNT.format(name, column, source), (("n", "n"),)
        if depth and self.chance.random() < 0.1:
            return self.entry(depth, around or Scope())
        return super().query(depth, around)

    def entry(self, depth: int, around: Scope) -> tuple[str, Columns]:
        """Put an entry before a query, often one that is called like a table or a hidden one."""
        name = self.spelt(self.chance.choice([self.name(), self.name(), *READABLE, "secrets"]))
        is_single = "vip" in name.lower() or self.chance.random() < 0.4
        itself = Scope(dict(around.sources), {**around.entries, name: ()})  # an entry cannot read what it hides
        body, columns = self.one(depth - 1, itself) if is_single else self.query(depth - 1, itself)
        inner = Scope(dict(around.sources), {**around.entries, name: columns})
        rest, given = self.query(depth - 1, inner)
        recursive, _, after = rest.partition("WITH RECURSIVE ")
        if not recursive:
            return f"WITH RECURSIVE {name} AS ({body}), {after}", given
        return f"WITH {name} AS ({body})" + (f", {rest[5:]}" if rest.startswith("WITH ") else f" {rest}"), given

    def one(self, depth: int, around: Scope) -> tuple[str, Columns]:
        """A query of one column of numbers, as `vip` has."""
        if self.chance.random() < 0.3:
            return f"SELECT {self.chance.randint(1, 5)} AS customer", (("customer", "n"),)
        scope, start = self.sources(depth, around)
        return f"SELECT {self.value('n', 0, scope)} AS customer FROM {start}", (("customer", "n"),)

    def known(self, scope: Scope) -> dict[str, Columns]:
        """Leave out tables that an entry hides, whatever its letters."""
        hidden = {name.strip('"').lower() for name in scope.entries}
        found = super().known(scope)
        return {name: columns for name, columns in found.items() if name in scope.entries or name not in hidden} or {
            name: READABLE[name] for name in self.tables
        }

    def source(self, depth: int, scope: Scope) -> str:
        text = super().source(depth, scope)
        table, _, rest = text.partition(" ")
        return f"{self.spelt(table)} {rest}" if table in self.tables else text

    def sources(self, depth: int, around: Scope) -> tuple[Scope, str]:
        scope, text = super().sources(depth, around)
        if self.chance.random() < 0.1 and " AS " in text:
            shared = {name for columns in scope.sources.values() for name, _ in columns if name in ("id", "customer")}
            own = [one for one in self.tables if shared & {name for name, _ in self.tables[one]}]
            if own and not scope.entries and scope.sources.keys().isdisjoint(around.sources):
                table = self.chance.choice(own)
                column = self.chance.choice(sorted(shared & {name for name, _ in self.tables[table]}))
                column = "ssn" if self.chance.random() < MISSTEPS else column
                text = f"{text} JOIN {table} AS {self.name()} USING ({column})"
        return scope, text

    def condition(self, depth: int, scope: Scope) -> str:
        """Now and then ask whether a number is in a table or an entry, by its name alone."""
        single = [name for name, columns in self.known(scope).items() if [kind for _, kind in columns] == ["n"]]
        entries = [name for name in single if name.startswith("x")]
        if self.chance.random() > (0.4 if entries else 0.12):
            return super().condition(depth, scope)
        name = self.chance.choice(entries or single or ["vip", "secrets", "orders"])
        word = self.chance.choice(["IN", "IN", "NOT IN"])
        return f"{self.value('n', 0, scope)} {word} {name if name.startswith('x') else self.spelt(name)}"

    def spelt(self, name: str) -> str:
        return name if name.startswith(('"', "x")) else self.chance.choice(SPELT)(name.lower())
