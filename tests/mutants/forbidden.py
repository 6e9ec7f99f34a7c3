"""Finds each branch of the rooms of rights that says no, and takes it always or never.

A branch says no when it ends in `raise`, `continue`, or `return` of a constant or an empty value; so does a condition
that a returned `bool` is made of, one that leaves things out of a comprehension, and what is done about an error.
"""

import ast
from collections.abc import Iterable, Iterator

from tests.mutants.mutant import Change, Mutant, Place, distinct, files, places

ROOMS = (
    "ai/sql/guard",
    "ai/sql/rights",
    "ai/sql/gate.py",
    "ai/sql/behind.py",
    "ai/sql/restrictions.py",
    "ai/sql/thread_files.py",
    "ai/sql/engines/rights",
    "ai/agents/orchestrator.py",
    "ai/agents/querying/attempts.py",
    "ai/agents/rights",
    "ai/stopping.py",
    "bot/access",
    "bot/people",
    "bot/delivery",
    "bot/engine",
    "bot/turn",
    "bot/http_api",
    "bot/listeners",
    "bot/inbound",
    "bot/setup/workspace_file.py",
)


def forbidden() -> Iterator[Mutant]:
    """List the mutants of all rooms."""
    return forbidden_in(path for room in ROOMS for path in files(room))


def forbidden_in(paths: Iterable[str]) -> Iterator[Mutant]:
    return distinct(mutant for path in paths for place in places(path) for mutant in _mutants(place))


def _mutants(place: Place) -> Iterator[Mutant]:
    node = place.node
    if isinstance(node, ast.If | ast.IfExp):
        if _refuses(node.body):
            yield place.mutant("never take", _decided(False), _begin(node.body, node))
            yield place.mutant("always take", _decided(True), _begin(node.orelse, node))
        elif _refuses(node.orelse):
            yield place.mutant("never refuse after", _decided(True), _begin(node.orelse, node))
            yield place.mutant("always refuse after", _decided(False), _begin(node.body, node))
    elif isinstance(node, ast.comprehension) and node.ifs:
        yield place.mutant("keep all of", _keep_all)
    elif isinstance(node, ast.ExceptHandler) and _refuses(node.body):
        yield _about_an_error(place, node)
    elif isinstance(node, ast.BoolOp) and isinstance(place.parent, ast.Return | ast.If):
        yield from _parts(place, node)


def _about_an_error(place: Place, node: ast.ExceptHandler) -> Mutant:
    """Let an error pass that is answered, or swallow one that is raised on."""
    *before, last = node.body
    swallows = isinstance(last, ast.Raise)
    body: list[ast.stmt] = [*before, ast.Pass()] if swallows else [ast.Raise()]
    change = "swallow the error of" if swallows else "let the error pass of"
    return place.mutant(change, lambda _: ast.ExceptHandler(node.type, node.name, body), node.body[0].lineno)


def _parts(place: Place, node: ast.BoolOp) -> Iterator[Mutant]:
    """Leave out each condition of several, where they decide a refusal or a returned truth."""
    if isinstance(place.parent, ast.If) and not (_refuses(place.parent.body) or _refuses(place.parent.orelse)):
        return
    shows = _begin(place.parent.body, node) if isinstance(place.parent, ast.If) and isinstance(node.op, ast.Or) else 0
    for at, part in enumerate(node.values):

        def without(it: ast.AST, left_out: int = at) -> ast.AST:
            assert isinstance(it, ast.BoolOp)
            neutral = isinstance(it.op, ast.And)
            kept = [_always(value, neutral) if number == left_out else value for number, value in enumerate(it.values)]
            return ast.BoolOp(it.op, kept)

        shown = " ".join(ast.unparse(part).split())
        yield place.mutant(f"without `{shown[:60]}` in", without, shows)


def _begin(branch: list[ast.stmt] | ast.expr, condition: ast.expr | ast.stmt) -> int:
    """Return the first line of a branch; 0 where the condition ends on it too, so that running it tells nothing."""
    first = 0 if isinstance(branch, ast.expr) or not branch else branch[0].lineno
    ends = condition.test.end_lineno if isinstance(condition, ast.If) else condition.end_lineno
    return first if first > (ends or 0) else 0


def _decided(value: bool) -> Change:
    def replaced(it: ast.AST) -> ast.AST:
        assert isinstance(it, ast.If | ast.IfExp)
        return type(it)(test=_always(it.test, value), body=it.body, orelse=it.orelse)  # type: ignore[arg-type]

    return replaced


def _keep_all(it: ast.AST) -> ast.AST:
    assert isinstance(it, ast.comprehension)
    return ast.comprehension(it.target, it.iter, [_always(condition, True) for condition in it.ifs], it.is_async)


def _always(condition: ast.expr, value: bool) -> ast.expr:
    """Evaluate a condition, for the names it binds and reads, and decide against it."""
    return ast.BoolOp(ast.Or() if value else ast.And(), [condition, ast.Constant(value)])


def _refuses(branch: list[ast.stmt] | ast.expr) -> bool:
    if isinstance(branch, ast.expr):
        return _is_nothing(branch)
    last = branch[-1] if branch else None
    if isinstance(last, ast.Return):
        return isinstance(last.value, ast.Constant) or _is_nothing(last.value)
    return isinstance(last, ast.Raise | ast.Continue)


def _is_nothing(value: ast.expr | None) -> bool:
    if value is None or isinstance(value, ast.Constant):
        return value is None or value.value in (None, "") or value.value is False
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and value.func.id == "frozenset" and not value.args
    return isinstance(value, ast.Tuple | ast.List | ast.Dict) and not ast.unparse(value).strip("()[]{}")
