"""The shape of FROM in sqlglot's trees: what follows what, what brackets hold, which conditions hang where.

A node's `joins` are its neighbours to the right; its alias belongs to the node alone. Brackets without an alias hide
nothing, brackets with one make a single source of what is inside.
"""

from collections.abc import Callable, Iterator

from sqlglot import exp


def neighbours(node: exp.Expr) -> list[exp.Join]:
    """The joins that follow a table expression inside the same brackets."""
    return list(node.args.get("joins") or ())


def is_brackets(node: exp.Expr) -> bool:
    """Whether these are brackets around tables and joins, and not around a query."""
    return isinstance(node, exp.Subquery) and not _is_query(node.this)


def conditions(node: exp.Expr) -> Iterator[exp.Expr]:
    """Everything that is computed in a table expression: arguments of table functions, and what stands after ON."""
    if call := call_of(node):
        yield from _arguments(call)
    for part in node.args.get("rows_from") or ():
        yield from conditions(part)
    for pivot in node.args.get("pivots") or ():
        yield from computed_by(pivot)
    if is_brackets(node) and not node.alias:
        yield from conditions(node.this)
    for join in neighbours(node):
        yield from conditions_of_join(join)


def conditions_of_join(join: exp.Join) -> Iterator[exp.Expr]:
    """As `conditions`, for a join and what it joins."""
    if join.args.get("on") is not None:
        yield join.args["on"]
    yield from conditions(join.this)


def call_of(node: exp.Expr) -> exp.Expr | None:
    """The function that stands in FROM as this node, if it is one."""
    if isinstance(node, exp.Unnest | exp.JSONTable):
        return node
    if isinstance(node, exp.Table | exp.Lateral) and isinstance(node.this, exp.Anonymous | exp.JSONTable | exp.Unnest):
        return node.this
    return None


def name_of_call(call: exp.Expr) -> str:
    """The name that a function in FROM is called by."""
    return call.name if isinstance(call, exp.Anonymous) else "unnest" if isinstance(call, exp.Unnest) else "json_table"


def declared_columns(node: exp.Expr) -> tuple[exp.Identifier, ...]:
    """The names that a table expression gives to its columns itself: after its alias, or in the schema of JSON_TABLE."""
    alias = node.args.get("alias")
    columns = alias.args.get("columns") or () if isinstance(alias, exp.TableAlias) else ()
    offset = node.args.get("offset")
    names = [column.this if isinstance(column, exp.ColumnDef) else column for column in columns]
    return (*names, *([offset] if isinstance(offset, exp.Identifier) else ()))


def columns_of_json(call: exp.Expr) -> tuple[exp.Identifier, ...]:
    """The columns that JSON_TABLE declares, nested ones with the others."""
    return tuple(c.this for c in call.find_all(exp.JSONColumnDef) if isinstance(c.this, exp.Identifier))


def computed_by(pivot: exp.Expr) -> Iterator[exp.Expr]:
    """What a PIVOT or UNPIVOT reads of its source."""
    for name in ("expressions", "using", "fields"):
        yield from pivot.args.get(name) or ()
    if group := pivot.args.get("group"):
        yield group


def made_by_pivot(pivot: exp.Expr, key: Callable[[exp.Identifier], str]) -> tuple[str, ...]:
    """The columns that an UNPIVOT makes, which its own clauses name."""
    if not pivot.args.get("unpivot"):
        return ()
    named = [*pivot.expressions, *(item.this for item in pivot.args.get("fields") or ())]
    return tuple(key(column.this) for column in named if isinstance(column, exp.Column))


def clauses(node: exp.Expr) -> Iterator[exp.Expr]:
    """Every part of a SELECT but its list and its sources; all of them may use the aliases of the list."""
    yield from present(node, "where", "group", "having", "qualify", "order", "limit", "offset", "distinct")
    yield from node.args.get("windows") or ()
    if start := node.args.get("from_"):
        yield from conditions(start.this)
    for join in neighbours(node):
        yield from conditions_of_join(join)


def present(node: exp.Expr, *names: str) -> Iterator[exp.Expr]:
    """Those of the named parts that the node has."""
    return (node.args[name] for name in names if node.args.get(name) is not None)


def _arguments(call: exp.Expr) -> Iterator[exp.Expr]:
    if isinstance(call, exp.JSONTable):
        yield call.this
    else:
        yield from call.expressions


def _is_query(node: exp.Expr) -> bool:
    if isinstance(node, exp.Subquery):
        return not node.alias and not neighbours(node) and _is_query(node.this)
    return isinstance(node, exp.Query | exp.Pivot)
