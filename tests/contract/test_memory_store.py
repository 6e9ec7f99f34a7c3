"""What turns rely on, of every way to open a memory."""

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from sqlalchemy import insert, inspect

from ai.errors import NoResult
from ai.memory.limits import MemoryLimits
from ai.memory.log import threads
from ai.memory.log.database import reading, writing
from ai.memory.log.tables import INSET
from ai.memory_store import MemoryStore, QueryOrigin
from ai.results.store import ResultStore
from ai.results.table import ResultColumn
from ai.types import AskedBack, Declined, DraftQuery, FailedQuery, Json, ThreadKey
from tests.fakes import PowerCut
from tests.memories import NOON, THREAD, ask, opened, said, turn
from tests.paths import ROOT
from tests.postgres import Postgres

COUNT = [ResultColumn("COUNT(*)", "INTEGER")]


@pytest.fixture(scope="module")
def on_postgres(server: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryStore]:
    with opened(tmp_path_factory.mktemp("memory"), url=server.new_database()) as store:
        yield store


@pytest.fixture(params=["file", "ram", "postgres"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MemoryStore]:
    """An empty memory; that on PostgreSQL is emptied by forgetting everything."""
    if request.param == "postgres":
        store: MemoryStore = request.getfixturevalue("on_postgres")
        yield store
        store.lifecycle.forget_everything()
        return
    is_ram = request.param == "ram"  # one connection: rows inside are written and deleted with what names them
    with opened(tmp_path, url="sqlite://" if is_ram else None, rows="database" if is_ram else "folder") as store:
        yield store


def origin(number: int, question: str = "how many apps do we have?") -> QueryOrigin:
    return QueryOrigin(THREAD, turn(number), "sql", "demo", question, "built-in reader")


def propose(memory: MemoryStore, number: int, question: str = "how many apps do we have?") -> int:
    meaning: Json = {"count": "app_portfolio", "filters": []}
    return memory.save_query(
        origin(number, question), "SELECT COUNT(*) FROM app_portfolio", "the number of apps", meaning
    )


def finish(memory: MemoryStore, query_id: int, value: int = 49) -> None:
    results: ResultStore = memory.parts.results
    stored = results.write(f"q{query_id}", COUNT, [[(value,)]], max_rows=10, max_bytes=1_000_000)
    memory.finish_query(query_id, stored, 12, str(value))


def test_a_question_is_logged_once(memory: MemoryStore) -> None:
    assert ask(memory, 1, "how many apps?")
    assert not ask(memory, 1, "how many apps?")
    assert said(memory) == ["how many apps?"]


def test_what_is_written_together_is_there_as_a_whole_or_not_at_all(memory: MemoryStore) -> None:
    ask(memory, 1, "one")
    with memory.parts.conversations.together():
        ask(memory, 1, "one")  # a question that is known spoils nothing
        ask(memory, 2, "two")
        assert memory.question(turn(2)) is not None
    with suppress(PowerCut), memory.parts.conversations.together():
        ask(memory, 3, "three")
        raise PowerCut
    assert said(memory) == ["one", "two"]


def test_a_logged_question_is_found_as_it_was_said(memory: MemoryStore) -> None:
    berlin = timezone(timedelta(hours=1))
    memory.receive(THREAD, turn(1), "wie viele 🎉?", "U1", datetime(2026, 1, 7, 13, tzinfo=berlin))
    found = memory.question(turn(1))
    assert found is not None
    assert (found.thread, found.seq, found.turn_id, found.role) == (THREAD, 1, turn(1), "user")
    assert (found.content, found.author, found.created_at) == ("wie viele 🎉?", "U1", NOON)
    assert found.created_at.tzinfo is UTC
    assert found.tokens > 0
    assert memory.question("unknown") is None


def test_a_thread_is_known_from_its_first_message_on(memory: MemoryStore) -> None:
    assert not memory.knows(THREAD)
    ask(memory, 1, "hello")
    assert memory.knows(THREAD)
    assert not memory.knows(ThreadKey("T1", "C2", THREAD.thread_ts))


def test_a_thread_knows_of_lines_from_an_archive_while_it_is_written_too(memory: MemoryStore) -> None:
    ask(memory, 1, "hello")
    placed = {"handle": "mem://a", "after_turn_seq": 0, "after_seq": 0, "rank": 1, "inside": ""}
    with writing(memory.parts.engine) as connection:
        known = threads.claim(connection, THREAD)
        assert not known.archives
        connection.execute(insert(INSET).values(id=known.id + 100, thread_id=known.id, **placed))
        assert threads.claim(connection, THREAD).archives


def test_a_part_of_a_reply_is_logged_once(memory: MemoryStore) -> None:
    ask(memory, 1, "how many apps?")
    for _ in range(2):
        memory.add_reply(THREAD, turn(1), "49")
        memory.add_reply(THREAD, turn(1), "Ask me more.", part="hint")
    assert said(memory) == ["how many apps?", "49", "Ask me more."]


def test_turns_are_told_in_the_order_of_their_questions(memory: MemoryStore) -> None:
    ask(memory, 1, "first")
    ask(memory, 2, "second")
    memory.add_reply(THREAD, turn(2), "answer to the second")
    memory.add_reply(THREAD, turn(1), "answer to the first")
    assert said(memory) == ["first", "answer to the first", "second", "answer to the second"]


def test_a_turn_sees_what_was_said_before_it_and_nothing_later(memory: MemoryStore) -> None:
    for number in (1, 2, 3):
        ask(memory, number, f"question {number}")
    memory.add_reply(THREAD, turn(1), "answer 1")
    assert said(memory, before=1) == []
    assert said(memory, before=2) == ["question 1", "answer 1"]
    assert said(memory, before=3) == ["question 1", "answer 1", "question 2"]


def test_a_turn_that_is_folded_by_now_still_sees_what_was_before_it(memory: MemoryStore) -> None:
    for number in range(1, 31):
        ask(memory, number, f"question {number}")
    assert said(memory, before=3) == ["question 1", "question 2"]
    early = said(memory, before=15)
    assert len(early) <= 10
    assert early[-1] == "question 14"
    assert early[0].startswith("User asked: question 1...")
    memory.add_reply(THREAD, turn(1), "a late answer")
    assert said(memory)[0].startswith("User asked: question 1... Response: a late answer...")


def test_an_unknown_turn_sees_everything(memory: MemoryStore) -> None:
    ask(memory, 1, "hello")
    assert said(memory, before=99) == ["hello"]


def test_a_cleared_thread_is_empty_and_its_log_is_not(memory: MemoryStore) -> None:
    for number in range(1, 13):
        ask(memory, number, f"question {number}")
    memory.clear(THREAD)
    assert said(memory) == []
    assert memory.knows(THREAD)
    assert memory.question(turn(1)) is not None
    ask(memory, 13, "again")
    assert said(memory) == ["again"]


def test_a_proposal_is_kept_once_and_comes_back_whole(memory: MemoryStore) -> None:
    ask(memory, 1, "how many apps do we have?")
    query_id = propose(memory, 1)
    assert propose(memory, 1, question="something else") == query_id
    query = memory.outcome(query_id)
    assert isinstance(query, DraftQuery)
    assert (query.thread, query.turn_id, query.source) == (THREAD, turn(1), "demo")
    assert (query.question, query.reading) == ("how many apps do we have?", "the number of apps")
    assert (query.meaning, query.analyst) == ({"count": "app_portfolio", "filters": []}, "built-in reader")
    with pytest.raises(NoResult, match="gave no result"):
        memory.query(query_id)


def test_a_question_back_and_a_refusal_come_back_whole(memory: MemoryStore) -> None:
    for _ in range(2):
        asked = memory.save_question_back(origin(1), "Which date?", ["order date", "ship date"])
        declined = memory.save_refusal(origin(2), "There is no weather here.", ())
    asked_back, refusal = memory.outcome(asked), memory.outcome(declined)
    assert isinstance(asked_back, AskedBack)
    assert isinstance(refusal, Declined)
    assert (asked_back.text, asked_back.options) == ("Which date?", ("order date", "ship date"))
    assert (refusal.reason, refusal.suggestions) == ("There is no weather here.", ())
    assert (refusal.thread, refusal.turn_id, refusal.question) == (THREAD, turn(2), "how many apps do we have?")


def test_the_words_and_the_receipt_of_a_turn_are_kept_once(memory: MemoryStore) -> None:
    for number in (1, 2):
        memory.answers.keep_phrasing(THREAD, turn(1), f"There are {number} \x00apps.")
        memory.receipts.keep(THREAD, turn(1), {"seal": f"{number}"})
    assert memory.answers.phrasing(turn(1)) == "There are 1 \x00apps."
    kept = memory.receipts.of_turn(turn(1))
    assert kept is not None
    assert (kept.fields, kept.problems) == ({"seal": "1"}, ())
    assert memory.receipts.of_turn(turn(2)) is None
    with pytest.raises(NoResult, match="words"):
        memory.answers.phrasing(turn(2))


def test_a_finished_query_has_its_rows(memory: MemoryStore) -> None:
    query_id = propose(memory, 1)
    finish(memory, query_id)
    query = memory.query(query_id)
    assert (query.row_count, query.truncated) == (1, False)
    assert (query.headline, query.elapsed_ms) == ("49", 12)
    assert memory.result(query).rows == ((49,),)
    assert list(memory.parts.results.batches(str(query.result))) == [[(49,)]]


def test_only_queries_that_ran_are_told(memory: MemoryStore) -> None:
    propose(memory, 1)
    failed = propose(memory, 2)
    memory.save_question_back(origin(3), "Which date?", ())
    memory.save_refusal(origin(4), "There is no weather here.", ())
    memory.fail_query(failed, "no such table: apps")
    assert memory.queries(THREAD) == ()
    assert memory.find_query(THREAD, None).query is None
    query = memory.outcome(failed)
    assert isinstance(query, FailedQuery)
    assert query.problem == "no such table: apps"


def test_queries_are_told_newest_first_and_as_of_a_turn(memory: MemoryStore) -> None:
    for number in (1, 2, 3):
        ask(memory, number, f"question {number}")
    for number in (2, 1, 3):
        finish(memory, propose(memory, number, question=f"question {number}"))
    assert [query.turn_id for query in memory.queries(THREAD)] == [turn(3), turn(2), turn(1)]
    assert [query.turn_id for query in memory.queries(THREAD, limit=2)] == [turn(3), turn(2)]
    assert [query.turn_id for query in memory.queries(THREAD, before_turn=turn(3))] == [turn(2), turn(1)]


def test_rows_of_the_newest_ten_are_kept_and_sql_for_good(memory: MemoryStore) -> None:
    ids = []
    for number in range(1, 13):
        ids.append(propose(memory, number, question=f"question {number}"))
        finish(memory, ids[-1])
    everything = memory.queries(THREAD, limit=100)
    assert len(everything) == 12
    assert [query.result is not None for query in everything] == [True] * 10 + [False] * 2
    with pytest.raises(NoResult, match="no longer kept"):
        memory.result(memory.query(ids[0]))
    assert memory.find_query(THREAD, "question 1").query == memory.query(ids[0])


def test_rows_beyond_the_bytes_of_a_thread_go_oldest_first(tmp_path: Path) -> None:
    with opened(tmp_path, MemoryLimits(result_bytes=1)) as memory:
        for number in range(2):
            finish(memory, propose(memory, number))
        newest, older = memory.queries(THREAD)
        assert (older.result, older.row_count) == (None, 1)
        assert memory.result(newest).row_count == 1


def test_an_unknown_query_is_said_to_be_gone(memory: MemoryStore) -> None:
    with pytest.raises(NoResult, match="q77"):
        memory.query(77)


def test_what_is_not_described_by_any_query_gives_the_closest(memory: MemoryStore) -> None:
    for number in range(1, 6):
        finish(memory, propose(memory, number, question=f"revenue of app {number}"))
    match = memory.find_query(THREAD, "churn by cohort")
    assert match.query is None
    assert len(match.candidates) == 3


def test_a_summary_tells_what_the_query_found(memory: MemoryStore) -> None:
    ask(memory, 1, "how many apps do we have?")
    query_id = propose(memory, 1)
    finish(memory, query_id)
    memory.add_reply(THREAD, turn(1), "There are 49 apps.")
    for number in range(2, 12):
        ask(memory, number, f"question {number}")
    line = said(memory)[0]
    told = f"User asked: how many apps do we have?... Response: There are 49 apps.... [q{query_id}: 1 row; 49]"
    assert line.startswith(told)


@pytest.mark.parametrize(
    "text", ["", " ", "'; DROP TABLE message; --", "naïve 我们 🎉\r\n\t", "a\x00b", "x" * 100_000, "<|endoftext|>"]
)
def test_any_text_comes_back_as_it_was(memory: MemoryStore, text: str) -> None:
    memory.receive(THREAD, turn(1), text, "U1", NOON)
    found = memory.question(turn(1))
    assert found is not None
    assert found.content == text


def test_half_a_character_is_replaced(memory: MemoryStore) -> None:
    memory.receive(THREAD, turn(1), "broken \ud83d end", "U1", NOON)
    assert said(memory) == ["broken ? end"]


def test_threads_of_one_process_append_to_one_thread(memory: MemoryStore) -> None:
    with ThreadPoolExecutor(8) as pool:
        fresh = list(pool.map(lambda number: ask(memory, number % 50, f"question {number % 50}"), range(100)))
    assert sum(fresh) == 50
    logged = [memory.question(turn(number)) for number in range(50)]
    assert sorted(message.seq for message in logged if message) == list(range(1, 51))


WRITER = """
import sys
from pathlib import Path
from tests.memories import ask, opened
with opened(Path(sys.argv[1])) as memory:
    for number in range(int(sys.argv[2]), int(sys.argv[2]) + 40):
        ask(memory, number, f"question {number}")
"""


def test_processes_append_to_one_thread_and_migrate_one_store(tmp_path: Path) -> None:
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path), str(first)], cwd=ROOT) for first in (0, 20, 40)
    ]
    assert [writer.wait(100) for writer in writers] == [0, 0, 0]
    with opened(tmp_path, MemoryLimits(trigger_ratio=0)) as memory:
        history = memory.history(THREAD)
    assert [message.seq for message in history] == list(range(1, 81))
    assert {message.turn_id for message in history} == {turn(number) for number in range(80)}


