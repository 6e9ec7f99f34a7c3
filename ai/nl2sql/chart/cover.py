"""The best ways to cover a question with constituents, by a beam from left to right with additive costs.

Words left over cost most and are kept by name, so nothing is dropped without a word.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ai.nl2sql.chart import counts, kinds, periods, relations, tests
from ai.nl2sql.chart.alone import ALONE
from ai.nl2sql.chart.amounts import AMOUNTS
from ai.nl2sql.chart.columns import COLUMNS
from ai.nl2sql.chart.durations import DURATIONS, TOOK, TWO_TIMES
from ai.nl2sql.chart.figures import FIGURES, NUMBERS
from ai.nl2sql.chart.parts import LOUD, Flag, Part
from ai.nl2sql.chart.prices import PRICES, RATIOS, UNIT_PRICES, WORTHS
from ai.nl2sql.chart.ranks import RANKS
from ai.nl2sql.chart.rules import Chart
from ai.nl2sql.chart.shape import GROUPS, ORDERS
from ai.nl2sql.chart.stocks import STOCKS
from ai.nl2sql.chart.texts import TEXTS
from ai.nl2sql.definitions import described
from ai.nl2sql.lattice import Lattice
from ai.nl2sql.lexicon import Lexicon

A_PART = 0.3
A_JOIN = 0.35
NO_LINK = 4.0
UNREAD = 5.0
MAY_REPEAT = 1.5  # an unread word that may only repeat a definition
LOUD_FLAG = 0.45  # a word that must do something, and alone may not
DROPPED_NAME = 0.8  # a word of grammar that is also the whole name of something


class Width(NamedTuple):
    """How many covers are followed to a word, and how many kept at the end."""

    beam: int
    best: int


WIDE, NARROW = Width(48, 32), Width(12, 6)


@dataclass(frozen=True, slots=True)
class Cover:
    """One way to read all words. `unread` are the words left over, `charged` their cost so far."""

    parts: tuple[Part, ...] = ()
    cost: float = 0.0
    tables: frozenset[str] = frozenset()
    unread: tuple[int, ...] = ()
    charged: float = 0.0


@dataclass
class _Edges:
    parts: dict[int, list[Part]] = field(default_factory=dict)
    skips: dict[int, list[tuple[int, float]]] = field(default_factory=dict)
    repeating: frozenset[int] = frozenset()


def parts_of(lattice: Lattice, lexicon: Lexicon) -> list[Part]:
    """Build all constituents, figures first because other constituents are made of them."""
    chart = Chart.over(lattice, lexicon)
    found = chart.apply((*FIGURES, *WORTHS, *kinds.COUNTED, *counts.RATES))
    for part in found:
        chart.add(part, "measure")
    numbers = chart.apply(NUMBERS)
    durations = chart.apply(DURATIONS)
    found += durations
    numbers += durations
    for part in numbers:
        chart.add(part, "measure")
    ratios = chart.apply((*RATIOS, *UNIT_PRICES))
    for part in ratios:
        chart.add(part, "measure")
    found += ratios
    rest = (
        *tests.VALUES,
        *tests.NUMBERS,
        *TEXTS,
        *COLUMNS,
        *STOCKS,
        *PRICES,
        *AMOUNTS,
        *TOOK,
        *periods.DAYS,
        *TWO_TIMES,
        *relations.RELATED,
        *counts.COMPARED,
    )
    return found + chart.apply((*rest, *GROUPS, *RANKS, *ORDERS, *ALONE, *kinds.ROWS, *kinds.KINDS))


def covers(
    lattice: Lattice, lexicon: Lexicon, spoken: frozenset[str] = frozenset(), width: Width = WIDE
) -> list[Cover]:
    """Return the best covers, cheapest first; `spoken` are the tables of the thread."""
    edges = _edges(lattice, lexicon)
    size = len(lattice.words)
    reached: list[list[Cover]] = [[] for _ in range(size + 1)]
    reached[0] = [Cover(tables=spoken)]
    for place in range(size):
        beam = _distinct(sorted(reached[place], key=lambda cover: cover.cost), width.beam)
        for cover in beam:
            for end, after in _steps(cover, place, edges, lexicon):
                reached[end].append(after)
    return _distinct(sorted(reached[size], key=lambda cover: cover.cost), width.best)


def _edges(lattice: Lattice, lexicon: Lexicon) -> _Edges:
    said = described(lexicon.semantics)
    edges = _Edges(repeating=frozenset(at for at, word in enumerate(lattice.words) if word.stem in said))
    cheapest: dict[tuple[object, ...], Part] = {}
    for part in parts_of(lattice, lexicon):
        key = (part.kind, part.start, part.end, part.data, part.such)
        if key not in cheapest or part.cost < cheapest[key].cost:
            cheapest[key] = part
    for part in cheapest.values():
        edges.parts.setdefault(part.start, []).append(_flag_dear(part, lattice))
    names = _names(lattice)
    for start, items in lattice.items.items():
        for item in items:
            lost = lattice.at(start, "worth") and _is_worth_of_table(lattice, start)  # “order value”
            if item.kind == "filler" and not lost:
                grouping = any(part.kind == "group" for part in edges.parts.get(start, ()))
                cost = DROPPED_NAME if names & set(range(start, item.end)) else 0.0
                cost += (0.9 if grouping else 0.4) if lattice.words[start].key == "by" else 0.0
                edges.skips.setdefault(start, []).append((item.end, cost))
    return edges


def _flag_dear(part: Part, lattice: Lattice) -> Part:
    """A word of grammar alone costs more where it is the whole name of something."""
    if not isinstance(part.data, Flag):
        return part
    name = part.end == part.start + 1 and _is_name(lattice, part.start)
    return replace(part, cost=part.cost + DROPPED_NAME * name + LOUD_FLAG * (part.data.sign in LOUD))


def _names(lattice: Lattice) -> set[int]:
    """Return the places of whole names, and of values such as “on hold”."""
    mute = {start for start in lattice.items if lattice.at(start, "filler")}
    runs = (range(item.start, item.end) for items in lattice.items.values() for item in items
            if item.kind == "value" and item.cost < 0.2 and item.end > item.start + 1)  # fmt: skip
    values = {at for run in runs if mute >= set(run) for at in run}
    return values | {start for start in lattice.items if _is_name(lattice, start)}


def _is_worth_of_table(lattice: Lattice, start: int) -> bool:
    """Whether a word stands right behind the name of a table, or says its value: “value of the bookings”."""
    words = [word.key for word in lattice.words[start : start + 3]]
    of = words[0] == "value" and words[1:2] == ["of"] and start + (3 if words[2:] in (["the"], ["all"]) else 2)
    return any(item.end == start for item in lattice.at(start - 1, "table")) or bool(of and lattice.at(of, "table"))


def _is_name(lattice: Lattice, start: int) -> bool:
    items = lattice.items.get(start, ())
    return any(item.sense is not None and item.cost < 0.2 and item.end == start + 1 for item in items)


def _steps(cover: Cover, place: int, edges: _Edges, lexicon: Lexicon) -> Iterator[tuple[int, Cover]]:
    parts, tables, skipped, charged = cover.parts, cover.tables, cover.unread, cover.charged
    for part in edges.parts.get(place, ()):
        cost = cover.cost + part.cost + (0.0 if isinstance(part.data, Flag) else A_PART) + _far(cover, part, lexicon)
        yield part.end, Cover((*parts, part), cost, tables | part.tables, skipped, charged)
    for end, cost in edges.skips.get(place, ()):
        yield end, Cover(parts, cover.cost + cost, tables, skipped, charged)
    left = MAY_REPEAT if place in edges.repeating else UNREAD
    yield place + 1, Cover(parts, cover.cost + left, tables, (*skipped, place), charged + left)


def _far(cover: Cover, part: Part, lexicon: Lexicon) -> float:
    """Return the cost to join the tables of a constituent with those spoken of before."""
    cost = 0.0
    if part.tables <= cover.tables:
        return cost
    for table in part.tables - cover.tables:
        if cover.tables:
            steps = min(lexicon.links.distance(other, table) for other in cover.tables)
            cost += NO_LINK if steps > 8 else A_JOIN * steps
    return cost


def _distinct(found: Sequence[Cover], most: int) -> list[Cover]:
    """Drop covers that differ from a cheaper one only in skipped words. Equal parts are the same object."""
    seen: set[tuple[object, ...]] = set()
    kept: list[Cover] = []
    for cover in found:
        key = (*map(id, cover.parts), cover.unread)
        if key not in seen:
            seen.add(key)
            kept.append(cover)
            if len(kept) == most:
                break
    return kept
