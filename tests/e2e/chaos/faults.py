"""Faults of the machine under a bot: a slow disk, a read-only one, a clock that jumps.

A small library of C stands between the bot and its system; without a C compiler the tests that need it are skipped.
"""

import shutil
import struct
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

SOURCE = Path(__file__).with_name("faults.c")
NANOSECONDS = 1_000_000_000
NONE = (0, 0, 0)


@dataclass(frozen=True)
class Machine:
    """The faults of all processes started with these settings; each holds inside its block."""

    folder: Path

    @property
    def settings(self) -> dict[str, str]:
        return {
            "LD_PRELOAD": str(self.folder / "faults.so"),
            "FAULTS": str(self._file),
            "FAULTS_UNDER": str(self.folder / "data"),
        }

    def build(self) -> None:
        compiler = shutil.which("cc")
        if compiler is None:
            pytest.skip("there is no C compiler on the path")
        library = str(self.folder / "faults.so")
        built = subprocess.run([compiler, "-shared", "-fPIC", "-o", library, SOURCE, "-ldl"], capture_output=True)
        if built.returncode:
            pytest.skip("the faults of a machine cannot be built here")
        self._file.write_bytes(struct.pack("<3q", *NONE))

    @contextmanager
    def slow_disk(self, seconds: float) -> Iterator[None]:
        """Let each sync take so long."""
        with self._at(0, int(seconds * 1000)):
            yield

    @contextmanager
    def read_only_disk(self) -> Iterator[None]:
        with self._at(1, 1):
            yield

    @contextmanager
    def clock_ahead(self, seconds: float) -> Iterator[None]:
        """Set the clock by so much, and back at the end; negative for behind."""
        with self._at(2, int(seconds * NANOSECONDS)):
            yield

    @contextmanager
    def _at(self, place: int, value: int) -> Iterator[None]:
        self._put(place, value)
        try:
            yield
        finally:
            self._put(place, 0)

    def _put(self, place: int, value: int) -> None:
        with self._file.open("r+b") as file:
            file.seek(8 * place)
            file.write(struct.pack("<q", value))

    @property
    def _file(self) -> Path:
        return self.folder / "faults"


def machine_in(folder: Path) -> Machine:
    machine = Machine(folder)
    machine.build()
    return machine
