"""The newest seal, in a file beside the key: what was cut from the end of the chain shows."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fcntl import LOCK_EX, flock
from pathlib import Path

from ai.memory.seals.keys import FIRST, Seal, seal_from

LENGTH = 128  # bytes: one write that a power cut leaves whole


@dataclass(frozen=True, slots=True)
class HeadFile:
    """Without a path nothing is kept."""

    path: Path | None = None

    def read(self) -> Seal:
        """Return the newest seal that was made here, FIRST where none is known."""
        try:
            text = self.path.read_bytes()[:LENGTH].decode("ascii", "replace") if self.path else ""
        except FileNotFoundError:
            text = ""
        return seal_from(text) or FIRST

    def advance(self, seal: Seal) -> None:
        """Write a seal, once its receipt is stored; an older one changes nothing."""
        if self.path is None:
            return
        with _locked(self.path) as descriptor:
            known = seal_from(os.pread(descriptor, LENGTH, 0).decode("ascii", "replace"))
            if known is None or known.number < seal.number:
                os.pwrite(descriptor, f"{seal}".ljust(LENGTH - 1).encode() + b"\n", 0)


@contextmanager
def _locked(path: Path) -> Iterator[int]:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        flock(descriptor, LOCK_EX)
        yield descriptor
    finally:
        os.close(descriptor)
