"""Our own code as the architecture tests see it: files, syntax trees and imports. Runs none of it."""

import ast
import gc
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from tests.paths import ROOT

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Module:
    """One Python file; `path` is relative to the root of the project."""

    path: str
    name: str
    text: str
    tree: ast.Module

    @property
    def lines(self) -> int:
        return self.text.count("\n")

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        return tuple(ast.walk(self.tree))

    def functions(self) -> Iterator[Function]:
        return (node for node in self.nodes if isinstance(node, Function))

    def imported(self) -> Iterator[str]:
        """Dotted names of everything imported anywhere in the file: at the top, in functions, for types only."""
        for node in self.nodes:
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                yield from (f"{node.module}.{alias.name}" for alias in node.names)


@cache
def product() -> tuple[Module, ...]:
    """What is shipped."""
    return _read(
        [
            ROOT / "config.py",
            *(path for folder in ("bot", "ai", "local_slack") for path in ROOT.glob(f"{folder}/**/*.py")),
        ]
    )


@cache
def tests() -> tuple[Module, ...]:
    """The tests, these included."""
    return _read([*ROOT.glob("tests/**/*.py")])


def parsed(path: str, text: str) -> Module:
    """The module that a text makes."""
    name = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return Module(path, name, text, ast.parse(text, path))


def _read(paths: list[Path]) -> tuple[Module, ...]:
    """Read modules for the life of the process; no test after these waits while the garbage collector visits them."""
    gc.collect()  # what is garbage now would be kept for good
    gc.disable()  # a tree is no garbage
    try:
        found = tuple(_module(path) for path in sorted(paths))
        for module in found:
            _ = module.nodes
        gc.freeze()
    finally:
        gc.enable()
    return found


def _module(path: Path) -> Module:
    return parsed(path.relative_to(ROOT).as_posix(), path.read_text("utf-8"))
