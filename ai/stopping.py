"""The wish that a turn ends, as everything that takes long can hear it.

Owns the signal between whoever says "stop" and what is running: a query is interrupted on its server, everything else
looks between two pieces of work.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Lock

from ai.errors import Stopped


class Stop:
    """One turn's signal. Called once, it stays so; calling it again interrupts again what is running then."""

    def __init__(self) -> None:
        self._called = Event()
        self._lock = Lock()
        self._interrupts: list[Callable[[], None]] = []

    @property
    def is_called(self) -> bool:
        """Whether somebody wants the turn to end."""
        return self._called.is_set()

    def call(self) -> None:
        """End the turn: interrupt what is running, and let nothing new begin.

        To be repeated until the turn has ended: an interrupt that comes just before its query begins does nothing.
        """
        self._called.set()
        with self._lock:  # an interrupt must not reach what uses the connection next
            for interrupt in self._interrupts:
                interrupt()

    def check(self) -> None:
        """Raise `Stopped` when the turn is to end."""
        if self.is_called:
            raise Stopped

    @contextmanager
    def interrupting(self, interrupt: Callable[[], None]) -> Iterator[None]:
        """While inside, a call interrupts by `interrupt`, from another thread. `Stopped` when it was called before."""
        with self._lock:
            self.check()
            self._interrupts.append(interrupt)
        try:
            yield
        finally:
            with self._lock:
                self._interrupts.remove(interrupt)


NEVER = Stop()  # of work that nobody can stop; it is called by nobody
