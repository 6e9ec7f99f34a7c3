"""How the tables of a catalog hang together: foreign keys as a graph, which way rows multiply, what a query joins."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise, permutations
from typing import TypeVar

from ai.nl2sql.meaning import Meaning
from ai.nl2sql.vocabulary import is_kind
from ai.sql.catalog import Catalog

Test = TypeVar("Test")
FAR = 99
DETOUR = 2  # steps more, to go by parents alone


@dataclass(frozen=True, slots=True)
class Link:
    """One step from a table to another. `many` says that a row on this side may meet several rows on the other.

    `is_needed` says that each row has this key; `is_own`, that it is called like the key that it refers to as well.
    """

    source: str
    target: str
    pairs: tuple[tuple[str, str], ...]
    many: bool
    optional: bool = False
    is_needed: bool = False
    is_own: bool = False

    @property
    def keys(self) -> tuple[tuple[str, str], ...]:
        """The (table, column) pairs of the foreign key, whichever side it is on."""
        return tuple((self.target, there) if self.many else (self.source, here) for here, there in self.pairs)

    @property
    def referred(self) -> str:
        """The table that the foreign key refers to."""
        return self.source if self.many else self.target


@dataclass(frozen=True)
class Links:
    """All links, both ways, with the shortest path between any two tables.

    Paths are looked for when one that starts at their table is wanted: all of them together are the square of the
    tables.
    """

    steps: dict[str, tuple[Link, ...]]
    _paths: dict[str, dict[str, tuple[Link, ...]]] = field(default_factory=dict, repr=False, compare=False)
    _ways: dict[tuple[str, str], tuple[Link, ...] | None] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, catalog: Catalog) -> "Links":
        """Read the foreign keys of a catalog; a key that refers to a table outside it is left out."""
        steps: defaultdict[str, list[Link]] = defaultdict(list)
        tables = {table.name.lower(): table for table in reversed(catalog.tables)}
        for table in catalog.tables:
            for key in table.foreign_keys:
                target = tables.get(key.target_table.lower())
                if target is None or target.name == table.name:
                    continue
                pairs = tuple(zip(key.columns, key.target_columns, strict=True))
                optional = any((column := table.column(name)) is None or column.nullable for name in key.columns)
                unique = set(key.columns) == set(table.primary_key)
                kind = {"is_needed": not optional, "is_own": not optional and all(a == b for a, b in pairs)}
                steps[table.name].append(Link(table.name, target.name, pairs, many=False, optional=optional, **kind))
                back = tuple((there, here) for here, there in pairs)
                steps[target.name].append(Link(target.name, table.name, back, many=not unique, optional=True, **kind))
        return cls({name: tuple(sorted(links, key=lambda link: not link.is_own)) for name, links in steps.items()})

    def path(self, source: str, target: str) -> tuple[Link, ...] | None:
        """The shortest way between two tables; () when they are the same, None when there is none.

        Of two equally short ways goes that by which each row of the target has one of the source; a little longer one
        goes before one that only joins rows of one parent.
        """
        if source == target:
            return ()
        if (source, target) not in self._ways:
            self._ways[source, target] = self._way(source, target)
        return self._ways[source, target]

    def _way(self, source: str, target: str) -> tuple[Link, ...] | None:
        way, back = self._shortest(source, target), self._shortest(target, source)
        if way and turns(way):
            up, down = _climbed(source, target, self.steps), _climbed(target, source, self.steps)
            turned = tuple(other for link in reversed(down) for other in self._turned(link))
            owned = [each for each in (up, turned if len(turned) == len(down) else ()) if each]
            return min((each for each in owned if len(each) <= len(way) + DETOUR), key=len, default=way)
        if way and back and len(way) == len(back) and not any(link.many for link in back):
            turned = tuple(other for link in reversed(back) for other in self._turned(link))
            return turned if len(turned) == len(back) else way
        return way

    def _shortest(self, source: str, target: str) -> tuple[Link, ...] | None:
        if source not in self._paths:
            self._paths[source] = _paths_from(source, self.steps)
        return self._paths[source].get(target)

    def _turned(self, link: Link) -> tuple[Link, ...]:
        """Return the same key the other way; () where a reading has chosen another."""
        ways = (other for other in self.steps[link.target] if other.target == link.source)
        return tuple(other for other in ways if set(other.keys) == set(link.keys))[:1]

    def distance(self, source: str, target: str) -> int:
        path = self.path(source, target)
        return FAR if path is None else len(path)

    def through(self, keys: Iterable[tuple[str, str]]) -> "Links":
        """Return the links without the rivals of those that these keys, (table, column), make."""
        chosen = set(keys)
        if not chosen:
            return self
        kept = {name: tuple(link for link in links if self._stays(link, chosen)) for name, links in self.steps.items()}
        return Links(kept)

    def _stays(self, link: Link, chosen: set[tuple[str, str]]) -> bool:
        wanted = [other for other in self.rivals(link) if chosen & set(other.keys)]
        if wanted or chosen & set(link.keys):
            return link in wanted or bool(chosen & set(link.keys))
        return link.referred not in self._referred(chosen)

    def _referred(self, chosen: set[tuple[str, str]]) -> set[str]:
        """The tables that chosen keys refer to: no other way leads to them."""
        return {link.referred for table, _ in chosen for link in self.steps.get(table, ()) if chosen & set(link.keys)}

    def nearest(self, sources: Iterable[str], target: str) -> tuple[Link, ...] | None:
        """The shortest way to `target` from any of several tables; the first of equals."""
        paths = [path for source in sources if (path := self.path(source, target)) is not None]
        return min(paths, key=len, default=None)

    def merged(
        self, near: Collection[str], tests: Mapping[str, list[Test]], alone: Collection[str]
    ) -> dict[str, list[Test]]:
        """Put conditions on rows on the way to a single other row beside its own: both are about the same row."""
        ways = {table: self.nearest(near, table) or () for table in tests if table not in alone}
        found = dict(tests)
        for own, other in permutations(ways, 2):
            way, rest = ways[other][: len(ways[own])], ways[other][len(ways[own]) :]
            many = any(link.many for link in way) and not any(link.many for link in rest)
            if {own, other} <= {*found} and rest and way == ways[own] and many:
                found[other] = [*found.pop(own), *found[other]]
        return found

    def owned(self, root: str, needed: Collection[str]) -> list[Link]:
        """Return the last steps of equally short ways up to a table, by owners of which none is needed itself.

        Keys of one name lead to the same row: the event of a ticket is that of its order. The place of staff is not that
        of what they sell.
        """
        for table in sorted(needed):
            path = self.path(root, table) or ()
            if len(path) != 2 or any(link.many for link in path):
                continue
            owners = sorted({link.target for link in self.steps.get(root, ()) if not link.many})
            owners = [owner for owner in owners if owner == path[0].target or not is_kind(owner, "seller")]
            last = [s for owner in owners for s in self.steps.get(owner, ()) if s.target == table and not s.many]
            sources, columns = {link.source for link in last}, {link.keys[0][1] for link in last}
            if len(sources) > 1 and len(columns) > 1 and not sources & {*needed}:
                return last
        return []

    def rivals(self, link: Link) -> tuple[Link, ...]:
        """Every link between the same two tables, this one included; more than one is an ambiguity.

        The customer of a subscription is its `cust_id`, not who may pay for it, its `gift_payer_id`.
        """
        found = tuple(other for other in self.steps[link.source] if other.target == link.target)
        own = tuple(other for other in found if other.is_own)
        return own if link in own and not any(other.is_needed for other in found if other not in own) else found


def _paths_from(start: str, steps: dict[str, tuple[Link, ...]]) -> dict[str, tuple[Link, ...]]:
    """Breadth first; of equally short ways the one with fewer one-to-many steps wins, then one by a link table.

    Rows that only share a parent hang together more loosely than rows that a table of pairs ties.
    """
    found: dict[str, tuple[Link, ...]] = {start: ()}
    level = [start]
    while level:
        reached: dict[str, tuple[Link, ...]] = {}
        for here in level:
            for link in steps.get(here, ()):
                way = (*found[here], link)
                if link.target not in found and _looseness(way) < _looseness(reached.get(link.target, ())):
                    reached[link.target] = way
        found |= reached
        level = list(reached)
    return found


def _looseness(way: tuple[Link, ...]) -> tuple[int, int]:
    """How many steps multiply rows, and how many after one that goes up."""
    if not way:
        return (FAR, FAR)
    return (sum(step.many for step in way), turns(way))


def turns(way: tuple[Link, ...]) -> int:
    """How often a way goes up, then down."""
    return sum(step.many and not before.many for before, step in pairwise(way))


def _climbed(start: str, target: str, steps: dict[str, tuple[Link, ...]]) -> tuple[Link, ...]:
    """Return the shortest way up; () without one."""
    found: dict[str, tuple[Link, ...]] = {start: ()}
    level = [start]
    while level and target not in found:
        here = level.pop(0)
        for link in steps.get(here, ()):
            if not link.many and link.target not in found:
                found[link.target] = (*found[here], link)
                level.append(link.target)
    return found.get(target, ())


def linked(meaning: Meaning, root: str, links: Links) -> list[Link]:
    """Return the links to every table whose columns are shown, grouped, measured or sorted by, each table once."""
    wanted = [g.table for g in meaning.groups] + [f.table for f in meaning.columns]
    wanted += [measure.table for measure in meaning.all_measures]
    wanted += [order.key.table for order in meaning.order]
    wanted += [test.field.table for measure in meaning.all_measures for test in measure.where]
    wanted += [o.table for measure in meaning.all_measures for o in (measure.per, measure.less) if o]
    absent = {presence.table for presence in meaning.presences if not presence.present}
    single = {c.field.table for c in meaning.conditions} - absent
    single |= {meaning.last.table} if meaning.last else set()
    single |= {test.field.table for either in meaning.either for test in either}
    single = {table for table in single if not any(link.many for link in links.path(root, table) or ())}
    found: dict[str, Link] = {}
    for table in (*wanted, *sorted(single)):
        for link in links.path(root, table) or ():
            if link.target != root:
                found.setdefault(link.target, link)
    return list(found.values())


def only_shown(meaning: Meaning, table: str) -> bool:
    """Whether a table is there for its columns alone, so that rows without a match stay."""
    others = {group.table for group in meaning.groups} | {order.key.table for order in meaning.order}
    others |= {c.field.table for c in meaning.conditions}
    return not meaning.measures and not meaning.groups and table not in others
