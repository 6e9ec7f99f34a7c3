"""Compare ours with LangChain's `create_agent` and its SQL toolkit, and with vanna, on one scripted endpoint.

The scripted model answers at once and follows each system's own prompt, so calls, tokens (o200k, tool schemas counted),
CPU time above the bare client and memory belong to the systems. Peers without their environment are skipped by name.

    python3 -m venv .venv-peers/agents && .venv-peers/agents/bin/pip install -r benchmarks/peers/requirements-agents.txt
    python3 -m venv .venv-peers/vanna07 && .venv-peers/vanna07/bin/pip install -r benchmarks/peers/requirements-vanna07.txt
    python -m benchmarks.peers [SCENARIO ...]
"""

import argparse
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from tests.openai_server import Asked, ModelServer, Reply, ToolUse
from tests.openai_server.server import Served

ROOT = Path(__file__).resolve().parents[1]
CHILD = ROOT / "benchmarks" / "peers" / "agents.py"
ENVIRONMENTS = {
    "ours": Path(sys.executable),
    "langchain": ROOT / ".venv-peers" / "agents" / "bin" / "python",
    "vanna": ROOT / ".venv-peers" / "agents" / "bin" / "python",
    "vanna07": ROOT / ".venv-peers" / "vanna07" / "bin" / "python",
}
PLANS: Mapping[str, tuple[str, ...]] = {  # the tools that each prompt demands before the answer
    "langchain": ("sql_db_list_tables", "sql_db_schema", "sql_db_query_checker", "sql_db_query"),
    "vanna": ("search_saved_correct_tool_uses", "run_sql", "save_question_tool_args"),
}
RUNS_SQL = ("sql_db_query", "run_sql")
FAILED = ("rror", "no such column")
QUESTION, COUNT = "how many apps do we have?", "SELECT COUNT(*) AS app_count FROM apps"
ROWS = "SELECT id, name, amount FROM events"
MOST_CALLS = 60  # of one question, before the script gives in
ROUNDS = 15
Line = dict[str, Any]


@dataclass
class Scripted:
    """The model. `sql` returns the query of an attempt, counted from 0."""

    sql: Callable[[int], str]
    table: str = "apps"
    attempts: int = 0
    calls: int = 0

    def __call__(self, asked: Asked) -> Reply:
        self.calls += 1
        if asked.schema == "answer":
            return Reply(data={"kind": "sql", "sql": self._next(), "text": "as asked", "expects": "rows"})
        plan = next((plan for plan in PLANS.values() if set(plan) <= set(asked.tools)), None)
        if plan and self.calls < MOST_CALLS:
            return self._step(plan, asked)
        if "Double check the sqlite query" in asked.prompt:
            return Reply(text=self.sql(self.attempts))
        if plan or asked.stream:
            return Reply(text="That is the answer.")
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
        return Reply(calls=(ToolUse(left[0], self._arguments(left[0])),)) if left else Reply(text="That is the answer.")

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
    bare: bool = False
    peers: tuple[str, ...] = field(default=tuple(ENVIRONMENTS))


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


def million(connection: sqlite3.Connection) -> None:
    tables(connection, 1)
    rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000)"
    connection.execute(
        f"CREATE TABLE events AS {rows} SELECT i AS id, 'customer ' || i AS name, i * 1.5 AS amount FROM n"
    )


SCENARIOS: Mapping[str, Scenario] = {
    "question": Scenario(lambda _: COUNT, eight, (QUESTION,) * ROUNDS, bare=True),
    "thread": Scenario(lambda _: COUNT, eight, tuple(f"{QUESTION} ({n})" for n in range(30)), thread=True),
    "200 tables": Scenario(lambda _: COUNT, two_hundred, (QUESTION,) * 2),
    "1,000,000 rows": Scenario(lambda n: ROWS if n else COUNT, million, (QUESTION, "list all events")),
    "endless error": Scenario(lambda n: f"SELECT missing_{n} FROM apps", eight),
    "DROP": Scenario(lambda _: "DROP TABLE apps", eight),
}


def answers(
    system: str, scenario: Scenario, server: ModelServer, database: Path, folder: Path
) -> Iterator[SystemFigures]:
    lines = [{"thread": "1" if scenario.thread else str(n), "text": text} for n, text in enumerate(scenario.questions)]
    yield from talk(system, lines, server, database, folder)


def talk(
    system: str, lines: list[Line], server: ModelServer, database: Path, folder: Path, python: Path | None = None
) -> Iterator[SystemFigures]:
    folder.mkdir(parents=True, exist_ok=True)
    command = [str(python or ENVIRONMENTS[system]), str(CHILD), system, server.url, str(database), str(folder)]
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
                raise ChildProcessError(f"{system} ended: {(folder / 'log').read_text()[-2000:]}")
            figures = json.loads(told)
            yield SystemFigures(figures["told"], figures["cpu_ms"], figures["grown_mb"], tuple(server.journal))


def bare_ms(system: str, told: SystemFigures, server: ModelServer, database: Path, folder: Path) -> float:
    bodies = json.dumps([dict(served.asked.body) for served in told.served])
    lines = [{"thread": "", "text": bodies}] * ROUNDS
    replies = {json.dumps(served.asked.body): served.reply for served in told.served}
    server.answer = lambda asked: replies.get(json.dumps(asked.body))
    return median(each.cpu_ms for each in talk("bare", lines, server, database, folder, ENVIRONMENTS[system]))


def measured(system: str, scenario: Scenario, folder: Path, template: Path) -> str:
    database = folder / "data.sqlite"
    shutil.copy(template, database)
    with ModelServer(Scripted(scenario.sql)) as server:
        told = list(answers(system, scenario, server, database, folder / "home"))
        last = told[-1]
        said = f"{len(last.served)} calls, {last.tokens:,} tokens"
        if scenario.bare:
            cpu = median(each.cpu_ms for each in told[3:])
            over = cpu - bare_ms(system, last, server, database, folder / "bare")
            said += f", {cpu:.0f} ms CPU ({over:+.0f} over the bare client)"
    if scenario.thread:
        said = "tokens at turn 1, 10, 30: " + ", ".join(f"{told[turn - 1].tokens:,}" for turn in (1, 10, 30))
    if scenario.build is million:
        said += f", peak +{last.grown_mb:.0f} MB, {last.cpu_ms / 1000:.1f} s CPU"
    with closing(sqlite3.connect(database)) as connection:
        kept = connection.execute("SELECT COUNT(*) FROM sqlite_master WHERE name = 'apps'").fetchone()[0]
    return said + ("" if kept else "; THE TABLE IS GONE") + f' | "{" ".join(last.answer.split())[:90]}"'


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenarios", nargs="*", default=list(SCENARIOS))
    present = [name for name, python in ENVIRONMENTS.items() if python.exists()]
    for name in ENVIRONMENTS.keys() - present:
        print(f"{name} is left out: {ENVIRONMENTS[name]} is absent")
    for name in parser.parse_args().scenarios:
        scenario = SCENARIOS[name]
        with TemporaryDirectory(prefix="datathread-bench-") as work:
            template = Path(work) / "template.sqlite"
            with closing(sqlite3.connect(template)) as connection:
                scenario.build(connection)
                connection.commit()
            for system in present:
                folder = Path(work) / system
                folder.mkdir()
                print(f"{name:15} | {system:9} | {measured(system, scenario, folder, template)}", flush=True)


if __name__ == "__main__":
    main()
