"""The chain of receipts: appended by many at once, left by what is forgotten, and anything else done to it is named."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from alembic import command
from sqlalchemy import Connection, create_engine, text

from ai.errors import ConfigError
from ai.memory.limits import MemoryLimits
from ai.memory.log.database import reading
from ai.memory.seals import chain_at, fresh_keys
from ai.memory.seals.checking import ChainCheck, any_text
from ai.memory_store import MemoryStore, open_memory
from ai.results.store import ResultStore
from ai.types import Json
from tests.memories import THREAD, ask, migrate, turn

RECEIPTS, FORGOTTEN = 12, (4, 9)
ATTACKS = 1_000
Touched = set[int | str]


@contextmanager
def sealing(folder: Path, url: str, name: str = "a") -> Iterator[MemoryStore]:
    """One replica: it shares the key with others, and has a head of its own."""
    own = folder / name
    own.mkdir(exist_ok=True)
    chain = chain_at(folder / "key", own, url)
    memory = open_memory(url, ResultStore(folder / "results"), MemoryLimits(), chain=chain)
    with closing(memory):
        yield memory


def fields(number: int) -> dict[str, Json]:
    return {"sql": f"SELECT {number}", "row_count": number, "tables": ["apps"], "reading": "häß \U0001f600"}


def seal(memory: MemoryStore, number: int) -> None:
    ask(memory, number, f"question {number}")
    memory.add_sealed_reply(THREAD, turn(number), f"answer {number}", fields(number))


def problems(memory: MemoryStore) -> list[str]:
    with memory.receipts.check() as check:
        return [problem.said for problem in check.problems()]


def test_replicas_append_at_once_without_a_fork(url: str, tmp_path: Path) -> None:
    with sealing(tmp_path, url) as one, sealing(tmp_path, url, "b") as other, ThreadPoolExecutor(8) as pool:
        for number in range(60):
            ask(one, number, f"question {number}")
        work = [(one, other)[number % 2] for number in range(60)]
        done = pool.map(
            lambda number: work[number].add_sealed_reply(THREAD, turn(number), "x", fields(number)), range(60)
        )
        assert list(done) == [None] * 60
        with one.receipts.check() as check:
            assert list(check.problems()) == []
        assert (check.sealed, check.erased) == (60, 0)
        assert problems(other) == []


def test_a_turn_that_runs_again_is_sealed_once(url: str, tmp_path: Path) -> None:
    with sealing(tmp_path, url) as memory:
        for _ in range(3):
            seal(memory, 1)
        memory.receipts.keep(THREAD, turn(1), fields(2))
        kept = memory.receipts.of_turn(turn(1))
        assert kept is not None
        assert (kept.fields, kept.problems) == (fields(1), ())
        assert memory.receipts.numbered(2) is None


def test_what_is_forgotten_leaves_a_seal_and_no_text(url: str, tmp_path: Path) -> None:
    with sealing(tmp_path, url) as memory:
        for number in range(1, 4):
            seal(memory, number)
        memory.lifecycle.withdraw_answer(turn(2))
        assert problems(memory) == []
        memory.lifecycle.forget_person("U1")
        seal(memory, 5)
        with memory.receipts.check() as check:
            assert list(check.problems()) == []
        assert (check.sealed, check.erased) == (1, 3)
        with reading(memory.parts.engine) as connection:
            left = connection.execute(text("SELECT * FROM seal WHERE number <= 3")).all()
    assert "question" not in f"{left}"
    assert THREAD.channel not in f"{left}"


def test_an_end_that_was_cut_off_stays_told(url: str, tmp_path: Path) -> None:
    with sealing(tmp_path, url) as memory:
        for number in range(1, 7):
            seal(memory, number)
        cut(memory, 5)
        assert problems(memory) == ["Receipts 5 to 6 were deleted with their seals."]
        seal(memory, 8)
        assert problems(memory) == ["Receipts 5 to 6 were deleted with their seals."]
        cut(memory, 1)
        assert problems(memory) == ["Receipts 1 to 7 were deleted with their seals."]


def cut(memory: MemoryStore, first: int) -> None:
    with memory.parts.engine.connect() as connection:
        connection.execution_options(writes=True)
        for table in ("receipt", "seal"):
            connection.execute(text(f"DELETE FROM {table} WHERE number >= :first"), {"first": first})
        connection.commit()


def test_another_key_fits_nothing_and_an_older_one_still_checks(url: str, tmp_path: Path) -> None:
    key = tmp_path / "key"
    with sealing(tmp_path, url) as memory:
        seal(memory, 1)
    old = key.read_text()
    key.write_text("f" * 64 + "\n" + old)
    with sealing(tmp_path, url) as memory:
        seal(memory, 2)
        assert problems(memory) == []
    key.write_text("e" * 64)
    with sealing(tmp_path, url) as memory:
        assert [said.partition(" has ")[0] for said in problems(memory)] == [
            f"Receipt {number} (turn {turn(number)})" for number in (1, 2)
        ]


def test_receipts_of_before_are_taken_in_once(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'state.sqlite'}"
    engine = create_engine(url)
    added = (
        "INSERT INTO receipt (turn_id, thread_id, fields, created_at) VALUES (:turn, 1, '{}', '2026-01-01 00:00:00')"
    )
    with engine.begin() as connection:
        migrate(connection, command.upgrade, "0014")
        connection.execute(
            text(
                "INSERT INTO thread (id, team, channel, thread_ts, last_seq, tokens, cleared_seq, version)"
                " VALUES (1, 'T1', 'C1', '1.0', 0, 0, 0, 0)"
            )
        )
        for name in ("one", "two"):
            connection.execute(text(added), {"turn": name})
    with sealing(tmp_path, url) as memory:
        assert problems(memory) == []
        assert memory.receipts.turns() == ("one", "two")
    with engine.begin() as connection:
        connection.execute(text(added), {"turn": "three"})
    with sealing(tmp_path, url) as memory:
        assert problems(memory) == ["The receipt of turn three was never sealed: somebody added it."]


@pytest.mark.parametrize("content", [b"", b"short", b"\n\n", b"x" * 31])
def test_a_file_that_holds_no_key_is_told(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "key").write_bytes(content)
    with pytest.raises(ConfigError, match="RECEIPT_KEY_FILE is"):
        chain_at(tmp_path / "key", tmp_path, "")


def test_the_key_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        made = set(pool.map(lambda _: chain_at(None, tmp_path, "").keys, range(16)))
    assert len(made) == 1
    assert (tmp_path / "receipt.key").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["receipt.key"]


# What somebody with the database may do. Each attack returns the numbers or turns of which one has to be named.


def edit_receipt(connection: Connection, random: Random) -> Touched:
    number = random.choice(there(connection))
    column = random.choice(["turn_id", "thread_id", "created_at", "number", "fields"])
    known = connection.execute(text(f"SELECT {column} FROM receipt WHERE number = :n"), {"n": number}).scalar()
    change(connection, "receipt", column, number, other(random, known))
    return {number}


def edit_seal(connection: Connection, random: Random) -> Touched:
    number = random.randint(1, RECEIPTS)
    column = random.choice(["number", "previous", "seal", "erased"])
    known = connection.execute(text(f"SELECT {column} FROM seal WHERE number = :n"), {"n": number}).scalar()
    change(connection, "seal", column, number, other(random, known))
    return {number, turn(number)}


def edit_a_field(connection: Connection, random: Random) -> Touched:
    number, name = random.choice(there(connection)), random.choice(["sql", "row_count", "tables", "reading", "more"])
    path, value = f"$.{name}", random.choice(["", "SELECT 2", "0", "ä", "null", "1e3"])
    sql = "UPDATE receipt SET fields = json_set(fields, :path, :value) WHERE number = :n"
    connection.execute(text(sql), {"path": path, "value": value, "n": number})
    return {number}


def delete_receipt(connection: Connection, random: Random) -> Touched:
    number = random.choice(there(connection))
    connection.execute(text("DELETE FROM receipt WHERE number = :n"), {"n": number})
    if random.random() < 0.5:  # as if it had been forgotten, with the mark of another one
        mark = "UPDATE seal SET erased = (SELECT max(erased) FROM seal) WHERE number = :n"
        connection.execute(text(mark), {"n": number})
    return {number}


def delete_both(connection: Connection, random: Random) -> Touched:
    number = random.randint(1, RECEIPTS)
    for table in ("receipt", "seal"):
        connection.execute(text(f"DELETE FROM {table} WHERE number = :n"), {"n": number})
    if random.random() < 0.5:  # and the rest moved up
        for table in ("receipt", "seal"):
            connection.execute(text(f"UPDATE {table} SET number = -number WHERE number > :n"), {"n": number})
            connection.execute(text(f"UPDATE {table} SET number = -number - 1 WHERE number < 0"))
    return set(range(number, RECEIPTS + 1))


def cut_the_end(connection: Connection, random: Random) -> Touched:
    number = random.randint(1, RECEIPTS)
    for table in ("receipt", "seal"):
        connection.execute(text(f"DELETE FROM {table} WHERE number >= :n"), {"n": number})
    return {number}


def exchange(connection: Connection, random: Random) -> Touched:
    one, two = random.sample(there(connection), 2)
    for table in random.choice([("receipt",), ("receipt", "seal")]):
        for old, new in ((one, -1), (two, one), (-1, two)):
            connection.execute(text(f"UPDATE {table} SET number = :new WHERE number = :old"), {"new": new, "old": old})
    return {one, two}


def forge(connection: Connection, random: Random) -> Touched:
    number = random.choice([RECEIPTS + 1, RECEIPTS + 5, 0, -3, random.choice(FORGOTTEN), None])
    added = "INSERT INTO receipt SELECT :name, thread_id, fields, created_at, :n FROM receipt WHERE number = 1"
    connection.execute(text(added), {"name": "forged", "n": number})
    if number and number not in FORGOTTEN and random.random() < 0.7:
        previous = connection.execute(text("SELECT seal FROM seal ORDER BY number DESC LIMIT 1")).scalar()
        made = f"{fresh_keys().seal(max(number, 1), str(previous), 'x')}"
        values = {"n": number, "p": previous, "s": made}
        connection.execute(text("INSERT INTO seal VALUES (:n, :p, :s, '')"), values)
    return {"forged", number or 0}


def there(connection: Connection) -> list[int]:
    return list(connection.execute(text("SELECT number FROM receipt ORDER BY number")).scalars())


def change(connection: Connection, table: str, column: str, number: int, value: object) -> None:
    sql = f"UPDATE OR REPLACE {table} SET {column} = :value WHERE number = :n"
    connection.execute(text(sql), {"value": value, "n": number})


def other(random: Random, known: Any) -> object:
    """Another value of a column; in a moment another digit is another moment."""
    if isinstance(known, int):
        return random.choice([known + RECEIPTS + 1, -known - 1, known + 2**40])
    if random.random() < 0.2:
        return random.choice([value for value in (b"\xff\xfe", "", "x", "[]", 7) if value != known])
    place = random.choice([at for at, sign in enumerate(known) if sign.isdigit()] or [0])
    return (
        known[:place]
        + random.choice([sign for sign in "0123456789" if sign != known[place : place + 1]])
        + known[place + 1 :]
    )


WAYS: list[Callable[[Connection, Random], Touched]] = [
    edit_receipt, edit_seal, edit_a_field, delete_receipt, delete_both, cut_the_end, exchange, forge,
]  # fmt: skip


def test_whatever_somebody_does_with_the_database_is_named(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'state.sqlite'}"
    with sealing(tmp_path, url) as memory:
        for number in range(1, RECEIPTS + 1):
            seal(memory, number)
        for number in FORGOTTEN:
            memory.lifecycle.withdraw_answer(turn(number))
        assert problems(memory) == []
        chain = memory.parts.chain
    random = Random(20)
    with create_engine(url).connect() as connection:
        for _ in range(ATTACKS):
            way = random.choice(WAYS)
            touched = way(connection, random)
            with any_text(connection):
                found = list(ChainCheck(chain, connection).problems())
            assert any(touched & {problem.number, problem.turn_id} for problem in found), (way, touched, found)
            connection.rollback()
        assert list(ChainCheck(chain, connection).problems()) == []
