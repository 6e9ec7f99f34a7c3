"""Measure the time from a mention to right rows, beside LangChain's agent and vanna in a stock Bolt app.

One scripted model plays for all: each call takes 0.3 s and gives the right SQL in the way that each system's prompt
demands. Our reader without a model answers beside. The peers have no files: they write the rows into the thread.
"""

import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from threading import Event
from time import monotonic

from benchmarks import environments
from benchmarks.agents import PEERS, RUNS_SQL, Scripted
from benchmarks.load import stock_bolt
from benchmarks.report.progress import progress
from benchmarks.report.rows import Row
from bot.demo import database
from local_slack.testing import ANA, GENERAL, MENTION, SlackServer, slack_server
from tests.e2e.bot_process import PlainBot
from tests.openai_server import Asked, ModelServer, Reply
from tests.wait import until

CASES = Path(__file__).with_suffix(".jsonl")
TODAY = date(2026, 11, 22)
LATENCY, PATIENCE, FIRST = 0.3, 20.0, 90.0  # seconds
WITHOUT = "ours without a model"
Running = Callable[[SlackServer, ModelServer, Path], AbstractContextManager[object]]


@dataclass(frozen=True)
class Conversation:
    """Messages of one thread, the right SQL of each or None, and what must stand there then."""

    kind: str
    ask: tuple[str, ...]
    sql: tuple[str | None, ...]
    expect: tuple[frozenset[str], ...]


@dataclass(frozen=True)
class Told:
    """The last message of a thread: seconds until its rows were there, None if they never were; calls and tokens."""

    seconds: float | None
    calls: int
    tokens: int


class Model(Scripted):
    """The scripted model, as slow as a small hosted one."""

    def __call__(self, asked: Asked) -> Reply:
        Event().wait(LATENCY)
        return super().__call__(asked)

    def told(self, asked: Asked) -> Reply:
        messages = asked.body.get("messages", [])
        ran = [call["function"]["name"] for each in messages for call in each.get("tool_calls") or ()]
        said = [each["content"] for each in messages if each["role"] == "tool"]
        found = [content for name, content in zip(ran, said, strict=True) if name in RUNS_SQL]
        return Reply(text=f"{self.sql(0)}\n{found[-1] if found else ''}")


def rows(rounds: int) -> Iterator[Row]:
    with TemporaryDirectory() as name:
        demo = Path(name) / "demo.sqlite"
        database.build(demo, TODAY)
        cases = list(cases_of(demo))
        found = {who: asked(running, cases, rounds) for who, running in systems(demo).items()}
    mine = found.pop("")
    for case in cases:
        told = {who: each[case.kind] for who, each in found.items()}
        seconds = {who: took for who, each in told.items() if (took := _seconds(each)) is not None}
        took = _seconds(mine[case.kind])
        if took is not None:
            yield Row(f"{case.kind}: seconds to the right rows", took, "s", seconds)
        yield Row(f"{case.kind}: model calls", mine[case.kind][-1].calls, "", {w: e[-1].calls for w, e in told.items()})
        tokens = {who: each[-1].tokens for who, each in told.items()}
        yield Row(f"{case.kind}: prompt tokens", mine[case.kind][-1].tokens, "", tokens)
    of = len(cases) * rounds
    yield Row(
        f"threads with the right rows, of {of}", right(mine), "", {w: right(e) for w, e in found.items()}, of, True
    )


def _seconds(told: list[Told]) -> float | None:
    took = [each.seconds for each in told if each.seconds is not None]
    return median(took) if took else None


def right(told: dict[str, list[Told]]) -> int:
    return sum(each.seconds is not None for case in told.values() for each in case)


def systems(demo: Path) -> dict[str, Running]:
    @contextmanager
    def ours(slack: SlackServer, model: ModelServer, folder: Path) -> Iterator[object]:
        with PlainBot(slack, folder, f"sqlite:///{demo}", OPENAI_BASE_URL=model.url) as bot:
            yield bot

    @contextmanager
    def without(slack: SlackServer, _: ModelServer, folder: Path) -> Iterator[object]:
        with PlainBot(slack, folder, f"sqlite:///{demo}") as bot:
            yield bot

    def peer(python: Path, system: str) -> Running:
        return lambda slack, model, folder: stock_bolt(
            slack, folder, str(python), SYSTEM=system, MODEL_URL=model.url, DATABASE_FILE=str(demo), HOME=str(folder)
        )

    found: dict[str, Running] = {"": ours, WITHOUT: without}
    for who in ("LangChain", "vanna 2"):
        where, system = PEERS[who]
        python = environments.python_of(where)
        found |= {who: peer(python, system)} if python else {}
    return found


def asked(running: Running, cases: list[Conversation], rounds: int) -> dict[str, list[Told]]:
    """Ask each case in threads of its own, once before it counts."""
    with ExitStack() as opened:
        folder = Path(opened.enter_context(TemporaryDirectory()))
        slack = opened.enter_context(slack_server())
        model = opened.enter_context(ModelServer(Model(lambda _: "")))
        opened.enter_context(running(slack, model, folder))
        talk(slack, model, cases[0], FIRST)
        found = {}
        for case in cases:
            found[case.kind] = [talk(slack, model, case) for _ in range(rounds + 1)][1:]
            progress(f"    {case.kind}: {found[case.kind][-1]}")
        return found


def talk(slack: SlackServer, model: ModelServer, case: Conversation, patience: float = PATIENCE) -> Told:
    thread, seconds = "", None
    for text, sql, wanted in zip(case.ask, case.sql, case.expect, strict=True):
        query = sql or case.sql[0] or ""
        model.answer = Model(lambda _: query, needs_query=sql is not None)  # noqa: B023
        model.journal.clear()
        began, before = monotonic(), len(slack.replies(GENERAL, thread)) if thread else 0
        said = slack.say(ANA, GENERAL, f"{MENTION} {text}", thread_ts=thread or None)
        thread = thread or said
        seconds = None
        with suppress(AssertionError):
            until(lambda: shows(slack, thread, before, wanted), patience)  # noqa: B023
            seconds = monotonic() - began
        slack.wait_until_quiet()
    return Told(seconds, len(model.journal), sum(each.prompt_tokens for each in model.journal))


def shows(slack: SlackServer, thread: str, before: int, wanted: frozenset[str]) -> bool:
    """Look for all that is wanted in the later messages: words, blocks and files."""
    replies = slack.replies(GENERAL, thread)[before:]
    files = [slack.download(file).decode(errors="replace") for reply in replies for file in reply.get("files", ())]
    said = re.sub(r"(?<=\d),(?=\d{3})", "", "\n".join((*texts(replies), *files)))
    return bool(replies) and all(re.search(rf"(?<![\w.]){re.escape(each)}(?!\w)", said) for each in wanted)


def texts(told: object) -> Iterator[str]:
    """Yield what is written anywhere in messages and their blocks."""
    inside = told.values() if isinstance(told, dict) else told if isinstance(told, list) else ()
    yield from (text for each in inside for text in texts(each))
    if isinstance(told, str):
        yield told


def cases_of(demo: Path) -> Iterator[Conversation]:
    with closing(sqlite3.connect(demo)) as connection:
        for line in map(json.loads, CASES.read_text("utf-8").splitlines()):
            cells = [
                {str(cell) for row in connection.execute(sql or line["sql"][0]) for cell in row} for sql in line["sql"]
            ]
            cells[-1] = set(line.get("expect", cells[-1]))
            yield Conversation(line["class"], tuple(line["ask"]), tuple(line["sql"]), tuple(map(frozenset, cells)))
