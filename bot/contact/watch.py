"""Watch the line to Slack: renew a silent one, catch up on missed messages."""

import logging
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from time import time

from bot.contact.connections import SlackConnection

CLOSING_SECONDS = 5.0
MOST_BETWEEN_LOOKS = 5.0  # seconds
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Mark:
    """The moment up to which everything reached us: the time of a file."""

    path: Path

    def read(self) -> float | None:
        """Return the mark, or None before the first."""
        try:
            return self.path.stat().st_mtime
        except FileNotFoundError:
            return None

    def move(self, moment: float) -> None:
        self.path.touch()
        os.utime(self.path, (moment, moment))


class Watch:
    """Watches the line in its own thread; `silence` is in seconds.

    `catch_up(moment)` takes in messages since then, at the start and after every gap; None means never connected.
    """

    def __init__(
        self, line: SlackConnection, mark: Mark, silence: float, catch_up: Callable[[float | None], object]
    ) -> None:
        self._line = line
        self._mark = mark
        self._silence = silence
        self._catch_up = catch_up
        self._is_behind = True
        self._renewed_at = 0.0
        self._closing = Event()
        self._thread = Thread(target=self._run, name="watch", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._closing.set()
        self._thread.join(CLOSING_SECONDS)

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                self._look()
            except Exception:  # the border of a job: whatever went wrong, it is looked again
                log.exception("the line to Slack could not be seen to; trying again")
            self._closing.wait(min(self._silence / 3, MOST_BETWEEN_LOOKS))

    def _look(self) -> None:
        heard = self._line.heard_at()
        if time() - max(heard, self._renewed_at) > self._silence:
            log.warning("nothing was heard from Slack for %.0f s: connecting anew", time() - heard)
            self._renewed_at = time()
            self._line.renew()
        elif time() - heard <= self._silence:
            until = self._mark.read()
            if self._is_behind or until is None or heard - until > self._silence:
                self._is_behind = True
                self._catch_up(until)
                self._is_behind = False
            self._mark.move(heard)
