"""Count questions that are lost or answered twice when processes of a bot die, hang or are stopped with them under way.

Each event comes twice and posts are slow; what died is started anew. The stock Bolt app has one process.
"""

import signal
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event

from benchmarks.load import StockBolt, stock_bolt
from benchmarks.report.rows import Row
from local_slack.testing import SlackServer, slack_server
from tests.e2e.bot_process import PlainBot
from tests.e2e.chaos.crowd import Crowd
from tests.e2e.chaos.fleet import Fleet, fleet
from tests.postgres import postgres

PATIENCE, STOCK_PATIENCE = 90.0, 5.0
POST = 0.3  # seconds that a post takes
Starting = Callable[[SlackServer, Path], AbstractContextManager[Fleet | StockBolt]]


@dataclass(frozen=True)
class End:
    """A signal for a process of a bot; for "" the whole bot gets it and is started anew."""

    what: str
    how: signal.Signals
    process: str = ""


ENDS = (
    End("kill -9 of the whole bot", signal.SIGKILL),
    End("the whole bot stopped by SIGTERM", signal.SIGTERM),
    End("kill -9 of the receiver", signal.SIGKILL, "receiver"),
    End("the receiver hangs", signal.SIGSTOP, "receiver"),
    End("kill -9 of one of two workers", signal.SIGKILL, "worker 1"),
    End("one of two workers hangs", signal.SIGSTOP, "worker 1"),
)


def rows(questions: int) -> Iterator[Row]:
    with postgres() as server:
        for end in ENDS:
            bots: dict[str, Starting] = {
                "": lambda slack, folder: fleet(slack, folder, PROCESSES="2"),
                "ours on PostgreSQL": lambda slack, folder: fleet(
                    slack, folder, url=server.new_database(), PROCESSES="2"
                ),
            }
            bots |= {} if end.process else {"stock Bolt": stock_bolt}
            found = {who: ended(bot, end, questions) for who, bot in bots.items()}
            mine = found.pop("")
            for number, part in enumerate(("lost", "answered twice")):
                beside = {who: counts[number] for who, counts in found.items()}
                yield Row(f"{end.what}: {part}, of {questions}", mine[number], "", beside, limit=0.0)


def ended(starting: Starting, end: End, questions: int) -> tuple[float, float]:
    """Return how many questions have no right answer, and how many have two."""
    with TemporaryDirectory() as name, slack_server() as slack, starting(slack, Path(name)) as bot:
        crowd = Crowd(slack)
        crowd.begin(1)
        crowd.wait()
        slack.duplicate_deliveries()
        slack.fault("chat.postMessage", "slow", times=questions, seconds=POST)
        crowd.begin(questions)
        with suppress(AssertionError):  # a few answers are there when it ends, if they come at all
            crowd.wait(1 + questions // 5, STOCK_PATIENCE)
        process = bot.bots[0] if isinstance(bot, Fleet) else bot
        inflict(process, end)
        with suppress(AssertionError):  # what is missing then is lost
            crowd.wait(timeout=STOCK_PATIENCE if isinstance(bot, StockBolt) else PATIENCE)
        Event().wait(1)  # a second answer may be on its way
        verdict = crowd.verdict()
        process.signal(signal.SIGKILL)  # what hangs as well
        process.kill()
        return len({*verdict.unanswered, *verdict.wrong}), len(verdict.doubled)


def inflict(bot: PlainBot, end: End) -> None:
    if end.process:
        bot.signal(end.how, end.process)
    elif end.how == signal.SIGTERM:
        bot.stop()
        bot.start()
    else:
        bot.kill()
        bot.start()
