"""Measure how soon questions are accepted, begun, taken over and stopped, beside a bot as Bolt's guides write it.

"begun" runs from the message to the call that posts the status; "accepted" from the event to its acknowledgement while
sixteen questions wait for PostgreSQL. All goes over the wire of the local Slack, a fresh bot for each figure.
"""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, time
from typing import TypeVar

from benchmarks.load import acknowledged, at_rate, middle_and_tail, processor_seconds, stock_bolt
from benchmarks.report.rows import Row
from local_slack.testing import ANA, BOT, DM_OF, SlackServer, slack_server
from tests.e2e.bot_process import PlainBot
from tests.e2e.chaos.fleet import COUNTS, Fleet, fleet, slow_database
from tests.postgres import Postgres, postgres
from tests.wait import until

T = TypeVar("T")
DIRECT = DM_OF[ANA]
SLOW = "how many crawls are there?"
QUICK = "how many apps are there?"
ANSWER = f"There are {COUNTS['apps']}"
RATE, BUSY, SAMPLES = 50, 16, 40
BURST, BURST_SECONDS = 200, 0.4
STEADY, STEADY_RATE, WARM = 50, 10, 10
FINISHED = 100_000
BEGINNINGS = ("assistant.threads.setStatus", "chat.postMessage")  # a stock bot only posts
Bot = Fleet | PlainBot
Starting = Callable[[SlackServer, Path], AbstractContextManager[Bot]]
Pair = tuple[float, float]
STOCK, ON_POSTGRES = "stock Bolt", "ours on PostgreSQL"


def rows(seconds: int) -> Iterator[Row]:
    with postgres() as server:
        asked_about = slow_database(server)
        bots: dict[str, Starting] = {
            "": ours(lambda: None, asked_about),
            ON_POSTGRES: ours(server.new_database, asked_about),
            STOCK: stock_bolt,
        }
        pairs: dict[str, Callable[[SlackServer], Pair]] = {
            f"accepted, {RATE} a second while {BUSY} wait": partial(accepted, seconds=seconds),
            f"accepted, {BURST} within {BURST_SECONDS} s": burst,
            "begun": begun,
        }
        for what, measure in pairs.items():
            found = {who: in_ms(measured(bot, lambda slack, _: measure(slack))) for who, bot in bots.items()}  # noqa: B023
            mine = found.pop("")
            for number, part in enumerate(("median", "p99")):
                beside = {who: pair[number] for who, pair in found.items()}
                yield Row(f"{what}: {part}", mine[number], "ms", beside)
        costs = {who: 1000 * measured(bot, question_seconds) for who, bot in bots.items()}
        yield Row("processor time of a question", costs.pop(""), "ms", costs)
        yield from life(server)


def life(server: Postgres) -> Iterator[Row]:
    empty, full = grown(FINISHED)
    yield Row(f"begun after {FINISHED:,} turns: median", 1000 * full, "ms", {"with none": 1000 * empty})
    begun_again, answered = takeover(server.new_database())
    yield Row("a dead replica's turn is begun again", begun_again, "s", limit=5.0)
    yield Row("a dead replica's turn is answered", answered, "s")
    yield Row("stopped after the word, in a query of minutes", stopped(), "s", limit=2.0)


def in_ms(pair: Pair) -> Pair:
    return 1000 * pair[0], 1000 * pair[1]


def ours(new_url: Callable[[], str | None], asked_about: str) -> Starting:
    @contextmanager
    def starting(slack: SlackServer, folder: Path) -> Iterator[Bot]:
        with fleet(slack, folder, url=new_url(), QUERY_SECONDS="600", DATABASE_URL=asked_about) as bots:
            yield bots
            bots.kill()

    return starting


def measured(starting: Starting, measure: Callable[[SlackServer, Bot], T]) -> T:
    with TemporaryDirectory() as folder, slack_server() as slack, starting(slack, Path(folder)) as bot:
        first_answer(slack)
        return measure(slack, bot)


def first_answer(slack: SlackServer) -> None:
    ask(slack)
    until(lambda: len(answers(slack)) == 1, 60, "the first answer")


def accepted(slack: SlackServer, seconds: int) -> Pair:
    for _ in range(BUSY):
        slack.say(ANA, DIRECT, SLOW)
    slack.wait_until_quiet(60)
    return acknowledged(slack, lambda: at_rate(lambda: ask(slack), RATE * seconds, RATE))


def burst(slack: SlackServer) -> Pair:
    return acknowledged(slack, lambda: at_rate(lambda: ask(slack), BURST, BURST / BURST_SECONDS))


def begun(slack: SlackServer) -> Pair:
    return middle_and_tail([begun_after(slack) for _ in range(SAMPLES)])


def begun_after(slack: SlackServer) -> float:
    asked = ask(slack)
    until(lambda: asked in answers(slack), 60, "the answer")
    posts = (call for call in slack.calls() if call["method"] in BEGINNINGS and call["args"].get("thread_ts") == asked)
    return float(next(posts)["at"]) - float(asked)


def question_seconds(slack: SlackServer, bot: Bot) -> float:
    pid = bot.bots[0].pid if isinstance(bot, Fleet) else bot.pid
    for _ in range(WARM):  # what is loaded late
        begun_after(slack)
    before, there = processor_seconds(pid), len(answers(slack)) + STEADY
    at_rate(lambda: ask(slack), STEADY, STEADY_RATE)
    until(lambda: len(answers(slack)) >= there, 120, "the answers")
    return (processor_seconds(pid) - before) / STEADY


def grown(finished: int) -> Pair:
    """Compare the start of a turn with an empty record of turns and a full one."""
    with TemporaryDirectory() as name, slack_server() as slack, fleet(slack, Path(name)) as bots:
        first_answer(slack)
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


def takeover(url: str) -> Pair:
    """Return the seconds from a kill to the other's first call, and to its answer."""
    with TemporaryDirectory() as name, slack_server() as slack, fleet(slack, Path(name), url=url) as bots:
        slack.fault("assistant.threads.setStatus", "slow", seconds=60)
        asked = ask(slack)
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


def ask(slack: SlackServer) -> str:
    return slack.say(ANA, DIRECT, QUICK)


def messages(slack: SlackServer) -> Counter[str]:
    return Counter(one["thread_ts"] for one in slack.messages(DIRECT) if one["user"] == BOT)


def answers(slack: SlackServer) -> list[str]:
    found = (one for one in slack.messages(DIRECT) if one["user"] == BOT and ANSWER in one["text"])
    return [one["thread_ts"] for one in found]
