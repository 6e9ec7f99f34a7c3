"""Through an upgrade a bot of the release before works on beside the new one, on a store that is migrated under it."""

import io
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import text

from ai.memory.log.database import writing
from ai.memory.migrations import REVISION
from ai.memory.opening import open_engine
from ai.memory_store import MemoryStore
from tests.memories import THREAD, ask, said, turn
from tests.paths import ROOT
from tests.processes import bare_environment, running

NEXT = (
    "ALTER TABLE message ADD COLUMN tone VARCHAR NOT NULL DEFAULT ''",
    "ALTER TABLE query ADD COLUMN cost INTEGER",
    "CREATE TABLE tone (name VARCHAR PRIMARY KEY)",
    "UPDATE alembic_version SET version_num = '9999'",
)
NEWEST = next((ROOT / "ai" / "memory" / "migrations" / "versions").glob(f"{REVISION}_*.py"))


def test_this_code_works_on_while_the_next_release_migrates(memory: MemoryStore) -> None:
    ask(memory, 1, "how many apps?")
    with writing(memory.parts.engine) as connection:
        for statement in NEXT:
            connection.execute(text(statement))
    try:
        memory.add_sealed_reply(THREAD, turn(1), "49", {"rows": 1})
        ask(memory, 2, "what about iOS?")
        assert said(memory) == ["how many apps?", "49", "what about iOS?"]
        with memory.receipts.check() as check:
            assert list(check.problems()) == []
    finally:
        with writing(memory.parts.engine) as connection:
            undo = ("ALTER TABLE message DROP COLUMN tone", "ALTER TABLE query DROP COLUMN cost", "DROP TABLE tone")
            for statement in (*undo, f"UPDATE alembic_version SET version_num = '{REVISION}'"):
                connection.execute(text(statement))


@contextmanager
def talking(code: Path, data: Path) -> Iterator[subprocess.Popen[str]]:
    """Run a conversation in the terminal with the code of a folder."""
    environment = bare_environment(DATA_DIR=str(data), PYTHONPATH=str(code))
    command = [sys.executable, "-m", "bot", "ask", "--thread", "t1", "--json"]
    with running(command, data.parent, environment, stdin=subprocess.PIPE) as process:
        yield process


def answer(process: subprocess.Popen[str], question: str) -> str:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{question}\n")
    process.stdin.flush()
    while '"text"' not in (line := process.stdout.readline()):
        assert line, "the older release has ended"
    return line


def released_before(folder: Path) -> Path:
    """Unpack the code from before the newest step of the tables, or skip the test without a history."""
    if not shutil.which("git") or not (ROOT / ".git").exists():
        pytest.skip("there is no history here")
    git = ["git", "-C", str(ROOT)]
    log = [*git, "log", "--diff-filter=A", "--format=%H", "--", str(NEWEST)]
    added = subprocess.run(log, capture_output=True, text=True, check=False).stdout.split()
    archive = [*git, "archive", f"{added[-1] if added else 'none'}^", "ai", "bot", "config.py"]
    packed = subprocess.run(archive, capture_output=True, check=False)
    if packed.returncode:
        pytest.skip("the history does not reach back to the release before")
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as files:
        files.extractall(folder, filter="data")
    return folder


def test_the_release_before_answers_beside_this_one(tmp_path: Path) -> None:
    old, data = released_before(tmp_path / "old"), tmp_path / "data"
    with talking(old, data) as before:
        assert "49" in answer(before, "how many apps do we have?")
        open_engine(f"sqlite:///{data / 'state.sqlite'}").dispose()  # this release migrates
        assert "21" in answer(before, "what about iOS?")
        with talking(ROOT, data) as now:
            assert "Android" in answer(now, "and Android?")
        assert "21" in answer(before, "what about iOS?")
    with closing(open_engine(f"sqlite:///{data / 'state.sqlite'}").connect()) as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar() == REVISION
