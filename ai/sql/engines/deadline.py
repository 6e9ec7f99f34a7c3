"""A time limit that holds whatever the driver is doing: a thread of its own calls for the end.

SQLite's progress handler is no such limit: it needs the interpreter lock at every call, and beside one busy thread it
made a query of 0.4 s take 3 to 34 s.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Timer


@contextmanager
def deadline(seconds: float, stop: Callable[[], None]) -> Iterator[Callable[[], bool]]:
    """Call `stop` after so many seconds, unless the block has ended; the value says whether that has happened."""
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
