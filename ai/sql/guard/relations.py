"""Relations: entries of FROM as sources of columns, and the shape of FROM in sqlglot's trees.

A node's `joins` are its neighbours to the right. Brackets without an alias hide nothing; with one they make a single
relation.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from sqlglot import exp

from ai.errors import SqlRefused
from ai.sql.catalog import Table
from ai.sql.grammars import Grammar
from ai.sql.guard.scopes import ANYTHING, Bindings, Relation
from ai.sql.rights import Rights

Key = Callable[[exp.Identifier | str], str]
CONTAINERS = frozenset({exp.Ordered, exp.Paren, exp.Tuple, exp.Rollup, exp.Cube, exp.GroupingSets})


@dataclass(frozen=True, slots=True)
class BaseRelations:
    """Makes relations of base tables, functions and VALUES."""

    grammar: Grammar
    known: Mapping[str, Table]
    schemas: frozenset[str]
    rights: Rights
    bindings: Bindings

    def base_table(self, node: exp.Table, alias: str) -> Relation:
        key = self.grammar.table_key(node.this)
        if not node.db and key.lower() == "dual" and self.grammar.runs_comments:
            return Relation(alias, ())
        if (node.db and self.grammar.table_key(node.args["db"])) not in self.schemas or key not in self.known:
            shown = f"{node.db}.{node.name}" if node.db else node.name
            raise SqlRefused(f"There is no table {shown} that may be read here.", "L3")
        table, as_key = self.known[key], self.grammar.column_key
        self.bindings.places.append((node, table))
        refused = self.rights.denied_columns(table)
        denied = frozenset(as_key(c.name) for c in table.columns if c.name.lower() in refused)
        denied |= {as_key(name) for name in refused}
        columns = tuple(name for name in (as_key(column.name) for column in table.columns) if name not in denied)
        hidden = () if denied or self.rights.changes(table) else self.grammar.row_ids
        masks = self.rights.masks_of(table)
        masked = frozenset(as_key(c.name) for c in table.columns if c.name.lower() in masks)
        row_ids = frozenset(self.grammar.row_ids if denied else ())
        return Relation(alias, columns, table.name, hidden, denied | row_ids, masked)

    def is_rewritten(self, node: exp.Table) -> bool:
        return self.rights.changes(self.known[self.grammar.table_key(node.this)])

    def call(self, node: exp.Expr, call: exp.Expr) -> Relation:
        """Bind a function in FROM; single values are a column called as the function or its alias."""
        key, name = self.grammar.column_key, name_of_call(call).lower()
        self.bindings.bound.add(id(node))
        if isinstance(call, exp.Anonymous) and name not in self.grammar.table_functions:
            raise SqlRefused(f"{call.name}() may not stand in FROM.", "L3")
        alias = alias_of(node, key) or name
        columns = tuple(column or alias for column in self.grammar.table_functions.get(name, ("",)))
        if isinstance(call, exp.JSONTable):
            columns = tuple(key(c.this) for c in call.find_all(exp.JSONColumnDef) if isinstance(c.this, exp.Identifier))
        counted = ("ordinality",) if node.args.get("ordinality") or _count_of(node) else ()
        hidden = (name, "json", "root") if self.grammar.structs or self.grammar.forward_ctes else ()
        return Relation(alias, (*over(columns, declared_columns(node, key)), *counted), hidden=hidden)

    def renamed(self, node: exp.Expr, relation: Relation) -> Relation:
        """Rename columns by the list after an alias."""
        names = declared_columns(node, self.grammar.column_key)
        if names and relation.denied:
            raise SqlRefused(
                f"The columns of {relation.name} cannot be renamed in a list; name each where it is used.", "L4"
            )
        if not names or ANYTHING in relation.columns:
            return relation
        self.bindings.read(relation)
        return Relation(
            relation.name, over(relation.columns, names), masked=renamed(relation.masked, relation.columns, names)
        )

    def columns_of_values(self, node: exp.Values) -> tuple[str, ...]:
        first = node.expressions[0]
        prefix, start = ("col", 0) if self.grammar.structs else ("column", 1)
        return tuple(f"{prefix}{n}" for n, _ in enumerate(first.expressions or [first], start))


def over(columns: tuple[str, ...], names: tuple[str, ...]) -> tuple[str, ...]:
    return (*names, *columns[len(names) :])


def renamed(masked: frozenset[str], columns: tuple[str, ...], names: tuple[str, ...]) -> frozenset[str]:
    """Return the masked columns as a list after an alias calls them."""
    pairs = zip(columns, over(columns, names), strict=False)
    return frozenset(new for old, new in pairs if old in masked)


def repeats(body: exp.Expr, grammar: Grammar) -> bool:
    """Whether an entry of WITH RECURSIVE sees itself."""
    return isinstance(body, exp.Union) or not grammar.unions_repeat


def renamed_columns(node: exp.Expr) -> Iterator[exp.Identifier]:
    """Yield the names under the aliases of a SELECT list: SQLite sorts a UNION by them too."""
    for item in node.expressions if isinstance(node, exp.Select) else ():
        if (
            isinstance(item, exp.Alias)
            and isinstance(item.this, exp.Column)
            and not isinstance(item.this.this, exp.Star)
        ):
            yield item.this.this


def alias_of(node: exp.Expr, key: Key) -> str:
    alias = node.args.get("alias")
    name = alias.args.get("this") if isinstance(alias, exp.TableAlias) else None
    return key(name) if name is not None else ""


def declared_columns(node: exp.Expr, key: Key) -> tuple[str, ...]:
    alias = node.args.get("alias")
    columns = alias.args.get("columns") or () if isinstance(alias, exp.TableAlias) else ()
    offset = _count_of(node)
    names = [column.this if isinstance(column, exp.ColumnDef) else column for column in columns]
    return tuple(map(key, (*names, *([offset] if isinstance(offset, exp.Identifier) else ()))))


def _count_of(node: exp.Expr) -> object:
    """Return the name of the numbers that WITH ORDINALITY gives to an UNNEST, true for one without a name."""
    call = node.this if isinstance(node, exp.Lateral) else node
    return call.args.get("offset") if isinstance(call, exp.Unnest) else None


def neighbours(node: exp.Expr) -> list[exp.Join]:
    return list(node.args.get("joins") or ())


def is_brackets(node: exp.Expr) -> bool:
    """Tell brackets around tables and joins from those around a query."""
    return isinstance(node, exp.Subquery) and not _is_query(node.this)


def call_of(node: exp.Expr) -> exp.Expr | None:
    if isinstance(node, exp.Unnest | exp.JSONTable):
        return node
    if isinstance(node, exp.Table | exp.Lateral) and isinstance(node.this, exp.Anonymous | exp.JSONTable | exp.Unnest):
        return node.this
    return None


def name_of_call(call: exp.Expr) -> str:
    return call.name if isinstance(call, exp.Anonymous) else "unnest" if isinstance(call, exp.Unnest) else "json_table"


def conditions(node: exp.Expr) -> Iterator[exp.Expr]:
    """Yield the expressions in a table expression: arguments of functions, and conditions after ON."""
    if call := call_of(node):
        yield from [call.this] if isinstance(call, exp.JSONTable) else call.expressions
    for part in node.args.get("rows_from") or ():
        yield from conditions(part)
    for pivot in node.args.get("pivots") or ():
        yield from computed_by(pivot)
    if is_brackets(node) and not node.alias:
        yield from conditions(node.this)
    for join in neighbours(node):
        yield from present(join, "on")
        yield from conditions(join.this)


def clauses(node: exp.Expr) -> Iterator[tuple[str, exp.Expr]]:
    """Yield the parts of a SELECT by name: all but its list and relations."""
    for name in ("where", "group", "having", "qualify", "order", "limit", "offset", "distinct"):
        yield from ((name, part) for part in present(node, name))
    yield from (("windows", window) for window in node.args.get("windows") or ())
    yield from (("on", condition) for condition in _joining(node))


def items_of(clause: exp.Expr) -> Iterator[exp.Expr]:
    """Yield the whole items of ORDER BY, GROUP BY or DISTINCT ON, out of their brackets."""
    lists = CONTAINERS - {exp.Tuple} if isinstance(clause, exp.Order) else CONTAINERS
    for part in clause.iter_expressions():
        if type(part) in lists:
            yield from items_of(part)
        else:
            yield part


def _joining(node: exp.Expr) -> Iterator[exp.Expr]:
    if start := node.args.get("from_"):
        yield from conditions(start.this)
    for join in neighbours(node):
        yield from present(join, "on")
        yield from conditions(join.this)


def computed_by(pivot: exp.Expr) -> Iterator[exp.Expr]:
    """Yield what a PIVOT or UNPIVOT reads of its source."""
    for name in ("expressions", "using", "fields"):
        yield from pivot.args.get(name) or ()
    if group := pivot.args.get("group"):
        yield group


def present(node: exp.Expr, *names: str) -> Iterator[exp.Expr]:
    return (node.args[name] for name in names if node.args.get(name) is not None)


def _is_query(node: exp.Expr) -> bool:
    if isinstance(node, exp.Subquery):
        return not node.alias and not neighbours(node) and _is_query(node.this)
    return isinstance(node, exp.Query | exp.Pivot)
