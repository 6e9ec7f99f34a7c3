"""Run a family of processes: forked from one with everything loaded, started anew when they die, ended together.

A child and its parent hold the two ends of a line. An end that closes tells of a death on the other side, and a child
without a beat hangs: it is killed.
"""

import logging
import os
import signal
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from select import select
from selectors import EVENT_READ, DefaultSelector
from threading import Event, Thread
from time import monotonic
from typing import NoReturn

Work = Callable[[], AbstractContextManager[object]]
ENDINGS = (signal.SIGINT, signal.SIGTERM)
READY = BEAT = b"+"
BEAT_SECONDS, MOST_MISSED = 2.0, 10  # drawing a chart silences a worker for seconds where the machine is busy
PAUSES = (0.0, 0.2, 1.0, 5.0)  # seconds before a member is started anew, longer while it keeps dying
SOUND_SECONDS = 30.0  # after which a death is the first one again
log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class Child:
    """A living process, our end of the line to it, and how often those of its name died in a row."""

    name: str
    pid: int
    line: socket.socket
    deaths: int
    missed: int | None = None  # beats, once it is ready
    began: float = field(default_factory=monotonic)


class Family:
    """The first of the `works`, by name, is ready before the others start; if it ends before that, so does the family.

    A work opens its parts and closes them. `leave` is called between the two.
    """

    def __init__(self, works: Mapping[str, Work], leave: Callable[[], object]) -> None:
        self._works = works
        self._leave = leave
        self._children: list[Child] = []
        self._due: list[tuple[float, str, int]] = []
        self._counted_at = monotonic()
        self._is_complete = self._is_ending = False
        self._status = 0

    def run(self, stop_seconds: float) -> int:
        """Return the exit status of the parent once all have ended, or that of the child in a child."""
        with _wakened() as wakened, DefaultSelector() as selector:
            selector.register(wakened, EVENT_READ)
            self._due = [(0.0, next(iter(self._works)), 0)]
            while (born := self._start_due(selector)) is None:
                self._hear(selector, wakened)
                if self._is_ending:
                    return self._end(stop_seconds)
        return self._live(*born)

    def _start_due(self, selector: DefaultSelector) -> tuple[str, socket.socket] | None:
        """Fork what is due; return its name and line in the child."""
        now = monotonic()
        for start in [start for start in self._due if start[0] <= now]:
            self._due.remove(start)
            _, name, deaths = start
            ours, its = socket.socketpair()
            pid = os.fork()
            if not pid:
                for line in (ours, *(child.line for child in self._children)):
                    line.close()
                return name, its
            its.close()
            child = Child(name, pid, ours, deaths)
            self._children.append(child)
            selector.register(ours, EVENT_READ, child)
        return None

    def _hear(self, selector: DefaultSelector, wakened: socket.socket) -> None:
        until = min([self._counted_at + BEAT_SECONDS, *(due for due, *_ in self._due)])
        for key, _ in selector.select(max(0.0, until - monotonic())):
            child: Child | None = key.data
            if child is None:
                self._is_ending = any(number in ENDINGS for number in wakened.recv(64))
            elif not _received(child.line):
                selector.unregister(child.line)
                self._bury(child)
            else:
                child.missed = 0
                if not self._is_complete:
                    self._is_complete = True
                    self._due += [(0.0, name, 0) for name in list(self._works)[1:]]
        self._end_hanging()

    def _end_hanging(self) -> None:
        """Count the beats that are missing. Where all were frozen, so was the count."""
        now = monotonic()
        if now < self._counted_at + BEAT_SECONDS:
            return
        self._counted_at = now
        for child in self._children:
            if child.missed is not None:
                child.missed += 1
                if child.missed > MOST_MISSED:
                    log.error("the %s hangs", child.name)
                    os.kill(child.pid, signal.SIGKILL)

    def _bury(self, child: Child) -> None:
        child.line.close()
        self._children.remove(child)
        status = os.waitstatus_to_exitcode(os.waitpid(child.pid, 0)[1])
        if self._is_ending:
            return
        if not self._is_complete:  # settings or servers do not allow it: the child has said why
            self._status, self._is_ending = abs(status), True
            return
        lived = monotonic() - child.began
        deaths = 1 if lived > SOUND_SECONDS else child.deaths + 1
        pause = PAUSES[min(deaths, len(PAUSES)) - 1]
        log.error("the %s has ended (%s) and is started anew", child.name, status)
        self._due.append((monotonic() + pause, child.name, deaths))

    def _end(self, seconds: float) -> int:
        """Tell all to end, wait so long, and kill who stays."""
        for child in self._children:
            with suppress(ProcessLookupError):
                os.kill(child.pid, signal.SIGTERM)
        until = monotonic() + seconds
        for child in self._children:
            with suppress(TimeoutError):
                child.line.settimeout(max(0.01, until - monotonic()))
                while _received(child.line):  # it still beats
                    child.line.settimeout(max(0.01, until - monotonic()))
            with suppress(ProcessLookupError):
                os.kill(child.pid, signal.SIGKILL)
            os.waitpid(child.pid, 0)
        return self._status

    def _live(self, name: str, line: socket.socket) -> int:
        """Work as a child until told to end, or until the parent is gone."""
        ended = Event()
        for number in ENDINGS:
            signal.signal(number, lambda *_: ended.set())
        with suppress(OSError):  # where the system shows names of processes
            Path("/proc/self/comm").write_text(name, "utf-8")
        ready = Event()
        Thread(target=_beat, args=(line, ready), name="family", daemon=True).start()
        with self._works[name]():
            line.sendall(READY)
            ready.set()
            ended.wait()
            self._leave()
        return 0


@contextmanager
def _wakened() -> Iterator[socket.socket]:
    """Yield a line on which signals to end arrive."""
    ours, its = socket.socketpair()
    its.setblocking(False)
    for number in ENDINGS:
        signal.signal(number, lambda *_: None)
    signal.set_wakeup_fd(its.fileno())
    try:
        yield ours
    finally:
        signal.set_wakeup_fd(-1)
        ours.close()
        its.close()


def _received(line: socket.socket) -> bytes:
    with suppress(ConnectionError):
        return line.recv(64)
    return b""


def _beat(line: socket.socket, ready: Event) -> NoReturn:
    """Show the parent that the process lives, and die with it."""
    while not select([line], [], [], BEAT_SECONDS)[0]:
        if ready.is_set():
            with suppress(OSError):
                line.sendall(BEAT)
    os._exit(1)
