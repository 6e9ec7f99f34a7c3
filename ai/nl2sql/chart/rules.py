"""Rules: a line of categories, and the constituent made of a run of them. `figures`, `tests` and `shape` build.

A category is an item's kind (`table`, `column`, `value`, `number`, `date`, `literal`, a sign) or `measure`. It may be
one of several (`table|column`), optional (`not?`), or bound to the words right before it (`~literal`).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from ai.nl2sql.chart.parts import Part, PartKind
from ai.nl2sql.lattice import Item, Lattice
from ai.nl2sql.lexicon import Lexicon
from ai.sql.catalog import Table

SKIPPED = 3  # words of mere grammar between two categories
SKIP_COST = 0.06
MANY_TABLES = 60


@dataclass(frozen=True, slots=True)
class Run:
    """The items of a pattern, in its order; None for an absent optional one."""

    items: tuple[Item | Part | None, ...]
    start: int
    end: int
    cost: float
    lattice: Lattice
    lexicon: Lexicon

    def item(self, at: int) -> Item:
        found = self.items[at]
        if not isinstance(found, Item):
            raise TypeError(f"no item at {at}")
        return found

    def optional(self, at: int) -> Item | None:
        found = self.items[at]
        return found if isinstance(found, Item) else None

    def part(self, at: int) -> Part:
        found = self.items[at]
        if not isinstance(found, Part):
            raise TypeError(f"no part at {at}")
        return found


def part_of(run: Run, kind: PartKind, data: object, cost: float = 0.0, tables: frozenset[str] = frozenset()) -> Part:
    """Return the constituent of a run, with the words it was said in and the notes of its items."""
    notes = [item.note for item in run.items if item is not None and item.note]
    said = run.lattice.text(run.start, run.end)
    return Part(kind, run.start, run.end, run.cost + cost, data, tables, "; ".join(notes), said=said)


def implied_tables(run: Run) -> list[Table]:
    """Return the tables an adjective may speak of: in a wide schema only those named, and their neighbours."""
    lexicon = run.lexicon
    if len(lexicon.tables) <= MANY_TABLES or not run.lattice.named:
        return list(lexicon.tables.values())
    beside = (link.target for name in sorted(run.lattice.named) for link in lexicon.links.steps.get(name, ()))
    return [lexicon.table(name) for name in dict.fromkeys((*sorted(run.lattice.named), *beside))][:MANY_TABLES]


Builder = Callable[[Run], Iterator[Part]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern and its builder."""

    pattern: str
    build: Builder
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class Element:
    kinds: tuple[str, ...]
    optional: bool
    bound: bool


@cache
def elements(pattern: str) -> tuple[Element, ...]:
    found = []
    for word in pattern.split():
        name = word.removeprefix("~")
        found.append(Element(tuple(name.removesuffix("?").split("|")), name.endswith("?"), word.startswith("~")))
    return tuple(found)


@dataclass
class Chart:
    """Constituents so far, by start and kind."""

    lattice: Lattice
    lexicon: Lexicon
    found: dict[tuple[int, str], list[Item | Part]]
    fillers: dict[int, list[int]]

    @classmethod
    def over(cls, lattice: Lattice, lexicon: Lexicon) -> "Chart":
        found: dict[tuple[int, str], list[Item | Part]] = {}
        fillers: dict[int, list[int]] = {}
        for start, items in lattice.items.items():
            named = any(item.kind == "column" and item.cost == 0.0 for item in items)  # “value”, where a column is
            for item in items:
                found.setdefault((start, item.kind), []).append(item)
                if item.kind == "filler" and not named:
                    fillers.setdefault(start, []).append(item.end)
        return cls(lattice, lexicon, found, fillers)

    def add(self, part: Part, kind: str) -> None:
        self.found.setdefault((part.start, kind), []).append(part)

    def apply(self, rules: tuple[Rule, ...]) -> list[Part]:
        """Return the constituents of every rule at every run of categories it fits."""
        parts: list[Part] = []
        for rule in rules:
            wanted = elements(rule.pattern)
            for start in range(len(self.lattice.words)):
                if not wanted[0].optional and not any((start, kind) in self.found for kind in wanted[0].kinds):
                    continue
                for run in self.runs(wanted, start):
                    parts += self.built(rule, run)
        return parts

    def built(self, rule: Rule, run: Run) -> Iterator[Part]:
        return rule.build(Run(run.items, run.start, run.end, run.cost + rule.cost, self.lattice, self.lexicon))

    def runs(self, wanted: tuple[Element, ...], start: int) -> Iterator[Run]:
        stack: list[tuple[int, int, float, tuple[Item | Part | None, ...]]] = [(0, start, 0.0, ())]
        while stack:
            at, place, cost, items = stack.pop()
            if at == len(wanted):
                if place > start:
                    yield Run(items, start, place, cost, self.lattice, self.lexicon)
                continue
            element = wanted[at]
            if element.optional:
                stack.append((at + 1, place, cost, (*items, None)))
            first = all(item is None for item in items)
            for there, skipped in self.places(place, first or element.bound):
                for kind in element.kinds:
                    for item in self.found.get((there, kind), ()):
                        stack += [(at + 1, item.end, cost + item.cost + skipped, (*items, item))]

    def places(self, place: int, bound: bool) -> list[tuple[int, float]]:
        """Where the next category may start: here, or behind a few words of mere grammar."""
        reached = {place: 0.0}
        if bound:
            return [(place, 0.0)]
        frontier = [place]
        for step in range(1, SKIPPED + 1):
            frontier = [end for at in frontier for end in self.fillers.get(at, ())]
            for at in frontier:
                reached.setdefault(at, step * SKIP_COST)
        return list(reached.items())
