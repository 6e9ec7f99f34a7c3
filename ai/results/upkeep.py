"""Upkeep of the results folder: leftovers go, then idle results, then the least recently read.

Only results of queries go; copies under other names stay. Moments are seconds since 1970.
"""

import fcntl
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from time import time, time_ns

OF_A_QUERY = re.compile(r"q\d+\.arrow")
LEFT_AFTER = 3600  # seconds without a change, after which a file that nobody writes is a leftover
LOOK_SECONDS = 60.0
EXPORT_LEFT_AFTER = 86_400  # seconds, after which no turn is going to send it any more


@dataclass(frozen=True, slots=True)
class DiskBudget:
    """Bytes of all results on disk, and seconds for which an unread one is kept."""

    total_bytes: int = 10 * 2**30
    idle_seconds: float = 90 * 86400


@dataclass(frozen=True, slots=True)
class _File:
    entry: os.DirEntry[str]  # a path of each would take longer than the look at all of them
    size: int
    used: float


def read_now(path: Path) -> None:
    """Note that a file is read, in its time of access alone: the other one tells a file from the next of its name."""
    try:
        os.utime(path, ns=(time_ns(), path.stat().st_mtime_ns))
    except FileNotFoundError:
        return


class Upkeep:
    """Looks through a folder when the bytes written since the last look may pass the budget, else once a minute.

    A look costs a call of the system for each file. What other processes write counts from the next look on.
    """

    def __init__(self, root: Path, budget: DiskBudget, clock: Callable[[], float] = time) -> None:
        self._root = root
        self._budget = budget
        self._clock = clock
        self._lock = Lock()
        self._left = 0  # bytes until the budget is used up, as far as this process knows
        self._looked = float("-inf")

    def wrote(self, name: str, size: int) -> None:
        """Note a file just written; a look spares it."""
        with self._lock:
            self._left -= size
            if self._left >= 0 and 0 <= self._clock() - self._looked < LOOK_SECONDS:
                return
        self.look(spare=name)

    def look(self, spare: str = "") -> None:
        taken = tidy(self._root, self._budget, self._clock(), spare)
        with self._lock:
            self._left, self._looked = self._budget.total_bytes - taken, self._clock()


def tidy(root: Path, budget: DiskBudget, now: float, spare: str = "") -> int:
    """Remove leftovers, idle results and those beyond the budget, but never `spare`; return the bytes that stay."""
    files = sorted(_files(root), key=lambda file: file.used, reverse=True)
    taken = sum(file.size for file in files if file.entry.name == spare)
    with _alone(root) as is_alone:
        for file in files:
            if file.entry.name == spare:
                continue
            taken += file.size
            if file.entry.name.startswith("."):
                gone = is_alone and now - file.used > LEFT_AFTER
            else:
                kept = taken <= budget.total_bytes and now - file.used <= budget.idle_seconds
                gone = not kept and bool(OF_A_QUERY.fullmatch(file.entry.name))
            if gone:
                Path(file.entry.path).unlink(missing_ok=True)
                taken -= file.size
    return taken


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


@contextmanager
def _alone(root: Path) -> Iterator[bool]:
    """Tell whether nobody writes into a folder, and let nobody begin inside the block."""
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


def sweep_exports(root: Path, now: float) -> None:
    """Remove files of exports sent by no turn, and their folders."""
    for file in [file for folder in _files(root) for file in _files(folder.entry.path)]:
        if now - file.used > EXPORT_LEFT_AFTER:
            path = Path(file.entry.path)
            path.unlink(missing_ok=True)
            with suppress(OSError):  # there is more in the folder
                path.parent.rmdir()


def _files(folder: Path | str) -> Iterator[_File]:
    try:
        listed = os.scandir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return
    with listed:
        for entry in listed:
            try:
                status = entry.stat()
            except FileNotFoundError:  # another process was quicker
                continue
            yield _File(entry, status.st_size, max(status.st_atime, status.st_mtime))
