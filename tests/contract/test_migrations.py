"""Stores of an earlier shape: their rows are taken over, on either database."""

from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, inspect, text

from ai.errors import ConfigError
from ai.memory.log.database import METADATA
from ai.memory.migrations import REVISION
from ai.memory.opening import open_engine
from ai.memory.seals import Chain, fresh_keys
from ai.memory.stores import Migrated
from ai.memory.stores import migrate as migrated
from ai.memory_store import QueryOrigin
from ai.types import AnsweredQuery, AskedBack, Declined, DraftQuery, FailedQuery
from tests.memories import THREAD, migrate, opened, turn


def at_step(url: str, revision: str) -> None:
    """Say of a store that it is at this step."""
    engine = open_engine(url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :step"), {"step": revision})
    engine.dispose()


def test_the_tables_of_a_newer_release_are_left_alone(url: str) -> None:
    at_step(url, "9999")
    for opened_by in (open_engine, lambda url: migrated(url, Chain(fresh_keys()))):
        with pytest.raises(ConfigError, match=f"at step 9999 .* knows steps up to {REVISION}: start the newer release"):
            opened_by(url)


def is_declared(_: object, name: str | None, *__: object) -> bool:
    """Leave out what serves the search: each database has its own, made by SQL alone."""
    return "search" not in (name or "")


def has_another_default(*told: object) -> bool:
    """Whether the store lacks a default that the code declares; each database writes it in its own way."""
    *_, stored, _, declared = told
    return declared is not None and str(stored).partition("::")[0].strip("()'") != str(declared)


def test_the_tables_are_those_that_the_code_declares(url: str) -> None:
    engine = open_engine(url)
    options = {"include_object": is_declared, "compare_server_default": has_another_default}
    with engine.connect() as connection:
        differences = compare_metadata(MigrationContext.configure(connection, opts=options), METADATA)
        keys = {
            table.name: {*inspect(connection).get_pk_constraint(table.name)["constrained_columns"]}
            for table in METADATA.sorted_tables
        }
    engine.dispose()
    assert differences == []
    assert keys == {table.name: {column.name for column in table.primary_key} for table in METADATA.sorted_tables}


def test_migrating_says_from_where_to_where(url: str) -> None:
    chain = Chain(fresh_keys())
    engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    with engine.begin() as connection:
        migrate(connection, command.upgrade, "0016")
    engine.dispose()
    assert migrated(url, chain) == Migrated("0016", REVISION)
    assert migrated(url, chain) == Migrated(REVISION, REVISION)


def test_a_new_store_is_made(url: str) -> None:
    assert migrated(url, Chain(fresh_keys())) == Migrated(None, REVISION)


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_what_stood_among_the_queries_is_taken_over(tmp_path: Path, kind: str, request: pytest.FixtureRequest) -> None:
    url = f"sqlite:///{tmp_path / 'state.sqlite'}"
    if kind == "postgres":
        url = request.getfixturevalue("server").new_database()
    engine = create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    with engine.begin() as connection:
        migrate(connection, command.upgrade, "0006")
        for statement in Path(__file__).with_name("kept_in_0006.sql").read_text("utf-8").split(";\n"):
            connection.execute(text(statement.replace(":", "\\:")))
    engine.dispose()
    with opened(tmp_path, url=url) as memory:
        failed, answered, asked, declined, draft = (memory.outcome(number) for number in (1, 2, 5, 6, 7))
        assert isinstance(failed, FailedQuery)
        assert isinstance(answered, AnsweredQuery)
        assert isinstance(asked, AskedBack)
        assert isinstance(declined, Declined)
        assert isinstance(draft, DraftQuery)
        assert (failed.sql, failed.problem) == ("SELECT zebra", "no such column: zebra")
        assert (answered.headline, answered.result, answered.meaning) == ("49", "q2", {"count": "apps"})
        assert (asked.text, asked.options) == ("Which date?", ("order date", "ship date"))
        assert (declined.reason, declined.suggestions) == ("There is no weather here.", ())
        assert memory.answers.phrasing(turn(1)) == "There are 49 apps."
        kept = memory.receipts.of_turn(turn(1))
        assert kept is not None
        assert (kept.fields, kept.problems) == ({"query_id": 2, "seal": "abc123"}, ())
        assert memory.queries(THREAD) == (answered,)
        assert memory.save_refusal(QueryOrigin(THREAD, turn(9), "write_sql", "shop", "x", "y"), "No.", ()) > 0
