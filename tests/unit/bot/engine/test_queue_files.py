"""The queue's file: taken over from earlier releases, forgotten in, saved, mended, and shared between connections."""

import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from operator import methodcaller
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa

from ai.errors import ConfigError, MissingExtra, SourceUnavailable
from ai.types import ThreadKey
from bot.engine.adoption import adopt
from bot.engine.bells import CHANNEL, LoopbackBell, NotifyBell
from bot.engine.database import QueueDatabase, Transaction, understood
from bot.engine.keeping.copying import require_empty_queue, save_queue
from bot.engine.keeping.damage import mend
from bot.engine.keeping.forgetting import forget_turns
from bot.engine.leases import FileLeases, living_on
from bot.engine.lines import AT_ONCE, HANDFUL, WaitingLines
from bot.engine.outage import despite_outage, reaching
from bot.engine.queue import TurnQueue
from bot.engine.shares import Party, Places, WaitingTurn
from bot.engine.store import SEEN, News, TurnStore
from bot.inbound import NewTurn
from tests.postgres import Postgres
from tests.processes import free_port
from tests.unit.bot.engine.conftest import thread, turn_id
from tests.wait import until

NOON = 1_800_000_000.0
OLD = """
CREATE TABLE workflow_status (workflow_uuid TEXT, status TEXT, queue_partition_key TEXT, executor_id TEXT,
    created_at INTEGER, queue_name TEXT);
CREATE TABLE operation_outputs (workflow_uuid TEXT);
CREATE TABLE workflow_input (workflow_uuid TEXT);
"""


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'engine.sqlite'}"


@pytest.fixture
def database(url: str) -> Iterator[QueueDatabase]:
    with closing(QueueDatabase(understood(url))) as opened:
        TurnStore(opened, "bot", lambda: NOON).create()
        yield opened


def add(database: QueueDatabase, *numbers: int, ended: bool = False) -> list[str]:
    ids = [turn_id(thread(number)) for number in numbers]
    store = TurnStore(database, "bot", lambda: NOON)
    store.add([NewTurn(one, thread(number), "U1", False) for one, number in zip(ids, numbers, strict=True)])
    if ended:
        begun = store.advance(News({}, {}, {}), Places(len(ids)), lambda waiting, _: waiting)
        store.advance(News({}, {turn.run: "answered" for turn in begun}, {}), Places(0), lambda _w, _e: ())
    return ids


def states(database: QueueDatabase) -> dict[str, tuple[str, int, int]]:
    rows = database.read("SELECT turn_id, state, place, runs FROM engine_turns")
    return {name: (state, place > 0, runs) for name, state, place, runs in rows}


def test_where_no_earlier_release_was_nothing_is_taken_over(database: QueueDatabase, tmp_path: Path) -> None:
    assert adopt(database, FileLeases(tmp_path / "leases")) == 0


def test_what_an_earlier_release_left_is_taken_over_but_for_what_still_runs(
    database: QueueDatabase, tmp_path: Path
) -> None:
    leases, other = FileLeases(tmp_path / "leases"), FileLeases(tmp_path / "leases")
    other.hold("living")
    kinds = {1: ("ENQUEUED", None), 2: ("PENDING", "dead"), 3: ("PENDING", "living"), 4: ("SUCCESS", "living")}
    with closing(sqlite3.connect(tmp_path / "engine.sqlite")) as old:
        old.executescript(OLD)
        for number, (status, engine) in kinds.items():
            row = (turn_id(thread(number)), status, str(thread(number)), engine, 1_000, "turns")
            old.execute("INSERT INTO workflow_status VALUES (?, ?, ?, ?, ?, ?)", row)
        old.execute("INSERT INTO workflow_status VALUES ('x', 'PENDING', NULL, 'dead', 1, 'hourly')")
        old.commit()
    assert adopt(database, leases) == 3
    one, two, four = (turn_id(thread(number)) for number in (1, 2, 4))
    waiting, begun, ended = ("waiting", True, 0), ("waiting", False, 1), ("ended", True, 0)
    assert states(database) == {one: waiting, two: begun, four: ended}
    assert [row[0] for row in database.read("SELECT workflow_uuid FROM workflow_status")] == [turn_id(thread(3)), "x"]
    assert adopt(database, leases) == 0


