"""Where the bots of a test keep memory and queue, and how long a test may go on."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.postgres import Postgres, postgres


@pytest.fixture(scope="session")
def server() -> Iterator[Postgres]:
    with postgres() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def state_url(request: pytest.FixtureRequest, tmp_path: Path) -> str | None:
    """An empty PostgreSQL database, or nothing: files in the data folder."""
    if request.param == "sqlite":
        return None
    database: str = request.getfixturevalue("server").new_database()
    return database
