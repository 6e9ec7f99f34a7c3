"""A memory on SQLite, and one on PostgreSQL that is emptied by forgetting everything."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ai.memory_store import MemoryStore
from tests.memories import opened
from tests.postgres import postgres


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with postgres() as running:
        yield running.new_database()


@pytest.fixture(params=["sqlite", "postgresql"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MemoryStore]:
    url = None if request.param == "sqlite" else request.getfixturevalue("server")
    with opened(tmp_path, url=url) as memory:
        yield memory
        memory.lifecycle.forget_everything()
