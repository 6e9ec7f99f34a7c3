"""Processes are killed while they write to the memory: what was acknowledged is there once, and all of it fits together."""

import json
import subprocess
import sys
from collections import Counter
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import select

from ai.errors import UserError
from ai.memory.log.database import reading
from ai.memory.log.tables import MESSAGE, THREAD
from ai.memory_store import MemoryStore
from config import child_environment
from tests.e2e.memory_process import Step, do, handles
from tests.memories import THREAD as KEY
from tests.memories import opened
from tests.wait import until

ROOT = Path(__file__).parents[2]
KINDS = ["ask", "reply", "reply", "edit", "take back", "store", "store", "restore", "unarchive", "prune", "forget"]
WEIGHTS = [8, 8, 8, 2, 1, 6, 6, 4, 4, 1, 0.3]


def start(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.e2e.memory_process", str(folder), *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True, env=child_environment())


def end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()


def assert_whole(memory: MemoryStore) -> None:
    """The places are without a gap, and the sums are those of the messages."""
    with reading(memory.parts.conversations.engine) as connection:
        rows = connection.execute(select(MESSAGE).order_by(MESSAGE.c.seq)).all()
        kept = connection.execute(select(THREAD)).one_or_none()
    assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
    assert [row.cum_tokens for row in rows] == list(accumulate(row.tokens for row in rows))
    counted = (0, 0) if kept is None else (kept.last_seq, kept.tokens)
    assert counted == (len(rows), sum(row.tokens for row in rows))


class Writers:
    """Processes that append to one thread, each started again when it was killed."""

    def __init__(self, folder: Path, writers: int, each: int) -> None:
        self._folder, self._each = folder, each
        self._running = {f"w{number}": self._start(f"w{number}") for number in range(writers)}

    def kill(self, random: Random) -> None:
        writer = random.choice(sorted(self._running))
        end(self._running[writer])
        self._running[writer] = self._start(writer)

    def noted(self) -> list[str]:
        return [line for file in self._folder.glob("*.noted") for line in file.read_text("utf-8").splitlines()]

    def finish(self) -> None:
        for process in self._running.values():
            process.communicate()
            assert process.returncode == 0

    def end(self) -> None:
        for process in self._running.values():
            end(process)

    def _start(self, writer: str) -> subprocess.Popen[str]:
        return start(self._folder, "append", writer, str(self._each))


def append_under_fire(folder: Path, writers: int, each: int, kills: int) -> None:
    random = Random(4)
    with opened(folder) as memory:
        team = Writers(folder, writers, each)
        try:
            for number in sorted(random.sample(range(writers * each * 9 // 10), kills)):
                until(lambda least=number: len(team.noted()) >= least, timeout=300)  # type: ignore[misc]
                team.kill(random)
            team.finish()
        finally:
            team.end()
        logged = Counter((message.turn_id, message.role) for message in memory.archives.everything(KEY))
        noted = {tuple(line.split()) for line in team.noted()}
        assert {(turn, "question" if role == "user" else "answer") for turn, role in logged} == noted
        assert len(noted) == writers * each
        assert set(logged.values()) == {1}
        assert_whole(memory)


def test_three_writers_are_killed_and_nothing_is_lost_or_doubled(tmp_path: Path) -> None:
    append_under_fire(tmp_path, writers=3, each=60, kills=6)


@pytest.mark.deep
@pytest.mark.timeout(1800)
def test_eight_writers_are_killed_a_hundred_times(tmp_path: Path) -> None:
    append_under_fire(tmp_path, writers=8, each=1000, kills=100)


def state(memory: MemoryStore) -> dict[str, Any]:
    """All that can be seen of the thread; archives by their order, since their handles are drawn."""
    known = {handle: f"archive {number}" for number, handle in enumerate(handles(memory))}

    def plain(text: str) -> str:
        for handle, name in known.items():
            text = text.replace(handle, name)
        return text

    return {
        "log": [(m.seq, m.turn_id, m.content, m.tokens) for m in memory.archives.everything(KEY)],
        "shown": [plain(message.content) for message in memory.archives.history(KEY)],
        "window": [plain(message.content) for message in memory.windows.read(KEY, 10**9).messages],
        "archives": {name: loaded(memory, handle) for handle, name in known.items()},
    }


def loaded(memory: MemoryStore, handle: str) -> list[str] | None:
    try:
        return [message.content for _, message in memory.archives.load(KEY, handle).messages]
    except UserError:
        return None  # pruned, or all that it held was taken back


class Victim:
    """A process that does steps, and is there again after it was killed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._process: subprocess.Popen[str] | None = None

    def step(self, step: Step, moment: int | None) -> bool:
        """Whether the step was acknowledged."""
        if self._process is None:
            self._process = start(self._folder, "steps")
            assert self._told() == "ready\n"
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps([*step, moment]) + "\n")
        self._process.stdin.flush()
        if self._told() == "done\n":
            return True
        self.end()
        return False

    def end(self) -> None:
        if self._process is not None:
            end(self._process)
            self._process = None

    def _told(self) -> str:
        assert self._process is not None
        assert self._process.stdout is not None
        return self._process.stdout.readline()


def die_between_steps(folder: Path, seed: int, steps: int) -> None:
    """A second memory that nobody kills says what each step does: the first one has it done, or not."""
    random = Random(seed)
    victim = Victim(folder)
    with opened(folder) as memory, opened(folder / "twin", url="sqlite://") as twin:
        try:
            for _ in range(steps):
                step = random.choices(KINDS, WEIGHTS)[0], random.randrange(6), random.randrange(6)
                moment = random.choice([None, None, None, random.randrange(1, 40), random.randrange(1, 400)])
                before = state(twin)
                do(twin, step)
                if not victim.step(step, moment):
                    assert state(memory) in (before, state(twin)), step
                    if state(memory) != state(twin):
                        do(memory, step)
                assert state(memory) == state(twin), step
                assert_whole(memory)
        finally:
            victim.end()


@pytest.mark.parametrize("seed", [1, 2])
def test_a_process_dies_within_any_step(tmp_path: Path, seed: int) -> None:
    die_between_steps(tmp_path, seed, steps=15)


@pytest.mark.deep
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", range(10, 20))
def test_a_process_dies_within_any_of_many_steps(tmp_path: Path, seed: int) -> None:
    die_between_steps(tmp_path, seed, steps=100)
