"""Conditions of a SELECT: equal columns, columns with one value, ranges."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from sqlglot import exp

from ai.sql.catalog import Table

Place = tuple[str, str]  # source and column, as keys in lower case
RANGES = (exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between)


@dataclass(frozen=True, slots=True)
class FromItem:
    """A table, a query, or an unknown entry of FROM; `optional` rows may be missing."""

    name: str
    table: Table | None = None
    query: exp.Query | None = None
    columns: tuple[str, ...] = ()
    optional: bool = False

    @property
    def title(self) -> str:
        return self.table.name if self.table else self.name


@dataclass(slots=True)
class Conditions:
    """Equal places, places with one value, and sources tied by a range."""

    equal: list[tuple[Place, Place]] = field(default_factory=list)
    fixed: set[Place] = field(default_factory=set)
    ranged: set[frozenset[str]] = field(default_factory=set)


def conditions_of(select: exp.Select, sources: dict[str, FromItem]) -> Conditions:
    told = Conditions()
    for test in _tests(select):
        _note(test, sources, told)
    told.equal += [pair for join in select.args.get("joins") or () for pair in _using(join, sources)]
    return told


def place_of(column: exp.Column, sources: dict[str, FromItem]) -> Place | None:
    """Return the source and name of a column; None outside of these sources."""
    name, owner = column.name.lower(), column.table.lower()
    if owner:
        return (owner, name) if owner in sources else None
    offering = [source.name for source in sources.values() if name in source.columns]
    if len(sources) == 1 and not offering and not next(iter(sources.values())).columns:
        offering = list(sources)
    return (offering[0], name) if offering else None


def _tests(select: exp.Select) -> Iterator[exp.Expr]:
    where = select.args.get("where")
    whole = [where.this] if where else []
    whole += [join.args["on"] for join in select.args.get("joins") or () if join.args.get("on")]
    for condition in whole:
        for test in condition.flatten() if isinstance(condition, exp.And) else (condition,):
            yield test.unnest()


def _note(test: exp.Expr, sources: dict[str, FromItem], told: Conditions) -> None:
    if isinstance(test, RANGES):
        names = frozenset(p[0] for c in test.find_all(exp.Column) if (p := place_of(c, sources)))
        told.ranged.update([names] if len(names) > 1 else [])
    if not isinstance(test, exp.EQ):
        return
    left, right = test.this.unnest(), test.expression.unnest()
    places = [place_of(node, sources) if isinstance(node, exp.Column) else None for node in (left, right)]
    if places[0] and places[1]:
        told.equal.append((places[0], places[1]))
    for place, other in ((places[0], right), (places[1], left)):
        if place and not any(place_of(column, sources) for column in other.find_all(exp.Column)):
            told.fixed.add(place)


def _using(join: exp.Join, sources: dict[str, FromItem]) -> Iterator[tuple[Place, Place]]:
    own = join.this.alias_or_name.lower()
    for name in join.args.get("using") or ():
        column = name.name.lower()
        others = [source.name for source in sources.values() if source.name != own and column in source.columns]
        yield from (((other, column), (own, column)) for other in others)
