"""Opening a store."""

from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError

from ai.errors import ConfigError, Corrupt, SourceUnavailable
from ai.memory import migrations
from ai.memory.log.database import reading, writing
from ai.memory.opening import open_engine
from ai.memory.search.recollection import Sought
from ai.memory.search.scope import Scope
from ai.memory.workspaces.tables import STATE
from ai.types import Place
from tests.memories import THREAD, ask, migrate, opened, turn


def test_the_migrations_make_the_tables(tmp_path: Path) -> None:
    engine = open_engine(f"sqlite:///{tmp_path / 'state.sqlite'}")

    def ours(name: str | None, kind: str, _: object) -> bool:
        return kind != "table" or not str(name).startswith("search")  # the index and what SQLite keeps for it

    with reading(engine) as connection:
        context = MigrationContext.configure(connection, opts={"include_name": ours})
        assert compare_metadata(context, STATE.metadata) == []
    engine.dispose()


def test_the_newest_step_is_the_one_that_opening_looks_for() -> None:
    steps = ScriptDirectory(str(Path(migrations.__file__).parent))
    assert steps.get_current_head() == migrations.REVISION


def test_what_was_kept_before_the_index_knew_it_is_found(tmp_path: Path) -> None:
    here = Place("T1", "C1")
    engine = create_engine(f"sqlite:///{tmp_path / 'state.sqlite'}")
    with engine.begin() as connection:
        migrate(connection, command.upgrade, "0006")
        for statement in Path(__file__).with_name("kept_in_0006.sql").read_text("utf-8").split(";\n"):
            connection.execute(text(statement.replace(":", "\\:")))
    engine.dispose()
    with opened(tmp_path) as memory:
        for _ in range(2):
            told = memory.recollections.search(here, Sought("weigh café"))
            assert [each.type for each in told] == ["states", "traces"]
            assert [hit.text for hit in memory.search.find("walrus", Scope()).hits] == [
                "We decided to weigh the walrus"
            ]
            memory.search.catch_up()
        part = memory.prompt.build(THREAD, "how many tusks?")
        assert [message.content for message in part.messages] == ["We decided to weigh the walrus"]


def test_a_store_is_opened_again_as_it_was(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'state.sqlite'}"
    for seq in (1, 2):
        engine = open_engine(url)
        with writing(engine) as connection:
            connection.execute(text(f"INSERT INTO thread VALUES ({seq}, 'T', 'C', '{seq}', 0, 0, 0, 0, 0, 0)"))
        with reading(engine) as connection:
            assert connection.execute(text("SELECT count(*) FROM thread")).scalar() == seq
        engine.dispose()


def test_a_connection_made_while_the_disk_was_read_only_is_replaced(tmp_path: Path) -> None:
    """SQLite opens such a file for reading, and refuses to write with that connection for good."""
    engine = open_engine(f"sqlite:///{tmp_path / 'state.sqlite'}")
    with engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA query_only=ON")
    insert = text("INSERT INTO thread VALUES (1, 'T', 'C', '1', 0, 0, 0, 0, 0, 0)")
    with pytest.raises(OperationalError, match="readonly"), writing(engine) as connection:
        connection.execute(insert)
    with writing(engine) as connection:
        connection.execute(insert)
    with reading(engine) as connection:
        assert connection.execute(text("SELECT count(*) FROM thread")).scalar() == 1
    engine.dispose()


def test_a_transaction_that_fails_leaves_nothing(tmp_path: Path) -> None:
    engine = open_engine(f"sqlite:///{tmp_path / 'state.sqlite'}")

    def write_and_fail() -> None:
        with writing(engine) as connection:
            connection.execute(text("INSERT INTO thread VALUES (1, 'T', 'C', '1', 0, 0, 0, 0, 0, 0)"))
            raise KeyError

    with pytest.raises(KeyError):
        write_and_fail()
    with reading(engine) as connection:
        assert connection.execute(text("SELECT count(*) FROM thread")).scalar() == 0
    engine.dispose()


@pytest.mark.parametrize(
    ("pragma", "value"), [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1), ("busy_timeout", 30_000)]
)
def test_the_store_is_safe_against_power_cuts_and_other_writers(tmp_path: Path, pragma: str, value: object) -> None:
    engine = open_engine(f"sqlite:///{tmp_path / 'state.sqlite'}")
    with reading(engine) as connection:
        assert connection.execute(text(f"PRAGMA {pragma}")).scalar() == value
    engine.dispose()


@pytest.mark.parametrize("url", ["state.sqlite", "", "mysql://localhost/x"])
def test_a_wrong_url_names_the_setting(url: str) -> None:
    with pytest.raises(ConfigError, match="STATE_URL"):
        open_engine(url)


def test_a_store_that_cannot_be_opened_is_said_to_be(tmp_path: Path) -> None:
    with pytest.raises(SourceUnavailable, match="STATE_URL"):
        open_engine(f"sqlite:///{tmp_path / 'missing' / 'state.sqlite'}")


def test_a_file_that_is_no_database_is_said_to_be_none(tmp_path: Path) -> None:
    (tmp_path / "state.sqlite").write_text("not a database " * 100, "utf-8")
    with pytest.raises(Corrupt, match=r"damaged \(file is not a database\)"):
        open_engine(f"sqlite:///{tmp_path / 'state.sqlite'}")


def test_a_file_that_was_damaged_is_said_to_be(tmp_path: Path) -> None:
    path = tmp_path / "state.sqlite"
    with opened(tmp_path) as memory:
        ask(memory, 1, "how many apps?")
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + bytes(len(whole) - 4096))
    with pytest.raises(Corrupt, match="damaged"), opened(tmp_path) as memory:
        memory.question(turn(1))
