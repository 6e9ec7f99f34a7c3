"""Layers L3 and L4: binds every name of a query to what the engine takes it for; a name that is missed is refused."""

from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass

from sqlglot import exp

from ai.errors import SqlRefused
from ai.sql.catalog import Catalog
from ai.sql.grammars import Grammar
from ai.sql.guard.columns import ColumnReferences
from ai.sql.guard.masks import select_masks, union_masks
from ai.sql.guard.relations import (
    BaseRelations,
    alias_of,
    call_of,
    clauses,
    computed_by,
    conditions,
    declared_columns,
    is_brackets,
    items_of,
    neighbours,
    over,
    present,
    renamed,
    renamed_columns,
    repeats,
)
from ai.sql.guard.scopes import ANYTHING, Bindings, Cte, QueryScope, Relation
from ai.sql.rights import Rights

Columns = tuple[str, ...]


def bind(tree: exp.Expr, catalog: Catalog, grammar: Grammar, rights: Rights) -> Bindings:
    """Bind the names of a query, or raise `SqlRefused`; the bindings are still to be settled."""
    known = {grammar.table_key(table.name): table for table in catalog.tables if rights.allows(table.name)}
    schemas = frozenset({"", grammar.table_key(rights.schema or grammar.default_schema)})
    bindings = Bindings()
    binder = Binder(
        grammar,
        BaseRelations(grammar, known, schemas, rights, bindings),
        ColumnReferences(grammar, schemas, bindings),
        bindings,
    )
    try:
        binder.query(tree, QueryScope())
    except RecursionError:
        raise SqlRefused("The SQL is nested too deeply; write it flatter, for example with WITH.", "L3") from None
    return bindings


