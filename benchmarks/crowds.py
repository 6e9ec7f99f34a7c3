"""Measure answers while many ask at once, with one worker process beside two, over the wire of the local Slack.

Each figure comes from a fresh bot.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from time import monotonic

from benchmarks.load import acknowledged, at_rate
from benchmarks.report.rows import Row
from local_slack.testing import ANA, BEN, BOT, GENERAL, MENTION, SlackServer, slack_server
from tests.e2e.chaos.fleet import fleet
from tests.e2e.conversation import is_status
from tests.wait import until

QUICK, HEAVY, TALK = "how many apps are there?", "how many crawls are there?", "what was my first question?"
FLOOD_RATE, HEAVIES, BESIDE, PATIENCE = 400, 50, 20, 600.0
WORKERS = (1, 2)
Found = dict[str, tuple[float, str]]  # figure and unit by what it says
Measure = Callable[[SlackServer, int], Found]


def rows(questions: int) -> Iterator[Row]:
    for measure in (flood, beside_heavy, beside_one):
        one, two = (measured(measure, count, questions) for count in WORKERS)
        for what, (figure, unit) in one.items():
            yield Row(what, figure, unit, {"two workers": two[what][0]}, more=measure is flood)


def measured(measure: Measure, workers: int, questions: int) -> Found:
    with (
        TemporaryDirectory() as folder,
        slack_server() as slack,
        fleet(slack, Path(folder), QUERY_SECONDS="600", PROCESSES=str(workers)) as bots,
    ):
        answer_to(slack, say(slack))
        found = measure(slack, questions)
        bots.kill()  # it need not end its queries
        return found


def flood(slack: SlackServer, questions: int) -> Found:
    there, began = len(answers(slack)), monotonic()
    at_rate(lambda: say(slack), questions, FLOOD_RATE)
    until(lambda: len(answers(slack)) >= there + questions, PATIENCE, "the answers")
    return {f"quick questions a second, of {questions}": (questions / (monotonic() - began), "")}


def beside_heavy(slack: SlackServer, _questions: int) -> Found:
    for _number in range(HEAVIES):
        say(slack, ANA, HEAVY)
    slack.wait_until_quiet(PATIENCE)
    took: dict[str, list[float]] = {QUICK: [], TALK: []}

    def asked() -> None:
        for number in range(2 * BESIDE):
            words = (QUICK, TALK)[number % 2]
            took[words].append(answer_to(slack, say(slack, BEN, words)))

    late = acknowledged(slack, asked)[1]
    beside = f"beside {HEAVIES} queries of minutes"
    return {
        f"{beside}: acknowledged, p99": (1000 * late, "ms"),
        f"{beside}: a quick question, p95": (tail(took[QUICK]), "s"),
        f"{beside}: talk about the thread, p95": (tail(took[TALK]), "s"),
    }


def beside_one(slack: SlackServer, questions: int) -> Found:
    alone = [answer_to(slack, say(slack, BEN)) for _ in range(BESIDE)]
    for _number in range(questions):
        say(slack)
    beside = [answer_to(slack, say(slack, BEN)) for _ in range(BESIDE)]
    return {
        "a quick question, p95": (tail(alone), "s"),
        f"a quick question beside {questions} of another person, p95": (tail(beside), "s"),
    }


def say(slack: SlackServer, person: str = ANA, words: str = QUICK) -> str:
    return slack.say(person, GENERAL, f"{MENTION} {words}")


def answers(slack: SlackServer, thread_ts: str | None = None) -> list[str]:
    said = (one for one in slack.messages(GENERAL, thread_ts) if one["user"] == BOT and not is_status(one))
    return [one["thread_ts"] for one in said]


def answer_to(slack: SlackServer, asked: str) -> float:
    """Wait for the answer; return the seconds it took."""
    began = monotonic()
    until(lambda: asked in answers(slack, asked), PATIENCE, "an answer")
    return monotonic() - began


def tail(seconds: list[float]) -> float:
    return quantiles(seconds, n=20)[-1]
