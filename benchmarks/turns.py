"""Measure how soon questions are accepted and begun, and how many a killed bot loses, beside a stock Bolt bot.

All goes over the wire of the local Slack, a fresh bot per figure. "begun" runs from the message to the call that posts
the status; "accepted" from the event to its acknowledgement while sixteen questions wait for PostgreSQL.

"a question" and "at rest" are processor time of the bot.

    python -m benchmarks.turns [--seconds N] [--finished N]
"""

import argparse
import os
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from time import monotonic, time
from typing import TypeVar

from benchmarks.load import BURST, Costs, at_rate, costs, middle_and_tail
from local_slack.testing import ANA, BOT, DM_OF, SlackServer, slack_server
from tests.e2e.bot_process import BotProcess
from tests.e2e.chaos.fleet import COUNTS, Fleet, fleet, slow_database, small_database
from tests.paths import ROOT
from tests.postgres import postgres
from tests.wait import until

T = TypeVar("T")
DIRECT = DM_OF[ANA]
SLOW = "how many crawls are there?"
QUICK = "how many apps are there?"
ANSWER = f"There are {COUNTS['apps']}"
RATE, BUSY, IN_FLIGHT, SAMPLES = 50, 16, 20, 40
BEGINNINGS = ("assistant.threads.setStatus", "chat.postMessage")  # a stock bot only posts
Bot = Fleet | BotProcess
Starting = Callable[[SlackServer, Path], AbstractContextManager[Bot]]


class StockBolt(BotProcess):
    COMMAND = (str(ROOT / "benchmarks" / "peers" / "stock_bolt.py"),)


@dataclass(frozen=True)
class Figures:
    """One column: seconds, and counts of questions."""

    accepted: tuple[float, float]
    begun: tuple[float, float]
    lost: int
    doubled: int
    costs: Costs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=10.0, help="how long 50 events a second arrive")
    parser.add_argument(
        "--finished", type=int, default=100_000, help="turns that have ended, for the figure about growth"
    )
    given = parser.parse_args()
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(
        f"{'':28}{'accepted p50 / p99':>20}{'begun p50 / p99':>20}{'lost':>6}{'doubled':>9}  of {IN_FLIGHT}"
        f"{f'{BURST} at once p50 / p99':>24}{'a question':>12}{'at rest':>9}"
    )
    with postgres() as server:
        asked_about = slow_database(server)
        show("ours, SQLite", figures(ours(lambda: None, asked_about), given.seconds))
        show("ours, PostgreSQL", figures(ours(server.new_database, asked_about), given.seconds))
        show("a stock Bolt app", figures(stock, given.seconds))
        empty, full = grown(given.finished)
        print(
            f"begun after {given.finished:,} turns: {full:.3f} s, {full / empty:.2f} of {empty:.3f} s when empty "
            f"(SQLite)"
        )
        begun_again, answered = takeover(server.new_database())
        print(f"taken over by another replica after {begun_again:.1f} s, answered after {answered:.1f} (PostgreSQL)")
    print(f"stopped within {stopped():.2f} s of the word, in a query of minutes")


def show(name: str, found: Figures) -> None:
    pairs = (found.accepted, found.begun, found.costs.burst)
    accepted, begun, burst = (f"{1000 * p50:.0f} / {1000 * p99:.0f} ms" for p50, p99 in pairs)
    cost, idle = f"{1000 * found.costs.question:.0f} ms", f"{100 * found.costs.idle:.1f} %"
    print(
        f"{name:28}{accepted:>20}{begun:>20}{found.lost:>6}{found.doubled:>9}{burst:>24}{cost:>17}{idle:>9}", flush=True
    )


def ours(new_url: Callable[[], str | None], asked_about: str) -> Starting:
    @contextmanager
    def starting(slack: SlackServer, folder: Path) -> Iterator[Bot]:
        with fleet(slack, folder, url=new_url(), QUERY_SECONDS="600", DATABASE_URL=asked_about) as bots:
            yield bots
            bots.kill()

    return starting


@contextmanager
def stock(slack: SlackServer, folder: Path) -> Iterator[Bot]:
    peer = StockBolt(slack, folder, DATABASE_FILE=str(small_database(folder / "small.sqlite")))
    peer.start()
    try:
        yield peer
    finally:
        peer.kill()


def figures(starting: Starting, seconds: float) -> Figures:
    return Figures(
        accepted=measured(starting, lambda slack, _: accepted(slack, seconds)),
        begun=measured(starting, lambda slack, _: begun(slack)),
        lost=measured(starting, lost),
        doubled=measured(starting, lambda slack, _: doubled(slack)),
        costs=measured(starting, cost_of),
    )


def measured(starting: Starting, measure: Callable[[SlackServer, Bot], T]) -> T:
    with TemporaryDirectory() as folder, slack_server() as slack, starting(slack, Path(folder)) as bot:
        ask(slack, 1)
        until(lambda: len(answers(slack)) == 1, 60, "the first answer")
        return measure(slack, bot)


