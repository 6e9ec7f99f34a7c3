"""Processes of a bot: one is ready before the others start, a dead or hanging one is started anew, and all end together."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from select import select

import pytest

from tests.paths import ROOT
from tests.wait import until

# A family of two whose members tell when they open, leave and close; `%s` is what a work does before it is open.
PROGRAM = """
import logging, os, signal, sys, threading
from contextlib import contextmanager
from bot.cli import family

def tell(*words):
    os.write(1, (" ".join(map(str, words)) + "\\n").encode())

@contextmanager
def work(name):
    tell("opens", name, os.getpid())
    %s
    yield
    tell("closes", name)
    %s

logging.basicConfig(stream=sys.stdout, format="%%(message)s")
family.BEAT_SECONDS, family.MOST_MISSED, family.PAUSES = 0.1, 4, (0.0, 0.1)
works = {name: lambda name=name: work(name) for name in ("receiver", "worker")}
status = family.Family(works, lambda: tell("leaves")).run(1.0)
tell("ended", os.getpid())
sys.exit(status)
"""


@dataclass(frozen=True)
class Running:
    process: "subprocess.Popen[str]"

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def opened(self, name: str) -> int:
        """Read on to the line of a member that opens; return its id."""
        while (told := self.line()) and not told.startswith(f"opens {name} "):
            pass
        return int(told.split()[-1])

    def stop(self, pid: int) -> None:
        """Stop a member; one that was not ready yet goes on for a moment first, since only ready ones are missed."""
        assert self.process.stdout is not None
        told = self.process.stdout.fileno()
        for _ in range(9):
            os.kill(pid, signal.SIGSTOP)
            if select([told], [], [], 2)[0]:
                return
            os.kill(pid, signal.SIGCONT)
            select([told], [], [], 0.2)

    def ended(self) -> tuple[int, list[str]]:
        """Return the exit status with what is told until the end, ids left out."""
        assert self.process.stdout is not None
        told = [line.rstrip("\n 0123456789") for line in self.process.stdout]
        return self.process.wait(30), told


@contextmanager
def family(before: str = "pass", after: str = "pass") -> Iterator[Running]:
    command = [sys.executable, "-c", PROGRAM % (before, after)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
        try:
            yield Running(process)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def is_gone(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_one_is_ready_before_the_other_and_all_end_when_told(number: int) -> None:
    with family() as running:
        first, second = running.line(), running.line()
        assert (first.split()[1], second.split()[1]) == ("receiver", "worker")
        running.process.send_signal(number)
        status, told = running.ended()
    assert status == 0
    assert sorted(told) == ["closes receiver", "closes worker", "ended", "ended", "ended", "leaves", "leaves"]
    assert told[-1] == "ended"


def test_a_member_that_dies_is_started_anew_while_the_others_go_on() -> None:
    with family() as running:
        receiver, worker = running.opened("receiver"), running.opened("worker")
        os.kill(worker, signal.SIGKILL)
        assert running.line() == "the worker has ended (-9) and is started anew"
        again = running.opened("worker")
        os.kill(again, signal.SIGKILL)
        assert running.opened("worker") not in (worker, again)
        assert not is_gone(receiver)


def test_a_member_that_hangs_is_ended_and_started_anew() -> None:
    with family() as running:
        running.opened("receiver")
        worker = running.opened("worker")
        running.stop(worker)
        assert running.line() == "the worker hangs"
        assert running.line() == "the worker has ended (-9) and is started anew"
        assert running.opened("worker") != worker


def test_a_first_member_that_cannot_open_ends_the_family_with_its_status() -> None:
    with family(before="sys.exit(3)") as running:
        assert running.opened("receiver")
        assert running.ended() == (3, ["ended"])


def test_a_member_that_does_not_end_is_ended_after_a_while() -> None:
    with family(after="threading.Event().wait()") as running:
        receiver, worker = running.opened("receiver"), running.opened("worker")
        running.process.send_signal(signal.SIGTERM)
        status, told = running.ended()
        assert (status, told.count("ended")) == (0, 1)
        assert is_gone(receiver)
        assert is_gone(worker)


def test_members_do_not_outlive_their_parent() -> None:
    with family() as running:
        members = (running.opened("receiver"), running.opened("worker"))
        running.process.kill()
        until(lambda: all(map(is_gone, members)), 30, "the members to end")
