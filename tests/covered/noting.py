"""Notes each statement of the product as it begins, in every process; loaded by a `.pth` file.

Nothing of the project is imported here, since processes begin in any folder. All note into one file in memory, so what
a process noted outlives it. Unlike a tracer it costs a store for each statement; a module is compiled once for all.
"""

import ast
import builtins
import json
import marshal
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from importlib.machinery import SourceFileLoader
from mmap import mmap
from pathlib import Path
from types import CodeType

PRODUCT = ("ai", "bot", "config.py")
NOTES, PLACES = "notes", "places.json"
RAN = "__ran__"  # in a module: whether each of its statements began, by line
LISTS = "__lists__"
DECLARING = frozenset({"TYPE_CHECKING", "overload", "abstractmethod"})
EDITION = f"2 {sys.version} ".encode()
Compiled = Callable[[SourceFileLoader, str], CodeType | None]


def files(root: Path) -> Iterator[str]:
    """Yield the files of the product, as paths from the root."""
    for name in PRODUCT:
        found = sorted((root / name).rglob("*.py")) if (root / name).is_dir() else [root / name]
        yield from (path.relative_to(root).as_posix() for path in found)


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


def instrumented(text: bytes, name: str) -> ast.Module:
    tree = ast.parse(text)
    Noted().visit(tree)
    list_ = ast.parse(f"{RAN} = {LISTS}[{name!r}]").body
    after = sum(_says_nothing(statement) for statement in tree.body[:2])
    tree.body[after:after] = [ast.copy_location(part, tree.body[0]) for part in list_]
    return ast.fix_missing_locations(tree)


def prepare(root: Path, folder: Path) -> None:
    """Make the file of notes, with a place for each file of the product; one that exists is added to."""
    if (folder / NOTES).exists():
        return
    folder.mkdir(exist_ok=True)
    places, end = {}, 0
    for name in files(root):
        text = (root / name).read_bytes()
        at, end = end, end + text.count(b"\n") + 2
        places[name] = (at, end, _mark(text).hex())
    (folder / PLACES).write_text(json.dumps(places), "utf-8")
    (folder / NOTES).write_bytes(bytes(end))


def began(folder: Path) -> dict[str, set[int]]:
    """Return the lines that began, by path."""
    notes = (folder / NOTES).read_bytes()
    places = json.loads((folder / PLACES).read_bytes())
    return {name: {line for line, ran in enumerate(notes[at:end]) if ran} for name, (at, end, _) in places.items()}


def begin(root: str, folder: str, file_of_notes: str = NOTES) -> memoryview:
    """Note the product below `root` into the notes of `folder`, which keeps the compiled modules too; return them."""
    with (Path(folder) / file_of_notes).open("r+b") as file:
        notes = memoryview(mmap(file.fileno(), 0))
    places = json.loads((Path(folder) / PLACES).read_bytes())
    setattr(builtins, LISTS, {name: notes[at:end] for name, (at, end, _) in places.items()})
    marks = {name: bytes.fromhex(mark) for name, (_, _, mark) in places.items()}
    # Also of what loads files by their paths, such as the migrations.
    get_code = noting(Path(root), Path(folder), marks, SourceFileLoader.get_code)
    SourceFileLoader.get_code = get_code  # type: ignore[assignment, method-assign]
    return notes


def noting(root: Path, folder: Path, marks: Mapping[str, bytes], plain: Compiled) -> Compiled:
    """Return what compiles a file: with stores, once for all processes, if it is of the product and not changed since."""

    def get_code(self: SourceFileLoader, fullname: str) -> CodeType | None:
        path = Path(self.get_filename(fullname))
        name = path.relative_to(root).as_posix() if path.is_relative_to(root) else ""
        if name not in marks:
            return plain(self, fullname)
        text = path.read_bytes()
        return _compiled(path, name, text, folder) if _mark(text) == marks[name] else plain(self, fullname)

    return get_code


def _mark(text: bytes) -> bytes:
    return sha256(EDITION + text).digest()


def _compiled(path: Path, name: str, text: bytes, folder: Path) -> CodeType:
    kept, mark = folder / f"{name.replace('/', '.')}.code", _mark(text)
    found = kept.read_bytes() if kept.exists() else b""
    if not found.startswith(mark):
        found = mark + marshal.dumps(compile(instrumented(text, name), str(path), "exec", dont_inherit=True))
        part = kept.with_suffix(f".{os.getpid()}")
        part.write_bytes(found)
        part.replace(kept)
    code: CodeType = marshal.loads(found[len(mark) :])
    return code