def test_a_lease_is_held_until_it_is_closed(tmp_path: Path) -> None:
    ours, others = FileLeases(tmp_path), FileLeases(tmp_path)
    assert others.is_free("ours")
    ours.hold("ours")
    with ours.alone() as alone, others.alone() as also:
        assert (alone, also) == (True, False)
    assert (others.is_free("ours"), living_on(tmp_path)) == (False, 1)
    ours.close()
    assert (others.is_free("ours"), living_on(tmp_path)) == (True, 0)


@pytest.mark.parametrize("whole", [True, False])
def test_turns_that_ended_are_forgotten(database: QueueDatabase, url: str, *, whole: bool) -> None:
    done, other = add(database, 1, 2, ended=True)
    (waits,) = add(database, 3)
    assert forget_turns(url, None if whole else [done, waits])
    assert set(states(database)) == ({waits} if whole else {other, waits})


def test_where_there_is_no_queue_nothing_is_forgotten(tmp_path: Path, url: str) -> None:
    assert forget_turns(url, None)
    assert not (tmp_path / "engine.sqlite").exists()
    sqlite3.connect(tmp_path / "engine.sqlite").close()
    assert forget_turns(url, None)


def test_a_reader_keeps_old_bytes_alive(database: QueueDatabase, url: str, tmp_path: Path) -> None:
    add(database, 1, ended=True)
    with closing(sqlite3.connect(tmp_path / "engine.sqlite", isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM engine_turns").fetchall()
        assert not forget_turns(url, None, busy_seconds=0.1)
    assert forget_turns(url, None)


def test_a_queue_that_holds_something_is_not_restored_into(database: QueueDatabase, url: str, tmp_path: Path) -> None:
    require_empty_queue(url)
    require_empty_queue(f"sqlite:///{tmp_path / 'new.sqlite'}")
    add(database, 1)
    with pytest.raises(ConfigError, match="holds questions already"):
        require_empty_queue(url)


def test_what_is_not_there_is_saved_as_nothing(tmp_path: Path, url: str) -> None:
    assert save_queue(url, tmp_path).rows == {}
    assert not (tmp_path / "engine.sqlite").exists()


def test_a_queue_that_somebody_writes_to_is_not_called_damaged(
    database: QueueDatabase, url: str, tmp_path: Path
) -> None:
    add(database, 1)
    saved = save_queue(url, tmp_path)
    assert (saved.rows["engine_turns"], saved.losses) == (1, [])


def test_a_sound_queue_is_left_where_it_is(database: QueueDatabase, url: str, tmp_path: Path) -> None:
    add(database, 1)
    assert mend(sa.make_url(url)) is None
    assert mend(sa.make_url(f"sqlite:///{tmp_path / 'nowhere.sqlite'}")) is None
    database.close()
    (tmp_path / "engine.sqlite").write_bytes(b"no database at all" * 99)
    aside = mend(sa.make_url(url))
    assert aside
    assert aside.read_bytes().startswith(b"no database")
    assert mend(sa.make_url(url)) is None


def test_a_folder_in_place_of_the_queue_is_named(tmp_path: Path) -> None:
    (tmp_path / "engine.sqlite").mkdir()
    queue = TurnQueue(f"sqlite:///{tmp_path / 'engine.sqlite'}", tmp_path)
    with closing(queue), pytest.raises(SourceUnavailable, match="ENGINE_URL names"):
        queue.open()


@pytest.mark.parametrize(
    "database_url", ["mysql://localhost/queue", "duckdb:///queue.duckdb", "oracle://localhost/queue"]
)
def test_a_database_that_cannot_hold_the_queue_is_named(database_url: str) -> None:
    with pytest.raises(ConfigError, match="The engine cannot keep its queue in"):
        understood(database_url)


def test_the_address_is_as_it_was_given(url: str) -> None:
    assert str(understood(url)) == url
    assert understood("postgresql://u@h/q").drivername == "postgresql+psycopg"


def test_connections_are_kept_and_closed(database: QueueDatabase) -> None:
    assert database.read("SELECT 1") == [(1,)]
    kept = list(database._idle)
    assert database.read("SELECT 2") == [(2,)]
    assert database._idle == kept
    with pytest.raises(sqlite3.OperationalError):
        database.read("SELECT nothing FROM nowhere")
    assert database._idle == []
    database.read("SELECT 3")
    database.close()
    assert database._idle == []
    database.read("SELECT 4")
    assert database._idle == []


def test_a_column_and_a_table_are_there_or_not(database: QueueDatabase) -> None:
    columns = database.write(lambda tx: [tx.has_column("engine_turns", name) for name in ("quick", "nothing")])
    assert columns == [True, False]
    assert [database.has_table(name) for name in ("engine_turns", "nothing")] == [True, False]


def test_an_outage_is_passed_over_and_a_mistake_is_not() -> None:
    with despite_outage():
        Tries(OSError(28, "no room"))(None)
    with pytest.raises(OSError, match="mistake"), despite_outage():
        raise OSError("mistake")
    with pytest.raises(SourceUnavailable, match=r"cannot be opened \(broken\)"), reaching(sa.make_url("sqlite:///x")):
        raise sqlite3.OperationalError("broken\nwith details")


def test_who_waits_behind_many_hears_it_once(database: QueueDatabase) -> None:
    ids, told = add(database, *range(10, 10 + HANDFUL + 3)), list[tuple[str, int]]()
    lines = WaitingLines(TurnStore(database, "bot", lambda: NOON + 1), lambda turn, ahead: told.append((turn, ahead)))
    lines.tell(is_full=False)
    lines.tell(is_full=True)
    until(lambda: len(told) == 2, what="two to be told")
    assert told == [(ids[HANDFUL + 1], HANDFUL + 1), (ids[HANDFUL + 2], HANDFUL + 2)]
    lines.tell(is_full=True)
    more = add(database, 50)
    lines.tell(is_full=True)
    until(lambda: len(told) == 3, what="one more to be told")
    assert told[2][0] == more[0]
    assert AT_ONCE > HANDFUL


def test_before_a_question_are_as_many_of_each_other_person(database: QueueDatabase) -> None:
    store, told = TurnStore(database, "bot", lambda: NOON), list[tuple[str, int]]()
    people = ["ANA"] * 5 + ["BEN"] * 4 + ["CYD"] * 2 + ["DAN"]
    ids = [turn_id(thread(number)) for number in range(len(people))]
    store.add([NewTurn(one, thread(number), people[number], False) for number, one in enumerate(ids)])
    WaitingLines(store, lambda turn, ahead: told.append((turn, ahead))).tell(is_full=True)
    until(lambda: len(told) == 8, what="those with more than a handful before them to be told")
    before = {1: 6, 2: 8, 3: 10, 4: 11, 6: 6, 7: 8, 8: 10, 10: 6}
    assert told == [(ids[number], count) for number, count in before.items()]


def test_a_turn_waits_until_it_is_due(database: QueueDatabase) -> None:
    store = TurnStore(database, "bot", lambda: NOON)
    (first,) = add(database, 1)
    (begun,) = store.advance(News({}, {}, {}), Places(1), lambda waiting, _: waiting)
    store.advance(News({begun.run: {"route": "1"}}, {}, {begun.run: NOON + 60}), Places(0), lambda _w, _e: ())
    assert (store.look()[0], store.backlog(), store.unfinished()) == (False, (0, 0.0), [first])
    later = TurnStore(database, "bot", lambda: NOON + 61)
    assert later.look() == (True, [], [])
    assert later.backlog() == (1, 61.0)
    (again,) = later.advance(News({}, {}, {}), Places(1), lambda waiting, _: waiting)
    assert (again.run.number, again.steps, again.is_stopped) == (2, {"route": "1"}, False)
    assert [(lost.turn_id, lost.steps) for lost in later.look()[1]] == [(first, 1)]


def test_only_what_runs_or_waits_is_stopped_and_found(database: QueueDatabase) -> None:
    store = TurnStore(database, "bot", lambda: NOON)
    assert (store.wanted([]), store.is_unfinished([])) == ([], False)
    (done,), (waits,) = add(database, 1, ended=True), add(database, 2)
    store.stop([done, waits])
    assert store.wanted([done, waits]) == [waits]
    assert (store.is_unfinished([done]), store.is_unfinished([done, waits])) == (False, True)
    assert store.unfinished(thread(1)) == []
    assert store.unfinished(thread(2)) == [waits]
    assert (store.wordings(done), store.wordings(waits)) == ([], [waits])


def test_a_place_is_given_to_nobody_where_there_is_none(database: QueueDatabase) -> None:
    store, asked = TurnStore(database, "bot", lambda: NOON), list[int]()

    def choose(waiting: Sequence[WaitingTurn], _: Sequence[Party]) -> Sequence[WaitingTurn]:
        asked.append(len(waiting))
        return ()

    assert store.advance(News({}, {}, {}), Places(1), choose) == []
    add(database, 1)
    assert store.advance(News({}, {}, {}), Places(0), choose) == []
    assert asked == []


def test_of_many_who_wait_the_first_of_each_person_are_seen_first(database: QueueDatabase) -> None:
    threads = [ThreadKey("T1", "C1", f"{1_700_000_000 + number}.000100") for number in range(SEEN + 9)]
    people = ["ANA"] * (SEEN + 8) + ["BEN"]
    store, seen = TurnStore(database, "bot", lambda: NOON), list[WaitingTurn]()
    store.add([NewTurn(turn_id(key), key, person, False) for key, person in zip(threads, people, strict=True)])

    def choose(waiting: Sequence[WaitingTurn], _: Sequence[Party]) -> Sequence[WaitingTurn]:
        seen.extend(waiting)
        return ()

    store.advance(News({}, {}, {}), Places(2 * SEEN), choose)
    assert [turn.nth for turn in seen] == [1, 1, *range(2, SEEN)]


def test_a_file_that_is_no_database_says_so(tmp_path: Path, url: str) -> None:
    (tmp_path / "engine.sqlite").write_bytes(b"no database at all" * 99)
    broken = QueueDatabase(understood(url))
    with closing(broken), pytest.raises(sqlite3.DatabaseError, match="not a database"):
        broken.read("SELECT 1")


def test_without_its_driver_postgres_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtra):
        understood("postgresql://u@h/q")


def test_a_strange_file_among_bells_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "README").touch()
    (tmp_path / str(free_port())).touch()  # of a process that died
    heard, one, other = list[str](), LoopbackBell(tmp_path), LoopbackBell(tmp_path)
    one.listen(lambda: heard.append("one"))
    other.ring()
    until(lambda: heard == ["one"], what="a ring")
    one.close()
    other.close()
    assert [file.name for file in tmp_path.iterdir()] == ["README"]


