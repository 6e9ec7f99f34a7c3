"""One database for all readings of a test module."""

import pytest

from ai.sql.database import Database
from tests.unit.ai.nl2sql.store import MARINA, open_store


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Database:
    return open_store(tmp_path_factory.mktemp("store"))


@pytest.fixture(scope="session")
def marina(tmp_path_factory: pytest.TempPathFactory) -> Database:
    return open_store(tmp_path_factory.mktemp("marina"), MARINA)
