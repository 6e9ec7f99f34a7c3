"""Layers L3 and L4 of the guard: which tables and columns a query can reach, found by an own walk over its scopes.

Every table must be one of the catalog, every column must have a source that is visible where it stands. The walk
returns what is read, so that whoever has rules about tables and columns can judge it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from sqlglot import exp

from ai.errors import SqlRefused
from ai.sql.catalog import Catalog, Table
from ai.sql.dialects import Dialect
from ai.sql.joins import conditions, conditions_of_join, is_brackets, neighbours
from ai.sql.scopes import Cte, Scope, Source, fold

Columns = tuple[str, ...]
ORDERINGS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between, exp.In)
COMPARISONS = (*ORDERINGS, exp.Is, exp.NullSafeEQ, exp.NullSafeNEQ, exp.Like, exp.Glob, exp.Escape)


@dataclass(frozen=True, slots=True)
class Reach:
    """Tables and (table, column) pairs that a query reads, in the catalog's spelling for tables, folded for columns.

    `texts` are the nodes that look like columns but are text to the engine.
    """

    tables: frozenset[str]
    columns: frozenset[tuple[str, str]]
    texts: tuple[exp.Column, ...] = ()


def find_reach(tree: exp.Expr, catalog: Catalog, dialect: Dialect) -> Reach:
    """What the query reads; `SqlRefused` for a table or a column that is not there to be read."""
    walk = _Walk(dialect, {fold(table.name): table for table in catalog.tables})
    try:
        walk.query(tree, Scope())
    except RecursionError:
        raise SqlRefused("The SQL is nested too deeply; write it flatter, for example with WITH.", "L3") from None
    for node in tree.find_all(exp.Table, exp.Column):
        if id(node) not in walk.met:
            raise SqlRefused(f"It is not clear what {node.name or 'this'} stands for; write the query plainer.", "L3")
    return Reach(frozenset(walk.tables), frozenset(walk.columns), tuple(walk.texts))


@dataclass(slots=True)
class _Walk:
    """`met` are the table and column nodes that were judged: one that the walk never came to must not pass."""

    dialect: Dialect
    known: dict[str, Table]
    tables: set[str] = field(default_factory=set)
    columns: set[tuple[str, str]] = field(default_factory=set)
    texts: list[exp.Column] = field(default_factory=list)
    met: set[int] = field(default_factory=set)

    def query(self, node: exp.Expr, outer: Scope, cte: Cte | None = None) -> Columns:
        """Check a query and everything in it; the folded names of its columns ("" for one without a name)."""
        if isinstance(node, exp.Subquery):
            return self._wrapped(node, outer, cte)
        if isinstance(node, exp.SetOperation):
            return self._compound(node, outer, cte)
        if isinstance(node, exp.Values):
            self._expressions(node.expressions, outer)
            return tuple(f"column{n}" for n, _ in enumerate(node.expressions[0].expressions, 1))
        return self._select(node, outer)

    def _wrapped(self, node: exp.Subquery, outer: Scope, cte: Cte | None) -> Columns:
        names = self.query(node.this, outer, cte)
        scope = Scope(outer, aliases=frozenset(names))
        self._expressions(_present(node, "order", "limit", "offset"), scope)
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
        self._expressions(_present(node, "order", "limit", "offset"), scope)
        return first

    def _select(self, node: exp.Expr, outer: Scope) -> Columns:
        scope = self._with(node, Scope(outer))
        if start := node.args.get("from_"):
            self._add(start.this, scope)
        for join in neighbours(node):
            self._join(join, scope)
        self._expressions(node.expressions, scope)
        names = tuple(name for item in node.expressions for name in self._names(item, scope))
        scope.aliases = frozenset(names)
        self._expressions(_clauses(node), scope)
        return names

    def _with(self, node: exp.Expr, scope: Scope) -> Scope:
        clause = node.args.get("with_")
        for item in clause.expressions if clause else ():
            columns = tuple(fold(column.name) for column in item.args["alias"].columns)
            scope.ctes[fold(item.alias)] = Cte(item, scope, columns or None)
        for cte in list(scope.ctes.values()):
            self._settle(cte)
        return scope

    def _settle(self, cte: Cte) -> None:
        if cte.state == "new":
            cte.state = "open"
            names = self.query(cte.node.this, cte.scope, cte)
            cte.columns = cte.columns or names
            cte.state = "done"

    def _add(self, node: exp.Expr, scope: Scope) -> None:
        """Make a table expression of FROM visible, with the joins that follow it."""
        if is_brackets(node) and not node.alias:
            self._add(node.this, scope)
        else:
            scope.sources.append(self._source(node, scope))
        for join in neighbours(node):
            self._join(join, scope)

    def _join(self, join: exp.Join, scope: Scope) -> None:
        """Make what is joined visible; USING and NATURAL read the columns that both sides share."""
        before = len(scope.sources)
        self._add(join.this, scope)
        left, right = scope.sources[:before], scope.sources[before:]
        shared = [fold(name.name) for name in join.args.get("using") or ()]
        if join.method == "NATURAL":
            shared = [column for source in right for column in source.columns if any(s.offers(column) for s in left)]
        for column in shared:
            sides = [[source for source in side if source.offers(column)] for side in (left, right)]
            if not all(sides):
                raise SqlRefused(f"USING names the column {column}, which is not on both sides of the join.", "L4")
            self.columns.update((source.table, column) for side in sides for source in side if source.table)

    def _source(self, node: exp.Expr, scope: Scope) -> Source:
        around, alias = Scope(scope.outer, ctes=scope.ctes), fold(node.alias)
        if isinstance(node, exp.Table):
            return self._call(node, alias) if isinstance(node.this, exp.Anonymous) else self._named(node, scope)
        if is_brackets(node):
            self._add(node.this, around)
            self._expressions(conditions(node.this), around)
            return Source(alias, tuple(column for source in around.sources for column in source.columns))
        return Source(alias, self.query(node, around))

    def _call(self, node: exp.Table, alias: str) -> Source:
        name = fold(node.this.name)
        self.met.add(id(node))
        if name not in self.dialect.table_functions or node.args.get("db"):
            raise SqlRefused(f"{node.this.name}() may not stand in FROM.", "L3")
        return Source(alias or name, self.dialect.table_functions[name], hidden=("json", "root"))

    def _named(self, node: exp.Table, scope: Scope) -> Source:
        schema, name = fold(node.db), fold(node.name)
        self.met.update((id(node), id(node.args.get("indexed"))))
        cte = None if schema else scope.cte(name)
        if cte is not None:
            self._settle(cte)
            if cte.columns is None:
                raise SqlRefused(f"The WITH entry {node.name} refers to itself before it has begun.", "L3")
            return Source(fold(node.alias) or name, cte.columns)
        table = self._table(schema, name, node.name)
        columns = tuple(fold(column.name) for column in table.columns)
        return Source(fold(node.alias) or name, columns, table.name, self.dialect.row_ids)

    def _table(self, schema: str, name: str, written: str) -> Table:
        if schema not in ("", self.dialect.default_schema) or name not in self.known:
            shown = f"{schema}.{written}" if schema else written
            raise SqlRefused(f"There is no table {shown} that may be read here.", "L3")
        self.tables.add(self.known[name].name)
        return self.known[name]

    def _expressions(self, nodes: Iterable[exp.Expr], scope: Scope) -> None:
        """Check every column and every nested query below the nodes."""
        pending = list(nodes)
        while pending:
            node = pending.pop()
            if isinstance(node, exp.Column):
                self._column(node, scope)
            elif isinstance(node, exp.Query):
                self.query(node, scope)
            elif isinstance(node, exp.In) and (named := node.args.get("field")) is not None:
                self._membership(named, scope)
                pending.append(node.this)
            else:
                pending.extend(node.iter_expressions())

    def _membership(self, named: exp.Expr, scope: Scope) -> None:
        """`x IN name` reads the table of that name."""
        if not isinstance(named, exp.Column) or named.args.get("db"):
            raise SqlRefused("After IN stands a list or a query in brackets; write IN (SELECT …).", "L3")
        self.met.add(id(named))
        schema = named.args.get("table")
        table = exp.Table(this=named.this.copy(), db=schema and schema.copy())
        self._read_all(self._named(table, scope))

    def _column(self, node: exp.Column, scope: Scope) -> None:
        name, owner = fold(node.name), fold(node.table)
        self.met.add(id(node))
        if fold(node.db) not in ("", self.dialect.default_schema):
            raise SqlRefused(f"There is no schema {node.db} that may be read here.", "L4")
        if isinstance(node.this, exp.Star):
            self._star(owner, scope)
        elif source := scope.find(name, owner):
            if source.table:
                self.columns.add((source.table, name))
        elif not owner and scope.knows_alias(name):
            return
        elif self.dialect.quoted_names_can_be_text and _stands_for_text(node):
            self.texts.append(node)
        else:
            raise SqlRefused(_no_column(node), "L4")

    def _star(self, owner: str, scope: Scope) -> None:
        for source in _starred(owner, scope):
            self._read_all(source)

    def _read_all(self, source: Source) -> None:
        if source.table:
            self.columns.update((source.table, column) for column in source.columns)

    def _names(self, item: exp.Expr, scope: Scope) -> Iterator[str]:
        """The names that one item of a SELECT list gives to the outside."""
        if isinstance(item, exp.Star) or (isinstance(item, exp.Column) and isinstance(item.this, exp.Star)):
            owner = fold(item.table) if isinstance(item, exp.Column) else ""
            self._star(owner, scope)
            for source in _starred(owner, scope):
                yield from source.columns
        else:
            yield fold(item.alias_or_name) if isinstance(item, exp.Alias | exp.Column) else ""


def _starred(owner: str, scope: Scope) -> list[Source]:
    found = [source for source in scope.sources if owner in ("", source.name)]
    if not found:
        raise SqlRefused(f"There is nothing called {owner or '*'} in FROM here to take all columns of.", "L4")
    return found


def _clauses(node: exp.Expr) -> Iterator[exp.Expr]:
    """Every part of a SELECT but its list and its sources; all of them may use the aliases of the list."""
    yield from _present(node, "where", "group", "having", "order", "limit", "offset")
    yield from node.args.get("windows") or ()
    if start := node.args.get("from_"):
        yield from conditions(start.this)
    for join in neighbours(node):
        yield from conditions_of_join(join)


def _present(node: exp.Expr, *names: str) -> Iterator[exp.Expr]:
    return (node.args[name] for name in names if node.args.get(name) is not None)


def _stands_for_text(node: exp.Column) -> bool:
    """Whether a quoted name stands where only text makes sense, so that a misspelled column does not pass as text."""
    if node.table or not node.this.args.get("quoted"):
        return False
    parent = node.parent
    if isinstance(parent, exp.Anonymous):
        return not node.name.isidentifier()
    return isinstance(parent, COMPARISONS) and parent.this is not node


def _no_column(node: exp.Column) -> str:
    shown = f"{node.table}.{node.name}" if node.table else node.name
    hint = "; text stands in single quotes" if node.this.args.get("quoted") else ""
    return f"There is no column {shown} where the query names it{hint}."
