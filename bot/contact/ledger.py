"""The own line in the ledger, and the lines that others left behind.

A dead line shows by its lock on this machine, any other by its missing beats. A line that hangs is looked after again
and again, more and more rarely: Slack may still be telling it things.
"""

import logging
import os
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import time
from uuid import uuid4

from ai.memory_store import LineMark, LineMarks
from bot.contact.gaps import Gap
from bot.engine import FileLeases

IDLE_SECONDS = 2.0
STALE_SECONDS = 8.0
GONE_SECONDS = 600.0  # Slack repeats nothing later than that
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class GapLedger:
    """The lines of one team. `locks` is a folder of the machine."""

    lines: LineMarks
    team: str
    locks: Path
    own: str = field(default_factory=lambda: f"line-{uuid4()}")
    _leases: list[FileLeases] = field(default_factory=list)
    _others: dict[str, LineMark] = field(default_factory=dict)

    def marks(self) -> list[float]:
        """Return until when each line, living or dead, has stored what it was told."""
        return [line.stored_until for line in self.lines.of_team(self.team)]

    def hold(self) -> None:
        """Show on this machine that the line lives, as long as its process does."""
        leases = FileLeases(self.locks)
        with suppress(OSError):  # the beats tell, only later
            leases.hold(self.own)
            self._leases.append(leases)

    def touch(self) -> None:
        """Show on this machine that the process does something."""
        with suppress(OSError):
            os.utime(self.locks / self.own)

    def suspected_since(self) -> float | None:
        """Return the oldest mark of the lines whose process does nothing just now; None without any."""
        idle = [line for line in self._others.values() if self._is_idle(line)]
        return min((line.stored_until for line in idle), default=None)

    def beat(self, stored_until: float) -> None:
        self.lines.beat(self.own, self.team, stored_until, time())

    def close(self, stored_until: float) -> None:
        self.lines.beat(self.own, self.team, stored_until, 0.0)
        for leases in self._leases:
            leases.close()

    def left_behind(self) -> list[Gap]:
        """Return the gaps of lines that this one looks after from now on."""
        now = time()
        others = {line.id: line for line in self.lines.of_team(self.team) if line.id != self.own}
        self._others.clear()
        self._others.update(others)
        return [gap for line in others.values() if (gap := self._gap(line, now)) is not None]

    def _gap(self, line: LineMark, now: float) -> Gap | None:
        if self._is_dead(line):
            line = self.lines.bury(line)
        is_over = line.is_closed or now - line.beat_at > GONE_SECONDS
        silent = now - line.beat_at > STALE_SECONDS
        rest = STALE_SECONDS if is_over else max(STALE_SECONDS, line.looked_at - line.beat_at)
        if not ((is_over or silent) and now - line.looked_at > rest and self.lines.claim(line, now)):
            return None
        if not is_over:
            log.warning("line %s is silent: looking for what it was told", line.id)
        return Gap(line.stored_until, partial(self._looked_after, line, is_over=is_over))

    def _is_idle(self, line: LineMark) -> bool:
        with suppress(OSError):
            return time() - (self.locks / line.id).stat().st_mtime > IDLE_SECONDS
        return False

    def _is_dead(self, line: LineMark) -> bool:
        with suppress(OSError):
            return (self.locks / line.id).exists() and FileLeases(self.locks).is_free(line.id)
        return False

    def _looked_after(self, line: LineMark, until: float, *, is_over: bool) -> None:
        if is_over:
            self.lines.drop(line)
        else:
            self.lines.raise_mark(line.id, until)
