"""Processes that tests start: commands that end, programs that stay, their environment, their children."""

import os
import signal
import socket
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile

from config import child_environment
from tests.paths import ROOT
from tests.warm import start

SECONDS = 200.0  # a safety bound


def bare_environment(**settings: str) -> dict[str, str]:
    """Return `settings` beside the path, and what coverage.py needs where it runs the tests."""
    measuring = {name: value for name, value in child_environment().items() if name.startswith("COVERAGE_")}
    return {"PATH": os.defpath, "PYTHONPATH": str(ROOT), **measuring, **settings}


def datathread(folder: Path, *arguments: str, said: str = "", **settings: str) -> "subprocess.CompletedProcess[str]":
    """Run a command in a folder, which has its data too."""
    environment = bare_environment(**{"DATA_DIR": str(folder / "data"), **settings})
    with TemporaryFile() as given, TemporaryFile() as output, TemporaryFile() as errors:
        given.write(said.encode())
        given.seek(0)
        command = start(arguments, folder, environment, (given.fileno(), output.fileno(), errors.fileno()))
        try:
            status = command.wait(SECONDS)
        finally:
            command.kill()
        output.seek(0)
        errors.seek(0)
        return subprocess.CompletedProcess(arguments, status, output.read().decode(), errors.read().decode())


@contextmanager
def running(
    command: Sequence[str], folder: Path, environment: Mapping[str, str], **streams: int
) -> "Iterator[subprocess.Popen[str]]":
    """Start a program that stays, and kill what is left of it and its children; its output is read by the test."""
    pipes = {"stdout": subprocess.PIPE, **streams}
    with subprocess.Popen(command, cwd=folder, env=environment, text=True, **pipes) as process:  # type: ignore[call-overload]
        try:
            yield process
        finally:
            left = family(process.pid) if process.poll() is None else {}
            for pid in left:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)


def first_line(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def interrupted(process: "subprocess.Popen[str]", seconds: float = 30) -> int:
    """Press Ctrl-C; return the exit status."""
    process.send_signal(signal.SIGINT)
    return process.wait(seconds)


def free_port() -> int:
    """Return a loopback port with nobody on it."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def family(pid: int) -> dict[int, str]:
    """Return a process and all below it with their names, as far as the system shows them."""
    found, here = {pid: ""}, Path(f"/proc/{pid}")
    if here.exists():
        found = {pid: (here / "comm").read_text("utf-8").strip()}
        for task in (here / "task").iterdir():
            with suppress(FileNotFoundError, ProcessLookupError):  # the thread has ended meanwhile
                for child in (task / "children").read_text("utf-8").split():
                    found |= family(int(child))
    return found
