"""What is said is found: by every index, and before any index knows it."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from ai.memory.log.database import writing
from ai.memory.log.tables import MESSAGE
from ai.memory.search.index import NoIndex
from ai.memory.search.recollection import Recollections, Sought
from ai.memory.search.scope import Scope
from ai.memory.search.search import Search
from ai.memory.workspaces.states import Snapshot, StateOrigin
from ai.memory.workspaces.traces import TracedCall
from ai.memory_store import MemoryStore
from ai.types import Place, ThreadKey
from tests.cases import cases
from tests.memories import NOON, THREAD, ask, opened
from tests.wait import until

KINDS = ("indexed", "waiting", "without an index", "postgres")
ELSEWHERE = replace(THREAD, channel="C2")
SAID = (
    "We decided that the Pro plan costs 49 dollars",
    "How many apps are there on iOS?",
    "Invoice INV-00314 was paid in Q3",
    "\u4eca\u5929\u6211\u4eec\u8ba8\u8bba\u4e86\u4ef7\u683c\u548c\u6536\u5165",
    "100 % of it_is 'quoted' \\ here",
    "The caf\u00e9 was busy",
    "Pricing is fixed for the year",
)


@pytest.fixture(params=KINDS)
def found_in(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[MemoryStore, Search]]:
    """A memory where everything was said, in a thread and its last words in another channel, and the search of it."""
    url = request.getfixturevalue("server").new_database() if request.param == "postgres" else None
    with ExitStack() as stack:
        memory = stack.enter_context(opened(tmp_path, url=url))
        for number, text in enumerate(SAID):
            ask(memory, number, text)
        ask(memory, 99, "Pricing of the secret zebra", ELSEWHERE)
        search = memory.search
        if request.param == "indexed":
            search.catch_up()
        if request.param == "without an index":
            search = Search(memory.parts.engine, NoIndex())
        yield memory, search


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("searches.jsonl")))
def test_a_search_finds(found_in: tuple[MemoryStore, Search], case: dict[str, Any]) -> None:
    found = found_in[1].find(case["wanted"], Scope(THREAD), 1 if case["found"] else 5)
    assert [message.content for message in found.messages] == [SAID[number] for number in case["found"]]
    assert not found.partial


def test_every_piece_of_every_text_is_found(found_in: tuple[MemoryStore, Search]) -> None:
    for scope in (Scope(THREAD), Scope(channels=frozenset({(THREAD.team, THREAD.channel)}))):
        for text in SAID:
            for start in range(0, len(text) - 5, 6):
                piece = text[start : start + 5]
                assert text in [message.content for message in found_in[1].find(piece, scope, 10).messages], piece


def test_nothing_outside_the_scope_is_found(found_in: tuple[MemoryStore, Search]) -> None:
    search = found_in[1]
    assert search.find("zebra", Scope(THREAD), around=True).hits == ()
    assert search.find("zebra", Scope(channels=frozenset({("T1", "C1"), ("T2", "C2")}))).hits == ()
    assert len(search.find("zebra", Scope(channels=frozenset({("T1", "C2")}))).hits) == 1
    assert search.find("zebra", Scope(ThreadKey("T9", "C9", "9"))).hits == ()
    assert len(search.find("pricing", Scope()).hits) == 2


def test_dates_bound_a_search(found_in: tuple[MemoryStore, Search]) -> None:
    search, second = found_in[1], timedelta(seconds=1)
    assert len(search.find("pricing", Scope(THREAD, since=NOON + 6 * second)).hits) == 1
    assert search.find("pricing", Scope(THREAD, since=NOON + 7 * second)).hits == ()
    assert search.find("pricing", Scope(THREAD, until=NOON + 6 * second)).hits == ()


def test_a_question_does_not_find_itself(found_in: tuple[MemoryStore, Search]) -> None:
    assert found_in[1].find("pricing", Scope(THREAD, except_turn="T1:C1:6")).hits == ()


def test_what_is_changed_or_deleted_is_found_no_more(found_in: tuple[MemoryStore, Search]) -> None:
    memory, search = found_in
    with writing(memory.parts.engine) as connection:
        connection.execute(MESSAGE.update().where(MESSAGE.c.content == SAID[6]).values(content="A walrus"))
        connection.execute(MESSAGE.delete().where(MESSAGE.c.content == SAID[1]))
    assert search.find("pricing", Scope(THREAD)).hits == ()
    assert search.find("iOS", Scope(THREAD)).hits == ()
    assert [hit.text for hit in search.find("walrus", Scope(THREAD)).hits] == ["A walrus"]
    search.catch_up()
    assert [hit.text for hit in search.find("walrus", Scope(THREAD)).hits] == ["A walrus"]


def test_queries_are_found_by_their_question_and_their_sql(found_in: tuple[MemoryStore, Search]) -> None:
    memory, search = found_in
    memory.store_sql_query(THREAD, "SELECT count(*) FROM walruses", "How many tusks?")
    scope = Scope(THREAD, kinds=frozenset({"query"}))
    for _ in range(2):
        assert [hit.text for hit in search.find("walruses", scope).hits] == [
            "How many tusks?\nSELECT count(*) FROM walruses"
        ]
        assert len(search.find("tusks", scope).hits) == 1
        for where in (scope, Scope(kinds=frozenset({"query"}))):
            (hit,) = search.find("tusks of the walruses", where).hits
            assert (hit.own, hit.literal) == (True, False)
        assert search.find("tusks", Scope(THREAD)).hits == ()
        search.catch_up()


def test_what_was_saved_is_found_where_it_is_seen(found_in: tuple[MemoryStore, Search]) -> None:
    memory, search = found_in
    here, recollections = Place("T1", "C1"), Recollections(search, memory.workspaces)
    memory.states.create(
        here, Snapshot("Tusks", "Caf\u00e9 walruses", "count", ("zoo",), ()), StateOrigin(THREAD, "T1:C1:1")
    )
    memory.traces.run(
        TracedCall("count_walruses", {"of": "Caf\u00e9"}, THREAD, here, "T1:C1:1"), lambda: 49, lambda n: n
    )
    for query in ("walruses", "walrus Caf\u00e9", "cafe", "alruse"):
        for place, kinds in {
            here: ["states", "traces"],
            replace(here, channel="C2"): ["states"],
            replace(here, team="T2"): [],
            replace(here, workspace="C1"): [],
        }.items():
            assert [each.type for each in recollections.search(place, Sought(query))] == kinds, (query, place)
    assert search.find("walruses", Scope()).hits == ()
    search.catch_up()
    assert [each.tool for each in recollections.search(here, Sought("walruses", ("traces",)))] == ["count_walruses"]
    assert [each.context for each in recollections.search(here, Sought("tusks"))] == [{"name": "Tusks"}]
    memory.lifecycle.forget_thread(THREAD)
    assert recollections.search(here, Sought("walruses")) == ()


def test_a_number_that_is_given_again_is_indexed_again(found_in: tuple[MemoryStore, Search]) -> None:
    memory, search = found_in
    for text in ("A walrus", "A narwhal"):
        memory.lifecycle.forget_thread(ELSEWHERE)
        ask(memory, 100, text, ELSEWHERE)
        search.catch_up()
        everywhere = [
            hit.text for animal in ("zebra", "walrus", "narwhal") for hit in search.find(animal, Scope()).hits
        ]
        assert everywhere == [text]


def test_time_that_runs_out_is_told(found_in: tuple[MemoryStore, Search]) -> None:
    late = replace(found_in[1], clock=iter(range(100)).__next__, seconds=1, chunk=2)
    assert late.find("zzz", Scope()).partial
    assert not found_in[1].find("zzz", Scope()).partial


def test_the_index_keeps_up_with_the_log(found_in: tuple[MemoryStore, Search]) -> None:
    memory, search = found_in
    with search.keeping_up():
        ask(memory, 200, "One more walrus")
        until(lambda: not search.step(), what="the index to catch up")
    assert len(search.find("walrus", Scope(THREAD)).hits) == 1
