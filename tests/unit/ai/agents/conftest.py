"""A whole product without Slack on a small database."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from ai.agents.asking import Asking
from ai.agents.orchestrator import Orchestrator
from ai.agents.registry import build_agents
from ai.agents.router_agent import RouterAgent
from ai.agents.tools import Exports
from ai.analysts.built_in import BuiltInAnalyst
from ai.analysts.port import Analyst
from ai.memory.limits import MemoryLimits
from ai.memory_store import MemoryStore, open_memory
from ai.results.store import ResultStore
from ai.sql.database import Database


@dataclass(frozen=True)
class Desk:
    """What a test asks, and what it looks at afterwards."""

    orchestrator: Orchestrator
    memory: MemoryStore
    exports: Exports


@pytest.fixture
def apps(tmp_path: Path) -> Database:
    path = tmp_path / "shop.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "CREATE TABLE apps (app_id INTEGER PRIMARY KEY, name TEXT NOT NULL, platform TEXT NOT NULL);"
            "INSERT INTO apps (name, platform) VALUES ('Ada', 'iOS'), ('Bo', 'Android'), ('=1+1', 'iOS');"
        )
    return Database("shop", f"sqlite:///{path}")


@pytest.fixture
def open_desk(tmp_path: Path, apps: Database) -> Iterator[Callable[..., Desk]]:
    with ExitStack() as opened:
        opened.callback(apps.close)

        def build(analyst: Analyst | None = None) -> Desk:
            analyst = analyst or BuiltInAnalyst()
            results = ResultStore(tmp_path / "results")
            memory = open_memory(f"sqlite:///{tmp_path / 'state.sqlite'}", results, MemoryLimits())
            opened.callback(memory.close)
            asking = Asking(memory, {"shop": apps})
            exports = Exports(tmp_path / "exports")
            agents = build_agents(memory, results, analyst, asking, exports)
            return Desk(Orchestrator(memory, RouterAgent(analyst, asking), agents, asking), memory, exports)

        yield build
