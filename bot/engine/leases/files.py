"""Leases of running engines. The system drops a file lock with its process, so no heartbeat is needed."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol


class Leases(Protocol):
    """The leases of all engines on one database."""

    def hold(self, engine: str) -> None:
        """Show that `engine`, this process, is alive until `close` or death."""

    def is_free(self, engine: str) -> bool:
        """Whether `engine` is dead."""

    def renew(self) -> None:
        """Hold the own lease again where it was dropped."""

    def alone(self) -> AbstractContextManager[bool]:
        """Yield whether this engine alone may sweep now."""

    def close(self) -> None:
        """Give up the own lease."""


SWEEP = "sweep.lock"


class FileLeases:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._held: dict[Path, int] = {}

    def hold(self, engine: str) -> None:
        path = self._folder / engine
        self._folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        self._held[path] = descriptor

    def is_free(self, engine: str) -> bool:
        path = self._folder / engine
        try:
            descriptor = os.open(path, os.O_RDWR)
        except FileNotFoundError:
            return True
        try:
            if not _locked(descriptor):
                return False
            path.unlink()
            return True
        finally:
            os.close(descriptor)

    def renew(self) -> None:
        """Do nothing: the system drops no lock of a living process."""

    @contextmanager
    def alone(self) -> Iterator[bool]:
        self._folder.mkdir(parents=True, exist_ok=True)
        # This one file is never removed: a lock on a removed file would let a second sweeper in.
        descriptor = os.open(self._folder / SWEEP, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            yield _locked(descriptor)
        finally:
            os.close(descriptor)

    def close(self) -> None:
        for path, descriptor in self._held.items():
            path.unlink(missing_ok=True)
            os.close(descriptor)
        self._held.clear()


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def living_on(folder: Path) -> int:
    """Count the engines that hold leases in a folder."""
    leases = FileLeases(folder)
    return sum(not leases.is_free(path.name) for path in folder.glob("*") if path.name != SWEEP)
