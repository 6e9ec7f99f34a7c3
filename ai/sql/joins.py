"""The shape of FROM in sqlglot's trees: what follows what, what brackets hold, which conditions hang where.

A node's `joins` are its neighbours to the right; its alias belongs to the node alone. Brackets without an alias hide
nothing, brackets with one make a single source of what is inside.
"""

from collections.abc import Iterator

from sqlglot import exp


def neighbours(node: exp.Expr) -> list[exp.Join]:
    """The joins that follow a table expression inside the same brackets."""
    return list(node.args.get("joins") or ())


def is_brackets(node: exp.Expr) -> bool:
    """Whether these are brackets around tables and joins, and not around a query."""
    return isinstance(node, exp.Subquery) and not _is_query(node.this)


def conditions(node: exp.Expr) -> Iterator[exp.Expr]:
    """Everything that is computed in a table expression: arguments of table functions, and what stands after ON."""
    if isinstance(node, exp.Table) and isinstance(node.this, exp.Anonymous):
        yield from node.this.expressions
    elif is_brackets(node) and not node.alias:
        yield from conditions(node.this)
    for join in neighbours(node):
        yield from conditions_of_join(join)


def conditions_of_join(join: exp.Join) -> Iterator[exp.Expr]:
    """As `conditions`, for a join and what it joins."""
    if join.args.get("on") is not None:
        yield join.args["on"]
    yield from conditions(join.this)


def _is_query(node: exp.Expr) -> bool:
    if isinstance(node, exp.Subquery):
        return not node.alias and not neighbours(node) and _is_query(node.this)
    return isinstance(node, exp.Query)
