"""The own line in the ledger with its events not stored yet, and the lines others left behind.

A dead line shows by its lock on this machine, any other by its missing beats. A line that hangs is looked after again
and again, more and more rarely: Slack may still be telling it things.
"""

import logging
import os
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Lock
from time import time
from uuid import uuid4

from ai.memory_store import LineMark, LineMarks
from bot.contact.gaps import Gap
from bot.engine import FileLeases

IDLE_SECONDS = 2.0
STALE_SECONDS = 8.0
GONE_SECONDS = 600.0  # Slack repeats nothing later than that
log = logging.getLogger(__name__)


class GapLedger:
    """The lines of one team. `locks` is a folder of the machine."""

    def __init__(self, lines: LineMarks, team: str, locks: Path) -> None:
        self._lines = lines
        self._team = team
        self._locks = locks
        self.own = f"line-{uuid4()}"
        self._leases = FileLeases(locks)
        self._others: list[LineMark] = []

    def marks(self) -> list[float]:
        """Return until when each line, living or dead, has stored what it was told."""
        return [line.stored_until for line in self._lines.of_team(self._team)]

    def hold(self) -> None:
        """Show on this machine that the line lives, as long as its process does."""
        with suppress(OSError):  # the beats tell, only later
            self._leases.hold(self.own)

    def touch(self) -> None:
        """Show on this machine that the process does something."""
        with suppress(OSError):
            os.utime(self._locks / self.own)

    def suspected_since(self) -> float | None:
        """Return the oldest mark of the lines whose process does nothing just now; None without any."""
        idle = [line for line in self._others if self._is_idle(line)]
        return min((line.stored_until for line in idle), default=None)

    def beat(self, stored_until: float) -> None:
        self._lines.beat(self.own, self._team, stored_until, time())

    def close(self, stored_until: float) -> None:
        self._lines.beat(self.own, self._team, stored_until, 0.0)
        self._leases.close()

    def left_behind(self) -> list[Gap]:
        """Return the gaps of lines that this one looks after from now on."""
        now = time()
        self._others = [line for line in self._lines.of_team(self._team) if line.id != self.own]
        return [gap for line in self._others if (gap := self._gap(line, now)) is not None]

    def _gap(self, line: LineMark, now: float) -> Gap | None:
        if self._is_dead(line):
            line = self._lines.bury(line)
        is_over = line.is_closed or now - line.beat_at > GONE_SECONDS
        silent = now - line.beat_at > STALE_SECONDS
        rest = STALE_SECONDS if is_over else max(STALE_SECONDS, line.looked_at - line.beat_at)
        if not ((is_over or silent) and now - line.looked_at > rest and self._lines.claim(line, now)):
            return None
        if not is_over:
            log.warning("line %s is silent: looking for what it was told", line.id)
        return Gap(line.stored_until, partial(self._looked_after, line, is_over=is_over))

    def _is_idle(self, line: LineMark) -> bool:
        with suppress(OSError):
            return time() - (self._locks / line.id).stat().st_mtime > IDLE_SECONDS
        return False

    def _is_dead(self, line: LineMark) -> bool:
        with suppress(OSError):
            return (self._locks / line.id).exists() and self._leases.is_free(line.id)
        return False

    def _looked_after(self, line: LineMark, until: float, *, is_over: bool) -> None:
        if is_over:
            self._lines.drop(line)
        else:
            self._lines.raise_mark(line.id, until)


class Arrivals:
    """Safe for many threads. Keys name what is owed; moments are Unix seconds."""

    def __init__(self) -> None:
        self._owed: dict[object, float] = {}
        self._lock = Lock()

    def came(self, key: object, said_at: float) -> None:
        """Owe `key`; said again, the earlier moment stays."""
        with self._lock:
            self._owed[key] = min(said_at, self._owed.get(key, said_at))

    def over(self, key: object) -> None:
        with self._lock:
            self._owed.pop(key, None)

    def stored_until(self, heard_at: float) -> float:
        """Return the mark of a line that heard from Slack at `heard_at`."""
        with self._lock:
            return min([heard_at, *self._owed.values()])
