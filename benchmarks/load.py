"""What a burst, a question and rest cost a bot, read from the wire and from /proc. Run by `turns.py`."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from pathlib import Path
from statistics import quantiles
from threading import Event
from time import monotonic

from local_slack.testing import SlackServer
from tests.processes import family
from tests.wait import until

BURST, BURST_SECONDS = 200, 0.4
STEADY, STEADY_RATE = 50, 10
IDLE_SECONDS = 10.0
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Costs:
    """Seconds, and the part of a core at rest."""

    burst: tuple[float, float]
    question: float
    idle: float


def costs(slack: SlackServer, pid: int, say: Callable[[], str], answered: Callable[[], int]) -> Costs:
    """Measure a bot by its process; `say` asks a quick question and `answered` counts the answers."""
    Event().wait(2)  # what a start still does
    before, began = processor_seconds(pid), monotonic()
    Event().wait(IDLE_SECONDS)
    idle = (processor_seconds(pid) - before) / (monotonic() - began)
    before = processor_seconds(pid)
    there = answered() + STEADY
    at_rate(say, STEADY, STEADY_RATE)
    until(lambda: answered() >= there, 120, "the answers")
    question = (processor_seconds(pid) - before) / STEADY
    known = len(slack.deliveries())
    at_rate(say, BURST, BURST / BURST_SECONDS)
    slack.wait_until_quiet(120)
    return Costs(middle_and_tail([each["seconds"] or inf for each in slack.deliveries()[known:]]), question, idle)


def at_rate(say: Callable[[], str], count: int, rate: float) -> None:
    began = monotonic()
    for number in range(count):
        Event().wait(max(0.0, began + number / rate - monotonic()))
        say()


def processor_seconds(pid: int) -> float:
    """Return what a process and its children have used."""
    total = 0.0
    for one in family(pid):
        fields = Path(f"/proc/{one}/stat").read_text("utf-8").rpartition(")")[2].split()
        total += (int(fields[11]) + int(fields[12])) / TICKS
    return total


def resident(pid: int) -> float:
    """Return the memory of one process in MB, shared pages in parts."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text("utf-8").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:"))


def middle_and_tail(seconds: list[float]) -> tuple[float, float]:
    cuts = quantiles(seconds, n=100)
    return cuts[49], cuts[98]
