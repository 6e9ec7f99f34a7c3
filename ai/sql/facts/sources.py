"""The sources of a SELECT, and their columns."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date

from sqlglot import exp

from ai.language.words import singular
from ai.sql.catalog import Catalog
from ai.sql.facts.model import Facts, Origin

Describe = Callable[[exp.Expr, "SelectScope | None"], Facts]


@dataclass(frozen=True, slots=True)
class Setting:
    """The catalogue and the day a query is read by; `describe` gives the facts of a query inside another."""

    catalog: Catalog
    today: date
    describe: Describe


@dataclass(frozen=True, slots=True)
class Source:
    """A table, or the query or VALUES in FROM. `optional` is the other side of an outer join."""

    table: str
    query: exp.Query | None = None
    optional: bool = False
    values: exp.Values | None = None


@dataclass(frozen=True, slots=True)
class SelectScope:
    """A SELECT with its sources by alias, and the queries of WITH in reach."""

    select: exp.Select
    setting: Setting
    sources: Mapping[str, Source] = field(default_factory=dict)
    named: Mapping[str, exp.Query] = field(default_factory=dict)
    outer: "SelectScope | None" = None

    @property
    def catalog(self) -> Catalog:
        return self.setting.catalog

    @property
    def today(self) -> date:
        return self.setting.today

    def inner(self, select: exp.Select, *, correlated: bool = False) -> "SelectScope":
        """Return the scope of a query inside; a correlated one sees these sources, too."""
        return scope_of(select, self.setting, self.named, self if correlated else None)

    def find(self, column: exp.Column) -> tuple[Source, str] | None:
        """Return the source of a column, None where it cannot be told."""
        name = column.name.lower()
        if column.table:
            source = self.sources.get(column.table.lower())
            return (source, name) if source else self.outer.find(column) if self.outer else None
        holding = [source for source in self.sources.values() if self._has(source, name)]
        if len(holding) != 1:
            holding = list(self.sources.values()) if not holding and len(self.sources) == 1 else []
        return (holding[0], name) if holding else None

    def inside(self, query: exp.Query) -> exp.Select | None:
        """Return the SELECT giving the columns of a query in FROM."""
        inner = query.unnest() if isinstance(query, exp.Subquery) else query
        return inner if isinstance(inner, exp.Select) else None

    def origin(self, column: exp.Column) -> Origin | None:
        found = self.find(column)
        if found is None:
            return Origin("", column.name.lower())
        source, name = found
        return Origin(source.table, name)

    def owns(self, column: exp.Column) -> bool:
        """Whether a column belongs to a source of this SELECT, not of one around it."""
        if column.table:
            return column.table.lower() in self.sources
        return any(self._has(source, column.name.lower()) for source in self.sources.values())

    def links(self, node: exp.Expr) -> bool:
        """Whether a condition ties rows of this SELECT to rows of the one around it."""
        sides = [node.this, node.expression] if isinstance(node, exp.EQ) else []
        if self.outer is None or not sides or not all(isinstance(side, exp.Column) for side in sides):
            return False
        return self.owns(sides[0]) != self.owns(sides[1])

    def ties(self) -> tuple[Origin, ...]:
        """Return the columns tying the rows to a row of the SELECT around this one."""
        where = self.select.args.get("where")
        links = [test for test in where.find_all(exp.EQ) if self.links(test)] if where else []
        owned = [next(side for side in (test.this, test.expression) if self.owns(side)) for test in links]
        return tuple(dict.fromkeys(origin for column in owned if (origin := self.origin(column))))

    def joins(self, node: exp.Expr) -> bool:
        """Whether a condition is an equality between columns of two sources."""
        sides = [node.this, node.expression] if isinstance(node, exp.EQ) else []
        if not all(isinstance(side, exp.Column) and side.table for side in sides):
            return False
        return len({side.table.lower() for side in sides if side.table.lower() in self.sources}) > 1

    def _has(self, source: Source, name: str) -> bool:
        if source.query is not None:
            inner = self.inside(source.query)
            return inner is not None and any(item.alias_or_name.lower() == name for item in inner.expressions)
        table = self.catalog.table(source.table)
        return table is not None and table.column(name) is not None


def scope_of(
    select: exp.Select, setting: Setting, named: Mapping[str, exp.Query], outer: SelectScope | None = None
) -> SelectScope:
    known = {**named, **named_queries(select)}
    return SelectScope(select, setting, dict(_sources(select, known)), known, outer)


def named_queries(tree: exp.Expr) -> dict[str, exp.Query]:
    ctes = tree.args["with_"].expressions if tree.args.get("with_") else ()
    return {cte.alias.lower(): cte.this for cte in ctes if isinstance(cte.this, exp.Query)}


def _sources(select: exp.Select, named: Mapping[str, exp.Query]) -> Iterator[tuple[str, Source]]:
    start = select.args.get("from_")
    joins = select.args.get("joins") or []
    sides = {str(join.side).upper() for join in joins}
    if start:
        yield _source(start.this, named, optional=bool(sides & {"RIGHT", "FULL"}))
    for join in joins:
        yield _source(join.this, named, optional=str(join.side).upper() in ("LEFT", "FULL"))


def _source(node: exp.Expr, named: Mapping[str, exp.Query], *, optional: bool) -> tuple[str, Source]:
    name = node.alias_or_name.lower()
    if isinstance(node, exp.Subquery) and isinstance(node.this, exp.Query):
        return name, Source("", node.this, optional)
    if isinstance(node, exp.Table) and not node.args.get("db") and node.name.lower() in named:
        return name, Source("", named[node.name.lower()], optional)
    if isinstance(values := node.unnest() if isinstance(node, exp.Subquery) else node, exp.Values):
        return name, Source("", None, optional, values)
    table = node.name.lower() if isinstance(node, exp.Table) and isinstance(node.this, exp.Identifier) else ""
    return name or f"?{id(node)}", Source(table, None, optional)


def row_table(scope: SelectScope, absent: Collection[str] = ()) -> str:
    """Return the table with one row in each row of a join, "" if unknown: the one referring to all others.

    The `absent` tables have no row in it, as the query demands.
    """
    sources = {alias: source for alias, source in scope.sources.items() if source.table not in absent}
    tables = [source.table for source in sources.values()]
    if len(tables) == 1 or not all(tables):
        return tables[0] if len(tables) == 1 else ""
    parents: dict[str, set[str]] = {alias: set() for alias in sources}
    for child, parent in _links(scope):
        if child in parents and parent in parents:
            parents[child].add(parent)
    drivers = [alias for alias in parents if _reached(alias, parents) == set(parents)]
    if len(drivers) != 1 or sources[drivers[0]].optional:
        return ""
    return sources[drivers[0]].table


def _links(scope: SelectScope) -> Iterator[tuple[str, str]]:
    """Yield (alias of the child, alias of the parent) for each equality with a key."""
    where = scope.select.args.get("where")
    tied = [join.args.get("on") for join in scope.select.args.get("joins") or []]
    for test in (test for part in (*tied, where) if part for test in part.find_all(exp.EQ) if scope.joins(test)):
        sides = [test.this, test.expression]
        for child, parent in (sides, sides[::-1]):
            if _is_key(scope.sources[parent.table.lower()].table, parent.name, scope.catalog):
                yield child.table.lower(), parent.table.lower()


def _is_key(table: str, column: str, catalog: Catalog) -> bool:
    held = catalog.table(table)
    if held is not None:
        return [name.lower() for name in held.primary_key] == [column.lower()]
    return column.lower() in ("id", f"{singular(table)}_id")


def _reached(start: str, parents: Mapping[str, set[str]]) -> set[str]:
    found, new = {start}, {start}
    while new:
        new = {parent for child in new for parent in parents[child]} - found
        found |= new
    return found
