"""Workspaces, states and traces on every database that the memory is kept in: what holds without anybody being careful."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from sqlalchemy import delete, text, update
from sqlalchemy.exc import IntegrityError

from ai.errors import NameTaken, NotFound
from ai.memory.workspaces.states import Snapshot, StateOrigin, erase
from ai.memory.workspaces.tables import ERASURE, STATE, WORKSPACE
from ai.memory.workspaces.traces import TracedCall
from ai.memory.workspaces.workspaces import Workspace
from ai.memory_store import MemoryStore, QueryOrigin
from ai.results.table import ResultColumn
from ai.types import AnsweredQuery, Place, ThreadKey
from tests.memories import THREAD, turn

HERE = Place("T1", "C1", source="shop")
BEGUN = Snapshot("Q3 revenue", "We looked at revenue.", "revenue per month", ("orders",), ("compare with Q2",))


def revenue(memory: MemoryStore) -> AnsweredQuery:
    """A query of the thread that ran, with two rows."""
    origin = QueryOrigin(THREAD, turn(1), "sql", "shop", "revenue per month", "built-in reader")
    query_id = memory.save_query(origin, "SELECT 1", "revenue", {"sum": "revenue"})
    rows = [(1,), (2,)]
    stored = memory.parts.results.write(f"q{query_id}", [ResultColumn("a")], [rows], max_rows=10, max_bytes=10_000)
    memory.finish_query(query_id, stored, 12, "2 rows")
    return memory.query(query_id)


def save(memory: MemoryStore, snapshot: Snapshot = BEGUN, place: Place = HERE, turn_id: str = "") -> None:
    memory.states.create(place, snapshot, StateOrigin(THREAD, turn_id, "U1"))


def test_a_state_comes_back_with_its_query_and_its_rows(memory: MemoryStore) -> None:
    query = revenue(memory)
    memory.states.create(HERE, BEGUN, StateOrigin(THREAD, turn(2), "U1"), query)
    memory.parts.results.delete(str(query.result))
    state = memory.states.one(HERE, "Q3 revenue")
    assert state.snapshot == BEGUN
    assert state.query is not None
    alike = replace(state.query, turn_id=query.turn_id, result=query.result, created_at=query.created_at)
    assert alike == query
    assert memory.result(state.query).rows == ((1,), (2,))
    handed_out = memory.states.hand_out(state, "q99")
    assert handed_out is not None
    assert handed_out.row_count == 2


@pytest.mark.parametrize(
    "change",
    [
        update(STATE).values(name="Q4"),
        update(STATE).values(next_steps=[]),
        update(STATE).values(query={"sql": "DROP"}),
        update(STATE).values(is_archived=True, active_task="other"),
        delete(STATE),
    ],
    ids=str,
)
def test_the_database_itself_refuses_to_change_a_state(memory: MemoryStore, change: object) -> None:
    save(memory)
    with pytest.raises(IntegrityError, match="immutable"), memory.parts.engine.begin() as connection:
        connection.execute(change)  # type: ignore[call-overload]
    assert memory.states.one(HERE, "Q3 revenue").snapshot == BEGUN


def test_a_state_is_archived_and_stays(memory: MemoryStore) -> None:
    save(memory)
    memory.states.archive(HERE, "Q3 revenue")
    assert memory.states.all(HERE) == ()
    assert memory.states.one(HERE, "Q3 revenue").is_archived
    with pytest.raises(NameTaken):
        save(memory)


def test_forgetting_is_the_one_way_past_the_trigger(memory: MemoryStore) -> None:
    memory.states.create(HERE, BEGUN, StateOrigin(THREAD), revenue(memory))
    (state,) = memory.states.all(HERE)
    with memory.parts.engine.begin() as connection:
        assert erase(connection, memory.parts.results, STATE.c.author == "") == 1
        assert connection.execute(ERASURE.select()).all() == []
    assert memory.states.all(HERE) == ()
    assert memory.parts.results.size(state.id) == 0


def test_saving_again_from_the_same_turn_changes_nothing(memory: MemoryStore) -> None:
    save(memory, turn_id=turn(1))
    save(memory, turn_id=turn(1))
    with pytest.raises(NameTaken, match='unique name like "Q3 revenue-v2"'):
        save(memory, turn_id=turn(2))


def test_of_many_who_take_a_name_at_once_one_gets_it(memory: MemoryStore) -> None:
    def attempt(_: int) -> bool:
        try:
            save(memory)
        except NameTaken:
            return False
        return True

    with ThreadPoolExecutor(8) as crowd:
        assert sum(crowd.map(attempt, range(16))) == 1


def test_a_name_is_taken_by_constraint(memory: MemoryStore) -> None:
    memory.workspaces.create(HERE, Workspace("Alpha", "", "", ""))
    row = "INSERT INTO workspace SELECT 'x', team, name, channel, description, root_folder, purpose, workflows, key_files, "
    with pytest.raises(IntegrityError), memory.parts.engine.begin() as connection:
        connection.execute(text(row + "preferences, is_archived, created_at FROM workspace WHERE name = 'Alpha'"))
    with pytest.raises(NameTaken):
        memory.workspaces.create(HERE, Workspace("Alpha", "", "", ""))


def test_the_workspace_of_a_channel_is_begun_once(memory: MemoryStore) -> None:
    with ThreadPoolExecutor(8) as crowd:
        ids = set(crowd.map(lambda _: memory.workspaces.one(HERE, "default").id, range(16)))
    assert len(ids) == 1
    with memory.parts.engine.connect() as connection:
        assert len(connection.execute(WORKSPACE.select()).all()) == 1


@pytest.mark.parametrize(
    "elsewhere",
    [
        Place("T2", "C1", source="shop"),
        Place("T1", "C1", "finance", "shop"),
        Place("T1", "D1", "D1", "shop"),
        Place("T1", "C1", source="other"),
    ],
    ids=["another team", "another workspace", "direct messages", "another data source"],
)
def test_a_state_is_not_seen_elsewhere(memory: MemoryStore, elsewhere: Place) -> None:
    save(memory)
    assert memory.states.all(elsewhere) == ()
    with pytest.raises(NotFound):
        memory.states.one(elsewhere, "Q3 revenue")
    assert memory.states.all(Place("T1", "C2", source="shop"))[0].snapshot == BEGUN


def test_direct_messages_have_a_workspace_that_nobody_else_sees(memory: MemoryStore) -> None:
    direct = Place("T1", "D1", "D1", "shop")
    memory.workspaces.create(HERE, Workspace("D1", "a trap", "", ""))
    save(memory, place=direct)
    own = memory.workspaces.one(direct, "D1")
    assert memory.states.all(Place("T1", "C1", "D1", "shop")) == ()
    assert own.description != "a trap"
    assert memory.workspaces.one(HERE, "D1").description == "a trap"
    with pytest.raises(NotFound):
        memory.workspaces.one(HERE, own.id)


def test_a_trace_keeps_the_beginning_of_a_long_result(memory: MemoryStore) -> None:
    call = TracedCall("search", {"query": "pricing"}, ThreadKey("T1", "C1", "1.1"), HERE)
    assert memory.traces.run(call, lambda: "x" * 5000, lambda found: found) == "x" * 5000
    (trace,) = memory.traces.newest(call.session)
    assert (len(trace.result), trace.call.params) == (2000, {"query": "pricing"})
    assert trace.tokens > 100