@dataclass(frozen=True, slots=True)
class Binder:
    grammar: Grammar
    base: BaseRelations
    references: ColumnReferences
    bindings: Bindings

    def query(self, node: exp.Expr, outer: QueryScope, cte: Cte | None = None) -> Columns:
        """Bind a query; return the keys of its columns ("" for one without a name)."""
        match node:
            case exp.Subquery():
                scope = self._with(node, QueryScope(outer))
                names = self.query(node.this, scope, cte)
                self._ordering(node, scope, names)
                self.bindings.masks[id(node)] = self.bindings.masked_by(node.this)
                return names
            case exp.SetOperation():
                return self._compound(node, outer, cte)
            case exp.Values():
                self._expressions(node.expressions, outer)
                columns = self.base.columns_of_values(node)
                self._ordering(node, QueryScope(outer), columns)
                return columns
            case exp.Pivot():
                return self._pivot(node, outer)
        return self._select(node, outer)

    def _compound(self, node: exp.SetOperation, outer: QueryScope, cte: Cte | None) -> Columns:
        scope = self._with(node, QueryScope(outer))
        parts: list[exp.Expr] = []
        left: exp.Expr = node
        while isinstance(left, exp.SetOperation) and (left is node or not left.args.get("with_")):
            parts.append(left.expression)
            left = left.this
        with cte.hidden(when=self.grammar.unions_repeat) if cte else nullcontext():
            first = self.query(left, scope)
        if cte is not None and cte.columns is None:
            cte.columns, cte.masked = first, self.bindings.masked_by(left)
        names = [first, *(self.query(part, scope) for part in reversed(parts))]
        union_masks(node, left, list(zip((left, *reversed(parts)), names, strict=True)), self.bindings)
        inner = (self._key(name) for part in (left, *parts) for name in renamed_columns(part))
        self._ordering(node, scope, (*inner, *(name for part in names for name in part)))
        return tuple(dict.fromkeys(name for part in names for name in part)) if node.args.get("by_name") else first

    def _ordering(self, node: exp.Expr, scope: QueryScope, names: Iterable[str]) -> None:
        scope.aliases = frozenset(names)
        self._expressions(present(node, "order", "limit", "offset"), scope)

    def _select(self, node: exp.Expr, outer: QueryScope) -> Columns:
        scope = self._with(node, QueryScope(outer))
        if start := node.args.get("from_"):
            self._from(start.this, scope)
        for join in neighbours(node):
            self._join(join, scope)
        if self.grammar.lateral_aliases:
            made = (self._key(e.args["alias"]) for e in node.expressions if isinstance(e, exp.Alias))
            scope.aliases = self.references.visible_aliases("select", frozenset(made), scope)
        self._expressions(node.expressions, scope)
        names = tuple(name for item in node.expressions for name in self.references.output_names(item, scope))
        self.bindings.make(len(names))
        for clause, part in clauses(node):
            self._clause(clause, part, frozenset(names), scope)
        select_masks(node, scope, self.references.output_names, self.bindings, self._key)
        return names

    def _clause(self, clause: str, node: exp.Expr, aliases: frozenset[str], scope: QueryScope) -> None:
        """Bind a clause; aliases are visible in it as the engine sees them."""
        visible = aliases if clause in self.grammar.alias_clauses else frozenset()
        scope.aliases = self.references.visible_aliases(clause, visible, scope)
        if clause in self.grammar.bare_alias_clauses:
            binds = self.references.binds_alias
            self._expressions((i for i in items_of(node) if not binds(i, clause, aliases, scope)), scope)
        else:
            self._expressions((node,), scope)

    def _pivot(self, node: exp.Pivot, outer: QueryScope) -> Columns:
        """Bind a PIVOT; it reads all columns, grouping by those it does not name."""
        scope = QueryScope(outer)
        self._from(node.this, scope)
        self.references.bind_star("", scope)
        self._expressions(computed_by(node), scope)
        self.bindings.bind_names(node.args.get("into"))
        return (ANYTHING,)

    def _with(self, node: exp.Expr, scope: QueryScope) -> QueryScope:
        clause = node.args.get("with_")
        if not clause:
            return scope
        forward = self.grammar.forward_ctes
        entries = []
        for item in clause.expressions:
            columns = tuple(self._key(column) for column in item.args["alias"].columns)
            key = self.grammar.table_key(item.args["alias"].this)
            if key in scope.ctes:
                raise SqlRefused(f"WITH names {item.alias} twice.", "L3")
            scope.ctes[key] = cte = Cte(item, scope, columns or None, seen=forward)
            entries.append(cte)
        for cte in entries:
            cte.seen = forward or bool(clause.recursive and repeats(cte.node.this, self.grammar))
            self._settle(cte)
            cte.seen = True
        if extra := clause.args.get("search"):
            made = tuple(self._key(name) for name in (extra.expression, extra.args.get("using")) if name)
            for cte in entries:
                cte.columns = (*(cte.columns or ()), *made)
        return scope

    def _settle(self, cte: Cte) -> None:
        if cte.state == "new":
            cte.state = "open"
            declared = cte.columns or ()
            names = self.query(cte.node.this, QueryScope(cte.scope, is_entry=True), cte)
            cte.columns = cte.columns or names
            cte.masked = renamed(self.bindings.masked_by(cte.node.this), names, declared)
            cte.state = "done"

    def _from(self, node: exp.Expr, scope: QueryScope) -> None:
        if is_brackets(node) and not node.alias:
            self._from(node.this, scope)
        else:
            relation = self._relation(node, scope)
            for pivot in node.args.get("pivots") or ():
                relation = self._pivoted(relation, pivot, scope)
            scope.relations.append(relation)
        for join in neighbours(node):
            self._join(join, scope)

    def _pivoted(self, relation: Relation, pivot: exp.Expr, scope: QueryScope) -> Relation:
        self.references.bind_star("", QueryScope(scope.outer, [relation]))
        self._expressions(computed_by(pivot), QueryScope(scope.outer, [relation]))
        alias = pivot.args.get("alias")
        return Relation(self._key(alias.this) if alias and alias.this else relation.name, (ANYTHING,))

    def _join(self, join: exp.Join, scope: QueryScope) -> None:
        """Add a joined relation; USING and NATURAL read the columns shared by both sides."""
        before = len(scope.relations)
        self._from(join.this, scope)
        left, right = scope.relations[:before], scope.relations[before:]
        shared = [self._key(name) for name in join.args.get("using") or ()]
        if join.method == "NATURAL":
            offered = [c for r in right for c in (*r.columns, *sorted(r.denied, key=self.grammar.row_ids.__contains__))]
            shared = [c for c in offered if any(o.offers(c) or c in o.denied for o in left)]
        for column in shared:
            self.bindings.computed.update(column for relation in (*left, *right) if column in relation.masked)
            if any(column in relation.denied for relation in (*left, *right)):
                raise SqlRefused(f"The column {column} may not be read, so it cannot be joined on.", "L4")
            sides = [[relation for relation in side if relation.offers(column)] for side in (left, right)]
            if not all(sides):
                raise SqlRefused(f"USING names the column {column}, which is not on both sides of the join.", "L4")
            self.bindings.columns.update((r.table, column) for side in sides for r in side if r.table)

    def _relation(self, node: exp.Expr, scope: QueryScope) -> Relation:
        if call := call_of(node):
            return self.base.call(node, call)
        if node.args.get("rows_from"):
            self.bindings.bound.add(id(node))
            parts = [self._relation(part, QueryScope()) for part in node.args["rows_from"]]
            columns = tuple(column for part in parts for column in part.columns)
            return Relation(alias_of(node, self._key), over(columns, declared_columns(node, self._key)))
        found = self._named(node, scope) if isinstance(node, exp.Table) else self._derived(node, scope)
        return self.base.renamed(node, found)

    def _derived(self, node: exp.Expr, scope: QueryScope) -> Relation:
        lateral = isinstance(node, exp.Lateral)
        seen = lateral or self.grammar.implicit_lateral
        around = QueryScope(scope) if seen else QueryScope(scope.outer, ctes=scope.ctes)
        alias = alias_of(node, self._key)
        if not is_brackets(node):
            query = node.this if lateral else node
            return Relation(alias, self.query(query, around), masked=self.bindings.masked_by(query))
        self._from(node.this, around)
        self._expressions(conditions(node.this), around)
        denied = frozenset(name for relation in around.relations for name in relation.denied)
        masked = frozenset(name for relation in around.relations for name in relation.masked)
        return Relation(alias, tuple(c for r in around.relations for c in r.columns), denied=denied, masked=masked)

    def _named(self, node: exp.Table, scope: QueryScope) -> Relation:
        self.bindings.bound.update((id(node), id(node.args.get("indexed"))))
        self.bindings.bind_names(node.args.get("hints"))
        alias = alias_of(node, self._key) or self._key(node.this)
        key = self.grammar.table_key(node.this)
        cte = None if node.db else scope.cte(key, closed=self.grammar.closed_entries)
        if cte is None:
            return self.base.base_table(node, alias)
        if cte.columns is None:
            self._settle(cte)
        if cte.columns is None:
            raise SqlRefused(f"The WITH entry {node.name} refers to itself before it has begun.", "L3")
        return Relation(alias, cte.columns, masked=cte.masked)

    def _expressions(self, nodes: Iterable[exp.Expr], scope: QueryScope) -> None:
        pending = list(nodes)
        while pending:
            node = pending.pop()
            if isinstance(node, exp.Column):
                self.references.bind(node, scope)
            elif isinstance(node, exp.Query):
                self.query(node, scope)
                if not isinstance(node.parent, exp.Exists):
                    self.bindings.computed.update(self.bindings.masked_by(node))
            elif isinstance(node, exp.Star):
                pending.extend(self.references.bind_bare_star(node, scope))
            elif isinstance(node, exp.Anonymous) and node.name.lower() == "columns" and self.grammar.structs:
                self.references.bind_star("", scope)
                for arrow in node.find_all(exp.Lambda):
                    self._parameters(arrow, QueryScope())  # of names of columns
                pending.extend(part for star in node.find_all(exp.Star) for part in self.references.bind_parts(star))
            elif isinstance(node, exp.Lambda | exp.Comprehension):
                self._parameters(node, scope)
            elif isinstance(node, exp.In) and (named := node.args.get("field")) is not None:
                pending.extend((node.this, *self._membership(named, scope)))
            else:
                pending.extend(node.iter_expressions())

    def _parameters(self, node: exp.Expr, scope: QueryScope) -> None:
        """Bind a lambda or a comprehension; its names hide columns, so they must not look like them."""
        comprehends = isinstance(node, exp.Comprehension)
        names = [node.expression, node.args.get("position")] if comprehends else node.expressions
        keys = tuple(self._key(name.this if isinstance(name, exp.Column) else name) for name in names if name)
        for key in keys:
            if scope.denies(key) or scope.named(key):
                raise SqlRefused(f"{key} is the name of something else here; call the parameter differently.", "L4")
        if node.find(exp.Query):
            raise SqlRefused("A query may not stand inside a lambda.", "L4")
        self.bindings.bound.update(map(id, names))
        if comprehends:
            self._expressions((node.args["iterator"],), scope)
        self._expressions(present(node, "this", "condition"), QueryScope(scope, [Relation("", keys)]))

    def _membership(self, named: exp.Expr, scope: QueryScope) -> Iterator[exp.Expr]:
        """Bind `x IN name`: the table of that name in SQLite, a list in DuckDB."""
        if self.grammar.structs:
            return iter((named,))
        if not self.grammar.forward_ctes or not isinstance(named, exp.Column) or named.args.get("db"):
            raise SqlRefused("After IN stands a list or a query in brackets; write IN (SELECT …).", "L3")
        self.bindings.bound.add(id(named))
        parts = named.copy().args
        table = exp.Table(this=parts["this"], db=parts.get("table"))
        relation = self._named(table, scope)
        if relation.table and self.base.is_rewritten(table):
            raise SqlRefused("After IN stands a query in brackets here; write IN (SELECT …).", "L3")
        self.references.read_all(relation)
        return iter(())

    def _key(self, name: exp.Identifier | str) -> str:
        return self.grammar.column_key(name)
