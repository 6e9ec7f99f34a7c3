"""Names and makes mutants: one node of a file's syntax tree, replaced by another that stands on the same lines."""

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from tests.architecture.source import Function
from tests.paths import ROOT

Change = Callable[[ast.AST], ast.AST]
ANNOTATIONS = ("annotation", "returns", "type_params")
TYPES = ("Literal", "TypeVar", "ParamSpec", "NewType")  # words in their brackets are for the type checker alone


@dataclass(frozen=True)
class Mutant:
    """The `place`-th node of a file, as `ast.walk` counts them, and what replaces it.

    `name` stays the same when other lines move. `at_import` tells that only importing the file anew shows the change.
    Only tests that execute line `shows` can notice, where that is known (0: it is not).
    """

    path: str
    name: str
    line: int
    place: int
    replaced: Change
    at_import: bool
    shows: int = 0

    def tree(self) -> ast.Module:
        """Parse the file again, with the change in it."""
        tree = ast.parse((ROOT / self.path).read_text("utf-8"))
        old = next(node for place, node in enumerate(ast.walk(tree)) if place == self.place)
        new = ast.fix_missing_locations(ast.copy_location(self.replaced(old), old))
        for parent in ast.walk(tree):
            for field, value in ast.iter_fields(parent):
                if value is old:
                    setattr(parent, field, new)
                elif isinstance(value, list):
                    setattr(parent, field, [new if item is old else item for item in value])
        return tree


@dataclass(frozen=True)
class Place:
    """One node of a file, and the names of the classes and functions around it."""

    node: ast.AST
    number: int
    path: str
    around: str
    at_import: bool
    parent: ast.AST | None

    def mutant(self, change: str, replaced: Change, shows: int = 0) -> Mutant:
        shown = " ".join(ast.unparse(self.node).split("\n")[0].split())
        node = self.node.target if isinstance(self.node, ast.comprehension) else self.node
        line = getattr(node, "lineno", 0)
        name = f"{self.path}:{self.around}: {change} `{shown[:90]}`"
        return Mutant(self.path, name, line, self.number, replaced, self.at_import, shows)


@cache
def places(path: str) -> tuple[Place, ...]:
    """List the nodes of a file in the order of `ast.walk`, those left out that only the type checker reads."""
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    outer = {id(tree): Place(tree, 0, path, "", True, None)}
    found = []
    for number, node in enumerate(ast.walk(tree)):
        if (place := outer.get(id(node))) is None:
            continue
        found.append(replace(place, number=number))
        for field, child in _children(node):
            around, at_import = place.around, place.at_import
            if isinstance(node, Function | ast.ClassDef) and field == "body":
                around, at_import = f"{around}.{node.name}".lstrip("."), at_import and isinstance(node, ast.ClassDef)
            outer[id(child)] = Place(child, 0, path, around, at_import, node)
    # what such a function gave is kept from the import on
    called = {_called(place.node) for place in found if place.at_import}
    return tuple(replace(each, at_import=True) if each.around in called else each for each in found)


def _called(node: ast.AST) -> str | None:
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else None


def distinct(mutants: Iterable[Mutant]) -> Iterator[Mutant]:
    """Number the mutants that would have the same name."""
    seen: Counter[str] = Counter()
    for mutant in mutants:
        seen[mutant.name] += 1
        again = seen[mutant.name]
        yield mutant if again == 1 else replace(mutant, name=f"{mutant.name} ({again})")


def files(folder: str) -> Iterator[str]:
    """Give the paths, below the root, of the Python files in a folder, or of the one file."""
    path = ROOT / folder
    found: list[Path] = sorted(path.rglob("*.py")) if path.is_dir() else [path]
    return (str(one.relative_to(ROOT)) for one in found)


def _children(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    for field, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and field not in ANNOTATIONS and not _is_for_types(node, field, child):
                yield field, child


def _is_for_types(node: ast.AST, field: str, child: ast.AST) -> bool:
    """Whether a child is the list of names that a folder gives, or words of a type."""
    if isinstance(child, ast.Assign):
        return isinstance(child.targets[0], ast.Name) and child.targets[0].id == "__all__"
    named = node.value if isinstance(node, ast.Subscript) else node.func if isinstance(node, ast.Call) else None
    return isinstance(named, ast.Name) and named.id in TYPES and field in ("slice", "args")
