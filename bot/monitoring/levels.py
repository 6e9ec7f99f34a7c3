"""Read the levels of a bot when its page of metrics is asked for: queue, workers, room."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from shutil import disk_usage
from threading import Lock
from time import monotonic, time
from typing import TYPE_CHECKING

from ai.errors import DatathreadError
from ai.memory_store import MemoryStore
from ai.results.store import ResultStore
from bot import __version__
from bot.engine import TurnQueue
from bot.monitoring.metrics import BY_NAME

if TYPE_CHECKING:
    from prometheus_client.metrics_core import Metric

Read = Callable[[], Mapping[str, float]]
FRESH = 2.0  # seconds for which levels are told again, whoever asks
RESULTS_FRESH = 60.0  # a call of the system for each file


class Levels:
    """Reads each part by itself: where one cannot be read, the others are told."""

    def __init__(self, parts: tuple[Read, ...], fresh: float = FRESH) -> None:
        self._parts = parts
        self._fresh = fresh
        self._lock = Lock()
        self._read_at = -fresh
        self._found: dict[str, float] = {}

    def collect(self) -> "Iterator[Metric]":
        """Yield the gauges, as a registry of Prometheus asks for them."""
        from prometheus_client.metrics_core import GaugeMetricFamily

        info = BY_NAME["info"]
        version = GaugeMetricFamily(info.full_name, info.help, labels=info.labels)
        version.add_metric([__version__], 1)
        yield version
        for name, value in self._levels().items():
            yield GaugeMetricFamily(BY_NAME[name].full_name, BY_NAME[name].help, value=value)

    def _levels(self) -> dict[str, float]:
        with self._lock:
            if monotonic() - self._read_at >= self._fresh:
                self._found, self._read_at = self._read(), monotonic()
            return self._found

    def _read(self) -> dict[str, float]:
        found: dict[str, float] = {}
        failed = 0
        for part in self._parts:
            try:
                found |= part()
            except (DatathreadError, OSError):
                failed += 1
        return {**found, "unreadable_levels": failed}


def levels_of(queue: TurnQueue, memory: MemoryStore, data_dir: Path) -> Levels:
    results = ResultsSize(memory.parts.results)

    def waiting() -> dict[str, float]:
        pulse = queue.pulse()
        return {"queue_waiting": pulse.waiting, "queue_oldest_seconds": pulse.lag, "workers": pulse.engines}

    def kept() -> dict[str, float]:
        size, beat = memory.parts.levels()
        return {"memory_bytes": size, **({"line_silence_seconds": time() - beat} if beat else {})}

    def room() -> dict[str, float]:
        return {"results_bytes": results.bytes(), "disk_free_bytes": disk_usage(data_dir).free}

    return Levels((waiting, kept, room))


class ResultsSize:
    def __init__(self, results: ResultStore) -> None:
        self._results = results
        self._counted_at = -RESULTS_FRESH
        self._bytes = 0

    def bytes(self) -> int:
        if monotonic() - self._counted_at >= RESULTS_FRESH:
            self._bytes, self._counted_at = self._results.taken(), monotonic()
        return self._bytes
