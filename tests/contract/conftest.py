"""Databases of every kind, an HTTP API, and a memory on SQLite and on PostgreSQL, where it is emptied by forgetting everything."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ai.memory_store import MemoryStore
from tests.databases import Databases, databases
from tests.memories import opened
from tests.postgres import Postgres, postgres
from tests.services import api, client

__all__ = ["api", "client"]


@pytest.fixture(scope="module")
def machine() -> Iterator[Databases]:
    with databases() as made:
        yield made


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    with postgres() as running:
        yield running


@pytest.fixture(scope="module")
def state_url(server: Postgres) -> str:
    """Where the memories of one module are on PostgreSQL."""
    return server.new_database()


@pytest.fixture(params=["sqlite", "postgresql"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MemoryStore]:
    is_sqlite = request.param == "sqlite"
    url = None if is_sqlite else request.getfixturevalue("state_url")
    with opened(tmp_path, url=url, rows="folder" if is_sqlite else "database") as memory:
        yield memory
        memory.lifecycle.forget_everything()
