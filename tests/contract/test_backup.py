"""Backups: each table comes back as it was, on either kind of database; what is not whole or not empty is refused."""

import shutil
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from sqlalchemy import Column, create_engine, insert, select, text

from ai.errors import ConfigError, Corrupt
from ai.memory.opening import open_engine
from ai.memory.seals import chain_at
from ai.memory.stores import saved_results
from ai.memory.stores.tables import STORED_ROWS, described, tables
from ai.memory_store import QueryOrigin
from ai.results.table import ResultColumn
from ai.types import ThreadKey
from bot.cli.backup import BackupPlaces, back_up, restore
from bot.cli.backup.folder import whole
from bot.engine import TurnQueue
from tests.backups import opened, places
from tests.memories import THREAD, ask, migrate, turn

KINDS = ["sqlite", "postgresql"]
ODD = "a\x00b \ue000\ue001 ä \U0001f600 'x' %s ? :y"
MOMENT = datetime(2026, 1, 7, 12, 0, 1, 250, tzinfo=UTC)
VALUES: dict[str, Callable[[int], Any]] = {
    "text": lambda number: f"{ODD} {number}",
    "name": lambda number: f"ä \ue000 {number}",
    "json": lambda number: {"n": number, "s": f"{ODD.replace(chr(0), '')}", "f": 0.1, "l": [None, True, 2**60]},
    "moment": lambda number: MOMENT.replace(second=number),
    "day": lambda number: date(2026, 1, number + 1),
    "bytes": lambda number: bytes(range(256)) * (number + 1),
    "bool": lambda number: number == 1,
    "int": lambda number: number + 1,
    "float": lambda number: 0.1 + number,
}


@pytest.fixture
def url_of(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str, str], str]:
    """Return the address of a new store of a kind."""

    def made(kind: str, name: str) -> str:
        if kind == "sqlite":
            (tmp_path / name).mkdir(exist_ok=True)
            return f"sqlite:///{tmp_path / name / 'state.sqlite'}"
        return str(request.getfixturevalue("server").new_database())

    return made


def fill_every_table(url: str) -> None:
    """Put rows of odd values into every table, three of them, the last with NULL wherever that may be."""

    def value(column: Column[Any], kind: str, number: int) -> Any:
        return None if number == 2 and column.nullable and not column.foreign_keys else VALUES[kind](number)

    engine = open_engine(url)
    with engine.begin() as connection:
        for table in tables():
            kinds = [column.kind for column in described(list(table.columns))]
            for number in range(3) if table.name != "erasure" else ():
                row = {c.name: value(c, kind, number) for c, kind in zip(table.columns, kinds, strict=True)}
                connection.execute(insert(table).values(_with_parents(table.name, row, number)))
    engine.dispose()


def _with_parents(table: str, row: dict[str, Any], number: int) -> dict[str, Any]:
    """Let a row name rows that are there."""
    return row | ({"workspace_id": VALUES["name"](number)} if table == "state" else {})


def rows(url: str) -> dict[str, list[Any]]:
    engine = open_engine(url)
    with engine.connect() as connection:
        found = {table.name: connection.execute(select(table)).all() for table in tables()}
    engine.dispose()
    return {name: sorted(map(repr, all_rows)) for name, all_rows in found.items()}


@pytest.mark.parametrize("to", KINDS)
@pytest.mark.parametrize("kind", KINDS)
def test_every_table_comes_back(tmp_path: Path, url_of: Callable[[str, str], str], kind: str, to: str) -> None:
    old, new = places(tmp_path / "a", url_of(kind, "a")), places(tmp_path / "b", url_of(to, "b"))
    fill_every_table(old.state)
    with closing(TurnQueue(old.engine, tmp_path / "a")) as queue:
        queue.open()
        queue.enqueue("T1:C1:1764000000.000100", THREAD, "U1", is_quick=True)
    made = back_up(old, tmp_path / "backup")
    assert made.losses == ()
    assert made.rows["message"] == 3
    restore(new, tmp_path / "backup")
    assert rows(new.state) == rows(old.state)
    with closing(TurnQueue(new.engine, tmp_path / "b")) as queue:
        assert queue.store.unfinished(THREAD) == ["T1:C1:1764000000.000100"]
    with opened(new) as memory:  # numbers go on behind the restored ones
        ask(memory, 9, "one more", replace(THREAD, thread_ts="9.000001"))


