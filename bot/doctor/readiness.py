"""Try side by side what the next question needs. `/readyz` and `datathread status` tell the outcome within seconds."""

import logging
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from threading import Lock
from time import monotonic

from ai.errors import DatathreadError
from bot.doctor.inspection import Check
from bot.doctor.parts import Probe

PATIENCE = 4.0
FRESH = 1.0  # seconds for which an outcome is told again: anybody may ask, and each try calls Slack and the model
SLOW = "does not answer within {:.0f} s"
BROKEN = "does not work; the log says why"
log = logging.getLogger(__name__)


class Readiness:
    """Safe for many threads. A try that hangs is not begun again before it has ended."""

    def __init__(self, probes: Iterable[tuple[str, Probe]], patience: float = PATIENCE, fresh: float = FRESH) -> None:
        self._patience, self._fresh = patience, fresh
        self._probes = dict(probes)
        self._hands = ThreadPoolExecutor(max(1, len(self._probes)), "readiness")
        self._trying: dict[str, Future[str]] = {}
        self._begun = -fresh
        self._lock = Lock()

    def checks(self) -> list[Check]:
        """Return each part's state after at most so many seconds as there is patience."""
        trying = self._tries()
        wait(trying.values(), self._patience)
        return [self._check(name, one) for name, one in trying.items()]

    def states(self) -> dict[str, str]:
        """Return the parts by name: "ok", or what to mend."""
        return {one.subject: "ok" if one.is_well else one.found for one in self.checks()}

    def close(self) -> None:
        self._hands.shutdown(wait=False, cancel_futures=True)

    def _tries(self) -> dict[str, Future[str]]:
        with self._lock:
            if monotonic() - self._begun >= self._fresh:
                self._begun = monotonic()
                for name, probe in self._probes.items():
                    if name not in self._trying or self._trying[name].done():
                        self._trying[name] = self._hands.submit(probe)
            return dict(self._trying)

    def _check(self, name: str, tried: Future[str]) -> Check:
        if not tried.done():
            return Check(name, SLOW.format(self._patience), is_well=False)
        if (error := tried.exception()) is None:
            return Check(name, tried.result(), is_well=True)
        if isinstance(error, DatathreadError):
            return Check(name, str(error), is_well=False)
        log.error("the part %s cannot be tried", name, exc_info=error)
        return Check(name, BROKEN, is_well=False)
