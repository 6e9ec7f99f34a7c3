"""Scopes: the relations, WITH entries and aliases visible at a place of a query.

Names are compared by keys made by the grammar: the same name to an engine has the same key.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from sqlglot import exp

from ai.errors import Masked, SqlRefused
from ai.sql.catalog import Table
from ai.sql.grammars import is_naming

MAX_COLUMNS = 50_000
ANYTHING = "*"  # among the columns of a relation known only to the engine, such as a PIVOT


@dataclass(frozen=True, slots=True)
class Relation:
    """An entry of FROM; `table` is the name of a base table or "", columns are keys.

    `hidden` columns can be named but are not part of `*`; `denied` ones may not be read, `masked` ones only shown.
    """

    name: str
    columns: tuple[str, ...]
    table: str = ""
    hidden: tuple[str, ...] = ()
    denied: frozenset[str] = frozenset()
    masked: frozenset[str] = frozenset()

    def offers(self, column: str) -> bool:
        return column in self.columns or column in self.hidden or ANYTHING in self.columns


@dataclass(slots=True)
class Cte:
    """A WITH entry; `columns` is None until known, `state` ("new", "open", "done") stops circles."""

    node: exp.CTE
    scope: "QueryScope"
    columns: tuple[str, ...] | None = None
    state: str = "new"
    seen: bool = True
    masked: frozenset[str] = frozenset()

    @contextmanager
    def hidden(self, *, when: bool) -> Iterator[None]:
        """Keep the entry from being seen: in what a recursion begins with, its name may be another's."""
        seen, self.seen = self.seen, self.seen and not when
        yield
        self.seen = seen


@dataclass(slots=True)
class QueryScope:
    """What one query sees, and the scope around it; `is_entry` marks one around a WITH entry."""

    outer: "QueryScope | None" = None
    relations: list[Relation] = field(default_factory=list)
    ctes: dict[str, Cte] = field(default_factory=dict)
    aliases: frozenset[str] = frozenset()
    is_entry: bool = False

    def outward(self) -> Iterator["QueryScope"]:
        """Yield the scope and those around it, innermost first."""
        scope: QueryScope | None = self
        while scope is not None:
            yield scope
            scope = scope.outer

    def visible(self) -> Iterator[Relation]:
        return (relation for scope in self.outward() for relation in scope.relations)

    def cte(self, name: str, *, closed: bool = False) -> Cte | None:
        """Find a WITH entry; later ones of the same WITH are not seen yet.

        Engines with `closed` entries disagree on a WITH around the entry's own (MariaDB takes the name for a table), so
        it is refused.
        """
        own: QueryScope | None = None  # the query whose WITH holds the entry in which the name stands
        for scope in self.outward():
            found = scope.ctes.get(name)
            if found is not None and found.seen:
                if closed and own is not None and scope is not own:
                    raise SqlRefused(f"An entry of WITH cannot use {name}, of another WITH; put both into one.", "L3")
                return found
            own = own or (scope.outer if scope.is_entry else None)
        return None

    def offering(self, column: str, owner: str = "") -> Relation | None:
        """Find the innermost relation with the column, of the name `owner` if given."""
        for scope in self.outward():
            found = [r for r in scope.relations if r.offers(column) and owner in ("", r.name)]
            if found:
                return next((r for r in found if ANYTHING not in r.columns), found[0])
        return None

    def nearest(self, name: str) -> "QueryScope":
        """Return the innermost scope in which the name is that of a column, an alias or a relation, without others."""
        for scope in self.outward():
            if name in scope.aliases or any(r.name == name or r.offers(name) for r in scope.relations):
                return QueryScope(relations=scope.relations, aliases=scope.aliases)
        return self

    def denies(self, column: str, owner: str = "") -> bool:
        return any(column in r.denied and owner in ("", r.name) for r in self.visible())

    def named(self, name: str) -> Relation | None:
        return next((relation for relation in self.visible() if relation.name == name), None)

    def starred(self, owner: str) -> list[Relation]:
        """List the relations of `*` or `owner.*`, or raise `SqlRefused`."""
        found = [relation for relation in self.relations if owner in ("", relation.name)]
        if not found and owner and (outer := self.offering(owner) or self.named(owner)):
            return [outer]
        if not found:
            raise SqlRefused(f"There is nothing called {owner or '*'} in FROM here to take all columns of.", "L4")
        return found

    def knows_alias(self, name: str) -> bool:
        return any(name in scope.aliases for scope in self.outward())


@dataclass(slots=True)
class Bindings:
    """What the names of a query are bound to.

    `places` read base tables, `columns` are the (table, column key) pairs read, `texts` look like columns and are text.
    `bound` are the ids of all nodes accounted for, `masks` the masked columns given by a query by its id, `shown` the
    ids of masked columns that stand alone in a SELECT list, `computed` the names of those that are computed with.
    """

    places: list[tuple[exp.Table, Table]] = field(default_factory=list)
    columns: set[tuple[str, str]] = field(default_factory=set)
    texts: list[exp.Column] = field(default_factory=list)
    bound: set[int] = field(default_factory=set)
    made: int = 0
    masks: dict[int, frozenset[str]] = field(default_factory=dict)
    shown: set[int] = field(default_factory=set)
    computed: set[str] = field(default_factory=set)

    def make(self, columns: int) -> None:
        """Count columns of queries inside the query; refuse those that grow without bound."""
        self.made += columns
        if self.made > MAX_COLUMNS:
            raise SqlRefused(f"The parts of the query have more than {MAX_COLUMNS:,} columns; name fewer.", "L3")

    @property
    def tables(self) -> set[str]:
        return {table.name for _, table in self.places}

    def read(self, relation: Relation) -> None:
        """Note that all columns of a relation are read."""
        if relation.table:
            self.columns.update((relation.table, column) for column in relation.columns)

    def masked_by(self, node: exp.Expr) -> frozenset[str]:
        return self.masks.get(id(node), frozenset())

    def read_masked(self, node: exp.Column, name: str) -> None:
        """Note that a masked column is shown, or that something is computed with it."""
        item = node.parent if isinstance(node.parent, exp.Alias) else node
        if isinstance(item.parent, exp.Select) and item.arg_key == "expressions":
            self.shown.add(id(node))
        else:
            self.computed.add(name)

    def settle(self, nodes: Iterable[exp.Expr]) -> None:
        """Raise `SqlRefused` where a name was missed, or something is computed with a masked column."""
        for node in nodes:
            is_missed = isinstance(node, exp.Table | exp.Column) and id(node) not in self.bound
            if is_missed or (isinstance(node, exp.Identifier) and not is_naming(node)):
                raise SqlRefused(
                    f"It is not clear what {node.name or 'this'} stands for; write the query plainer.", "L3"
                )
        if self.computed:
            raise Masked(sorted(self.computed))

    def bind_names(self, *nodes: object) -> None:
        """Account for nodes that only name columns made here, and read nothing."""
        for node in (one for some in nodes for one in (some if isinstance(some, list) else [some])):
            if isinstance(node, exp.Expr):
                self.bound.update(id(column) for column in node.find_all(exp.Column))
