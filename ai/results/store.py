"""Stored results by handle, each complete under its name, or not there."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from shutil import copyfile, copyfileobj
from uuid import uuid4

from ai.errors import NoResult
from ai.files.durable import sync
from ai.results.arrow_file import ArrowReader, ArrowWriter
from ai.results.cells import Block
from ai.results.frames import KeptResult
from ai.results.places import GONE, OLD, FolderFiles, KeptFile, KeptFiles, OpenFile, writing
from ai.results.table import ResultColumn, ResultTable, Row
from ai.results.upkeep import DiskBudget, Upkeep

AT_ONCE = 2**20  # bytes
PROBE = "probe"
SUFFIX = ".arrow"
HANDLE = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,199}")


@dataclass(frozen=True, slots=True)
class StoredResult:
    """A stored result without its rows; `size` in bytes, `rights` their mark ("" for none).

    `ways` name how the columns are written.
    """

    handle: str
    columns: tuple[ResultColumn, ...]
    row_count: int
    truncated: bool
    size: int
    rights: str = ""
    ways: tuple[str, ...] = ()


class ResultStore:
    """Results made in the folder `root` and kept there, or in another place.

    Safe for many threads, also while a handle is replaced or deleted.
    """

    def __init__(
        self,
        root: Path,
        budget: DiskBudget | None = None,
        files: KeptFiles | None = None,
        rights: str = "",
        upkeep: Upkeep | None = None,
    ) -> None:
        self.root = root
        self.files = files or FolderFiles(root)
        self._upkeep = upkeep or Upkeep(self.files, root, budget)
        self._rights = rights

    def under(self, rights: str) -> "ResultStore":
        """Return the store marking its writes as computed under these rights."""
        return ResultStore(self.root, None, self.files, rights, self._upkeep)

    def write(
        self,
        handle: str,
        columns: Sequence[ResultColumn],
        batches: Iterable[Sequence[Row]],
        *,
        max_rows: int,
        max_bytes: int,
    ) -> StoredResult:
        blocks = (Block.of(rows) for rows in batches if rows)
        return self.keep(handle, columns, blocks, max_rows=max_rows, max_bytes=max_bytes)

    def keep(
        self, handle: str, columns: Sequence[ResultColumn], blocks: Iterable[Block], *, max_rows: int, max_bytes: int
    ) -> StoredResult:
        """Store a stream, replacing the handle; stop at the bounds and mark it truncated.

        `max_bytes` counts cells before compression. When the stream fails, the old result stays.
        """
        return self._written(handle, columns, lambda writer: _pour(blocks, writer, max_rows, max_bytes))

    def write_blocks(
        self, handle: str, columns: Sequence[ResultColumn], blocks: Iterable[Block], *, truncated: bool
    ) -> StoredResult:
        """Store what was made of a stored result, without bounds."""

        def pour(writer: ArrowWriter) -> bool:
            for block in blocks:
                writer.add(block)
            return truncated

        return self._written(handle, columns, pour)

    def describe(self, handle: str) -> StoredResult:
        file = self._file(handle)
        if file is None:
            raise NoResult(GONE)
        if not file.was_used_lately:
            with self._opened(handle):
                pass  # opening notes that it is read
        return _description(handle, self.files, file.version)  # type: ignore[arg-type]  # a port has no hash

    def head(self, handle: str, rows: int = 500) -> ResultTable:
        """Return the first rows without reading others, or raise `NoResult`."""
        with self._open(handle, few=True) as reader:
            row_count, truncated = reader.end()
            first: list[Row] = []
            for block in reader.blocks():
                first += block.rows()[: rows - len(first)]
                if len(first) >= rows:
                    break
            return ResultTable(reader.columns, tuple(first), row_count, truncated)

    def digest(self, handle: str) -> str:
        """Return the SHA-256 of a stored result in hexadecimal digits, or raise `NoResult`."""
        digest = sha256()
        with self._opened(handle) as file:
            while piece := file.read(AT_ONCE):
                digest.update(piece)
        return digest.hexdigest()

    def batches(self, handle: str) -> Iterator[list[Row]]:
        return (block.rows() for block in self.blocks(handle))

    def blocks(self, handle: str) -> Iterator[Block]:
        """Yield all rows as stored, or raise `NoResult`."""
        self.describe(handle)  # says at once when there is none
        return self._all(handle)

    def kept(self, handle: str) -> KeptResult:
        """Return a result to be had whole, or raise `NoResult`."""
        return KeptResult(self.describe(handle).columns, lambda: self._all(handle))

    def delete(self, handle: str, *, leftovers: bool = True) -> None:
        """Delete a result; with `leftovers` look through the folder for what a crash left of it."""
        name = _name(handle)
        self.files.delete(name)
        (self.root / name).unlink(missing_ok=True)  # from a time when the folder was the place
        for left in self.root.glob(f".{handle}.*.part*") if leftovers else ():
            left.unlink(missing_ok=True)

    def copy(self, handle: str, to: str) -> None:
        try:
            self.files.copy(_name(handle), _name(to))
        except FileNotFoundError:
            raise NoResult(GONE) from None

    def handles(self) -> Iterator[str]:
        return (file.name.removesuffix(SUFFIX) for file in self.files.listed())

    def copy_out(self, handle: str, path: Path) -> None:
        """Copy a stored result into a file, byte by byte, or raise `NoResult`."""
        with self._opened(handle) as file, path.open("wb") as copy:
            copyfileobj(file, copy, AT_ONCE)

    def take_in(self, handle: str, path: Path) -> None:
        self.root.mkdir(parents=True, exist_ok=True)
        part = self.root / f".{handle}.{uuid4().hex}.part"
        try:
            with writing(self.root):
                copyfile(path, part)
                sync(part)
                self.files.put(_name(handle), part)
        finally:
            part.unlink(missing_ok=True)

    def size(self, handle: str) -> int:
        """Return bytes as kept; 0 without a result."""
        file = self._file(handle)
        return file.size if file else 0

    def taken(self) -> int:
        return sum(file.size for file in self.files.listed())

    def ping(self) -> None:
        """Keep an empty file and delete it. Raises RowsAway, or what the database raises."""
        self.root.mkdir(parents=True, exist_ok=True)
        (part := self.root / f".{uuid4().hex}.part").touch()
        try:
            self.files.put(PROBE, part)
            self.files.delete(PROBE)
        finally:
            part.unlink(missing_ok=True)

    def tidy(self) -> None:
        self._upkeep.look()

    def _written(
        self, handle: str, columns: Sequence[ResultColumn], pour: Callable[[ArrowWriter], bool]
    ) -> StoredResult:
        name = _name(handle)
        self.root.mkdir(parents=True, exist_ok=True)
        part = self.root / f".{handle}.{uuid4().hex}.part"
        try:
            with writing(self.root):
                with ArrowWriter(part, tuple(columns), self._rights) as writer:
                    truncated = pour(writer)
                    writer.finish(truncated=truncated)
                size = part.stat().st_size
                self.files.put(name, part)
        finally:
            part.unlink(missing_ok=True)
            part.with_name(part.name + OLD).unlink(missing_ok=True)
        self._upkeep.wrote(name, size)
        return StoredResult(handle, tuple(columns), writer.rows, truncated, size, self._rights, writer.ways)

    def _all(self, handle: str) -> Iterator[Block]:
        with self._open(handle) as reader:
            yield from reader.blocks()

    @contextmanager
    def _open(self, handle: str, *, few: bool = False) -> Iterator[ArrowReader]:
        with self._opened(handle) as file, ArrowReader.of(file, handle, few=few) as reader:
            yield reader

    @contextmanager
    def _opened(self, handle: str) -> Iterator[OpenFile]:
        try:
            with self.files.open(_name(handle)) as file:
                yield file
        except FileNotFoundError:
            raise NoResult(GONE) from None

    def _file(self, handle: str) -> KeptFile | None:
        return next(self.files.listed(_name(handle)), None)


def _name(handle: str) -> str:
    if not HANDLE.fullmatch(handle):
        raise NoResult(f"{handle!r} does not name a stored result; ask the question again.")
    return f"{handle}{SUFFIX}"


@lru_cache(512)
def _description(handle: str, files: KeptFiles, _version: str) -> StoredResult:
    """Describe a file as long as it is this one: its bytes never change."""
    try:
        with files.open(_name(handle)) as file, ArrowReader.of(file, handle, few=True) as reader:
            row_count, truncated = reader.end()
            return StoredResult(handle, reader.columns, row_count, truncated, reader.size, reader.rights, reader.ways)
    except FileNotFoundError:
        raise NoResult(GONE) from None


def _pour(blocks: Iterable[Block], writer: ArrowWriter, max_rows: int, max_bytes: int) -> bool:
    left = max_bytes
    for block in blocks:
        fitting = min(block.fitting(left), max_rows - writer.rows)
        if fitting < block.row_count:
            writer.add(block.part(0, fitting))
            return True
        writer.add(block)
        left -= block.size
    return False
