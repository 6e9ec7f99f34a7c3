"""Results as files of one folder, and the leftovers of crashes."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import time_ns
from uuid import uuid4

import pyarrow as pa

from ai.files.durable import sync
from ai.results.places.port import KeptFile, OpenFile

OLD = ".old"  # behind the name of a file that is being copied
LEFT_AFTER = 3600  # seconds without a change, after which a file that nobody writes is a leftover


class FolderFiles:
    def __init__(self, root: Path) -> None:
        self._root = root

    @property
    def place(self) -> str:
        return str(self._root)

    def put(self, name: str, file: Path) -> None:
        """Move the file, from the folder or its disk."""
        file.replace(self._root / name)
        sync(self._root)

    @contextmanager
    def open(self, name: str) -> Iterator[OpenFile]:
        path = self._root / name
        with pa.OSFile(str(path), "rb") as file:
            _read_now(path)
            yield file

    def copy(self, name: str, to: str) -> None:
        """Make a second name: a kept file never changes, so both may be one file."""
        part = self._root / f".{to}.{uuid4().hex}.part"
        try:
            with writing(self._root):
                part.hardlink_to(self._root / name)
                self.put(to, part)
        finally:
            part.unlink(missing_ok=True)

    def delete(self, name: str) -> None:
        (self._root / name).unlink(missing_ok=True)

    def listed(self, name: str | None = None) -> Iterator[KeptFile]:
        if name is None:
            return _complete(self._root)
        return _one(self._root / name)


def _complete(folder: Path) -> Iterator[KeptFile]:
    return (file for entry in entries(folder) if not entry.name.startswith(".") and (file := _kept(entry.name, entry)))


def _one(path: Path) -> Iterator[KeptFile]:
    if file := _kept(path.name, path):
        yield file


def _kept(name: str, entry: "os.DirEntry[str] | Path") -> KeptFile | None:
    try:
        status = entry.stat()
    except FileNotFoundError:  # another process was quicker
        return None
    version = f"{status.st_ino} {status.st_mtime_ns} {status.st_size}"
    return KeptFile(name, status.st_size, max(status.st_atime, status.st_mtime), version)


def entries(folder: Path | str) -> "Iterator[os.DirEntry[str]]":
    try:
        listed = os.scandir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return
    with listed:
        yield from listed


def _read_now(path: Path) -> None:
    """Note a reading in the time of access; the other one tells files of a name apart."""
    with suppress(FileNotFoundError):
        os.utime(path, ns=(time_ns(), path.stat().st_mtime_ns))


@contextmanager
def writing(root: Path) -> Iterator[None]:
    """Keep every process from taking the files made in this block for leftovers, whatever the clock says."""
    folder = os.open(root, os.O_RDONLY)
    try:
        with suppress(OSError):  # a file system without locks: there no leftover is removed
            fcntl.flock(folder, fcntl.LOCK_SH)
        yield
    finally:
        os.close(folder)


def remove_leftovers(root: Path, now: float) -> int:
    """Remove unfinished results of killed processes; return the bytes of the others."""
    taken = 0
    left = [entry for entry in entries(root) if entry.name.startswith(".")]
    with _alone(root) as is_alone:
        for entry in left:
            if (file := _kept(entry.name, entry)) is None:
                continue
            if is_alone and now - file.used > LEFT_AFTER:
                Path(entry.path).unlink(missing_ok=True)
            else:
                taken += file.size
    return taken


@contextmanager
def _alone(root: Path) -> Iterator[bool]:
    """Whether nobody writes into a folder, and let nobody begin inside the block."""
    try:
        folder = os.open(root, os.O_RDONLY)
    except (FileNotFoundError, NotADirectoryError):
        yield False
        return
    try:
        yield _is_locked(folder)
    finally:
        os.close(folder)


def _is_locked(folder: int) -> bool:
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
