"""Masked columns: where a query shows one, and where it would compute with one, by name, alias or number."""

from collections.abc import Callable, Iterator, Sequence

from sqlglot import exp

from ai.sql.guard.relations import Key, clauses, items_of
from ai.sql.guard.scopes import Bindings, QueryScope

Names = Callable[[exp.Expr, QueryScope], Iterator[str]]


def select_masks(node: exp.Expr, scope: QueryScope, names_of: Names, bindings: Bindings, key: Key) -> None:
    """Note the masked columns that a bound SELECT gives, and those that its own clauses name or count."""
    masked = bindings.masks[id(node)] = frozenset(_given(node, scope, names_of, bindings, key))
    if not masked:
        return
    if node.args.get("distinct") or node.args.get("group"):
        bindings.computed.update(masked)
    for part in (*node.expressions, *(clause for _, clause in clauses(node))):
        for column in part.find_all(exp.Column):
            if id(column) not in bindings.shown and not column.table and key(column.this) in masked:
                bindings.computed.add(column.name)
    names = [name for item in node.expressions for name in names_of(item, scope)]
    for item in items_of(node.args.get("order") or exp.Order()):
        at = int(item.name) if isinstance(item, exp.Literal) and item.name.isdigit() else 0
        bindings.computed.update(masked.intersection(names[at - 1 : at] if at <= len(names) else names))


def union_masks(
    node: exp.Expr, left: exp.Expr, parts: Sequence[tuple[exp.Expr, tuple[str, ...]]], bindings: Bindings
) -> None:
    """Note the masked columns of a UNION and the like; without ALL it compares them.

    `parts` are its queries with their columns, `left` the first of them.
    """
    _, first = parts[0]
    masked = frozenset(
        given
        for part, own in parts
        for given, name in zip(first, own, strict=False)
        if name in bindings.masked_by(part)
    )
    if masked and any(not isinstance(one, exp.Union) or one.args.get("distinct") for one in _chain(node, left)):
        bindings.computed.update(masked)
    bindings.masks[id(node)] = masked


def _given(node: exp.Expr, scope: QueryScope, names_of: Names, bindings: Bindings, key: Key) -> Iterator[str]:
    for item in node.expressions:
        column = item.this if isinstance(item, exp.Alias) else item
        star = item if isinstance(item, exp.Star) else item.this if isinstance(item, exp.Column) else None
        if isinstance(star, exp.Star):
            owner = key(item.args["table"]) if star is not item else ""
            yield from (name for relation in scope.starred(owner) for name in relation.masked)
        elif id(column) in bindings.shown:
            yield from names_of(item, scope)


def _chain(node: exp.Expr, left: exp.Expr) -> Iterator[exp.Expr]:
    """Yield a chain of UNION and the like, down to its first part."""
    while node is not left:
        yield node
        node = node.this
