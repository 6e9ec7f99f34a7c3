"""Measure right answers a second at Slack's own rate limits, with 1 to 200 threads at once.

Slack takes one post a second in a channel, with bursts of five, and fifty updates a minute, so four answers a second
are the most there is to reach; the stock Bolt app runs as its guides leave it, and with the retries of Slack's SDK.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from time import monotonic

from benchmarks.load import stock_bolt
from benchmarks.report.progress import progress
from benchmarks.report.rows import Row
from local_slack.testing import ANA, BEN, BOT, DM_OF, GENERAL, MENTION, MIRA, SlackServer, slack_server
from tests.e2e.chaos.fleet import COUNTS, fleet

QUICK, ANSWER = "how many apps are there?", f"There are {COUNTS['apps']}"
PLACES = ((ANA, GENERAL, f"{MENTION} {QUICK}"), *((who, DM_OF[who], QUICK) for who in (ANA, BEN, MIRA)))
FEWER = (1, 10, 50)
QUIET, LOOK = 15.0, 0.2  # seconds without a further answer end a measurement
Running = Callable[[SlackServer, Path], AbstractContextManager[object]]


def rows(most: int) -> Iterator[Row]:
    bots: dict[str, Running] = {
        "": partial(fleet, SLACK_PACING="true"),
        "stock Bolt": stock_bolt,
        "with retries": partial(stock_bolt, RETRIES="5"),
    }
    for threads in (*FEWER, most):
        found = {who: asked(bot, threads) for who, bot in bots.items()}
        right, rate = found.pop("")
        others = {who: float(each[0]) for who, each in found.items()}
        yield Row(f"{threads} threads: answered right", right, "", others, threads, more=True)
        yield Row(
            f"{threads} threads: right answers a second", rate, "", {w: e[1] for w, e in found.items()}, more=True
        )


def asked(running: Running, threads: int) -> tuple[int, float]:
    """Return how many threads have the right answer, and how many a second until the last of them."""
    with TemporaryDirectory() as name, slack_server("--rate-limits", "slack") as slack, running(slack, Path(name)):
        began = last = monotonic()
        for number in range(threads):
            who, channel, words = PLACES[number % len(PLACES)]
            slack.say(who, channel, words)
        progress(f"    {threads} threads")
        there = 0
        while there < threads and monotonic() - last < QUIET:
            Event().wait(LOOK)
            now = answered(slack)
            there, last = (now, monotonic()) if now > there else (there, last)
        return there, there / max(LOOK, last - began)


def answered(slack: SlackServer) -> int:
    said = (each for _, channel, _ in PLACES for each in slack.messages(channel) if each["user"] == BOT)
    return len({each["thread_ts"] for each in said if ANSWER in each["text"]})
