"""Databases of every kind, an HTTP API, and a memory on SQLite and on PostgreSQL, where it is emptied by forgetting everything."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from ai.memory_store import MemoryStore
from tests.databases import Databases, databases
from tests.http_service import Api, http_api
from tests.memories import opened
from tests.postgres import Postgres, postgres


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
    url = None if request.param == "sqlite" else request.getfixturevalue("state_url")
    with opened(tmp_path, url=url) as memory:
        yield memory
        memory.lifecycle.forget_everything()


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    with http_api(tmp_path_factory.mktemp("http")) as served:
        yield served


@pytest.fixture
def client(api: Api) -> Iterator[httpx.Client]:
    with api.client() as session:
        yield session
