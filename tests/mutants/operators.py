"""The usual small faults: another comparison, `and` for `or`, another constant, no `not`, no result, no statement."""

import ast
from collections.abc import Iterable, Iterator
from typing import Final

from tests.mutants.mutant import Change, Mutant, Place, distinct, places

COMPARED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
COMPUTED: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.Add,
}
TYPED = ("frozen", "slots")  # of a dataclass: what they forbid is held by mypy
REMOVED = (ast.Assign, ast.AugAssign, ast.Raise, ast.Continue, ast.Break)


def usual(paths: Iterable[str]) -> Iterator[Mutant]:
    """List the mutants of files in the order of their nodes."""
    for path in paths:
        yield from distinct(mutant for place in places(path) for mutant in _mutants(place))


def _mutants(place: Place) -> Iterator[Mutant]:
    node = place.node
    if isinstance(node, ast.Compare) and (operator := COMPARED.get(type(node.ops[0]))):
        yield place.mutant(f"{operator.__name__} in", _with(ops=[operator(), *node.ops[1:]]))
    elif isinstance(node, ast.BoolOp):
        yield place.mutant("and for or in", _with(op=ast.Or() if isinstance(node.op, ast.And) else ast.And()))
    elif isinstance(node, ast.BinOp) and (other := COMPUTED.get(type(node.op))):
        yield place.mutant(f"{other.__name__} in", _with(op=other()))
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield place.mutant("take `not` from", lambda it: it.operand)  # type: ignore[attr-defined]
    elif isinstance(node, ast.Return) and node.value is not None and not _is_none(node.value):
        yield place.mutant("nothing for", _with(value=ast.Constant(None)))
    elif isinstance(node, ast.Call) and len(node.args) > 1 and _has_an_order(node):
        yield place.mutant("swap the arguments of", _with(args=[node.args[1], node.args[0], *node.args[2:]]))
    elif isinstance(node, ast.Constant) and (constant := _other(place, node)) is not None:
        yield place.mutant(f"{constant!r} for", _with(value=constant))
    elif isinstance(node, REMOVED) or _does(node):
        yield place.mutant("remove", lambda _: ast.Pass())


def _with(**fields: object) -> Change:
    def replaced(it: ast.AST) -> ast.AST:
        return type(it)(**{name: fields.get(name, value) for name, value in ast.iter_fields(it)})

    return replaced


def _other(place: Place, node: ast.Constant) -> object:
    """Return another value for a constant; None for parts of texts, which `ast` cannot place, docstrings, what types hold."""
    if isinstance(place.parent, ast.keyword) and place.parent.arg in TYPED:
        return None
    if isinstance(node.value, bool):
        return not node.value
    if isinstance(node.value, int | float):
        return node.value + 1
    said = isinstance(place.parent, ast.Expr | ast.JoinedStr)
    return f"XX{node.value}" if isinstance(node.value, str) and not said else None


def _does(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant | ast.Yield | ast.YieldFrom)


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _has_an_order(call: ast.Call) -> bool:
    """Whether the first two arguments can change places, to another result; the smaller of two stays the smaller."""
    one, other = call.args[:2]
    if isinstance(one, ast.Starred) or isinstance(other, ast.Starred) or ast.dump(one) == ast.dump(other):
        return False
    return bool(call.keywords) or not (isinstance(call.func, ast.Name) and call.func.id in ("min", "max"))
