"""Compare ours with LangChain's `create_agent` and its SQL toolkit, and with vanna, on one scripted endpoint.
The scripted model answers at once and follows each system's own prompt, so calls, tokens (o200k, tool schemas counted),
CPU time above the bare client and memory belong to the systems.
"""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks import environments
from benchmarks.report.progress import progress
from benchmarks.report.rows import Row
from tests.openai_server import Asked, ModelServer, Reply, ToolUse
from tests.openai_server.server import Served
from tests.paths import ROOT

CHILD = ROOT / "benchmarks" / "peers" / "agents.py"
PEERS = {  # by the environment that they live in
    "LangChain": ("agents", "langchain"),
    "vanna 2": ("agents", "vanna"),
    "vanna 0.7": ("vanna07", "vanna07"),
}
PLANS: Mapping[str, tuple[str, ...]] = {  # the tools that each prompt demands before the answer
    "langchain": ("sql_db_list_tables", "sql_db_schema", "sql_db_query_checker", "sql_db_query"),
    "vanna": ("search_saved_correct_tool_uses", "run_sql", "save_question_tool_args"),
}
RUNS_SQL = ("sql_db_query", "run_sql")
FAILED = ("rror", "no such column")
QUESTION, COUNT = "how many apps do we have?", "SELECT COUNT(*) AS app_count FROM apps"
ROWS = "SELECT id, name, amount FROM events"
MANY = 100_000  # rows
MOST_CALLS = 60  # of one question, before the script gives in
TURNS = (1, 10, 30)
Measures = dict[str, tuple[float, str]]  # a figure and its unit by what it says
Line = dict[str, Any]


@dataclass
class Scripted:
    """The model. `sql` returns the query of an attempt, counted from 0."""

    sql: Callable[[int], str]
    table: str = "apps"
    needs_query: bool = True
    attempts: int = 0
    calls: int = 0

    def __call__(self, asked: Asked) -> Reply:
        self.calls += 1
        if asked.schema == "answer":
            return Reply(data={"kind": "sql", "sql": self._next(), "text": "as asked", "expects": "rows"})
        plan = next((plan for plan in PLANS.values() if set(plan) <= set(asked.tools)), None)
        if plan and self.needs_query and self.calls < MOST_CALLS:
            return self._step(plan, asked)
        if "Double check the sqlite query" in asked.prompt:
            return Reply(text=self.sql(self.attempts))
        if plan or asked.stream:
            return self.told(asked)
        return Reply(text=f"```sql\n{self._next()}\n```")

    def _next(self) -> str:
        self.attempts += 1
        return self.sql(self.attempts - 1)

    def _step(self, plan: Sequence[str], asked: Asked) -> Reply:
        messages: list[Line] = asked.body["messages"]
        start = max(place for place, message in enumerate(messages) if message["role"] == "user")
        called = [call["function"]["name"] for each in messages[start:] for call in each.get("tool_calls") or ()]
        told = str(messages[-1].get("content"))[:200]
        failed = called and called[-1] in RUNS_SQL and any(word in told for word in FAILED)
        left = [called[-1]] if failed else [tool for tool in plan if tool not in called]
        return Reply(calls=(ToolUse(left[0], self._arguments(left[0])),)) if left else self.told(asked)

    def told(self, _: Asked) -> Reply:
        """Answer when all is known."""
        return Reply(text="That is the answer.")

    def _arguments(self, tool: str) -> Line:
        if tool in RUNS_SQL:
            return {"query" if tool == "sql_db_query" else "sql": self._next()}
        arguments: dict[str, Line] = {
            "sql_db_list_tables": {},
            "sql_db_schema": {"table_names": self.table},
            "sql_db_query_checker": {"query": self.sql(self.attempts)},
            "search_saved_correct_tool_uses": {"question": QUESTION},
            "save_question_tool_args": {"question": QUESTION, "tool_name": "run_sql", "args": {"sql": self.sql(0)}},
        }
        return arguments[tool]


@dataclass(frozen=True)
class System:
    """A system of `peers/agents.py`, and its Python."""

    name: str
    python: Path


@dataclass(frozen=True)
class SystemFigures:
    """One answered question: the system's figures and the model's journal."""

    answer: str
    cpu_ms: float
    grown_mb: float
    served: tuple[Served, ...]

    @property
    def tokens(self) -> int:
        return sum(each.prompt_tokens for each in self.served)


@dataclass(frozen=True)
class Scenario:
    """Questions of one kind; `thread` asks them all in one."""

    sql: Callable[[int], str]
    build: Callable[[sqlite3.Connection], None]
    questions: tuple[str, ...] = (QUESTION,)
    thread: bool = False
    rounds: bool = False
    is_big: bool = False
    more: bool = False


def eight(connection: sqlite3.Connection) -> None:
    tables(connection, 8)


def two_hundred(connection: sqlite3.Connection) -> None:
    tables(connection, 200)


def tables(connection: sqlite3.Connection, count: int) -> None:
    connection.execute(
        "CREATE TABLE apps (app_id INTEGER PRIMARY KEY, name TEXT, platform TEXT, category TEXT, price REAL)"
    )
    rows = [(f"App {n}", ("iOS", "Android")[n % 2], "Games", n / 2) for n in range(49)]
    connection.executemany("INSERT INTO apps (name, platform, category, price) VALUES (?, ?, ?, ?)", rows)
    for n in range(count - 1):
        connection.execute(
            f"CREATE TABLE part_{n} (part_{n}_id INTEGER PRIMARY KEY, app_id INTEGER, label TEXT, amount REAL, "
            "made DATE)"
        )


