"""Events kept in files: what is no folder of ours, has no room or cannot be read is passed over aloud."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from ai.types import ThreadKey
from bot.inbound import Spool
from bot.inbound.spool import key_of, spool_for

BODY = {"event": {"type": "app_mention", "channel": "C1", "ts": "1.1"}}
LONG = {"event": {"text": "x" * 100_001}}


@pytest.fixture
def spool(tmp_path: Path) -> Spool:
    """A spool with one event."""
    kept = Spool((tmp_path / "spool",))
    kept.keep("one", BODY)
    return kept


def opened(folder: Path) -> None:
    folder.chmod(0o755)


def linked(folder: Path) -> None:
    folder.rename(folder.with_name("elsewhere"))
    folder.symlink_to(folder.with_name("elsewhere"))


@pytest.mark.parametrize("changed", [opened, linked])
def test_a_folder_that_others_may_enter_is_not_used(spool: Spool, changed: Callable[[Path], None]) -> None:
    changed(spool.folders[0])
    with pytest.raises(OSError, match="belongs to somebody else"):
        spool.keep("two", BODY)
    assert list(spool.kept()) == []


@pytest.mark.skipif(os.getuid() != 0, reason="only root gives a folder to somebody else")
def test_a_folder_of_somebody_else_is_not_used(spool: Spool) -> None:
    os.chown(spool.folders[0], 65534, -1)
    with pytest.raises(OSError, match="belongs to somebody else"):
        spool.keep("two", BODY)
    assert list(spool.kept()) == []


def test_a_full_folder_takes_no_more(spool: Spool) -> None:
    spool = Spool(spool.folders, most_files=2)
    spool.keep("two", BODY)
    with pytest.raises(OSError, match="no room"):
        spool.keep("three", BODY)
    assert len(list(spool.kept())) == 2


def test_an_event_that_is_too_long_is_not_kept(spool: Spool) -> None:
    with pytest.raises(OSError, match="too long"):
        spool.keep("two", LONG)
    assert list(spool.kept()) == [BODY]


def test_what_cannot_be_written_is_told_and_leaves_nothing(spool: Spool) -> None:
    (spool.folders[0] / "two.json" / "in the way").mkdir(parents=True)
    with pytest.raises(OSError, match="two"):
        spool.keep("two", BODY)
    assert not list(spool.folders[0].glob("*.new"))


def test_what_cannot_be_read_is_passed_over(spool: Spool, caplog: pytest.LogCaptureFixture) -> None:
    (spool.folders[0] / "a.json").symlink_to("gone")
    (spool.folders[0] / "b.json").mkdir()
    (spool.folders[0] / "c.json").write_text("{")
    assert list(spool.kept()) == [BODY]
    assert caplog.text.count("remove it by hand") == 2


@pytest.mark.parametrize(
    "said",
    [
        {"user": "U1", "ts": "2.2"},
        {"subtype": "message_changed", "message": {"user": "U1", "ts": "2.2"}},
        {"subtype": "message_deleted", "previous_message": {"user": "U1", "ts": "2.2"}},
    ],
)
def test_what_a_person_wrote_edited_or_deleted_is_forgotten_with_them(spool: Spool, said: dict[str, object]) -> None:
    body = {"event": {"type": "message", "channel": "C1", **said}}
    spool.keep(key_of(body), body)
    spool.forget_person("U2")
    spool.forget_thread(ThreadKey("T", "C2", "2.2"))
    assert len(list(spool.kept())) == 2
    spool.forget_person("U1")
    assert list(spool.kept()) == [BODY]
    spool.keep(key_of(body), body)
    spool.forget_thread(ThreadKey("T", "C1", "2.2"))
    assert list(spool.kept()) == [BODY]


def test_no_folder_holds_nothing(tmp_path: Path) -> None:
    assert list(Spool((tmp_path / "none",)).kept()) == []


@pytest.mark.parametrize(("memory", "places"), [("here", 2), ("nowhere", 1)])
def test_only_another_disk_and_a_memory_that_is_there_are_used(tmp_path: Path, memory: str, places: int) -> None:
    (tmp_path / "here").mkdir()
    folders = spool_for(tmp_path, (tmp_path / "nowhere", tmp_path), tmp_path / memory).folders
    assert folders[0] == tmp_path / "spool"
    assert len(folders) == places
