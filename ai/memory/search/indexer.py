"""Keeps the index close behind the log, from a thread of its own, a few documents at a time."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

from sqlalchemy.exc import DBAPIError

IDLE_SECONDS = 0.5
BREATH_SECONDS = 0.25  # between two transactions: the write lock is free for appends for 99 % of the time
log = logging.getLogger(__name__)


@contextmanager
def repeating(step: Callable[[], int]) -> Iterator[None]:
    """Repeat a step inside the block, soon again after one that did something, else after a pause."""
    stopped = Event()

    def repeat() -> None:
        pause = 0.0
        while not stopped.wait(pause):
            try:
                pause = BREATH_SECONDS if step() else IDLE_SECONDS
            except DBAPIError:  # another process holds the store: the documents wait, and are found all the same
                log.warning("the index of the memory is not kept up at the moment", exc_info=True)
                pause = IDLE_SECONDS

    thread = Thread(target=repeat, name="search-index", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stopped.set()
        thread.join()