def many(connection: sqlite3.Connection) -> None:
    tables(connection, 1)
    rows = f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {MANY})"
    connection.execute(
        f"CREATE TABLE events AS {rows} SELECT i AS id, 'customer ' || i AS name, i * 1.5 AS amount FROM n"
    )


SCENARIOS: Mapping[str, Scenario] = {
    "a question": Scenario(lambda _: COUNT, eight, rounds=True),
    "a thread": Scenario(lambda _: COUNT, eight, tuple(f"{QUESTION} ({n})" for n in range(30)), thread=True),
    "200 tables": Scenario(lambda _: COUNT, two_hundred, (QUESTION,) * 2),
    f"{MANY:,} rows": Scenario(lambda n: ROWS if n else COUNT, many, (QUESTION, "list all events"), is_big=True),
    "a query that always fails": Scenario(lambda n: f"SELECT missing_{n} FROM apps", eight),
    "`DROP TABLE` from the model": Scenario(lambda _: "DROP TABLE apps", eight, more=True),
}


def talk(
    system: System, lines: list[Line], server: ModelServer, database: Path, folder: Path
) -> Iterator[SystemFigures]:
    folder.mkdir(parents=True, exist_ok=True)
    command = [str(system.python), str(CHILD), system.name, server.url, str(database), str(folder)]
    environment = {"PATH": os.defpath, "PYTHONPATH": str(ROOT), "HOME": str(folder), "VANNA_TELEMETRY": "0"}
    with (
        (folder / "log").open("w") as log,
        subprocess.Popen(
            command, cwd=folder, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log
        ) as child,
    ):
        assert child.stdin is not None
        assert child.stdout is not None
        for line in lines:
            server.journal.clear()
            if isinstance(server.answer, Scripted):
                server.answer.calls = 0
            child.stdin.write(json.dumps(line) + "\n")
            child.stdin.flush()
            told = child.stdout.readline()
            if not told:
                raise ChildProcessError(f"{system.name} ended: {(folder / 'log').read_text()[-2000:]}")
            figures = json.loads(told)
            yield SystemFigures(figures["told"], figures["cpu_ms"], figures["grown_mb"], tuple(server.journal))


def bare_ms(system: System, told: SystemFigures, server: ModelServer, database: Path, folder: Path) -> float:
    bodies = json.dumps([dict(served.asked.body) for served in told.served])
    lines = [{"thread": "", "text": bodies}] * 8
    replies = {json.dumps(served.asked.body): served.reply for served in told.served}
    server.answer = lambda asked: replies.get(json.dumps(asked.body))
    return median(each.cpu_ms for each in talk(System("bare", system.python), lines, server, database, folder))


def measured(system: System, scenario: Scenario, folder: Path, template: Path, rounds: int) -> Measures:
    folder.mkdir()
    database = folder / "data.sqlite"
    shutil.copy(template, database)
    questions = scenario.questions * (rounds if scenario.rounds else 1)
    lines = [{"thread": "1" if scenario.thread else str(n), "text": text} for n, text in enumerate(questions)]
    with ModelServer(Scripted(scenario.sql)) as server:
        told = list(talk(system, lines, server, database, folder / "home"))
        found = told_of(scenario, told)
        if scenario.rounds:
            cpu = median(each.cpu_ms for each in told[len(told) // 4 :])
            bare = bare_ms(system, told[-1], server, database, folder / "bare")
            found |= {"processor time": (cpu, "ms"), "processor time over the bare client": (cpu - bare, "ms")}
    if scenario.more:
        with closing(sqlite3.connect(database)) as connection:
            kept = connection.execute("SELECT COUNT(*) FROM sqlite_master WHERE name = 'apps'").fetchone()[0]
        found = {"tables left of 1": (kept, "")}
    return found


def told_of(scenario: Scenario, told: Sequence[SystemFigures]) -> Measures:
    last = told[-1]
    if scenario.thread:
        return {f"prompt tokens at turn {turn}": (told[turn - 1].tokens, "") for turn in TURNS}
    found: Measures = {"model calls": (len(last.served), ""), "prompt tokens": (last.tokens, "")}
    if scenario.is_big:
        found |= {"memory above idle": (last.grown_mb, "MB"), "processor time": (last.cpu_ms / 1000, "s")}
    return found


def rows(rounds: int) -> Iterator[Row]:
    found = {name: (environments.python_of(where), system) for name, (where, system) in PEERS.items()}
    peers = {name: System(system, python) for name, (python, system) in found.items() if python}
    for name, scenario in SCENARIOS.items():
        with TemporaryDirectory(prefix="datathread-bench-") as work:
            template = Path(work) / "template.sqlite"
            with closing(sqlite3.connect(template)) as connection:
                scenario.build(connection)
                connection.commit()
            every = {"": System("ours", Path(sys.executable)), **peers}
            progress(f"    {name}: {', '.join(peers)}")
            told = {
                who: measured(system, scenario, Path(work) / system.name, template, rounds)
                for who, system in every.items()
            }
        for what, (figure, unit) in told.pop("").items():
            beside = {who: measures[what][0] for who, measures in told.items()}
            yield Row(f"{name}: {what}", figure, unit, beside, 1.0 if scenario.more else None, scenario.more)
