"""A time limit for any driver, kept by a thread of its own.

SQLite's progress handler needs the interpreter lock at every call: a query of 0.4 s took 3 to 34 s beside a busy
thread.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Timer


@contextmanager
def deadline(seconds: float, stop: Callable[[], None]) -> Iterator[Callable[[], bool]]:
    """Call `stop` unless the block ends in time; yield whether it was called."""
    expired = Event()

    def end() -> None:
        expired.set()
        stop()

    timer = Timer(seconds, end)
    timer.daemon = True
    timer.start()
    try:
        yield expired.is_set
    finally:
        timer.cancel()
        timer.join()  # it must not stop what uses the connection next
