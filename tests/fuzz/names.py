"""Names mean to the guard what they mean to the engine: grown queries in which few names stand for many things.

Columns, tables, aliases of both and entries of WITH share their names, and stand in every clause. Whatever column the
engine's binder reads, the guard must have told; what it binds, the guard must let through.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from ai.errors import SqlRefused
from ai.sql.catalog import Catalog
from ai.sql.database import Database
from ai.sql.guard import check
from ai.sql.rights import Rights
from tests.databases import databases
from tests.fuzz.binders import BINDERS, Read
from tests.fuzz.outcome import Outcome, Try

TABLES = {"t": ("id", "x", "y"), "u": ("k", "x", "z"), "o": ("w", "y", "t")}
SCRIPT = "".join(
    f"CREATE TABLE {name} ({', '.join(f'{column} INTEGER' for column in columns)});"
    f"INSERT INTO {name} VALUES (1, 2, 3), (2, 3, 1), (3, 1, 2), (2, 2, 2);"
    for name, columns in TABLES.items()
)
NAMES = ("x", "y", "t", "u", "o", "k", "w", "id", "a", "b")
ALIASES = ("a", "b")  # no table's columns: SQLite looks those up in each part of a UNION, and reads them for nothing
DENIED = {"t": frozenset({"y"}), "u": frozenset({"x"})}
FIGURES = ("max({})", "sum({})", "count({})", "count(DISTINCT {})", "min({})")
WINDOWS = ("sum({}) OVER (ORDER BY {})", "rank() OVER (PARTITION BY {} ORDER BY {})", "max({}) OVER (ORDER BY {})")
JOINS = (
    ", {o}",
    " JOIN {o} ON {c}",
    " LEFT JOIN {o} ON {c}",
    " CROSS JOIN {o}",
    " JOIN {o} USING ({n})",
    " NATURAL JOIN {o}",
)
VALUES = ("{0}", "{0}", "{0}", "-{0}", "{0} + {1}", "coalesce({0}, 1)", "CASE WHEN {0} > 1 THEN {1} END")
LATERAL = frozenset({"postgres", "duckdb"})
NOT_BOUND, CLOSED = "not bound by the engine", "of another WITH"
ORDERS = ("{}", "{} DESC", "{} + 1", "1", "-({})", "max({})", "coalesce({}, 0)")


@dataclass
class Seen:
    """What stands in FROM so far, by alias; entries of WITH; aliases of columns."""

    sources: dict[str, Sequence[str]] = field(default_factory=dict)
    entries: dict[str, Sequence[str]] = field(default_factory=dict)
    aliases: list[str] = field(default_factory=list)


class NameGrower:
    """Grows queries of which an engine binds a good part: a name is mostly one that can be meant."""

    def __init__(self, chance: Random, kind: str) -> None:
        self.chance = chance
        self.kind = kind

    def query(self, depth: int, seen: Seen) -> tuple[str, list[str]]:
        """Grow a query, and the names of its columns."""
        inner = Seen(dict(seen.sources), dict(seen.entries))
        opening, used = self.entries(depth - 1, inner) if depth and self.happens(0.35) else ("", [])
        if depth and not used and self.happens(0.15):
            return self.compound(depth - 1, inner)
        body, names = self.select(depth, inner, used=used)
        return opening + body, names

    def compound(self, depth: int, seen: Seen) -> tuple[str, list[str]]:
        one, names = self.select(depth, seen, width=2)
        two, _ = self.select(depth, seen, width=2)
        order = f" ORDER BY {self.chance.choice([*names, *ALIASES])}" if self.happens(0.5) else ""
        return f"{one} {self.chance.choice(('UNION ALL', 'UNION', 'EXCEPT', 'INTERSECT'))} {two}{order}", names

    def entries(self, depth: int, seen: Seen) -> tuple[str, list[str]]:
        """Grow a WITH; an engine looks only at entries that are used, so each has to be."""
        grown, used = [], self.chance.sample(NAMES, self.chance.choice((1, 1, 2)))
        for name in used:
            body, names = self.query(depth, Seen(entries=dict(seen.entries)))
            names, listed = self.listed(names) if self.happens(0.3) else (names, "")
            seen.entries[name] = names
            grown.append(f"{name}{listed} AS ({body})")
        return f"WITH {self.chance.choice(('', '', 'RECURSIVE '))}{', '.join(grown)} ", used

    def listed(self, names: Sequence[str]) -> tuple[list[str], str]:
        other = self.chance.sample(NAMES, len(names)) if len(names) <= len(NAMES) else list(names)
        return other, f"({', '.join(other)})"

    def select(self, depth: int, outer: Seen, *, width: int = 0, used: Sequence[str] = ()) -> tuple[str, list[str]]:
        seen = Seen(dict(outer.sources), dict(outer.entries))
        start = self.sources(depth, seen, used)
        if self.happens(0.25):
            body, names = self.grouped(seen, start, width or self.chance.randint(1, 3))
        else:
            body, names = self.listing(depth, seen, start, width)
        order = f" ORDER BY {self.chance.choice(ORDERS).format(self.name(seen, 0.5))}" if not width else ""
        return body + (order if self.happens(0.4) else "") + (
            " LIMIT 2" if not width and self.happens(0.2) else ""
        ), names

    def grouped(self, seen: Seen, start: str, width: int) -> tuple[str, list[str]]:
        key, names = self.name(seen), self.chance.sample(NAMES, width)
        figures = [self.chance.choice((key, *FIGURES)).format(self.name(seen)) for _ in names]
        items = ", ".join(f"{figure} AS {name}" for figure, name in zip(figures, names, strict=True))
        seen.aliases = names
        by = self.chance.choice((key, key, self.chance.choice(names)))
        having = self.chance.choice(("", f" HAVING {self.chance.choice((*names, key, figures[0]))} > 0"))
        return f"SELECT {items} FROM {start}{self.where(0, seen)} GROUP BY {by}{having}", names

    def listing(self, depth: int, seen: Seen, start: str, width: int) -> tuple[str, list[str]]:
        if not width and self.happens(0.15):
            names = [name for columns in seen.sources.values() for name in columns]
            items = self.chance.choice(("*", f"{self.chance.choice([*seen.sources])}.*"))
            return f"SELECT {items} FROM {start}{self.where(depth, seen)}", names
        distinct = self.chance.choice(("", "", "", "", "DISTINCT "))
        if self.kind in LATERAL and self.happens(0.05):
            distinct = f"DISTINCT ON ({self.name(seen, 0.3)}) "
        names = self.chance.sample(NAMES, width or self.chance.randint(1, 3))
        grown = []
        for name in names:
            grown.append(f"{self.value(depth, seen)} AS {name}")
            seen.aliases = [*seen.aliases, name]
        end = self.where(depth, seen)
        if self.kind == "duckdb" and self.happens(0.1):
            end += f" QUALIFY {self.window(seen)} > 0"
        return f"SELECT {distinct}{', '.join(grown)} FROM {start}{end}", names

    def sources(self, depth: int, seen: Seen, used: Sequence[str]) -> str:
        own: list[str] = []
        parts = [self.source(depth, seen, own, name) for name in used]
        grown = ", ".join(parts or [self.source(depth, seen, own)])
        for _ in range(self.chance.choice((0, 0, 0, 1, 1, 2))):
            other = self.source(depth, seen, own)
            grown += self.chance.choice(JOINS).format(o=other, c=self.condition(0, seen), n=self.chance.choice("xyt"))
        return grown

    def source(self, depth: int, seen: Seen, own: list[str], named: str = "") -> str:
        """Grow one more source beside those of the aliases `own`."""
        alias = self.chance.choice([name for name in NAMES if name not in own])
        if depth and not named and self.happens(0.25):
            lateral = self.kind in LATERAL and self.happens(0.3)
            body, names = self.query(depth - 1, seen if lateral else Seen(entries=seen.entries))
            names, listed = self.listed(names) if self.kind in LATERAL and self.happens(0.2) else (names, "")
            grown = f"{'LATERAL ' if lateral else ''}({body}) AS {alias}{listed}"
        else:
            named = named or self.chance.choice([*TABLES, *seen.entries])
            names = list(seen.entries.get(named) or TABLES[named])
            plain = named not in own and self.happens(0.4)
            grown, alias = (named, named) if plain else (f"{named} AS {alias}", alias)
        seen.sources[alias] = names
        own.append(alias)
        return grown

    def happens(self, often: float) -> bool:
        return self.chance.random() < often

    def name(self, seen: Seen, aliases: float = 0.08) -> str:
        """Choose a name; `aliases` tells how often one of a column that the query makes."""
        if self.happens(0.02):
            return self.chance.choice(NAMES)
        if seen.aliases and self.happens(aliases):
            return self.chance.choice(seen.aliases)
        known = [name for columns in seen.sources.values() for name in columns]
        owner = self.chance.choice([*seen.sources])
        bare = self.chance.choice(known or ["x"])
        if seen.sources[owner] and (known.count(bare) > 1 or self.happens(0.4)) and not self.happens(0.05):
            return f"{owner}.{self.chance.choice(seen.sources[owner])}"
        return bare

    def value(self, depth: int, seen: Seen) -> str:
        chosen = self.chance.random()
        if depth and chosen < 0.12:
            return f"({self.select(depth - 1, seen, width=1)[0]} LIMIT 1)"
        if depth and chosen < 0.2:
            return self.window(seen)
        return self.chance.choice(VALUES).format(self.name(seen), self.name(seen))

    def window(self, seen: Seen) -> str:
        return self.chance.choice(WINDOWS).format(self.name(seen), self.name(seen))

    def where(self, depth: int, seen: Seen) -> str:
        return f" WHERE {self.condition(depth, seen)}" if self.happens(0.4) else ""

    def condition(self, depth: int, seen: Seen) -> str:
        chosen = self.chance.random()
        if depth and chosen < 0.35:
            body, _ = self.select(depth - 1, seen, width=1)
            return f"EXISTS ({body})" if chosen < 0.2 else f"{self.name(seen)} IN ({body})"
        return (
            f"{self.value(0, seen)} {self.chance.choice(('>', '=', '<>'))} {self.chance.choice(('1', self.name(seen)))}"
        )


@contextmanager
def names(kind: str, folder: Path) -> Iterator[Try]:
    with databases() as made:
        url = made.make(kind, folder, SCRIPT)
        with closing(Database("names", url)) as database:
            catalog = database.catalog()
        with BINDERS[kind](url) as read:

            def tried(number: int) -> Outcome:
                sql, _ = NameGrower(Random(f"{kind} name {number}"), kind).query(2, Seen())
                return judged(sql, catalog, read)

            yield tried


def judged(sql: str, catalog: Catalog, read: Read) -> Outcome:
    """Hold what the guard tells of a query against what the engine reads for it."""
    try:
        checked = check(sql, catalog)
    except SqlRefused as refusal:
        if CLOSED in str(refusal):  # some of these end the server of MariaDB
            return Outcome("", "refused, as servers differ")
        is_bound = read(sql) is not None
        return Outcome(f"{sql} is refused: {refusal}" if is_bound else "", "refused" if is_bound else NOT_BOUND)
    truth = read(sql)
    if truth is None:
        return Outcome("", NOT_BOUND)
    told = {(table.lower(), column.lower()) for table, column in checked.columns}
    if unseen := truth - told:
        return Outcome(f"{sql} reads {sorted(unseen)} unseen", "read unseen")
    if read(checked.sql) != truth:
        return Outcome(f"{sql} is written as {checked.sql}, which reads something else", "written otherwise")
    return _restricted(sql, catalog, read, is_denied=any(column in DENIED.get(table, ()) for table, column in truth))


def _restricted(sql: str, catalog: Catalog, read: Read, *, is_denied: bool) -> Outcome:
    """Hold the query against rights without two of the columns: what runs must not read them."""
    try:
        checked = check(sql, catalog, Rights(denied=DENIED, schema=catalog.schema))
    except SqlRefused:
        return Outcome("", "refused for a column" if is_denied else "refused, though it reads no denied column")
    leaks = [(table, column) for table, column in read(checked.sql) or () if column in DENIED.get(table, ())]
    return Outcome(f"{sql} runs as {checked.sql} and reads {leaks}" if leaks else "", "allowed")
