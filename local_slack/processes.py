"""Starts local Slacks from one process that has the server loaded: `local_slack.starter`. Loading takes a second."""

import atexit
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from select import select

HOME = Path(__file__).parents[1]  # the module is found there, installed or not
_MOST_BYTES, _ERRORS = 64, 2


class Started:
    """A local Slack in a process of its own; `said` is what it wrote when it was ready."""

    def __init__(self, options: Sequence[str]) -> None:
        reads, writes = os.pipe()
        self._line, its = socket.socketpair(type=socket.SOCK_SEQPACKET)
        with its:
            socket.send_fds(_loaded(), [json.dumps(options).encode()], [writes, _ERRORS, its.fileno()])
        os.close(writes)
        self._pid = int(self._line.recv(_MOST_BYTES))
        with os.fdopen(reads, encoding="utf-8") as output:
            self.said = output.readline()

    def end(self, seconds: float) -> None:
        """Ask it to end, and kill it if it does not in time."""
        for number, patience in ((signal.SIGTERM, seconds), (signal.SIGKILL, seconds)):
            with suppress(ProcessLookupError):
                os.kill(self._pid, number)
            if select([self._line], [], [], patience)[0]:  # it has ended, and its end of the line with it
                break
        self._line.close()


@cache
def _loaded() -> socket.socket:
    """Return the line to a starter; it ends with this process."""
    ours, its = socket.socketpair(type=socket.SOCK_SEQPACKET)
    with its:
        command = [sys.executable, "-m", "local_slack.starter", str(its.fileno())]
        process = subprocess.Popen(command, cwd=HOME, stdin=subprocess.DEVNULL, pass_fds=[its.fileno()])
    atexit.register(process.wait)
    atexit.register(ours.close)  # before the other
    return ours
