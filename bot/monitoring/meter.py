"""Count and time, in every process of a bot together.

Each process writes a file of its own in a shared folder, and the receiver adds them up when asked. A process started
anew goes on with the file of the dead one.
"""

import os
import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any, Protocol

from bot.monitoring.metrics import BY_NAME, LABELS, METRICS, MOST_VALUES, OTHER

if TYPE_CHECKING:
    from prometheus_client.registry import Collector

PLAIN = re.compile(r"[A-Za-z0-9][\w. -]{0,39}")


class Meter(Protocol):
    """Takes figures by the name of their metric. Safe for many threads."""

    def add(self, name: str, amount: float = 1, **labels: str) -> None:
        """Count."""

    def time(self, name: str, seconds: float, **labels: str) -> None:
        """Enter a duration."""


class _Silent:
    def add(self, name: str, amount: float = 1, **labels: str) -> None:  # noqa: ARG002 - it drops all
        return

    def time(self, name: str, seconds: float, **labels: str) -> None:  # noqa: ARG002
        return


SILENT: Meter = _Silent()


class SharedMeter:
    """A meter of this process; with a folder its figures are those of all `process` names there."""

    def __init__(self, folder: str | None = None, process: str = "") -> None:
        from prometheus_client import CollectorRegistry, Counter, Histogram, values  # 30 ms, and few are asked for it

        if folder:
            values.ValueClass = values.MultiProcessValue(lambda: process)  # type: ignore[no-untyped-call]
        self._folder = folder
        self._registry = CollectorRegistry()
        self._seen: dict[str, set[str]] = defaultdict(set)
        self._metrics: dict[str, Any] = {}
        for metric in METRICS:
            name, text, labels = metric.full_name, metric.help, metric.labels
            if metric.kind == "counter":
                self._metrics[metric.name] = Counter(name, text, labels, registry=self._registry)
            elif metric.kind == "histogram":
                made = Histogram(name, text, labels, registry=self._registry, buckets=metric.buckets)
                self._metrics[metric.name] = made

    def add(self, name: str, amount: float = 1, **labels: str) -> None:
        self._child(name, labels).inc(amount)

    def time(self, name: str, seconds: float, **labels: str) -> None:
        self._child(name, labels).observe(max(0.0, seconds))

    def page(self, levels: "Collector") -> bytes:
        """Return all figures and the levels of now, as Prometheus reads them."""
        from prometheus_client import CollectorRegistry, generate_latest
        from prometheus_client.multiprocess import MultiProcessCollector

        shown = self._registry
        if self._folder:
            shown = CollectorRegistry()
            MultiProcessCollector(shown, self._folder)  # type: ignore[no-untyped-call]
        now = CollectorRegistry()
        now.register(levels)
        return generate_latest(shown) + generate_latest(now)

    def _child(self, name: str, labels: dict[str, str]) -> Any:
        metric = BY_NAME[name]
        made = self._metrics[name]
        return made.labels(*(self._bounded(label, labels[label]) for label in metric.labels)) if labels else made

    def _bounded(self, label: str, value: str) -> str:
        """Return a value of few: a listed one, or one of the first plain words to come."""
        if label in LABELS:
            return value if value in LABELS[label] else OTHER
        seen = self._seen[label]
        if value not in seen and (len(seen) >= MOST_VALUES or not PLAIN.fullmatch(value)):
            return OTHER
        seen.add(value)
        return value


@contextmanager
def shared_folder() -> Iterator[Path]:
    """Yield a folder for the figures of the processes forked in the block."""
    folder, owner = Path(mkdtemp(prefix="datathread-metrics-")), os.getpid()
    try:
        yield folder
    finally:
        if os.getpid() == owner:  # a child leaves by the same way
            rmtree(folder, ignore_errors=True)
