"""The signal to stop a turn: a query is interrupted on its server, other work checks between two pieces."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Lock

from ai.errors import Stopped


class Stop:
    """One turn's signal. It stays called; calling again interrupts again."""

    def __init__(self) -> None:
        self._called = Event()
        self._lock = Lock()
        self._interrupts: list[Callable[[], None]] = []

    @property
    def is_called(self) -> bool:
        return self._called.is_set()

    def call(self) -> None:
        """Interrupt running work and let nothing new begin.

        Repeat until the turn has ended: an interrupt just before its query begins does nothing.
        """
        self._called.set()
        with self._lock:  # an interrupt must not reach what uses the connection next
            for interrupt in self._interrupts:
                interrupt()

    def check(self) -> None:
        """Raise `Stopped` once the signal was called."""
        if self.is_called:
            raise Stopped

    @contextmanager
    def interrupting(self, interrupt: Callable[[], None]) -> Iterator[None]:
        """Let a call interrupt the block by `interrupt`, from another thread. `Stopped` when called before."""
        with self._lock:
            self.check()
            self._interrupts.append(interrupt)
        try:
            yield
        finally:
            with self._lock:
                self._interrupts.remove(interrupt)


NEVER = Stop()  # of work that nobody can stop; it is called by nobody
