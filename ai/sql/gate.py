"""Bound the queries of one database. A query that has used a slice of time steps back behind new ones."""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from threading import Condition
from time import monotonic

from ai.stopping import NEVER, Stop

SLICE_SECONDS = 0.05
CHECK_SECONDS = 0.1


class Gate:
    """`places` queries run at once. Fair to short ones where long ones `breathe`, or leave their places.

    A query older than `leaves_after` seconds counts no more, up to as many again.
    """

    def __init__(self, places: int, clock: Callable[[], float] = monotonic, *, leaves_after: float = inf) -> None:
        self._places = places
        self._leaves_after = leaves_after
        self._taken: list[float] = []  # since when
        self._clock = clock
        self._new: deque[object] = deque()
        self._old: deque[object] = deque()
        self._changed = Condition()

    @contextmanager
    def place(self, stop: Stop = NEVER) -> Iterator["Turnstile"]:
        """Wait for a place and hold it. Raises Stopped."""
        with stop.interrupting(self._wake):
            place = Turnstile(self, self.enter(self._new, lambda: stop.is_called), self._clock)
        try:
            stop.check()
            yield place
        finally:
            self.leave(place.taken_at)

    def enter(self, line: deque[object], is_over: Callable[[], bool]) -> float:
        """Take a place, in turn or when it is over anyway; return when."""
        ticket = object()
        with self._changed:
            line.append(ticket)
            while not (self._is_next(ticket) or is_over()):
                self._changed.wait(CHECK_SECONDS)
            line.remove(ticket)
            self._taken.append(now := self._clock())
            self._changed.notify_all()  # there may be room for the next one as well
            return now

    def leave(self, taken_at: float) -> None:
        with self._changed:
            self._taken.remove(taken_at)
            self._changed.notify_all()

    def step_back(self, taken_at: float, is_over: Callable[[], bool]) -> float:
        """Let those who wait have the place for a while; return when it was taken again."""
        if not (self._new or self._old):
            return taken_at
        self.leave(taken_at)
        return self.enter(self._old, is_over)

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def _is_next(self, ticket: object) -> bool:
        line = self._new or self._old
        return self._free > 0 and line[0] is ticket

    @property
    def _free(self) -> int:
        now = self._clock()
        long = sum(now - taken_at > self._leaves_after for taken_at in self._taken)
        return self._places - len(self._taken) + min(long, self._places)


class Turnstile:
    """The place of one query."""

    def __init__(self, gate: Gate, taken_at: float, clock: Callable[[], float] = monotonic) -> None:
        self._gate = gate
        self._clock = clock
        self._since = self.taken_at = taken_at

    def breathe(self, is_over: Callable[[], bool]) -> None:
        """Step back for others now and then, called in mid-query; not once the query is to end."""
        if self._clock() - self._since >= SLICE_SECONDS:
            self.taken_at = self._gate.step_back(self.taken_at, is_over)
            self._since = self._clock()
