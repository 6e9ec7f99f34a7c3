"""Notes each statement of the product as it begins. Unlike a tracer, that costs one store into a list for each.

A module is compiled with the stores, once for all runs of the same text.
"""

import ast
import builtins
import marshal
import os
import sys
from collections.abc import Iterator, Mapping
from hashlib import sha256
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType

from tests.paths import ROOT

PRODUCT = ("ai", "bot", "config.py")
KEPT = ROOT / ".covered"
RAN = "__ran__"  # in a module: whether each of its statements began, by line
LISTS = "__lists__"
DECLARING = frozenset({"TYPE_CHECKING", "overload", "abstractmethod"})
EDITION = f"1 {sys.version} ".encode()
Lists = dict[str, list[int]]


def files() -> Iterator[str]:
    """Yield the files of the product, as paths from the root."""
    for name in PRODUCT:
        found = sorted((ROOT / name).rglob("*.py")) if (ROOT / name).is_dir() else [ROOT / name]
        yield from (path.relative_to(ROOT).as_posix() for path in found)


def lines(tree: ast.Module) -> frozenset[int]:
    """Return the lines on which statements begin that a run can reach."""
    noted = Noted()
    noted.visit(tree)
    return frozenset(noted.lines)


class Noted(ast.NodeTransformer):
    """Puts a store before each statement that does something."""

    def __init__(self) -> None:
        self.lines: set[int] = set()

    def generic_visit(self, node: ast.AST) -> ast.AST:
        for name in ("body", "orelse", "finalbody"):
            statements = getattr(node, name, None)
            if isinstance(statements, list):
                setattr(node, name, [part for statement in statements for part in self._noted(statement)])
        for name in ("handlers", "cases"):
            for part in getattr(node, name, ()):
                self.generic_visit(part)
        return node

    def _noted(self, statement: ast.stmt) -> Iterator[ast.stmt]:
        if _says_nothing(statement):
            yield statement
            return
        if not _declares(statement):
            self.generic_visit(statement)
        self.lines.add(statement.lineno)
        store = ast.Assign(
            [ast.Subscript(ast.Name(RAN, ast.Load()), ast.Constant(statement.lineno), ast.Store())], ast.Constant(1)
        )
        yield ast.fix_missing_locations(ast.copy_location(store, statement))
        yield statement


def _says_nothing(statement: ast.stmt) -> bool:
    """Whether it only tells readers or the compiler something: a docstring, `...`, an import from the future."""
    if isinstance(statement, ast.ImportFrom):
        return statement.module == "__future__"
    is_constant = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return is_constant or isinstance(statement, ast.Global | ast.Nonlocal)


def _declares(statement: ast.stmt) -> bool:
    """Whether what stands below is only for the type checker."""
    heads: list[ast.expr] = []
    if isinstance(statement, ast.If):
        heads = [statement.test]
    elif isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
        heads = statement.decorator_list
    return any(isinstance(head, ast.Name) and head.id in DECLARING for head in heads)


def note() -> Lists:
    """Note what of the product begins from here on; return the lists by path, which fill as modules are loaded."""
    lists: Lists = {}
    setattr(builtins, LISTS, lists)
    plain = SourceFileLoader.get_code
    KEPT.mkdir(exist_ok=True)

    def get_code(self: SourceFileLoader, fullname: str) -> CodeType | None:
        path = Path(self.get_filename(fullname))
        name = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else ""
        return _compiled(path, name, lists) if name.split("/")[0] in PRODUCT else plain(self, fullname)

    SourceFileLoader.get_code = get_code  # type: ignore[assignment, method-assign]
    return lists


def _compiled(path: Path, name: str, lists: Lists) -> CodeType:
    text = path.read_bytes()
    lists[name] = [0] * (text.count(b"\n") + 2)
    kept, mark = KEPT / name.replace("/", "."), sha256(EDITION + text).digest()
    found = kept.read_bytes() if kept.exists() else b""
    if not found.startswith(mark):
        found = mark + marshal.dumps(compile(instrumented(text, name), str(path), "exec", dont_inherit=True))
        part = kept.with_suffix(f".{os.getpid()}")
        part.write_bytes(found)
        part.replace(kept)
    code: CodeType = marshal.loads(found[len(mark) :])
    return code


def instrumented(text: bytes, name: str) -> ast.Module:
    tree = ast.parse(text)
    Noted().visit(tree)
    list_ = ast.parse(f"{RAN} = {LISTS}[{name!r}]").body
    after = sum(_says_nothing(statement) for statement in tree.body[:2])
    tree.body[after:after] = [ast.copy_location(part, tree.body[0]) for part in list_]
    return ast.fix_missing_locations(tree)


def began(lists: Mapping[str, list[int]]) -> dict[str, list[int]]:
    """Return the lines that began, by path."""
    return {path: [line for line, ran in enumerate(list_) if ran] for path, list_ in lists.items()}
