"""A child process running DuckDB, as its parent sees it.

Replies are read with a short list of types: the child has worked on foreign data.
"""

import pickle
import subprocess
import sys
from collections.abc import Generator
from io import BytesIO
from pathlib import Path
from struct import Struct
from tempfile import TemporaryDirectory
from typing import IO, Any, cast

from ai.sql.engines.deadline import deadline

START_SECONDS = 30.0
LENGTH = Struct(">Q")
PROGRAM = Path(__file__).with_name("child.py")
KNOWN = {
    ("datetime", "date"),
    ("datetime", "datetime"),
    ("datetime", "time"),
    ("datetime", "timedelta"),
    ("datetime", "timezone"),
    ("decimal", "Decimal"),
    ("uuid", "UUID"),
}


class Gone(Exception):
    """The process ended before its answer did."""


class Worker:
    """One child process, for one thread at a time except `kill`."""

    def __init__(self) -> None:
        """Start the process; `Gone` when it does not come."""
        self._folder = TemporaryDirectory(prefix="datathread-duckdb-")
        self._process = subprocess.Popen(
            [sys.executable, "-I", str(PROGRAM)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={"HOME": self._folder.name},
            cwd=self._folder.name,
        )
        try:
            with deadline(START_SECONDS, self._process.kill):
                self._ready = self._reply() == ("ready",)
        except Gone:
            self.close()
            raise

    @property
    def is_ready(self) -> bool:
        return self._ready and self._process.poll() is None

    def ask(self, **request: Any) -> Generator[tuple[Any, ...]]:
        """Send a request; yield replies up to ("end",) or an error. `Gone` when the process ends."""
        self._ready = False
        content = pickle.dumps({**request, "folder": f"{self._folder.name}/spill"}, protocol=5)
        try:
            stdin = cast(IO[bytes], self._process.stdin)
            stdin.write(LENGTH.pack(len(content)) + content)
            stdin.flush()
        except OSError:
            raise Gone from None
        while (reply := self._reply()) != ("end",):
            self._ready = reply[0] == "error"
            yield reply
        self._ready = True

    def kill(self) -> None:
        """End the process at once; its waiting reader gets `Gone`."""
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        self._process.kill()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()
        self._process.wait()
        self._folder.cleanup()

    def _reply(self) -> tuple[Any, ...]:
        (length,) = LENGTH.unpack(self._read(LENGTH.size))
        reply: tuple[Any, ...] = _Reader(BytesIO(self._read(length))).load()
        return reply

    def _read(self, length: int) -> bytes:
        content = cast(IO[bytes], self._process.stdout).read(length)
        if len(content) < length:
            raise Gone
        return content


class _Reader(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in KNOWN:
            raise pickle.UnpicklingError(f"{module}.{name} is no type of a cell")
        return super().find_class(module, name)
