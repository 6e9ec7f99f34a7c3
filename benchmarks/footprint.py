"""Measure a start, rest, and what a bot holds while questions are asked, each in a thread of its own."""

import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import linear_regression, median
from tempfile import TemporaryDirectory
from threading import Event
from time import monotonic, process_time

from benchmarks.load import memory, processor_seconds, stock_bolt
from benchmarks.report.progress import progress
from benchmarks.report.rows import Row
from local_slack.testing import ANA, GENERAL, MENTION, SlackServer, slack_server
from tests.e2e.chaos.fleet import COUNTS, Fleet, fleet
from tests.paths import ROOT
from tests.wait import until

TIMES, LOOP = 5, 3_000_000
IN_FLIGHT, MARKS = 16, 10
SETTLED, IDLE_SECONDS = 2.0, 10.0
IDLE_LIMIT, GROWTH_LIMIT = 1.0, 2.0  # % of a core, MB for 1,000 questions
ASK = (sys.executable, "-m", "bot", "ask", "how many apps do we have?")


def rows(questions: int) -> Iterator[Row]:
    with TemporaryDirectory() as folder:
        fresh = asked(Path(folder))
        taken = median(asked(Path(folder)) for _ in range(TIMES))
    yield Row("`datathread ask`: processor time", taken, "s", {"a loop of Python, for the machine": loop()})
    yield Row("`datathread ask` in an empty folder, which makes the demo's data", fresh, "s")
    with TemporaryDirectory() as folder, slack_server() as slack, stock_bolt(slack, Path(folder)) as peer:
        theirs = at_rest(peer.pid)
    with TemporaryDirectory() as folder, slack_server() as slack:
        began = monotonic()
        with fleet(slack, Path(folder)) as bots:
            yield Row("a bot's start until Slack sees it connected", monotonic() - began, "s")
            ours = at_rest(bots.bots[0].pid)
            yield Row("at rest: share of a core", 100 * ours[0], "%", {"stock Bolt": 100 * theirs[0]}, IDLE_LIMIT)
            yield Row("at rest: memory of all processes", ours[1], "MB", {"stock Bolt": theirs[1]})
            yield from held(slack, bots, questions)


def at_rest(pid: int) -> tuple[float, float]:
    """Return the share of a core that a bot takes when nobody asks, and its MB."""
    Event().wait(SETTLED)
    before, began = processor_seconds(pid), monotonic()
    Event().wait(IDLE_SECONDS)
    return (processor_seconds(pid) - before) / (monotonic() - began), memory(pid)


def asked(folder: Path) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {"DATA_DIR": str(folder), "PATH": os.defpath}
    subprocess.run(ASK, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def loop() -> float:
    began = process_time()
    sum(number * number for number in range(LOOP))
    return process_time() - began


def held(slack: SlackServer, bots: Fleet, questions: int) -> Iterator[Row]:
    """Mention a bot in threads of their own; tell its memory, and its growth in the second half."""
    pid, asked, used = bots.bots[0].pid, 0, 0.0
    subjects, sizes = tuple(COUNTS), dict[int, float]()
    for mark in (questions * part // MARKS for part in range(1, MARKS + 1)):
        begun, used = asked, processor_seconds(pid)
        while asked < mark:
            until(lambda: asked - answered(bots) < IN_FLIGHT, 120, "answers")  # noqa: B023
            for _ in range(min(IN_FLIGHT // 2, mark - asked)):
                slack.say(ANA, GENERAL, f"{MENTION} how many {subjects[asked % len(subjects)]} are there?")
                asked += 1
        until(lambda: answered(bots) >= asked, 120, "all answers")  # noqa: B023
        sizes[asked] = memory(pid)
        progress(f"    {asked:,} questions: {sizes[asked]:.0f} MB")
    for mark in (min(sizes), questions // 2, questions):
        yield Row(f"memory of all processes after {mark:,} questions", sizes[mark], "MB")
    yield Row("a question: processor time", 1000 * (processor_seconds(pid) - used) / (asked - begun), "ms")
    half = [(mark, size) for mark, size in sizes.items() if mark >= questions // 2]
    slope = linear_regression(*zip(*half, strict=True)).slope
    yield Row("growth of memory in the second half, for 1,000 questions", 1000 * slope, "MB", limit=GROWTH_LIMIT)


def answered(bots: Fleet) -> int:
    return bots.log.count(": answered")
