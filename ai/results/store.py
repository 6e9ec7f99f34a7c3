"""Stored results by handle, each complete and synced under its name, or not there."""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from hashlib import file_digest
from pathlib import Path
from shutil import copyfile
from time import time
from uuid import uuid4

from ai.errors import NoResult
from ai.results.arrow_file import OLD, ArrowReader, ArrowWriter
from ai.results.cells import Block
from ai.results.frames import KeptResult
from ai.results.table import ResultColumn, ResultTable, Row
from ai.results.upkeep import DiskBudget, Upkeep, read_now, writing

GONE = "This result is no longer kept; ask the question again."
LATELY = 3600  # seconds for which a result that was described counts as read
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
    """Results in one folder. Safe for many threads, also while a handle is replaced or deleted."""

    def __init__(
        self, root: Path, budget: DiskBudget | None = None, rights: str = "", upkeep: Upkeep | None = None
    ) -> None:
        self.root = root
        self._upkeep = upkeep or Upkeep(root, budget or DiskBudget())
        self._rights = rights

    def under(self, rights: str) -> "ResultStore":
        """Return the store marking its writes as computed under these rights."""
        return ResultStore(self.root, rights=rights, upkeep=self._upkeep)

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
        path = self._path(handle)
        try:
            file = path.stat()
            found = _description(handle, path, (file.st_ino, file.st_mtime_ns, file.st_size))
        except FileNotFoundError:
            raise NoResult(GONE) from None
        if time() - file.st_atime > LATELY:
            read_now(path)
        return found

    def head(self, handle: str, rows: int = 200) -> ResultTable:
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
        try:
            with self._path(handle).open("rb") as file:
                digest: str = file_digest(file, "sha256").hexdigest()
                return digest
        except FileNotFoundError:
            raise NoResult(GONE) from None

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
        self._path(handle).unlink(missing_ok=True)
        for left in self.root.glob(f".{handle}.*.part*") if leftovers else ():
            left.unlink(missing_ok=True)

    def copy(self, handle: str, to: str) -> None:
        path, part = self._path(to), self.root / f".{to}.{uuid4().hex}.part"
        try:
            with writing(self.root):
                part.hardlink_to(self._path(handle))  # a stored result never changes, so both may be one file
                _appear(part, path)
        except FileNotFoundError:
            raise NoResult(GONE) from None
        finally:
            part.unlink(missing_ok=True)

    def handles(self) -> Iterator[str]:
        """Yield the handles of all that is stored."""
        return (path.stem for path in self.root.glob("[!.]*.arrow"))

    def copy_out(self, handle: str, path: Path) -> None:
        """Copy a stored result into a file, byte by byte, or raise `NoResult`."""
        try:
            copyfile(self._path(handle), path)
        except FileNotFoundError:
            raise NoResult(GONE) from None

    def take_in(self, handle: str, path: Path) -> None:
        """Store what was copied out."""
        self.root.mkdir(parents=True, exist_ok=True)
        part = self.root / f".{handle}.{uuid4().hex}.part"
        try:
            with writing(self.root):
                copyfile(path, part)
                _sync(part)
                _appear(part, self._path(handle))
        finally:
            part.unlink(missing_ok=True)

    def size(self, handle: str) -> int:
        """Return bytes on disk; 0 without a result."""
        path = self._path(handle)
        return path.stat().st_size if path.exists() else 0

    def tidy(self) -> None:
        self._upkeep.look()

    def _written(
        self, handle: str, columns: Sequence[ResultColumn], pour: Callable[[ArrowWriter], bool]
    ) -> StoredResult:
        path = self._path(handle)
        self.root.mkdir(parents=True, exist_ok=True)
        part = self.root / f".{handle}.{uuid4().hex}.part"
        try:
            with writing(self.root):
                with ArrowWriter(part, tuple(columns), self._rights) as writer:
                    truncated = pour(writer)
                    writer.finish(truncated=truncated)
                _appear(part, path)
        finally:
            part.unlink(missing_ok=True)
            part.with_name(part.name + OLD).unlink(missing_ok=True)
        size = path.stat().st_size
        self._upkeep.wrote(path.name, size)
        return StoredResult(handle, tuple(columns), writer.rows, truncated, size, self._rights, writer.ways)

    def _all(self, handle: str) -> Iterator[Block]:
        with self._open(handle) as reader:
            yield from reader.blocks()

    @contextmanager
    def _open(self, handle: str, *, few: bool = False) -> Iterator[ArrowReader]:
        try:
            with ArrowReader.of(self._path(handle), few=few) as reader:
                read_now(self._path(handle))
                yield reader
        except FileNotFoundError:
            raise NoResult(GONE) from None

    def _path(self, handle: str) -> Path:
        if not HANDLE.fullmatch(handle):
            raise NoResult(f"{handle!r} does not name a stored result; ask the question again.")
        return self.root / f"{handle}.arrow"


@lru_cache(512)
def _description(handle: str, path: Path, _file: tuple[int, ...]) -> StoredResult:
    """Describe a file as long as it is this one: its bytes never change."""
    with ArrowReader.of(path, few=True) as reader:
        row_count, truncated = reader.end()
        return StoredResult(handle, reader.columns, row_count, truncated, reader.size, reader.rights, reader.ways)


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


def _appear(part: Path, path: Path) -> None:
    part.replace(path)
    _sync(path.parent)


def _sync(path: Path) -> None:
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
