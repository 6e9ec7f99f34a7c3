"""`datathread run` without tokens: both processes, one line, a bot that comes back, and a clean end."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from local_slack.testing import SlackServer
from tests.e2e.conversation import Conversation
from tests.processes import bare_environment, first_line, free_port, interrupted, running
from tests.wait import until


@contextmanager
def run(folder: Path, port: int) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "bot", "run"]
    with running(command, folder, bare_environment(LOCAL_SLACK_PORT=str(port)), stderr=subprocess.PIPE) as process:
        yield process


def children(process: subprocess.Popen[str]) -> dict[str, int]:
    """The processes that it started, by the module that they run."""
    pids = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text("utf-8").split()
    commands = {pid: Path(f"/proc/{pid}/cmdline").read_text("utf-8").split("\0") for pid in pids}
    return {command[2]: int(pid) for pid, command in commands.items() if len(command) > 2}


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds processes in /proc, which is absent here")
def test_one_command_runs_it_all(tmp_path: Path) -> None:
    port = free_port()
    with run(tmp_path, port) as process:
        line = first_line(process)
        assert line.startswith(f"Datathread is at http://127.0.0.1:{port} "), process.communicate()
        slack = SlackServer(f"http://127.0.0.1:{port}")
        slack.wait_for_connections(timeout=60)
        thread = Conversation(slack)
        assert "49" in thread.ask("how many apps do we have?")["text"]

        os.kill(children(process)["bot"], signal.SIGKILL)
        assert "21" in thread.ask("what about iOS?")["text"]

        started = children(process)
        assert interrupted(process) == 0
        assert process.communicate() == ("", "")
        until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in started.values()), what="both to be gone")


def test_a_taken_port_is_told_in_one_sentence(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with run(tmp_path, port) as process:
            output, problem = process.communicate(timeout=30)
    assert (output, process.returncode) == ("", 2)
    assert problem == (f"LOCAL_SLACK_PORT is {port}, which another program uses; stop it or choose another port.\n")
