"""Starts commands of the bot from a process that has the product loaded, as a bot forks its own: loading takes seconds.

A command has the arguments, folder, environment and streams that it is given. Tests of a start itself use
`subprocess`, and so does this where a setting reaches Python before the product.
"""

import atexit
import json
import os
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from select import select
from signal import SIGKILL

from tests.paths import ROOT

BEFORE_US = ("COVERAGE_", "LD_", "PYTHON")  # settings with such names reach Python itself
Streams = tuple[int, int, int]


class Command:
    """A running command; what `subprocess.Popen` says of a process it says too."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self.returncode: int | None = None
        self.pid = int(line.recv(64))

    def poll(self) -> int | None:
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Raises subprocess.TimeoutExpired."""
        if self.returncode is None:
            if not select([self._line], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(f"process {self.pid}", timeout or 0)
            self.returncode = int(self._line.recv(64))
            self._line.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(SIGKILL)


def start(
    arguments: Sequence[str], folder: Path, environment: Mapping[str, str], streams: Streams
) -> "Command | subprocess.Popen[bytes]":
    """Start `datathread` on open files for its input, output and errors."""
    if _reaches_python(environment):
        return plainly([sys.executable, "-m", "bot", *arguments], folder, environment, streams)
    ours, its = socket.socketpair(type=socket.SOCK_SEQPACKET)
    with its:
        wish = {"arguments": arguments, "folder": str(folder), "environment": environment}
        socket.send_fds(_loaded(), [json.dumps(wish).encode()], [*streams, its.fileno()])
    return Command(ours)


def plainly(
    command: Sequence[str], folder: Path, environment: Mapping[str, str], streams: Streams
) -> "subprocess.Popen[bytes]":
    """Start a program of its own on such files."""
    stdin, stdout, stderr = streams
    return subprocess.Popen(command, cwd=folder, env=environment, stdin=stdin, stdout=stdout, stderr=stderr)


def _reaches_python(environment: Mapping[str, str]) -> bool:
    known = {"PYTHONPATH": str(ROOT)}
    return any(name.startswith(BEFORE_US) and known.get(name) != value for name, value in environment.items())


@cache
def _loaded() -> socket.socket:
    """Return the line to a process that has the product loaded; it ends with this one."""
    ours, its = socket.socketpair(type=socket.SOCK_SEQPACKET)
    with its:
        command = [sys.executable, "-m", "tests.warm_process", str(its.fileno())]
        environment = {"PATH": os.defpath, "PYTHONPATH": str(ROOT)}
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, pass_fds=[its.fileno()]
        )
    atexit.register(process.wait)
    atexit.register(ours.close)  # before the other
    return ours
