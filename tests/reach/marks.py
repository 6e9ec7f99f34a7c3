"""Writes down each function of the product as it begins, once per process; loaded by a `.pth` file in every process.

Nothing of the project is imported here, since processes begin in any folder. Unlike a tracer it costs a lookup per call,
and what it wrote outlives a process that is killed.
"""

import ast
import builtins
import marshal
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

PRODUCT = ("ai", "bot", "local_slack", "config")
MARK = "__begun__"
Named = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


class Marks(ast.NodeTransformer):
    """Puts a call with its own name, `path:Class.method`, at the beginning of each function."""

    def __init__(self, path: str) -> None:
        self._path, self._around = path, ""

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return self._inside(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._marked(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._marked(node)

    def _marked(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        self._inside(node)
        name = ast.Constant(f"{self._path}:{self._around}{node.name}")
        mark = ast.Expr(ast.Call(ast.Name(MARK, ast.Load()), [name], []))
        at = 0 if ast.get_docstring(node, clean=False) is None else 1
        node.body.insert(at, ast.fix_missing_locations(ast.copy_location(mark, node.body[0])))
        return node

    def _inside(self, node: Named) -> ast.AST:
        around, self._around = self._around, f"{self._around}{node.name}."
        self.generic_visit(node)
        self._around = around
        return node


class Loader(SourceFileLoader):
    """Compiles a module with marks, once for all processes."""

    def __init__(self, name: str, path: str, root: Path, folder: Path) -> None:
        super().__init__(name, path)
        self._root, self._kept = root, folder / f"{name}.code"

    def get_code(self, fullname: str) -> CodeType:
        if not self._kept.exists():
            path = Path(self.get_filename(fullname))
            tree = Marks(path.relative_to(self._root).as_posix()).visit(ast.parse(path.read_bytes()))
            whole = self._kept.with_suffix(f".{os.getpid()}")
            whole.write_bytes(marshal.dumps(compile(tree, str(path), "exec", dont_inherit=True)))
            whole.replace(self._kept)
        found: CodeType = marshal.loads(self._kept.read_bytes())
        return found


class Finder:
    """Finds the modules of the product as Python does, and has them loaded with marks."""

    def __init__(self, root: Path, folder: Path) -> None:
        self._root, self._folder = root, folder

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        found = PathFinder.find_spec(name, path) if name.partition(".")[0] in PRODUCT else None
        if found and found.origin and Path(found.origin).is_relative_to(self._root):
            found.loader = Loader(name, found.origin, self._root, self._folder)
            return found
        return None


def writing(path: Path) -> Callable[[str], None]:
    """Return what writes a name down the first time; processes that fork go on in the same file."""
    begun: set[str] = set()
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def write(name: str) -> None:
        if name not in begun:
            begun.add(name)
            with suppress(OSError):  # a sandboxed process may have closed all files
                os.write(file, f"{name}\n".encode())

    return write


def begin(root: str, folder: str) -> None:
    """Mark the product below `root`; `folder` keeps the names and the compiled modules."""
    setattr(builtins, MARK, writing(Path(folder) / f"{os.getpid()}.begun"))
    sys.meta_path.insert(0, Finder(Path(root), Path(folder)))
