"""How the tables of a catalog hang together: foreign keys as a graph, shortest paths, and which way rows multiply."""

from collections import defaultdict, deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from ai.sql.catalog import Catalog

FAR = 99


@dataclass(frozen=True, slots=True)
class Link:
    """One step from a table to another. `many` says that a row on this side may meet several rows on the other."""

    source: str
    target: str
    pairs: tuple[tuple[str, str], ...]
    many: bool
    optional: bool = False


@dataclass(frozen=True)
class Links:
    """All links, both ways, with the shortest path between any two tables.

    Paths are looked for when one that starts at their table is wanted: all of them together are the square of the tables.
    """

    steps: dict[str, tuple[Link, ...]]
    _paths: dict[str, dict[str, tuple[Link, ...]]] = field(default_factory=dict, repr=False, compare=False)

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
                steps[table.name].append(Link(table.name, target.name, pairs, many=False, optional=optional))
                back = tuple((there, here) for here, there in pairs)
                steps[target.name].append(Link(target.name, table.name, back, many=not unique, optional=True))
        return cls({name: tuple(links) for name, links in steps.items()})

    def path(self, source: str, target: str) -> tuple[Link, ...] | None:
        """The shortest way between two tables; () when they are the same, None when there is none."""
        if source == target:
            return ()
        if source not in self._paths:
            self._paths[source] = _paths_from(source, self.steps)
        return self._paths[source].get(target)

    def distance(self, source: str, target: str) -> int:
        path = self.path(source, target)
        return FAR if path is None else len(path)

    def nearest(self, sources: Iterable[str], target: str) -> tuple[Link, ...] | None:
        """The shortest way to `target` from any of several tables; the first of equals."""
        paths = [path for source in sources if (path := self.path(source, target)) is not None]
        return min(paths, key=len, default=None)

    def rivals(self, link: Link) -> tuple[Link, ...]:
        """Every link between the same two tables, this one included; more than one is an ambiguity."""
        return tuple(other for other in self.steps[link.source] if other.target == link.target)


def _paths_from(start: str, steps: dict[str, tuple[Link, ...]]) -> dict[str, tuple[Link, ...]]:
    """Breadth first; among equally short ways the one through fewer one-to-many steps wins."""
    found: dict[str, tuple[Link, ...]] = {start: ()}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for link in sorted(steps.get(here, ()), key=lambda step: step.many):
            if link.target not in found:
                found[link.target] = (*found[here], link)
                queue.append(link.target)
    return found
