"""Collect the reports of running turns, until they are written down.

A turn that ends soon writes no steps: doing them again after a crash costs less than writing them each time.
"""

from collections.abc import Callable, Mapping
from threading import Lock
from time import monotonic

from bot.engine.store import News, TurnRun

RECORD_SECONDS = 0.25
Steps = Mapping[str, str]


class Notebook:
    """Runs with something to write. Thread-safe; what could not be written is given back."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._steps: dict[TurnRun, tuple[float, Steps]] = {}  # with the time until which they may wait
        self._ended: dict[TurnRun, str] = {}
        self._put_off: dict[TurnRun, float] = {}

    def record(self, run: TurnRun, steps: Steps, *, now: bool) -> None:
        with self._lock:
            by = self._clock() + (0 if now else RECORD_SECONDS)
            known = self._steps.get(run)
            self._steps[run] = (min(by, known[0]) if known else by, steps)

    def end(self, run: TurnRun, outcome: str) -> None:
        with self._lock:
            self._steps.pop(run, None)
            self._ended[run] = outcome

    def put_off(self, run: TurnRun, due: float, steps: Steps) -> None:
        """Note that a run is put off until `due`, in seconds of the epoch."""
        with self._lock:
            self._steps[run] = (0.0, steps)
            self._put_off[run] = due

    def holds(self, turn_id: str) -> bool:
        with self._lock:
            return any(run.turn_id == turn_id for runs in (self._ended, self._put_off) for run in runs)

    def waits(self) -> float | None:
        """Return the seconds until something has to be written, None when nothing has."""
        with self._lock:
            if self._ended or self._put_off:
                return 0.0
            return max(0.0, min(by for by, _ in self._steps.values()) - self._clock()) if self._steps else None

    def take(self) -> News:
        """Return what has to be written now."""
        with self._lock:
            now = self._clock()
            due = {run: steps for run, (by, steps) in self._steps.items() if by <= now}
            news = News(due, self._ended, self._put_off)
            self._steps = {run: kept for run, kept in self._steps.items() if run not in due}
            self._ended, self._put_off = {}, {}
            return news

    def give_back(self, news: News) -> None:
        """Keep what could not be written. What was reported since is newer."""
        with self._lock:
            self._ended = {**news.ended, **self._ended}
            self._put_off = {**news.put_off, **self._put_off}
            older = {run: (0.0, steps) for run, steps in news.steps.items() if run not in self._ended}
            self._steps = {**older, **self._steps}
