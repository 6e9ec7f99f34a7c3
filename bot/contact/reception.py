"""Receive events: take each in at once, or keep it and take it in later, in the order of its thread.

An event is acknowledged when it is stored, or kept in the spool. While the database is away, the disk is full, or a
gap is open, events wait here, and whoever asked is told.
"""

import logging
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from heapq import heappop, heappush
from itertools import count
from queue import SimpleQueue
from threading import Condition, Thread
from time import time

from ai.types import ThreadKey
from bot.contact.gaps import Gaps
from bot.contact.ledger import Arrivals
from bot.contact.waiting import Waiting
from bot.engine import is_outage
from bot.inbound import Inbound, Spool, key_of
from bot.listeners import Body

ACK_SECONDS = 1.0  # Slack wants its acknowledgement within three
HOLD_SECONDS = 120.0  # an event waits so long for a gap, then it is taken in as it is
TICK_SECONDS = 0.5
FIRST_PAUSE, LONGEST_PAUSE = 0.2, 2.0
TRIES = 3
TOGETHER = 50  # events taken in at once: others wait for the memory meanwhile
CLOSING_SECONDS = 2.0
log = logging.getLogger(__name__)


class NotStored(Exception):
    """An event is neither stored nor kept; it stays unacknowledged and is tried again."""