def answered(at: BackupPlaces, count: int = 3) -> None:
    """Ask and answer so often, each with rows and a sealed receipt; forget one of the threads."""
    with opened(at) as memory:
        for number in range(count):
            thread = ThreadKey("T1", "C1", f"{number}.000001")
            ask(memory, number, f"question {number}", thread)
            origin = QueryOrigin(thread, turn(number, thread), "write_sql", "shop", "x", "y")
            query = memory.save_query(origin, "SELECT 1", ran=True)
            batches = [[(number,)]]
            stored = at.results.write(f"q{query}", [ResultColumn("n", "int")], batches, max_rows=9, max_bytes=999)
            memory.finish_query(query, stored, 1, f"{number}")
            digest = at.results.digest(f"q{query}")
            memory.add_sealed_reply(thread, turn(number, thread), f"{number}", {"rows": number, "digest": digest})
        memory.lifecycle.forget_thread(ThreadKey("T1", "C1", "1.000001"))


def problems(at: BackupPlaces) -> list[str]:
    with opened(at) as memory, memory.receipts.check() as check:
        return [problem.said for problem in check.problems()]


@pytest.mark.parametrize("kind", KINDS)
def test_receipts_are_as_sealed_elsewhere(tmp_path: Path, url_of: Callable[[str, str], str], kind: str) -> None:
    old = places(tmp_path / "a", url_of(kind, "a"))
    answered(old)
    made = back_up(old, tmp_path / "backup")
    assert made.results == 2
    new = places(tmp_path / "b", url_of("sqlite", "b"))
    restore(new, tmp_path / "backup")
    again = places(tmp_path / "b", new.state)  # with the key that came with the backup
    assert problems(again) == []
    assert again.chain.head.read() == old.chain.head.read()
    with opened(again) as memory:
        [query] = memory.queries(ThreadKey("T1", "C1", "2.000001"))
        assert memory.result(query).rows == ((2,),)
        ask(memory, 7, "new", THREAD)
        memory.add_sealed_reply(THREAD, turn(7), "7", {})
    assert problems(again) == []


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    old = places(tmp_path / "a", f"sqlite:///{tmp_path / 'a' / 'state.sqlite'}")
    answered(old)
    back_up(old, tmp_path / "backup")
    return tmp_path / "backup"


@pytest.fixture
def empty(tmp_path: Path) -> BackupPlaces:
    return places(tmp_path / "b", f"sqlite:///{tmp_path / 'b' / 'state.sqlite'}")


def test_only_the_owner_reads_it(backup: Path) -> None:
    assert {path.stat().st_mode & 0o777 for path in (backup, *backup.rglob("*"))} == {0o700, 0o600}


