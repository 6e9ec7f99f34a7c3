"""Frames: for each SELECT its sources, their columns, and which rows determine which.

Bound columns holding a key of a source determine it, and bind its other columns. Rows are multiplied by sources they do
not determine; sources with unknown keys get the benefit of the doubt.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from sqlglot import exp

from ai.language.words import singular
from ai.sql.catalog import Catalog, Column, Table
from ai.sql.cautions.conditions import FromItem, Place, conditions_of, place_of


@dataclass(frozen=True, slots=True)
class Frame:
    select: exp.Select
    sources: dict[str, FromItem]
    keys: dict[str, tuple[frozenset[str], ...] | None]
    equal: tuple[tuple[Place, Place], ...]
    fixed: frozenset[Place]
    ranged: frozenset[frozenset[str]]

    def place(self, column: exp.Column) -> Place | None:
        return place_of(column, self.sources)

    def determined(self, names: Iterable[str], also: Iterable[Place] = ()) -> set[str]:
        """Return the sources with at most one row for each row of the named ones."""
        bound: set[Place] = {*self.fixed, *also}
        found: set[str] = set()
        new = set(names)
        while new:
            found |= new
            bound |= {(name, column) for name in new for column in self._columns(name)}
            self._spread(bound)
            new = {name for name in self.sources if name not in found and self._is_bound(name, bound)}
        return found

    def _columns(self, name: str) -> set[str]:
        named = {column for pair in self.equal for owner, column in pair if owner == name}
        return named | set(self.sources[name].columns)

    def _spread(self, bound: set[Place]) -> None:
        grows = True
        while grows:
            known = [pair for pair in self.equal if (pair[0] in bound) != (pair[1] in bound)]
            bound.update(place for pair in known for place in pair)
            grows = bool(known)

    def _is_bound(self, name: str, bound: set[Place]) -> bool:
        keys = self.keys[name]
        own = {column for owner, column in bound if owner == name}
        return bool(own) if keys is None else any(key <= own for key in keys)

    def group_places(self) -> list[Place]:
        found = [self.place(node) for node in self.grouping() if isinstance(node, exp.Column)]
        return [place for place in found if place]

    def grouping(self) -> list[exp.Expr]:
        """List the expressions grouped by, positions and aliases looked up."""
        group = self.select.args.get("group")
        aliases = {item.alias.lower(): item.this for item in self.select.expressions if isinstance(item, exp.Alias)}
        found: list[exp.Expr] = []
        for node in group.expressions if group else ():
            if isinstance(node, exp.Literal) and node.is_int and int(node.name) <= len(self.select.expressions):
                found.append(self.select.expressions[int(node.name) - 1].unalias())
            elif isinstance(node, exp.Column) and not self.place(node) and node.name.lower() in aliases:
                found.append(aliases[node.name.lower()])
            else:
                found.append(node)
        return found

    def aggregates(self) -> Iterator[exp.AggFunc]:
        for node in self.select.find_all(exp.AggFunc):
            if node.find_ancestor(exp.Select) is self.select:
                yield node


@dataclass(slots=True)
class Frames:
    """The frames of a query, made on demand."""

    tree: exp.Query
    catalog: Catalog
    _made: dict[int, Frame] = field(default_factory=dict)
    _named: dict[str, exp.Query] = field(default_factory=dict)
    _making: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        named = {cte.alias.lower(): cte.this for cte in self.tree.find_all(exp.CTE)}
        self._named = {name: query for name, query in named.items() if isinstance(query, exp.Query)}

    def all(self) -> Iterator[Frame]:
        return (self.of(select) for select in self.tree.find_all(exp.Select))

    def of(self, select: exp.Select) -> Frame:
        if id(select) not in self._made:
            self._making.add(id(select))
            self._made[id(select)] = self._frame(select)
            self._making.discard(id(select))
        return self._made[id(select)]

    def column(self, frame: Frame, column: exp.Column) -> tuple[Table, Column] | None:
        """Follow a column through queries passing it on, down to its table."""
        found = self.meaning(frame, column)
        if found is None or not isinstance(found[1], exp.Column):
            return None
        place = found[0].place(found[1])
        table = found[0].sources[place[0]].table if place else None
        held = table.column(place[1]) if table and place else None
        return (table, held) if table and held else None

    def meaning(self, frame: Frame, column: exp.Column) -> tuple[Frame, exp.Expr] | None:
        """Return the frame computing a column, and the expression."""
        place = frame.place(column)
        if place is None:
            return None
        query = frame.sources[place[0]].query
        if not isinstance(query, exp.Select):
            return frame, column
        inner = self.of(query)
        item = next((i for i in query.expressions if i.alias_or_name.lower() == place[1]), None)
        if item is None:
            star = any(isinstance(i, exp.Star) for i in query.expressions)
            passed = exp.column(place[1]) if star else None
            return self.meaning(inner, passed) if passed else None
        made = item.unalias()
        return self.meaning(inner, made) if isinstance(made, exp.Column) else (inner, made)

    def _frame(self, select: exp.Select) -> Frame:
        sources = {source.name: source for source in self._sources(select)}
        keys = {name: self._keys(source) for name, source in sources.items()}
        told = conditions_of(select, sources)
        return Frame(select, sources, keys, tuple(told.equal), frozenset(told.fixed), frozenset(told.ranged))

    def _sources(self, select: exp.Select) -> Iterator[FromItem]:
        start = select.args.get("from_")
        joins = select.args.get("joins") or []
        sides = {str(join.side).upper() for join in joins}
        if start:
            yield self._source(start.this, optional=bool(sides & {"RIGHT", "FULL"}))
        for join in joins:
            yield self._source(join.this, optional=str(join.side).upper() in ("LEFT", "FULL"))

    def _source(self, node: exp.Expr, *, optional: bool) -> FromItem:
        name = node.alias_or_name.lower()
        if isinstance(node, exp.Subquery) and isinstance(node.this, exp.Query):
            return FromItem(name, None, node.this, _outputs(node.this), optional)
        if not isinstance(node, exp.Table) or not isinstance(node.this, exp.Identifier):
            return FromItem(name or f"?{id(node)}", optional=optional)
        query = None if node.args.get("db") else self._named.get(node.name.lower())
        if query and id(query) not in self._making:  # inside of itself, a name is the table that it hides outside
            return FromItem(name, None, query, _outputs(query), optional)
        table = self.catalog.table(node.name)
        columns = tuple(column.name.lower() for column in table.columns) if table else ()
        return FromItem(name, table, None, columns, optional)

    def _keys(self, source: FromItem) -> tuple[frozenset[str], ...] | None:
        """Return the unique sets of columns of a source; None when unknown."""
        if source.table:
            return self._table_keys(source.table)
        if isinstance(source.query, exp.Select):
            return self._query_keys(source.query)
        if isinstance(source.query, exp.SetOperation) and source.query.args.get("distinct"):
            return (frozenset(source.columns),)
        return None

    def _table_keys(self, table: Table) -> tuple[frozenset[str], ...]:
        found = [table.primary_key] if table.primary_key else []
        for other in self.catalog.tables:
            found += [k.target_columns for k in other.foreign_keys if k.target_table.lower() == table.name.lower()]
        if not found:  # no key is declared: the first column mostly is one, and what is called like the table
            single = singular(table.name.lower())
            called = {"id", f"{single}_id", f"{single}id"}
            first = table.columns[:1]
            found = [(c.name,) for c in table.columns if c in first or c.name.lower() in called]
        return tuple(frozenset(name.lower() for name in key) for key in found)

    def _query_keys(self, query: exp.Select) -> tuple[frozenset[str], ...] | None:
        frame, outputs = self.of(query), _outputs(query)
        limit = query.args.get("limit")
        aggregated = any(not isinstance(node.parent, exp.Window) for node in frame.aggregates())
        if not frame.sources or (limit and limit.expression and limit.expression.name == "1"):
            return (frozenset(),)
        if query.args.get("group"):
            return self._group_keys(frame)
        if aggregated:
            return (frozenset(),)
        if query.args.get("distinct"):
            return (frozenset(outputs),)
        shown = _shown_as(frame)
        drivers = [name for name in frame.sources if frame.determined([name]) == set(frame.sources)]
        found = [_renamed(name, key, shown) for name in drivers for key in frame.keys[name] or ()]
        return tuple(key for key in found if key is not None)

    def _group_keys(self, frame: Frame) -> tuple[frozenset[str], ...] | None:
        names = {item.unalias(): item.alias_or_name.lower() for item in frame.select.expressions}
        groups = frame.grouping()
        if not all(node in names for node in groups):
            return None
        found = [frozenset(names[node] for node in groups)]
        shown, places = _shown_as(frame), set(frame.group_places())
        for name, keys in frame.keys.items():
            for key in keys or ():
                whole = frame.determined([name]) >= {owner for owner, _ in places}
                if key and {(name, column) for column in key} <= places and whole and len(places) == len(groups):
                    found += [renamed] if (renamed := _renamed(name, key, shown)) is not None else []
        return tuple(found)


def shown(frame: Frame) -> list[tuple[int, exp.Expr]]:
    """List the items up to the first star with their places in the rows."""
    items = list(enumerate(frame.select.expressions))
    stars = (at for at, item in items if item.is_star)
    return items[: next(stars, len(items))]


def _shown_as(frame: Frame) -> dict[Place, str]:
    found: dict[Place, str] = {}
    for item in frame.select.expressions:
        if item.is_star:
            found |= {(name, column): column for name, source in frame.sources.items() for column in source.columns}
        elif isinstance(item.unalias(), exp.Column) and (place := frame.place(item.unalias())):
            found[place] = item.alias_or_name.lower()
    return found


def _renamed(name: str, key: frozenset[str], shown: dict[Place, str]) -> frozenset[str] | None:
    if all((name, column) in shown for column in key):
        return frozenset(shown[name, column] for column in key)
    return None


def _outputs(query: exp.Query) -> tuple[str, ...]:
    return tuple(name.lower() for name in query.named_selects)
