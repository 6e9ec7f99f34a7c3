"""What is forgotten is forgotten everywhere: in the memory, among the exports, and only what was meant."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ai.agents.tools import export_folder
from ai.memory_store import MemoryStore
from ai.sql.thread_files import ThreadFiles
from bot.app import expire
from bot.inbound import Spool, key_of
from bot.setup import Forgetting, WorkspaceConfig
from tests.memories import THREAD, ask, opened, turn

KEPT = replace(THREAD, channel="C2")
WORKSPACE = WorkspaceConfig.model_validate(
    {
        "sources": {"shop": {"url": "sqlite:///shop.sqlite"}},
        "channels": {"*": {"source": "shop", "retention_days": 30}, "C2": {"source": "shop"}},
    }
)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[MemoryStore]:
    with opened(tmp_path) as store:
        for thread in (THREAD, KEPT):
            ask(store, 1, "how many apps?", thread)
            store.add_reply(thread, turn(1, thread), "49")
            store.lifecycle.shared_files.add(turn(1, thread), f"F{thread.channel}")
        yield store


@pytest.fixture
def forgetting(memory: MemoryStore, tmp_path: Path) -> Forgetting:
    for key in (THREAD, KEPT):
        folder = tmp_path / "exports" / export_folder(turn(1, key))
        folder.mkdir(parents=True)
        (folder / "apps.csv").write_text("n\n49\n", "utf-8")
    queue, spool = f"sqlite:///{tmp_path / 'engine.sqlite'}", Spool((tmp_path / "spool",))
    for key in (THREAD, KEPT):
        said = {"channel": key.channel, "thread_ts": key.thread_ts, "ts": "9.000001", "user": "U1"}
        spool.keep(key_of({"event": said}), {"event": said})
    files = ThreadFiles(tmp_path / "files", {})
    for key in (THREAD, KEPT):
        files.expect(key, turn(1, key), "U1", "F1", {})
    return Forgetting(memory, tmp_path / "exports", queue, WORKSPACE.kept_days, spool, files)


def exported(forgetting: Forgetting) -> list[str]:
    return sorted(path.parent.name for path in forgetting.exports.glob("*/*.csv"))


def spooled(forgetting: Forgetting) -> list[str]:
    return sorted(body["event"]["channel"] for body in forgetting.spool.kept())


def filed(forgetting: Forgetting) -> list[str]:
    return sorted(key.channel for key, _ in forgetting.files.kept())


def shared(memory: MemoryStore) -> list[str]:
    return [file for key in (THREAD, KEPT) for file in memory.lifecycle.shared_files.of_turn(turn(1, key))]


def test_a_thread(forgetting: Forgetting, memory: MemoryStore) -> None:
    assert forgetting.thread(THREAD).turns == (turn(1),)
    assert not memory.knows(THREAD)
    assert memory.knows(KEPT)
    assert exported(forgetting) == [export_folder(turn(1, KEPT))]
    assert spooled(forgetting) == filed(forgetting) == [KEPT.channel]
    assert shared(memory) == [f"F{KEPT.channel}"]


def test_a_person(forgetting: Forgetting, memory: MemoryStore) -> None:
    ask(memory, 2, "and on iOS?")  # without a file
    assert forgetting.person("U2").turns == ()
    assert len(spooled(forgetting)) == len(filed(forgetting)) == 2
    assert len(forgetting.person("U1").threads) == 2
    assert not memory.knows(KEPT)
    assert exported(forgetting) == []
    assert spooled(forgetting) == filed(forgetting) == []
    assert shared(memory) == []


def test_everything(forgetting: Forgetting, memory: MemoryStore) -> None:
    assert forgetting.everything().scrubbed
    assert forgetting.everything().scrubbed, "also where nothing is left"
    assert spooled(forgetting) == filed(forgetting) == []
    assert memory.parts.conversations.keys() == ()
    assert exported(forgetting) == []


def test_what_has_had_its_time_by_channel(forgetting: Forgetting, memory: MemoryStore) -> None:
    answered = memory.archives.everything(THREAD)[-1].created_at  # a turn counts from what was said last
    assert forgetting.expired(answered + timedelta(days=29)).turns == ()
    assert filed(forgetting) == [THREAD.channel, KEPT.channel]
    assert forgetting.expired(answered + timedelta(days=31)).turns == (turn(1),)
    assert not memory.knows(THREAD)
    assert memory.knows(KEPT)
    assert filed(forgetting) == [KEPT.channel]


def test_files_go_before_a_thread_that_somebody_still_writes_in(forgetting: Forgetting, memory: MemoryStore) -> None:
    memory.receive(THREAD, turn(2), "and on iOS?", "U1", said := datetime.now(UTC) + timedelta(days=20))
    forgetting.expired(said + timedelta(days=11))
    assert memory.knows(THREAD)
    assert filed(forgetting) == [KEPT.channel]


def test_files_of_a_thread_that_nobody_knows_go(forgetting: Forgetting, tmp_path: Path) -> None:
    ThreadFiles(tmp_path / "files", {}).expect(replace(KEPT, thread_ts="2.2"), "T1:C2:2.2", "U1", "F2", {})
    assert len(filed(forgetting)) == 3
    forgetting.expired(datetime.now(UTC))
    assert filed(forgetting) == [THREAD.channel, KEPT.channel]


def test_the_log_tells_how_many_turns_have_had_their_time(
    forgetting: Forgetting, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("INFO", "bot.app"):
        expire(forgetting)
        expire(replace(forgetting, kept_days=lambda _: 1e-9))
    assert caplog.messages == ["forgot 2 turns that have had their time"]


def test_a_chat_over_http_is_kept_as_long_as_the_channel_beside_it() -> None:
    assert [WORKSPACE.kept_days(name) for name in ("C1", "C2", "http:U1:C2", "http:U1:C1")] == [30, None, None, 30]


def test_files_that_nobody_fetched_go_after_a_day(forgetting: Forgetting, memory: MemoryStore) -> None:
    said = memory.archives.everything(KEPT)[-1].created_at
    forgetting.expired(said + timedelta(hours=23))
    assert len(exported(forgetting)) == 2
    forgetting.expired(said + timedelta(days=2))
    assert exported(forgetting) == []
    assert memory.knows(THREAD)