class Reception:
    """Takes events in and acknowledges them from threads of its own. `post` speaks to one person alone."""

    def __init__(
        self,
        take: Callable[[Sequence[Body]], None],
        read: Callable[[Body], Waiting],
        spool: Spool,
        gaps: Gaps,
        arrivals: Arrivals,
        post: Callable[[Inbound, str], Future[bool]],
    ) -> None:
        self._take = take
        self._read = read
        self._spool = spool
        self._gaps = gaps
        self._arrivals = arrivals
        self._post = post
        self._all: dict[str, Waiting] = {}
        self._ready: list[tuple[float, int, Waiting]] = []
        self._held: dict[ThreadKey, list[Waiting]] = defaultdict(list)
        self._numbers = count()
        self._pause = 0.0
        self._retry_at = 0.0
        self._closing = False
        self._changed = Condition()
        self._accepted: SimpleQueue[tuple[Waiting, Callable[[], None]] | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name="reception", daemon=True)
        self._acknowledger = Thread(target=self._acknowledge, name="acknowledger", daemon=True)
        gaps.on_change(self._wake)

    def start(self) -> None:
        """Begin with what an earlier process kept."""
        for body in self._spool.kept():
            self._enter(body).is_kept = True
        self._thread.start()
        self._acknowledger.start()

    def stop(self) -> None:
        """Stop taking events in; keep those that wait."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._accepted.put(None)
        self._thread.join(CLOSING_SECONDS)
        for event in list(self._all.values()):
            self._keep(event)

    def receive(self, body: Body) -> None:
        """Return when an event is stored or kept. Raises NotStored, or what refused it."""
        self._settle(self._enter(body))

    def accept(self, body: Body, acknowledge: Callable[[], None]) -> None:
        """Call back when an event is stored or kept, in the order of arrival."""
        self._accepted.put((self._enter(body), acknowledge))

    def _acknowledge(self) -> None:
        while (accepted := self._accepted.get()) is not None:
            event, acknowledge = accepted
            try:
                self._settle(event)
                acknowledge()
            except NotStored:
                log.warning("a question is not acknowledged, for it can neither be stored nor kept")
            except Exception:  # the border of an event: Slack sends it again
                log.exception("an event is not acknowledged")

    def _settle(self, event: Waiting) -> None:
        event.news.wait(max(0.0, event.since + ACK_SECONDS - time()))
        if event.error is not None:
            raise event.error
        if not (event.is_done or self._keep(event)):
            raise NotStored

    def _enter(self, body: Body) -> Waiting:
        with self._changed:
            if (known := self._all.get(key_of(body))) is not None:
                return known
            event = self._read(body)
            self._all[event.key] = event
            self._arrivals.came(event, min(event.said_at, event.since))
            self._push(event)
            if event.since < self._retry_at:
                event.news.set()
            self._changed.notify_all()
        return event

    def _keep(self, event: Waiting) -> bool:
        """Whether an event is in the spool."""
        if not event.is_kept:
            try:
                self._spool.keep(event.key, event.body)
            except OSError:
                log.exception("a question can neither be stored nor kept in the spool")
                return False
            event.is_kept = True
            if event.is_done:
                self._spool.remove(event.key)
        return True

    def _run(self) -> None:
        while events := self._next():
            self._take_in(events)

    def _take_in(self, events: Sequence[Waiting]) -> None:
        # What was kept and is so no more was forgotten, or another process took it.
        bodies = [event.body for event in events if not event.is_kept or self._spool.has(event.key)]
        try:
            if bodies:
                self._take(bodies)
        except Exception as error:  # the border of an event: it is tried again, or refused aloud
            if is_outage(error):
                self._away(events, error)
            elif len(events) > 1:
                for event in events:
                    self._take_in([event])
            else:
                log.exception("an event cannot be taken in")
                self._failed(events[0], error)
        else:
            for event in events:
                self._finish(event)

    def _next(self) -> list[Waiting]:
        """Wait for the next event to take in, or several that go together; nothing when closing."""
        events: list[Waiting] = []
        with self._changed:
            while not self._closing:
                self._release()
                if self._ready and time() >= self._retry_at and self._is_next(events):
                    event = heappop(self._ready)[2]
                    if self._is_held(event):
                        self._hold(event)
                    else:
                        events.append(event)
                elif events:
                    return events
                else:
                    self._tell()
                    self._changed.wait(TICK_SECONDS if self._all else None)
        return []

    def _is_next(self, events: Sequence[Waiting]) -> bool:
        """Whether the first event that is ready may be taken in together with these."""
        return not events or (len(events) < TOGETHER and events[-1].joins and self._ready[0][2].joins)

    def _is_held(self, event: Waiting) -> bool:
        if not event.waits_for_gaps or time() - event.since > HOLD_SECONDS:
            return False
        return self._gaps.holds(event.thread, event.since)

    def _hold(self, event: Waiting) -> None:
        event.is_held = True
        self._held[event.thread].append(event)
        event.news.set()

    def _release(self) -> None:
        """Let go of the events whose thread is looked through, or that have waited their time."""
        for thread, events in list(self._held.items()):
            if all(self._is_held(event) for event in events):
                self._gaps.look_through(thread)
                continue
            for event in self._held.pop(thread):
                event.is_held = False
                self._push(event)

    def _tell(self) -> None:
        now = time()
        for event in self._all.values():
            if (word := event.word(now)) is not None and event.asker is not None:
                event.telling = self._post(event.asker, word)

    def _away(self, events: Sequence[Waiting], error: Exception) -> None:
        if not self._pause:
            log.warning("questions cannot be stored (%s); they are kept and tried again", type(error).__name__)
        self._wait_with(events)

    def _failed(self, event: Waiting, error: Exception) -> None:
        event.tries += 1
        if event.tries >= TRIES or not event.is_kept:
            event.error = error
            self._finish(event)
        else:
            self._wait_with([event])

    def _wait_with(self, events: Sequence[Waiting]) -> None:
        with self._changed:
            self._pause = min(self._pause * 2, LONGEST_PAUSE) or FIRST_PAUSE
            self._retry_at = time() + self._pause
            for event in events:
                self._push(event)
                event.news.set()

    def _finish(self, event: Waiting) -> None:
        with self._changed:
            if self._pause and event.error is None:
                log.warning("questions can be stored again")
                self._pause = self._retry_at = 0.0
            event.is_done = True
            self._all.pop(event.key, None)
        if event.is_kept:
            self._spool.remove(event.key)
        self._arrivals.over(event)
        event.news.set()

    def _push(self, event: Waiting) -> None:
        heappush(self._ready, (event.said_at, next(self._numbers), event))

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()
