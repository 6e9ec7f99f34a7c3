"""Writes down each function of the product as it begins, once per process; loaded by a `.pth` file in every process.

Nothing of the project is imported here, since processes begin in any folder. Unlike a tracer it costs a lookup per call,
and what it wrote outlives a process that is killed.
"""

import ast
import builtins
import marshal
import os
from collections.abc import Callable
from contextlib import suppress
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType

PRODUCT = ("ai", "bot", "local_slack", "config.py")
MARK = "__begun__"
Named = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
Compiled = Callable[[SourceFileLoader, str], CodeType | None]


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


def marking(root: Path, folder: Path, plain: Compiled) -> Compiled:
    """Return what compiles a file: with marks, once for all processes, if it is of the product."""

    def get_code(self: SourceFileLoader, fullname: str) -> CodeType | None:
        path = Path(self.get_filename(fullname))
        if not path.is_relative_to(root) or path.relative_to(root).parts[0] not in PRODUCT:
            return plain(self, fullname)
        name = path.relative_to(root).as_posix()
        kept = folder / f"{name.replace('/', '.')}.code"
        if not kept.exists():
            whole = kept.with_suffix(f".{os.getpid()}")
            tree = Marks(name).visit(ast.parse(path.read_bytes()))
            whole.write_bytes(marshal.dumps(compile(tree, str(path), "exec", dont_inherit=True)))
            whole.replace(kept)
        found: CodeType = marshal.loads(kept.read_bytes())
        return found

    return get_code


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
    # Also of what loads files by their paths, such as the migrations.
    get_code = marking(Path(root), Path(folder), SourceFileLoader.get_code)
    SourceFileLoader.get_code = get_code  # type: ignore[assignment, method-assign]
