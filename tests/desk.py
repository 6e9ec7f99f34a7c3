"""A whole product without Slack on a small database."""

import sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ai.agents.cards import Services
from ai.agents.orchestrator import Orchestrator
from ai.agents.question_context import QuestionContext
from ai.agents.registry import registered
from ai.agents.rights.audience import Audience
from ai.agents.tools import Exports
from ai.analysts.built_in import BuiltInAnalyst
from ai.analysts.port import Analyst
from ai.memory.limits import MemoryLimits
from ai.memory_store import MemoryStore, open_memory
from ai.results.store import ResultStore
from ai.sql.database import Database, QueryLimits
from ai.sql.rights import EVERYTHING, Rights, SourceRights
from ai.sql.semantics import Semantics
from ai.types import ThreadKey
from tests.memories import store_in

DEFAULTS = MemoryLimits()


@dataclass(frozen=True)
class Desk:
    """What a test asks, and what it looks at afterwards."""

    orchestrator: Orchestrator
    services: Services
    database: Database

    @property
    def memory(self) -> MemoryStore:
        return self.services.memory

    @property
    def exports(self) -> Exports:
        return self.services.exports

    @property
    def context(self) -> QuestionContext:
        return self.services.context

    @property
    def audience(self) -> Audience:
        return self.context.audience


@contextmanager
def open_desk(
    folder: Path,
    analyst: Analyst | None = None,
    limits: QueryLimits | None = None,
    rights: SourceRights | Rights = EVERYTHING,
    owners: Collection[str] = (),
    semantics: Mapping[str, Semantics] | None = None,
    remembers: MemoryLimits = DEFAULTS,
    state: str | None = None,
    redis: str | None = None,
) -> Iterator[Desk]:
    """A product on a database of three apps in `folder`; opened again there, it remembers, or in `state`."""
    database, bulk = (
        Database("shop", f"sqlite:///{shop(folder)}", limits=bound, rights=rights) for bound in (limits, None)
    )
    results = ResultStore(folder / "results")
    memory = open_memory(state or store_in(folder), results, remembers, redis)
    analyst = analyst or BuiltInAnalyst()
    context = QuestionContext(memory, {"shop": database}, semantics)
    exports = Exports(folder / "exports", bulk={"shop": bulk})
    services = Services(memory, analyst, context, exports, cards(), lambda user: user in owners, forget(memory))
    try:
        yield Desk(Orchestrator(services), services, database)
    finally:
        memory.close()
        database.close()
        bulk.close()


cards = cache(registered)  # it tries the examples of all of them


def forget(memory: MemoryStore) -> Callable[[ThreadKey], None]:
    def forgotten(thread: ThreadKey) -> None:
        memory.lifecycle.forget_thread(thread)

    return forgotten


def shop(folder: Path) -> Path:
    """A database of three apps, made when it is not there."""
    path = folder / "shop.sqlite"
    if not path.exists():
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(
                "CREATE TABLE apps (app_id INTEGER PRIMARY KEY, name TEXT NOT NULL, platform TEXT NOT NULL);"
                "INSERT INTO apps (name, platform) VALUES ('Ada', 'iOS'), ('Bo', 'Android'), ('=1+1', 'iOS');"
            )
    return path
