"""Databases of every kind, an HTTP API, a local Slack in this process, and a memory on SQLite and on PostgreSQL."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ai.memory_store import MemoryStore
from tests.databases import Databases, databases
from tests.memories import opened
from tests.postgres import Postgres
from tests.services import api, client, slack_here

__all__ = ["api", "client", "slack_here"]


@pytest.fixture(scope="module")
def machine() -> Iterator[Databases]:
    with databases() as made:
        yield made


@pytest.fixture(scope="module")
def state_url(server: Postgres) -> str:
    """Where the memories of one module are on PostgreSQL."""
    return server.new_database()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the address of an empty store of a kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'state.sqlite'}"
    made: str = request.getfixturevalue("server").new_database()
    return made


@pytest.fixture(params=["sqlite", "postgresql"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MemoryStore]:
    is_sqlite = request.param == "sqlite"
    url = None if is_sqlite else request.getfixturevalue("state_url")
    with opened(tmp_path, url=url, rows="folder" if is_sqlite else "database") as memory:
        yield memory
        memory.lifecycle.forget_everything()
