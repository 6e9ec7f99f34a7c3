"""Threads that are kept for the next job, as many as there were jobs at once. None holds up the end of the process."""

from collections.abc import Callable
from queue import SimpleQueue
from threading import Semaphore, Thread


class Hands:
    def __init__(self, name: str) -> None:
        self._name = name
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._idle = Semaphore(0)
        self._count = 0

    def do(self, job: Callable[[], None]) -> None:
        """Run a job in a thread at once. Called by one thread only."""
        self._jobs.put(job)
        if not self._idle.acquire(blocking=False):
            self._count += 1
            Thread(target=self._work, name=f"{self._name}-{self._count}", daemon=True).start()

    def close(self) -> None:
        for _ in range(self._count):
            self._jobs.put(None)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()
            self._idle.release()
