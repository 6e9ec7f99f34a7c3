"""The signal to stop a turn: queries are interrupted, other work checks between two pieces."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Lock

from ai.errors import Stopped


class Stop:
    """One turn's signal; it stays called."""

    def __init__(self) -> None:
        self._called = Event()
        self._lock = Lock()
        self._interrupts: list[Callable[[], None]] = []

    @property
    def is_called(self) -> bool:
        return self._called.is_set()

    @property
    def is_listened_to(self) -> bool:
        """Whether a call would interrupt something now: the turn waits for a database or a model."""
        return bool(self._interrupts)

    def call(self) -> None:
        """Interrupt running work. Repeat until the turn ends: a query may begin just after."""
        self._called.set()
        with self._lock:  # an interrupt must not reach what uses the connection next
            for interrupt in self._interrupts:
                interrupt()

    def check(self) -> None:
        if self.is_called:
            raise Stopped

    @contextmanager
    def interrupting(self, interrupt: Callable[[], None]) -> Iterator[None]:
        """Let a call run `interrupt` during the block. `Stopped` when called before."""
        with self._lock:
            self.check()
            self._interrupts.append(interrupt)
        try:
            yield
        finally:
            with self._lock:
                self._interrupts.remove(interrupt)


NEVER = Stop()  # of work that nobody can stop; it is called by nobody
