"""Processes that tests start: their environment, with nothing of this machine but where Python is, and their children."""

import os
import socket
from contextlib import suppress
from pathlib import Path

from config import child_environment
from tests.paths import ROOT


def bare_environment(**settings: str) -> dict[str, str]:
    """Return `settings` beside the path, and what coverage.py needs where `make reach` runs the tests."""
    measuring = {name: value for name, value in child_environment().items() if name.startswith("COVERAGE_")}
    return {"PATH": os.defpath, "PYTHONPATH": str(ROOT), **measuring, **settings}


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
