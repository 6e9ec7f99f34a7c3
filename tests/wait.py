"""Waiting for a state, never for time: the only place in the tests that lets time pass."""

from collections.abc import Callable
from threading import Event
from time import monotonic
from typing import TypeVar

T = TypeVar("T")
LONGEST_PAUSE = 0.1  # seconds; who looks all the time takes the processor from what is waited for


def until(probe: Callable[[], T], timeout: float = 60.0, what: str = "the expected state") -> T:
    """Call `probe` until it returns something true, and return that; fail after `timeout` seconds."""
    began, pause = monotonic(), Event()
    while True:
        found = probe()
        if found:
            return found
        waited = monotonic() - began
        if waited > timeout:
            raise AssertionError(f"waited {timeout:g} s for {what}; the last probe gave {found!r}")
        pause.wait(min(0.02 + waited / 10, LONGEST_PAUSE))
