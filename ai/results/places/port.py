"""The port of a place for results: files by name, each there as a whole or not at all."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from time import time
from typing import Protocol, TypeAlias

import pyarrow as pa

OpenFile: TypeAlias = pa.NativeFile
LATELY = 3600  # seconds for which a file that was used counts as read
GONE = "This result is no longer kept; ask the question again."


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A kept file: its bytes, when it was last read or written in seconds since 1970, and a mark of its content."""

    name: str
    size: int
    used: float
    version: str

    @property
    def was_used_lately(self) -> bool:
        return time() - self.used <= LATELY


class KeptFiles(Protocol):
    """Safe for many threads and processes. Raises RowsAway where the place does not answer."""

    @property
    def place(self) -> str:
        """Name the place for people, without secrets."""

    def put(self, name: str, file: Path) -> None:
        """Keep a finished local file under a name, in place of an earlier one. May take the file away."""

    def open(self, name: str) -> AbstractContextManager[OpenFile]:
        """Open a file to read any part of it, and note the time. FileNotFoundError."""

    def copy(self, name: str, to: str) -> None:
        """Keep the same under another name. FileNotFoundError."""

    def delete(self, name: str) -> None:
        """Delete a file, or do nothing where there is none."""

    def listed(self, name: str | None = None) -> Iterator[KeptFile]:
        """Yield all files, or the one of a name."""


def named(files: KeptFiles, name: str) -> KeptFile:
    """Return the file of a name. FileNotFoundError."""
    found = next(files.listed(name), None)
    if found is None:
        raise FileNotFoundError(name)
    return found
