"""Leaves a silent server out, and probes it in the background until it answers."""

from collections.abc import Callable
from itertools import chain, repeat
from threading import Event, Lock, Thread

STRIKES = 3  # time-outs in a row
PATIENCE = 0.8  # seconds a question waits for the probe that decides about the last strike


class Breaker:
    """Counts calls without an answer. `probe` returns whether a small call works.

    After the last strike but one, a question waits `PATIENCE` for a probe.
    """

    def __init__(self, probe: Callable[[], bool], pauses: tuple[float, ...]) -> None:
        self._probe = probe
        self._pauses = pauses
        self._strikes = 0
        self._lock = Lock()
        self._healed = Event()
        self._closed = Event()
        self._prober: Thread | None = None

    @property
    def is_out(self) -> bool:
        return self._strikes >= STRIKES

    def admits(self) -> bool:
        if self._strikes == STRIKES - 1 and not self._healed.wait(PATIENCE):
            with self._lock:
                self._strikes += 1
        return not self.is_out

    def worked(self) -> None:
        with self._lock:
            self._strikes = 0
            self._healed.set()

    def failed(self) -> None:
        with self._lock:
            self._strikes += 1
            if self._strikes < STRIKES - 1 or self._closed.is_set():
                return
            self._healed.clear()
            if self._prober is None:
                self._prober = Thread(target=self._watch, name="model probe", daemon=True)
                self._prober.start()

    def close(self) -> None:
        self._closed.set()
        with self._lock:
            prober = self._prober
        if prober is not None:
            prober.join()

    def _watch(self) -> None:
        for pause in chain(self._pauses, repeat(self._pauses[-1])):
            if self._probe():
                self.worked()
            if self._closed.is_set() or not self._strikes:
                break
            self._closed.wait(pause)
        with self._lock:
            self._prober = None
