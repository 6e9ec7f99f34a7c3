"""The gaps of the line: times with something possibly missing. While one is open, the threads it may concern wait.

A look through all messages since then closes a gap; a look through a thread closes it for that thread.
"""

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Condition, Thread
from time import time
from typing import Protocol

from ai.errors import SourceUnavailable
from ai.types import ThreadKey
from bot.engine import is_outage

AGAIN_SECONDS = 2.0  # between two tries of a look
LOOKERS = 2
CLOSING_SECONDS = 2.0
log = logging.getLogger(__name__)


class Finder(Protocol):
    """Takes in what was missed. Looking again is harmless."""

    def catch_up(self, until: float) -> int: ...

    def look_through(self, thread: ThreadKey, since: float) -> bool:
        """Take in what a thread misses; return False where only a whole look can tell."""


@dataclass(frozen=True, slots=True, eq=False)
class Gap:
    """Everything said since `since` may be missing. `closed(moment)` hears until when it was looked through."""

    since: float
    closed: Callable[[float], None] = lambda _: None
    opened_at: float = field(default_factory=time)


class Gaps:
    """The open gaps of this process."""

    def __init__(self, finder: Finder) -> None:
        self._finder = finder
        self._changed: Callable[[], None] = lambda: None
        self._open: list[Gap] = []
        self._suspected_since: float | None = None
        self._looked: dict[ThreadKey, float] = {}
        self._looking: set[ThreadKey] = set()
        self._closing = False
        self._condition = Condition()
        self._thread = Thread(target=self._run, name="gaps", daemon=True)
        self._lookers = ThreadPoolExecutor(LOOKERS, thread_name_prefix="gap")

    def on_change(self, changed: Callable[[], None]) -> None:
        """Call `changed` when a thread need not wait any more."""
        self._changed = changed

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        with self._condition:
            self._closing = True
            self._condition.notify_all()
        self._lookers.shutdown(wait=False, cancel_futures=True)
        self._thread.join(CLOSING_SECONDS)

    def open(self, gap: Gap) -> None:
        with self._condition:
            self._open.append(gap)
            self._condition.notify_all()

    def suspect(self, since: float | None) -> None:
        """While another line does nothing, anything said since then may be on it."""
        with self._condition:
            self._suspected_since = since
            if since is None and not self._open:
                self._looked.clear()

    def holds(self, thread: ThreadKey, came_at: float) -> bool:
        """Whether something said before what came at that moment may be missing in its thread."""
        with self._condition:
            looked_at = self._looked.get(thread, 0.0)
            is_suspected = self._suspected_since is not None and came_at > looked_at
            return is_suspected or any(gap.opened_at > looked_at for gap in self._open)

    def look_through(self, thread: ThreadKey) -> None:
        """Look through one thread first, as soon as there is a hand free."""
        with self._condition:
            if thread in self._looking or self._closing:
                return
            self._looking.add(thread)
        with suppress(RuntimeError):  # it is closing just now
            self._lookers.submit(self._look, thread)

    def _look(self, thread: ThreadKey) -> None:
        with self._condition:
            moments = [gap.since for gap in self._open]
            since = min([*moments, self._suspected_since] if self._suspected_since else moments, default=None)
        began = time()
        try:
            found = since is None or self._finder.look_through(thread, since)
            with self._condition:
                if found or not self._open:  # a thread unknown as yet waits for the whole look, if there is one
                    self._looked[thread] = began
        except SourceUnavailable as error:
            log.warning("a thread could not be looked through (%s)", error)
        except Exception as error:  # the border of a job: the thread waits on, within its bound
            if not is_outage(error):
                log.exception("a thread could not be looked through")
        finally:
            with self._condition:
                self._looking.discard(thread)
            self._changed()

    def _run(self) -> None:
        while not self._closing:
            with self._condition:
                self._condition.wait_for(lambda: self._open or self._closing)
                gaps = list(self._open)
            if gaps and not self._closing and not self._filled(gaps):
                with self._condition:
                    self._condition.wait_for(lambda: self._closing, AGAIN_SECONDS)

    def _filled(self, gaps: list[Gap]) -> bool:
        began = time()
        try:
            self._finder.catch_up(min(gap.since for gap in gaps))
            for gap in gaps:
                gap.closed(began)
                with self._condition:
                    self._open.remove(gap)
        except SourceUnavailable as error:
            log.warning("what was missed cannot be looked for now (%s)", error)
            return False
        except Exception as error:  # the border of a job: whatever went wrong, it is looked again
            if not is_outage(error):
                log.exception("what was missed could not be looked for; trying again")
            return False
        with self._condition:
            if not self._open:
                self._looked.clear()
        self._changed()
        return True
