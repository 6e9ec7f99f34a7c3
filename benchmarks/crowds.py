"""Measure acknowledgements, answers and memory while many ask at once, over the wire of the local Slack.

Each figure comes from a fresh bot. "beside heavy" are quick questions and talk about the conversation while fifty queries
of minutes run on SQLite; "beside one" compares another person's questions with and without 500 of one person.

    python -m benchmarks.crowds [--processes N ...]
"""

import argparse
import os
from collections.abc import Callable
from math import inf
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import monotonic

from benchmarks.load import BURST, BURST_SECONDS, at_rate, middle_and_tail, resident
from local_slack.testing import ANA, BEN, BOT, GENERAL, MENTION, SlackServer, slack_server
from tests.e2e.chaos.fleet import Fleet, fleet
from tests.e2e.conversation import is_status
from tests.processes import family
from tests.wait import until

QUICK, HEAVY, TALK = "how many apps are there?", "how many crawls are there?", "what was my first question?"
RATE, RATE_SECONDS, FLOOD, HEAVIES, BESIDE = 25, 10, 400, 50, 20
OF_ONE, PATIENCE = 500, 600.0
Measure = Callable[[SlackServer, Fleet], str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2], help="how many workers to compare")
    given = parser.parse_args()
    measures: dict[str, Measure] = {
        f"acknowledged, {RATE} questions a second": steady,
        f"acknowledged, {BURST} in {BURST_SECONDS} s": burst,
        f"quick questions a second, of {FLOOD}": flood,
        f"beside {HEAVIES} heavy": beside_heavy,
        f"beside {OF_ONE} of one person": beside_one,
        "memory of all processes, warm": memory,
    }
    for name, measure in measures.items():
        for count in given.processes:
            with TemporaryDirectory() as folder, slack_server() as slack:
                found = measured(measure, slack, Path(folder), count)
            print(f"{name:38}{count} workers  {found}  (load {os.getloadavg()[0]:.0f})", flush=True)


def measured(measure: Measure, slack: SlackServer, folder: Path, count: int) -> str:
    with fleet(slack, folder, QUERY_SECONDS="600", PROCESSES=str(count)) as bots:
        answer_to(slack, say(slack))
        found = measure(slack, bots)
        bots.kill()  # it need not end its queries
        return found


def steady(slack: SlackServer, _: Fleet) -> str:
    return acknowledged(slack, lambda: at_rate(lambda: say(slack), RATE * RATE_SECONDS, RATE))


def burst(slack: SlackServer, _: Fleet) -> str:
    return acknowledged(slack, lambda: at_rate(lambda: say(slack), BURST, BURST / BURST_SECONDS))


def flood(slack: SlackServer, _: Fleet) -> str:
    there, began = len(answers(slack)), monotonic()
    at_rate(lambda: say(slack), FLOOD, 2 * BURST)
    until(lambda: len(answers(slack)) >= there + FLOOD, PATIENCE, "the answers")
    return f"{FLOOD / (monotonic() - began):.0f}"


def beside_heavy(slack: SlackServer, _: Fleet) -> str:
    for _number in range(HEAVIES):
        say(slack, ANA, HEAVY)
    slack.wait_until_quiet(PATIENCE)
    took: dict[str, list[float]] = {QUICK: [], TALK: []}

    def asked() -> None:
        for number in range(2 * BESIDE):
            words = (QUICK, TALK)[number % 2]
            took[words].append(answer_to(slack, say(slack, BEN, words)))

    acks = acknowledged(slack, asked)
    return f"acknowledged {acks}, quick p95 {tail(took[QUICK])}, talk p95 {tail(took[TALK])}"


def beside_one(slack: SlackServer, _: Fleet) -> str:
    alone = [answer_to(slack, say(slack, BEN)) for _ in range(BESIDE)]
    for _number in range(OF_ONE):
        say(slack)
    beside = [answer_to(slack, say(slack, BEN)) for _ in range(BESIDE)]
    ratio = quantiles(beside, n=20)[-1] / quantiles(alone, n=20)[-1]
    return f"p95 {tail(beside)}, {ratio:.1f} of {tail(alone)}; p50 {median(beside) / median(alone):.1f} times"


def memory(slack: SlackServer, bots: Fleet) -> str:
    for _ in range(BESIDE * 2):
        answer_to(slack, say(slack))
    sizes = [resident(pid) for pid in family(bots.bots[0].pid)]
    return f"{sum(sizes):.0f} MB ({' + '.join(f'{size:.0f}' for size in sizes)})"


def say(slack: SlackServer, person: str = ANA, words: str = QUICK) -> str:
    return slack.say(person, GENERAL, f"{MENTION} {words}")


def acknowledged(slack: SlackServer, ask: Callable[[], None]) -> str:
    known = len(slack.deliveries())
    ask()
    slack.wait_until_quiet(PATIENCE)
    middle, late = middle_and_tail([each["seconds"] or inf for each in slack.deliveries()[known:]])
    return f"p50 {1000 * middle:.0f}, p99 {1000 * late:.0f} ms"


def answers(slack: SlackServer, thread_ts: str | None = None) -> list[str]:
    said = (one for one in slack.messages(GENERAL, thread_ts) if one["user"] == BOT and not is_status(one))
    return [one["thread_ts"] for one in said]


def answer_to(slack: SlackServer, asked: str) -> float:
    """Wait for the answer; return the seconds it took. The local Slack is asked for one thread: a channel is much work."""
    began = monotonic()
    until(lambda: asked in answers(slack, asked), PATIENCE, "an answer")
    return monotonic() - began


def tail(seconds: list[float]) -> str:
    return f"{quantiles(seconds, n=20)[-1]:.2f} s"


if __name__ == "__main__":
    main()
