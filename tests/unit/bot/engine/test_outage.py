"""A database that is away is told from one that refuses."""

import sqlite3
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa

from ai.errors import RowsAway, SourceUnavailable
from bot.engine import is_outage


def test_a_server_that_is_not_there() -> None:
    database = sa.create_engine("postgresql+psycopg://nobody@127.0.0.1:1/none")
    with pytest.raises(sa.exc.OperationalError) as found, database.connect():
        pass
    assert is_outage(found.value)


def test_a_file_that_somebody_else_writes_to(tmp_path: Path) -> None:
    with (
        closing(sqlite3.connect(tmp_path / "a.sqlite", isolation_level=None)) as writer,
        closing(sqlite3.connect(tmp_path / "a.sqlite", timeout=0)) as other,
    ):
        writer.execute("BEGIN EXCLUSIVE")
        with pytest.raises(sqlite3.OperationalError) as found:
            other.execute("CREATE TABLE t (a)")
    assert is_outage(found.value)


@pytest.mark.parametrize("error", [psycopg.errors.AdminShutdown(), psycopg.errors.CannotConnectNow()])
def test_a_server_that_goes_or_comes(error: psycopg.Error) -> None:
    assert is_outage(error)


@pytest.mark.parametrize("error", [psycopg.errors.QueryCanceled(), psycopg.errors.UniqueViolation(), ValueError()])
def test_what_is_refused_is_no_outage(error: Exception) -> None:
    assert not is_outage(error)


def test_a_mistake_is_no_outage() -> None:
    with closing(sqlite3.connect(":memory:")) as database, pytest.raises(sqlite3.OperationalError) as found:
        database.execute("SELECT nothing FROM nowhere")
    assert not is_outage(found.value)


@pytest.mark.parametrize(
    ("error", "is_away"),
    [
        (RowsAway("The bucket is away."), True),
        (SourceUnavailable("The database of people is away."), False),
        (sa.exc.TimeoutError("no connection is free"), True),
        (sa.exc.DBAPIError("SELECT 1", {}, Exception("gone"), connection_invalidated=True), True),
        (sa.exc.DBAPIError("SELECT 1", {}, Exception("refused")), False),
    ],
)
def test_what_is_kept_elsewhere_and_connections_that_broke_off(error: Exception, *, is_away: bool) -> None:
    assert is_outage(error) is is_away
