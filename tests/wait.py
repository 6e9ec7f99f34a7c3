"""Waiting for a state, never for time: the only place in the tests that lets time pass."""

from collections.abc import Callable
from threading import Event
from time import monotonic
from typing import TypeVar

T = TypeVar("T")


def until(probe: Callable[[], T], timeout: float = 60.0, what: str = "the expected state") -> T:
    """Call `probe` until it returns something true, and return that; fail after `timeout` seconds."""
    deadline = monotonic() + timeout
    pause = Event()
    while True:
        found = probe()
        if found:
            return found
        if monotonic() > deadline:
            raise AssertionError(f"waited {timeout:g} s for {what}; the last probe gave {found!r}")
        pause.wait(0.02)
