"""Lists the functions of the product, and the lines that show each was executed."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from tests.architecture import source
from tests.architecture.source import Function, Module


@dataclass(frozen=True)
class Reachable:
    """One function, named `path:Class.method`, with the numbers of the lines of its body."""

    name: str
    lines: frozenset[int]


def functions() -> tuple[Reachable, ...]:
    """Every function of the product that has a body to execute."""
    return tuple(found for module in source.product() for found in _inside(module, module.tree, ""))


def unreached(executed: Mapping[str, Iterable[int]], known: Iterable[Reachable]) -> tuple[str, ...]:
    """Names of functions without an executed line. `executed` maps paths to line numbers."""
    lines = {path: frozenset(numbers) for path, numbers in executed.items()}
    return tuple(f.name for f in known if f.lines.isdisjoint(lines.get(f.name.partition(":")[0], frozenset())))


def _inside(module: Module, node: ast.AST, prefix: str) -> Iterator[Reachable]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            if not any(isinstance(base, ast.Name) and base.id == "Protocol" for base in child.bases):
                yield from _inside(module, child, f"{prefix}{child.name}.")
        elif isinstance(child, Function):
            if lines := frozenset(_body(child)):
                yield Reachable(f"{module.path}:{prefix}{child.name}", lines)
            yield from _inside(module, child, f"{prefix}{child.name}.")
        else:
            yield from _inside(module, child, prefix)


def _body(function: Function) -> Iterator[int]:
    """Lines of the statements that do something; none for an abstract method or an overload."""
    marks = {name.id for mark in function.decorator_list for name in ast.walk(mark) if isinstance(name, ast.Name)}
    if marks & {"abstractmethod", "overload"}:
        return
    for statement in function.body:
        if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
            yield from range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)
