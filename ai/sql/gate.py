"""Bound the queries of one database. Whoever has used a slice of time steps back behind those who come new."""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition
from time import monotonic

from ai.stopping import NEVER, Stop

SLICE_SECONDS = 0.05
CHECK_SECONDS = 0.1


class Gate:
    """`places` queries run at once. Fair to short ones where long ones `breathe`."""

    def __init__(self, places: int, clock: Callable[[], float] = monotonic) -> None:
        self._free = places
        self._clock = clock
        self._new: deque[object] = deque()
        self._old: deque[object] = deque()
        self._changed = Condition()

    @contextmanager
    def place(self, stop: Stop = NEVER) -> Iterator["Turnstile"]:
        """Wait for a place and hold it. Raises Stopped."""
        with stop.interrupting(self._wake):
            self.enter(self._new, lambda: stop.is_called)
        try:
            stop.check()
            yield Turnstile(self, self._clock())
        finally:
            self.leave()

    def step_back(self, since: float, is_over: Callable[[], bool]) -> float:
        """Let others have the place for a while if the slice is over; return when the slice in use began."""
        if self._clock() - since < SLICE_SECONDS:
            return since
        if self._new or self._old:
            self.leave()
            self.enter(self._old, is_over)
        return self._clock()

    def enter(self, line: deque[object], is_over: Callable[[], bool]) -> None:
        """Take a place, in turn or when it is over anyway."""
        ticket = object()
        with self._changed:
            line.append(ticket)
            while not (self._is_next(ticket) or is_over()):
                self._changed.wait(CHECK_SECONDS)
            line.remove(ticket)
            self._free -= 1
            self._changed.notify_all()  # there may be room for the next one as well

    def leave(self) -> None:
        with self._changed:
            self._free += 1
            self._changed.notify_all()

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def _is_next(self, ticket: object) -> bool:
        line = self._new or self._old
        return self._free > 0 and line[0] is ticket


class Turnstile:
    """The place of one query, in use `since` then."""

    def __init__(self, gate: Gate, since: float) -> None:
        self._gate = gate
        self._since = since

    def breathe(self, is_over: Callable[[], bool]) -> None:
        """Step back for others now and then, called in mid-query; not once the query is to end."""
        self._since = self._gate.step_back(self._since, is_over)
