"""The watch over the line to Slack: opens it anew when nothing is heard, and has what was missed looked for.

The mark is a file whose time says until when everything that Slack had to say has reached us. It moves only while the
line gives signs of life and nothing is left to be caught up with, so what a crash cuts short is begun again.
"""

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
    """Until when everything has reached us, as Unix time."""

    path: Path

    def read(self) -> float | None:
        """None when nothing ever has."""
        try:
            return self.path.stat().st_mtime
        except FileNotFoundError:
            return None

    def move(self, moment: float) -> None:
        """Everything until `moment` has reached us."""
        self.path.touch()
        os.utime(self.path, (moment, moment))


class Watch:
    """Looks at the line in a thread of its own. `silence` seconds without a sign of life are too many.

    `catch_up(moment)` takes in what was said since then, at the start and after every hole; None: nothing ever reached us.
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
        """Begin to look."""
        self._thread.start()

    def stop(self) -> None:
        """Look no more."""
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
