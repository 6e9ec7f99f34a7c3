"""Shared by benchmarks of bots: a peer as Bolt's guides write it, rates, and figures from the wire and from /proc."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from pathlib import Path
from statistics import quantiles
from threading import Event
from time import monotonic
from typing import ClassVar

from local_slack.testing import SlackServer
from tests.e2e.bot_process import PlainBot
from tests.e2e.chaos.fleet import small_database
from tests.paths import ROOT
from tests.processes import family

TICKS = os.sysconf("SC_CLK_TCK")


class StockBolt(PlainBot):
    """`peers/stock_bolt.py`, by the Python of a peer's environment where an agent answers."""

    COMMAND: ClassVar[tuple[str, ...]] = (str(ROOT / "benchmarks" / "peers" / "stock_bolt.py"),)


@contextmanager
def stock_bolt(slack: SlackServer, folder: Path, python: str = sys.executable, **settings: str) -> Iterator[StockBolt]:
    settings.setdefault("DATABASE_FILE", str(small_database(folder / "small.sqlite")))
    peer = StockBolt(slack, folder, **settings)
    peer.python = python
    peer.start()
    try:
        yield peer
    finally:
        peer.kill()


def at_rate(say: Callable[[], str], count: int, rate: float) -> None:
    began = monotonic()
    for number in range(count):
        Event().wait(max(0.0, began + number / rate - monotonic()))
        say()


def acknowledged(slack: SlackServer, ask: Callable[[], object]) -> tuple[float, float]:
    """Return the median and the 99th percentile of the acknowledgements of what is asked."""
    known = len(slack.deliveries())
    ask()
    slack.wait_until_quiet(600)
    return middle_and_tail([each["seconds"] or inf for each in slack.deliveries()[known:]])


def processor_seconds(pid: int) -> float:
    """Return what a process and its children have used."""
    total = 0.0
    for one in family(pid):
        fields = Path(f"/proc/{one}/stat").read_text("utf-8").rpartition(")")[2].split()
        total += (int(fields[11]) + int(fields[12])) / TICKS
    return total


def memory(pid: int) -> float:
    """Return the memory of a process and its children in MB, shared pages in parts."""
    return sum(map(_resident, family(pid)))


def _resident(pid: int) -> float:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text("utf-8").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:"))


def middle_and_tail(seconds: list[float]) -> tuple[float, float]:
    cuts = quantiles(seconds, n=100)
    return cuts[49], cuts[98]
