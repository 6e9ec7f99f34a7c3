"""Layers L3 and L4 of the guard: which tables and columns a query can reach, found by an own walk over its scopes.

Every table must be one that may be read, every column must have a source that is visible where it stands. The walk
returns what is read and where, so that whoever has rules about tables and columns can judge and replace it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from sqlglot import exp

from ai.errors import SqlRefused
from ai.sql.catalog.catalog import Catalog, Table
from ai.sql.grammars import Grammar
from ai.sql.guard.columns import is_plain_star
from ai.sql.guard.joins import (
    call_of,
    clauses,
    computed_by,
    conditions,
    declared_columns,
    is_brackets,
    made_by_pivot,
    neighbours,
    present,
)
from ai.sql.guard.scopes import ANYTHING, Cte, Scope, Source
from ai.sql.guard.sources import Sources
from ai.sql.rights.rights import Rights

Columns = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reach:
    """Tables and (table, column) pairs that a query reads, in the catalog's spelling for tables, folded for columns.

    `places` are the nodes that read a table of the catalog, `texts` those that look like columns but are text. `starred`
    are tables of which `*` takes all columns but those that may not be read.
    """

    tables: frozenset[str]
    columns: frozenset[tuple[str, str]]
    places: tuple[tuple[exp.Table, Table], ...] = ()
    starred: frozenset[str] = frozenset()
    texts: tuple[exp.Column, ...] = ()


def find_reach(tree: exp.Expr, catalog: Catalog, grammar: Grammar, rights: Rights) -> Reach:
    """What the query reads; `SqlRefused` for a table or a column that is not there to be read."""
    known = {grammar.table_key(table.name): table for table in catalog.tables if rights.allows(table.name)}
    walk = _Walk(grammar, known, rights, {"", grammar.table_key(rights.schema or grammar.default_schema)})
    try:
        walk.query(tree, Scope())
    except RecursionError:
        raise SqlRefused("The SQL is nested too deeply; write it flatter, for example with WITH.", "L3") from None
    for node in tree.find_all(exp.Table, exp.Column):
        if id(node) not in walk.met:
            raise SqlRefused(f"It is not clear what {node.name or 'this'} stands for; write the query plainer.", "L3")
    read = frozenset(walk.tables), frozenset(walk.columns)
    return Reach(*read, tuple(walk.places), frozenset(walk.starred), tuple(walk.texts))


class _Walk(Sources):
    """The walk itself: queries, joins, WITH entries, and the expressions in between."""

    __slots__ = ()

    def query(self, node: exp.Expr, outer: Scope, cte: Cte | None = None) -> Columns:
        """Check a query and everything in it; the keys of its columns ("" for one without a name)."""
        if isinstance(node, exp.Subquery):
            return self._wrapped(node, outer, cte)
        if isinstance(node, exp.SetOperation):
            return self._compound(node, outer, cte)
        if isinstance(node, exp.Values):
            self._expressions(node.expressions, outer)
            return self.of_values(node)
        if isinstance(node, exp.Pivot):
            return self._pivot(node, outer)
        return self._select(node, outer)

    def _wrapped(self, node: exp.Subquery, outer: Scope, cte: Cte | None) -> Columns:
        scope = self._with(node, Scope(outer))
        names = self.query(node.this, scope, cte)
        scope.aliases = frozenset(names)
        self._expressions(present(node, "order", "limit", "offset"), scope)
        return names

    def _compound(self, node: exp.SetOperation, outer: Scope, cte: Cte | None) -> Columns:
        scope = self._with(node, Scope(outer))
        parts: list[exp.Expr] = []
        left: exp.Expr = node
        while isinstance(left, exp.SetOperation) and (left is node or not left.args.get("with_")):
            parts.append(left.expression)
            left = left.this
        first = self.query(left, scope)
        if cte is not None and cte.columns is None:
            cte.columns = first
        names = [first, *(self.query(part, scope) for part in reversed(parts))]
        scope.aliases = frozenset(name for part in names for name in part)
        self._expressions(present(node, "order", "limit", "offset"), scope)
        return first

    def _select(self, node: exp.Expr, outer: Scope) -> Columns:
        scope = self._with(node, Scope(outer))
        if start := node.args.get("from_"):
            self._add(start.this, scope)
        for join in neighbours(node):
            self._join(join, scope)
        if self.grammar.lateral_aliases:
            scope.aliases = frozenset(self.key(e.args["alias"]) for e in node.expressions if isinstance(e, exp.Alias))
        self._expressions(node.expressions, scope)
        names = tuple(name for item in node.expressions for name in self.names(item, scope))
        scope.aliases = frozenset(names)
        self._expressions(clauses(node), scope)
        return names

    def _pivot(self, node: exp.Pivot, outer: Scope) -> Columns:
        """A PIVOT reads all columns of its source: those that it does not name are what it groups by."""
        scope = Scope(outer)
        self._add(node.this, scope)
        self.star("", scope)
        self._expressions(computed_by(node), scope)
        self.meet_names(node.args.get("into"))
        return (ANYTHING,)

    def _with(self, node: exp.Expr, scope: Scope) -> Scope:
        clause = node.args.get("with_")
        entries = []
        for item in clause.expressions if clause else ():
            columns = tuple(self.key(column) for column in item.args["alias"].columns)
            own = bool(clause and clause.recursive) or self.grammar.forward_ctes
            cte = Cte(item, scope, columns or None, seen=self.grammar.forward_ctes)
            key = self.grammar.table_key(item.args["alias"].this)
            if key in scope.ctes:
                raise SqlRefused(f"WITH names {item.alias} twice.", "L3")
            scope.ctes[key] = cte
            entries.append((cte, own))
        for cte, own in entries:
            cte.seen = cte.seen or own
            self._settle(cte)
            cte.seen = True
        if clause and (extra := clause.args.get("search")):
            made = tuple(self.key(name) for name in (extra.expression, extra.args.get("using")) if name)
            for cte, _ in entries:
                cte.columns = (*(cte.columns or ()), *made)
        return scope

    def _settle(self, cte: Cte) -> None:
        if cte.state == "new":
            cte.state = "open"
            names = self.query(cte.node.this, Scope(cte.scope, is_entry=True), cte)
            cte.columns = cte.columns or names
            cte.state = "done"

    def _add(self, node: exp.Expr, scope: Scope) -> None:
        """Make a table expression of FROM visible, with the joins that follow it."""
        if is_brackets(node) and not node.alias:
            self._add(node.this, scope)
        else:
            source = self._source(node, scope)
            for pivot in node.args.get("pivots") or ():
                source = self._pivoted(source, pivot, scope)
            scope.sources.append(source)
        for join in neighbours(node):
            self._join(join, scope)

    def _pivoted(self, source: Source, pivot: exp.Expr, scope: Scope) -> Source:
        around = Scope(scope.outer, sources=[source])
        self.star("", around)
        made = Source("", made_by_pivot(pivot, self.key))
        self._expressions(computed_by(pivot), Scope(scope.outer, sources=[source, made]))
        alias = pivot.args.get("alias")
        return Source(self.key(alias.this) if alias and alias.this else source.name, (ANYTHING,))

    def _join(self, join: exp.Join, scope: Scope) -> None:
        """Make what is joined visible; USING and NATURAL read the columns that both sides share."""
        before = len(scope.sources)
        self._add(join.this, scope)
        left, right = scope.sources[:before], scope.sources[before:]
        shared = [self.key(name) for name in join.args.get("using") or ()]
        if join.method == "NATURAL":
            shared = [
                c for s in right for c in (*s.columns, *s.denied) if any(o.offers(c) or c in o.denied for o in left)
            ]
        for column in shared:
            if any(column in source.denied for source in (*left, *right)):
                raise SqlRefused(f"The column {column} may not be read, so it cannot be joined on.", "L4")
            sides = [[source for source in side if source.offers(column)] for side in (left, right)]
            if not all(sides):
                raise SqlRefused(f"USING names the column {column}, which is not on both sides of the join.", "L4")
            self.columns.update((source.table, column) for side in sides for source in side if source.table)

    def _source(self, node: exp.Expr, scope: Scope) -> Source:
        if call := call_of(node):
            return self.call(node, call)
        if node.args.get("rows_from"):
            return self._rows_from(node)
        if isinstance(node, exp.Table):
            return self.renamed(node, self._named(node, scope))
        seen = isinstance(node, exp.Lateral) or self.grammar.implicit_lateral
        around = Scope(scope) if seen else Scope(scope.outer, ctes=scope.ctes)
        alias = self.alias(node)
        if is_brackets(node):
            self._add(node.this, around)
            self._expressions(conditions(node.this), around)
            denied = frozenset(name for source in around.sources for name in source.denied)
            columns = tuple(column for source in around.sources for column in source.columns)
            return self.renamed(node, Source(alias, columns, denied=denied))
        names = self.query(node.this if isinstance(node, exp.Lateral) else node, around)
        return self.renamed(node, Source(alias, names))

    def _rows_from(self, node: exp.Expr) -> Source:
        self.met.add(id(node))
        parts = [self._source(part, Scope()) for part in node.args["rows_from"]]
        named = tuple(self.key(column) for column in declared_columns(node))
        columns = tuple(column for part in parts for column in part.columns)
        return Source(self.alias(node), (*named, *columns[len(named) :]))

    def _named(self, node: exp.Table, scope: Scope) -> Source:
        schema, key = node.db, self.grammar.table_key(node.this)
        self.met.update((id(node), id(node.args.get("indexed"))))
        self.met.update(id(column) for column in node.find_all(exp.Column) if column.find_ancestor(exp.IndexTableHint))
        alias = self.alias(node) or self.key(node.this)
        cte = None if schema else scope.cte(key, closed=self.grammar.closed_entries)
        if cte is not None:
            if cte.columns is None:
                self._settle(cte)
            if cte.columns is None:
                raise SqlRefused(f"The WITH entry {node.name} refers to itself before it has begun.", "L3")
            return Source(alias, cte.columns)
        if not schema and key.lower() == "dual" and self.grammar.runs_comments:
            return Source(alias, ())
        if (schema and self.grammar.table_key(node.args["db"])) not in self.schemas or key not in self.known:
            shown = f"{schema}.{node.name}" if schema else node.name
            raise SqlRefused(f"There is no table {shown} that may be read here.", "L3")
        return self.table(node, self.known[key], alias)

    def _expressions(self, nodes: Iterable[exp.Expr], scope: Scope) -> None:
        """Check every column and every nested query below the nodes."""
        pending = list(nodes)
        while pending:
            node = pending.pop()
            if isinstance(node, exp.Column):
                self.column(node, scope)
            elif isinstance(node, exp.Query):
                self.query(node, scope)
            elif isinstance(node, exp.Star):
                pending.extend(self._bare_star(node, scope))
            elif isinstance(node, exp.Anonymous) and node.name.lower() == "columns" and self.grammar.structs:
                self.star("", scope)
            elif isinstance(node, exp.Lambda | exp.Comprehension):
                self._binding(node, scope)
            elif isinstance(node, exp.In) and (named := node.args.get("field")) is not None:
                pending.extend((node.this, *self._membership(named, scope)))
            else:
                pending.extend(node.iter_expressions())

    def _bare_star(self, node: exp.Star, scope: Scope) -> Iterator[exp.Expr]:
        """`*` reads everything, but for count(*); what REPLACE computes is read too."""
        call = node.parent
        if not isinstance(call, exp.Anonymous | exp.AnonymousAggFunc) or call.name.lower() != "count":
            self.star("", scope, plain=is_plain_star(node))
        self.meet_names(node.args.get("except_"), node.args.get("rename"))
        return iter(node.args.get("replace") or ())

    def _binding(self, node: exp.Expr, scope: Scope) -> None:
        """A lambda or a comprehension: its own names stand before those of columns, and must not look like them."""
        names = (
            [node.expression, node.args.get("position")] if isinstance(node, exp.Comprehension) else node.expressions
        )
        keys = tuple(self.key(name.this if isinstance(name, exp.Column) else name) for name in names if name)
        for key in keys:
            if scope.denies(key) or scope.named(key):
                raise SqlRefused(f"{key} is the name of something else here; call the parameter differently.", "L4")
        if node.find(exp.Query):
            raise SqlRefused("A query may not stand inside a lambda.", "L4")
        for name in names:
            self.met.add(id(name))
        inner = Scope(scope, sources=[Source("", keys)])
        if isinstance(node, exp.Comprehension):
            self._expressions((node.args["iterator"],), scope)
            self._expressions(present(node, "this", "condition"), inner)
        else:
            self._expressions((node.this,), inner)

    def _membership(self, named: exp.Expr, scope: Scope) -> Iterator[exp.Expr]:
        """`x IN name` reads the table of that name in SQLite, and a list in DuckDB."""
        if self.grammar.structs:
            return iter((named,))
        if not self.grammar.forward_ctes or not isinstance(named, exp.Column) or named.args.get("db"):
            raise SqlRefused("After IN stands a list or a query in brackets; write IN (SELECT …).", "L3")
        self.met.add(id(named))
        schema = named.args.get("table")
        table = exp.Table(this=named.this.copy(), db=schema and schema.copy())
        source = self._named(table, scope)
        if source.table and self.rights.changes(self.known[self.grammar.table_key(table.this)]):
            raise SqlRefused("After IN stands a query in brackets here; write IN (SELECT …).", "L3")
        self.read_all(source)
        return iter(())