def test_a_byte_that_changed_anywhere_is_found(tmp_path: Path, backup: Path, empty: BackupPlaces) -> None:
    for file in sorted(path for path in backup.rglob("*") if path.is_file()):
        copy = tmp_path / "copy"
        shutil.copytree(backup, copy)
        damaged = copy / file.relative_to(backup)
        content = bytearray(damaged.read_bytes())
        content[len(content) // 2] ^= 1
        damaged.write_bytes(content)
        with pytest.raises(Corrupt, match=r"is damaged: .*take another one"):
            restore(empty, copy)
        damaged.unlink()
        with pytest.raises((Corrupt, ConfigError), match=r"is damaged: .* is missing|holds no backup"):
            restore(empty, copy)
        shutil.rmtree(copy)
    restore(empty, backup)


def test_what_holds_something_is_left_alone(tmp_path: Path, backup: Path, empty: BackupPlaces) -> None:
    with pytest.raises(ConfigError, match="holds files already"):
        back_up(empty, backup)
    restore(empty, backup)
    before = rows(empty.state)
    with pytest.raises(ConfigError, match="holds rows already: restore into an empty store"):
        restore(empty, backup)
    assert rows(empty.state) == before
    other = places(tmp_path / "c", f"sqlite:///{tmp_path / 'c' / 'state.sqlite'}")
    with closing(TurnQueue(other.engine, tmp_path / "c")) as queue:
        queue.open()
        queue.enqueue("T1:C1:1764000000.000100", THREAD)
    with pytest.raises(ConfigError, match="holds questions already"):
        restore(other, backup)
    third = places(tmp_path / "d", f"sqlite:///{tmp_path / 'd' / 'state.sqlite'}")
    third.results.write("q1", [ResultColumn("n", "int")], [[(1,)]], max_rows=9, max_bytes=999)
    with pytest.raises(ConfigError, match="results or files of threads already"):
        restore(third, backup)


def test_receipts_of_another_key_are_not_taken_in(tmp_path: Path, backup: Path, empty: BackupPlaces) -> None:
    chain = chain_at(tmp_path / "another.key", tmp_path / "b", empty.state)
    with pytest.raises(ConfigError, match="RECEIPT_KEY_FILE is not the key"):
        restore(replace(empty, chain=chain, own_key=None), backup)
    restore(
        replace(empty, chain=chain_at(tmp_path / "a" / "receipt.key", tmp_path / "b", empty.state), own_key=None),
        backup,
    )
    assert problems(replace(empty, chain=chain_at(tmp_path / "a" / "receipt.key", tmp_path / "b", empty.state))) == []


def test_nothing_is_left_of_a_backup_that_failed(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be written"), whole(tmp_path / "backup") as folder:
        folder.joinpath("state", "lost").touch()
    assert list(tmp_path.iterdir()) == []
    (tmp_path / ".backup.part").mkdir()
    (tmp_path / ".backup.part" / "left").write_text("of a killed one")
    with whole(tmp_path / "backup") as folder, pytest.raises(ConfigError, match="Another backup"):  # noqa: SIM117
        with whole(tmp_path / "backup"):
            pass
    assert [path.name for path in tmp_path.iterdir()] == ["backup"]
    assert list((tmp_path / "backup").iterdir()) == []


@pytest.mark.parametrize("to", KINDS)
def test_an_older_store_is_saved_as_it_is_and_migrated_where_it_is_restored(
    tmp_path: Path, url_of: Callable[[str, str], str], to: str
) -> None:
    old, new = places(tmp_path / "a", url_of("sqlite", "a")), places(tmp_path / "b", url_of(to, "b"))
    engine = create_engine(old.state)
    with engine.begin() as connection:
        migrate(connection, command.upgrade, "0006")
        for statement in Path(__file__).with_name("kept_in_0006.sql").read_text("utf-8").split(";\n"):
            connection.execute(text(statement.replace(":", "\\:")))
    back_up(old, tmp_path / "backup")
    with engine.connect() as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar() == "0006"
    engine.dispose()
    open_engine(new.state).dispose()
    with pytest.raises(ConfigError, match=r"has tables of step \d+ and the backup has those of 0006"):
        restore(new, tmp_path / "backup")
    fresh = places(tmp_path / "c", url_of(to, "c"))
    restore(fresh, tmp_path / "backup")
    open_engine(old.state, old.chain).dispose()
    with opened(fresh) as memory, opened(old) as migrated:
        assert memory.queries(THREAD) == migrated.queries(THREAD)
        assert memory.answers.phrasing(turn(1)) == "There are 49 apps."


def test_rows_kept_in_the_database_come_back_in_either_place(tmp_path: Path) -> None:
    def kept(folder: str, place: str) -> BackupPlaces:
        at = places(tmp_path / folder, f"sqlite:///{tmp_path / folder / 'state.sqlite'}")
        return replace(
            at, results=saved_results(at.state, place, tmp_path / folder / "results"), in_memory=place != "folder"
        )

    old = kept("a", "database")
    open_engine(old.state, old.chain).dispose()
    answered(old)
    assert back_up(old, tmp_path / "backup").results == 2
    for folder, place in (("b", "folder"), ("c", "database")):
        new = kept(folder, place)
        restore(new, tmp_path / "backup")
        again = kept(folder, place)  # with the key that came with the backup
        assert problems(again) == []
        with opened(again) as memory:
            [query] = memory.queries(ThreadKey("T1", "C1", "2.000001"))
            assert memory.result(query).rows == ((2,),)


def test_saved_is_what_a_store_holds(tmp_path: Path) -> None:
    """Every table of a new store is saved, but for those of the search, which fills itself."""
    engine = open_engine(f"sqlite:///{tmp_path / 'state.sqlite'}")
    with engine.connect() as connection:
        names = connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'table'")).scalars().all()
    engine.dispose()
    made = {name for name in names if not name.startswith("search") and name != "alembic_version"}
    assert {table.name for table in tables()} == made - STORED_ROWS