ENDLESS = """
import sys
from itertools import count
from pathlib import Path
from tests.memories import ask, opened
with opened(Path(sys.argv[1])) as memory:
    for number in count():
        ask(memory, number, f"question {number}")
        print(number, flush=True)
"""


def test_what_was_logged_before_a_kill_is_there_and_whole(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", ENDLESS, str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        acknowledged = [int(writer.stdout.readline()) for _ in range(25)]
        writer.kill()
    with opened(tmp_path) as memory:
        assert all(memory.question(turn(number)) for number in acknowledged)
        assert len(memory.history(THREAD)) <= 10
    with opened(tmp_path, MemoryLimits(trigger_ratio=0)) as memory:
        history = memory.history(THREAD)
        assert [message.seq for message in history] == list(range(1, len(history) + 1))
        assert ask(memory, 10_000, "after the kill")


def test_an_edit_and_a_deletion_reach_everything(memory: MemoryStore) -> None:
    for number in range(1, 4):
        ask(memory, number, f"question {number}")
        memory.add_reply(THREAD, turn(number), f"answer {number}")
    finish(memory, propose(memory, 2, question="question 2"))
    memory.windows.read(THREAD)
    assert memory.lifecycle.change(turn(1), "better worded", NOON)
    assert not memory.lifecycle.change(turn(1), "better worded", NOON)
    assert memory.lifecycle.take_back(turn(2), NOON)
    assert not memory.lifecycle.take_back(turn(2), NOON)
    told = ["better worded", "answer 1", "answer 2", "question 3", "answer 3"]
    assert said(memory) == [message.content for message in memory.windows.read(THREAD).messages] == told
    assert memory.question(turn(2)) is None
    assert [query.question for query in memory.queries(THREAD)] == [""]
    assert memory.windows.get_memory_stats(THREAD).total_tokens == sum(m.tokens for m in memory.history(THREAD))
    assert not memory.receive(THREAD, turn(2), "question 2", "U1", NOON), "Slack brings the event again"


def test_a_thread_is_forgotten_and_others_are_not(memory: MemoryStore) -> None:
    other = ThreadKey("T1", "C2", THREAD.thread_ts)
    ask(memory, 1, "here", other)
    ask(memory, 1, "there")
    query_id = propose(memory, 1)
    finish(memory, query_id)
    memory.windows.read(THREAD)
    forgotten = memory.lifecycle.forget_thread(THREAD)
    assert (forgotten.threads, forgotten.turns, forgotten.scrubbed) == ((THREAD,), (turn(1),), True)
    assert not memory.knows(THREAD)
    assert memory.windows.read(THREAD).messages == ()
    assert not list(memory.parts.results.root.glob("*.arrow"))
    with pytest.raises(NoResult):
        memory.query(query_id)
    assert said(memory, other) == ["here"]
    assert memory.lifecycle.forget_thread(THREAD).turns == ()


def test_no_row_of_any_table_holds_what_was_forgotten(memory: MemoryStore) -> None:
    ask(memory, 1, "zebrafish one")
    memory.add_reply(THREAD, turn(1), "zebrafish answer")
    ask(memory, 2, "zebrafish two")
    handle = memory.archives.store(THREAD, 0, 1, summary="zebrafish").handle
    memory.archives.restore(THREAD, handle, replace_with="zebrafish note")
    memory.store_sql_query(THREAD, "SELECT 'zebrafish'", "zebrafish?", {"success": True, "data": [{"a": "zebrafish"}]})
    keep_answer(memory, 2, "zebrafish")
    while memory.search.step():
        pass
    assert {"message", "segment", "query", "phrasing", "receipt"} <= tables_with(memory, "zebrafish")
    memory.lifecycle.forget_thread(THREAD)
    assert tables_with(memory, "zebrafish") == set()


@pytest.mark.parametrize("how", ["answer", "question"])
def test_a_question_that_is_edited_or_taken_back_takes_the_words_of_its_answer_with_it(
    memory: MemoryStore, how: str
) -> None:
    ask(memory, 1, "how many apps do we have?")
    ask(memory, 2, "another question")
    keep_answer(memory, 1, "zebrafish")
    if how == "answer":
        assert memory.lifecycle.withdraw_answer(turn(1))
    else:
        assert memory.lifecycle.take_back(turn(1), NOON)
        assert memory.answers.phrasing(turn(1)) == ""
    assert memory.receipts.of_turn(turn(1)) is None
    assert tables_with(memory, "zebrafish") == set()


def keep_answer(memory: MemoryStore, number: int, word: str) -> None:
    """A question back, a model's words and a receipt, all with the word in them."""
    memory.save_question_back(origin(number), f"Which {word}?", [f"the {word}"])
    memory.answers.keep_phrasing(THREAD, turn(number), f"There is 1 {word}.")
    memory.receipts.keep(THREAD, turn(number), {"sql": f"SELECT '{word}'"})


def tables_with(memory: MemoryStore, word: str) -> set[str]:
    """The tables that have the word in any column of any row; the index of SQLite cannot be listed, and is not."""
    with reading(memory.parts.conversations.engine) as connection:
        listed = [name for name in inspect(connection).get_table_names() if name != "search"]
        rows = {name: connection.exec_driver_sql(f'SELECT * FROM "{name}"').all() for name in listed}
    return {name for name in listed if word in repr(rows[name])}


def test_a_person_is_forgotten_in_the_midst_of_others(memory: MemoryStore) -> None:
    for number in range(1, 9):
        author = "U2" if number in (2, 5) else "U1"
        memory.receive(THREAD, turn(number), f"question {number}", author, NOON)
        memory.add_reply(THREAD, turn(number), f"answer {number}")
    archive = memory.archives.store(THREAD, 2, 5, summary="the second question")
    gone = memory.lifecycle.forget_person("U2")
    assert set(gone.turns) == {turn(2), turn(5)}
    everything = memory.archives.everything(THREAD)
    assert [m.content for m in everything] == [f"{w} {n}" for n in (1, 3, 4, 6, 7, 8) for w in ("question", "answer")]
    assert [m.content for _, m in memory.archives.load(THREAD, archive.handle).messages] == ["question 3", "answer 3"]
    assert not any("second" in text or "question 2" in text for text in said(memory))
    assert memory.windows.get_memory_stats(THREAD).total_tokens == sum(message.tokens for message in everything)


def test_channels_keep_as_long_as_they_say(memory: MemoryStore) -> None:
    short, long = ThreadKey("T1", "SHORT", "1.1"), ThreadKey("T1", "LONG", "1.1")
    for thread in (short, long):
        for number, days in enumerate((40, 2), 1):
            memory.receive(thread, turn(number, thread), f"{days} days old", "U1", NOON - timedelta(days=days))
    assert len(memory.lifecycle.expire({"SHORT": 30.0}.get, NOON).turns) == 1
    assert (said(memory, short), said(memory, long)) == (["2 days old"], ["40 days old", "2 days old"])
    assert set(memory.lifecycle.expire(lambda _: 1, NOON).threads) == {short, long}
    assert not memory.knows(short)


def test_nothing_crosses_threads_of_the_same_ts(memory: MemoryStore) -> None:
    keys = [ThreadKey(team, channel, "1.1") for team in ("T1", "T2") for channel in ("C1", "C2", "")]
    for place, key in enumerate(keys):
        ask(memory, place, f"only {key}", key)
    for key in keys:
        assert said(memory, key) == [f"only {key}"]
        assert [message.content for message in memory.windows.read(key).messages] == [f"only {key}"]
    assert said(memory, ThreadKey("", "", "1.1")) == []


def test_archives_windows_and_views_show_the_same_conversation(memory: MemoryStore) -> None:
    for number in range(1, 11):
        ask(memory, number, f"question {number}")
        memory.add_reply(THREAD, turn(number), f"answer {number}")
    before = memory.archives.history(THREAD)
    archive = memory.archives.store(THREAD, 3, 16)
    window = memory.windows.read(THREAD)
    assert window.messages == memory.archives.history(THREAD)
    assert [message.turn_id for message in window.messages].count(archive.handle) == 1
    assert [message.content for message in memory.history(THREAD)][-3:] == ["answer 9", "question 10", "answer 10"]
    assert archive.handle in {message.turn_id for message in memory.history(THREAD)}
    memory.archives.restore(THREAD, archive.handle, index=3, remove_placeholder=True)
    assert memory.archives.history(THREAD) == before


def test_an_automatic_archive_gives_what_its_list_says(memory: MemoryStore) -> None:
    key = replace(THREAD, channel="kept word")
    listed: list[tuple[str, int]] = []
    for number in range(1, 41):
        ask(memory, number, f"question {number}", key)
        memory.add_reply(key, turn(number, key), f"answer {number}")
        if number == 20:
            memory.archives.store(key, 4, 9, auto=True)
        if number == 30:
            memory.clear(key)
        listed += [
            (one.placeholder.handle, one.placeholder.messages)
            for one in memory.archives.list(key)
            if one.kind == "auto"
        ]
    handles = dict(listed)
    assert len(handles) > 10
    for handle, messages in handles.items():
        assert len(memory.archives.load(key, handle).messages) == messages
    (first, messages), *_ = handles.items()
    for _ in range(2):
        assert memory.archives.restore(key, first).messages == messages
    assert len(memory.archives.load(key, first).messages) == messages


def test_what_is_folded_ends_where_the_view_begins(memory: MemoryStore) -> None:
    key = replace(THREAD, channel="folded")
    said = [text for number in range(1, 9) for text in (f"question {number}", f"answer {number}")]
    for number in range(1, 9):
        ask(memory, number, f"question {number}", key)
        memory.add_reply(key, turn(number, key), f"answer {number}")
    (folded,) = (one.placeholder.handle for one in memory.archives.list(key) if one.kind == "auto")
    held = [message.content for _, message in memory.archives.load(key, folded).messages]
    shown = [message.content for message in memory.history(key) if message.content in said]
    assert len(held) > 2
    assert held + shown == said
