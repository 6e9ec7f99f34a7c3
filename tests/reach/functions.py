"""Lists the functions of the product, as `path:Class.method`."""

import ast
from collections.abc import Iterator

from tests.architecture import source
from tests.architecture.source import Function, Module


def functions() -> tuple[str, ...]:
    """Every function of the product that has a body to execute."""
    return tuple(found for module in source.product() for found in _inside(module, module.tree, ""))


def _inside(module: Module, node: ast.AST, prefix: str) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            if not any(isinstance(base, ast.Name) and base.id == "Protocol" for base in child.bases):
                yield from _inside(module, child, f"{prefix}{child.name}.")
        elif isinstance(child, Function):
            if _does_something(child):
                yield f"{module.path}:{prefix}{child.name}"
            yield from _inside(module, child, f"{prefix}{child.name}.")
        else:
            yield from _inside(module, child, prefix)


def _does_something(function: Function) -> bool:
    """Whether there is a statement to execute; none is in an abstract method or an overload."""
    marks = {name.id for mark in function.decorator_list for name in ast.walk(mark) if isinstance(name, ast.Name)}
    said = (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant) for part in function.body)
    return not (marks & {"abstractmethod", "overload"}) and not all(said)