def test_a_bell_on_a_server_is_heard_once_a_ring_in_one_session(server: Postgres) -> None:
    sql = f"SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query = 'LISTEN {CHANNEL}'"
    with closing(QueueDatabase(understood(server.new_database()))) as shared:
        heard, ours, theirs = list[str](), NotifyBell(shared), NotifyBell(shared)
        ours.listen(lambda: heard.append("ring"))
        until(lambda: heard, what="the bell to listen")
        session = shared.read(sql)
        theirs.ring()
        until(lambda: len(heard) > 1, what="the ring")
        assert (len(heard), len(session), shared.read(sql)) == (2, 1, session)
        ours.close()


class Tries:
    """Work in a transaction that fails."""

    def __init__(self, error: Exception) -> None:
        self.error = error
        self.count = 0

    def __call__(self, _: Transaction | None) -> None:
        self.count += 1
        raise self.error


def full() -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("disk is full")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL
    return error


def tries(database: QueueDatabase, error: Exception) -> int:
    work = Tries(error)
    with pytest.raises(type(error)):
        database.write(work)
    return work.count


def test_a_write_is_tried_again_where_the_connection_was_dead(database: QueueDatabase, server: Postgres) -> None:
    database.read("SELECT 1")
    assert tries(database, full()) == 1
    with closing(QueueDatabase(understood(server.new_database()))) as shared:
        assert tries(shared, psycopg.OperationalError("gone")) == 1
        shared.read("SELECT 1")
        assert tries(shared, psycopg.errors.UniqueViolation("twice")) == 1
        shared.read("SELECT 1")
        assert tries(shared, psycopg.OperationalError("gone")) == 2


def test_what_an_earlier_release_left_on_a_server_is_taken_over(server: Postgres, tmp_path: Path) -> None:
    with closing(QueueDatabase(understood(server.new_database()))) as shared:
        TurnStore(shared, "bot", lambda: NOON).create()
        assert adopt(shared, FileLeases(tmp_path)) == 0
        one = turn_id(thread(1))
        shared.write(lambda tx: tx.do("CREATE SCHEMA dbos"))
        for statement in filter(str.strip, OLD.replace("CREATE TABLE ", "CREATE TABLE dbos.").split(";")):
            shared.write(methodcaller("do", statement))
        row = (one, "ENQUEUED", str(thread(1)), None, 1_000, "turns")
        shared.write(lambda tx: tx.do("INSERT INTO dbos.workflow_status VALUES (?, ?, ?, ?, ?, ?)", row))
        assert adopt(shared, FileLeases(tmp_path)) == 1
        assert set(states(shared)) == {one}