def accepted(slack: SlackServer, seconds: float) -> tuple[float, float]:
    for _ in range(BUSY):
        slack.say(ANA, DIRECT, SLOW)
    slack.wait_until_quiet(60)
    before = len(slack.deliveries())
    at_rate(lambda: slack.say(ANA, DIRECT, QUICK), int(RATE * seconds), RATE)
    slack.wait_until_quiet(120)
    return middle_and_tail([each["seconds"] or inf for each in slack.deliveries()[before:]])


def begun(slack: SlackServer) -> tuple[float, float]:
    return middle_and_tail([begun_after(slack) for _ in range(SAMPLES)])


def begun_after(slack: SlackServer) -> float:
    (asked,) = ask(slack, 1)
    until(lambda: asked in answers(slack), 60, "the answer")
    posts = (call for call in slack.calls() if call["method"] in BEGINNINGS and call["args"].get("thread_ts") == asked)
    return float(next(posts)["at"]) - float(asked)


def lost(slack: SlackServer, bot: Bot) -> int:
    slack.fault("chat.postMessage", "slow", times=IN_FLIGHT, seconds=0.5)
    asked = ask(slack, IN_FLIGHT)
    slack.wait_until_quiet()
    bot.kill()
    bot.restart() if isinstance(bot, Fleet) else bot.start()
    deadline = monotonic() + 30
    until(lambda: not set(asked) - set(answers(slack)) or monotonic() > deadline, 60)
    return len(set(asked) - set(answers(slack)))


def doubled(slack: SlackServer) -> int:
    slack.duplicate_deliveries()
    asked = ask(slack, IN_FLIGHT)
    until(lambda: not set(asked) - set(answers(slack)), 60, "all answers")
    Event().wait(2)  # a second answer may be on its way
    return sum(count > 1 for count in messages(slack).values())


def cost_of(slack: SlackServer, bot: Bot) -> Costs:
    process = bot.bots[0] if isinstance(bot, Fleet) else bot
    return costs(slack, process.pid, lambda: slack.say(ANA, DIRECT, QUICK), lambda: len(answers(slack)))


def grown(finished: int) -> tuple[float, float]:
    """Compare the start of a turn with an empty record of turns and a full one."""
    with TemporaryDirectory() as name, slack_server() as slack, fleet(slack, Path(name)) as bots:
        ask(slack, 1)
        until(lambda: len(answers(slack)) == 1, 60, "the first answer")
        empty = begun(slack)[0]
        bots.kill()
        multiply(Path(name) / "data" / "engine.sqlite", finished)
        bots.restart()
        begun(slack)
        return empty, begun(slack)[0]


def multiply(engine: Path, finished: int) -> None:
    with closing(sqlite3.connect(engine)) as database:
        (model,) = database.execute("SELECT max(turn_id) FROM engine_turns WHERE state = 'ended'").fetchone()
        columns = [row[1] for row in database.execute("PRAGMA table_info(engine_turns)") if row[1] != "turn_id"]
        database.execute(
            f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {finished})"
            f" INSERT INTO engine_turns (turn_id, {', '.join(columns)})"
            f" SELECT turn_id || '-' || i, {', '.join(columns)} FROM engine_turns, n WHERE turn_id = ?",
            (model,),
        )
        database.commit()


def takeover(url: str) -> tuple[float, float]:
    """Return the seconds from a kill to the first call of the other replica, and to its answer."""
    with TemporaryDirectory() as name, slack_server() as slack, fleet(slack, Path(name), url=url) as bots:
        slack.fault("assistant.threads.setStatus", "slow", seconds=60)
        (asked,) = ask(slack, 1)
        until(lambda: slack.state()["statuses"], 60, "the status")
        bots.add()
        known, dead = len(slack.calls()), time()
        bots.kill()
        until(lambda: asked in answers(slack), 60, "the answer of the other one")
        return float(slack.calls()[known]["at"]) - dead, time() - dead


def stopped() -> float:
    with TemporaryDirectory() as name, slack_server() as slack, fleet(slack, Path(name), QUERY_SECONDS="600"):
        asked = slack.say(ANA, DIRECT, SLOW)
        until(lambda: messages(slack)[asked], what="the status")
        said = monotonic()
        slack.say(ANA, DIRECT, "stop", thread_ts=asked)
        until(
            lambda: any(one["text"] == "Stopped." for one in slack.replies(DIRECT, asked)), 60, "the word of the turn"
        )
        return monotonic() - said


def ask(slack: SlackServer, count: int) -> list[str]:
    return [slack.say(ANA, DIRECT, QUICK) for _ in range(count)]


def messages(slack: SlackServer) -> Counter[str]:
    return Counter(one["thread_ts"] for one in slack.messages(DIRECT) if one["user"] == BOT)


def answers(slack: SlackServer) -> list[str]:
    found = (one for one in slack.messages(DIRECT) if one["user"] == BOT and ANSWER in one["text"])
    return [one["thread_ts"] for one in found]


if __name__ == "__main__":
    main()
