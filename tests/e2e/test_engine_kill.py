"""Whatever dies, an accepted question is answered once, with each of its steps done once: real processes, kill -9."""

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest

from bot.engine.database import QueueDatabase, understood
from tests.paths import ROOT
from tests.wait import until

# Three threads of one channel; the seconds of a question's ts name its thread.
A1, A2, A3 = "T1:C1:1700000001.000100", "T1:C1:1700000001.000200", "T1:C1:1700000001.000300"
B1, C1 = "T1:C1:1700000002.000100", "T1:C1:1700000003.000100"
RELEASED = (
    "ai/__init__.py",
    "ai/types.py",
    "ai/errors.py",
    "ai/stopping.py",
    "ai/files",
    "ai/language",  # what the people in bot/people speak
    "bot/__init__.py",
    "bot/inbound",
    "bot/people",
    "bot/engine",
    "tests/__init__.py",
)
RELEASED_FOR_TESTS = ("tests/wait.py", "tests/e2e/engine_process.py")


@dataclass
class Bots:
    """The processes of one test, which share a folder."""

    folder: Path
    url: str
    running: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start(self, *questions: str, workers: int = 4, release: Path = ROOT) -> subprocess.Popen[bytes]:
        ready = self.said("ready") + 1
        command = [
            sys.executable,
            "-m",
            "tests.e2e.engine_process",
            str(self.folder),
            self.url,
            str(workers),
            *questions,
        ]
        bot = subprocess.Popen(command, cwd=release)
        self.running.append(bot)
        until(lambda: self.said("ready") == ready or bot.poll() is not None, what="the process to be ready")
        return bot

    def let_go(self) -> None:
        (self.folder / "go").touch()

    def journal(self) -> list[list[str]]:
        journal = self.folder / "journal"
        return [line.split() for line in journal.read_text("utf-8").splitlines()] if journal.exists() else []

    def said(self, *words: str) -> int:
        return sum(line[: len(words)] == list(words) for line in self.journal())

    def dead_or_given_up(self, bot: subprocess.Popen[bytes]) -> bool:
        return bot.poll() is not None or bool(self.said("poison"))

    def recorded(self, question: str) -> None:
        """Wait until the first step of a running turn is written down."""
        with closing(QueueDatabase(understood(self.url))) as database:
            sql = "SELECT 1 FROM engine_turns WHERE steps IS NOT NULL AND turn_id = ?"
            until(lambda: bool(database.read(sql, (question,))), what=f"the first step of {question}")

    def saw(self, *words: str) -> None:
        until(lambda: self.said(*words), what=" ".join(words))


@pytest.fixture(params=["sqlite", "postgresql"])
def bots(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Bots]:
    sqlite = request.param == "sqlite"
    url = f"sqlite:///{tmp_path}/engine.sqlite" if sqlite else request.getfixturevalue("server").new_database()
    bots = Bots(tmp_path, url)
    yield bots
    for bot in bots.running:
        bot.kill()
        bot.wait()


def test_a_killed_turn_goes_on_after_its_last_recorded_step(bots: Bots) -> None:
    killed = bots.start(A1)
    bots.saw("middle", A1)
    bots.recorded(A1)
    killed.kill()
    killed.wait()
    bots.let_go()
    bots.start(A1)  # Slack delivers the question again
    bots.saw("last", A1)
    token = next(line[2] for line in bots.journal() if line[0] == "first")
    counts = {verb: bots.said(verb, A1) for verb in ("begin", "first", "middle")}
    assert counts == {"begin": 2, "first": 1, "middle": 2}
    assert bots.said("last", A1, token) == bots.said("last") == 1


def test_a_thread_keeps_its_order_over_a_kill(bots: Bots) -> None:
    killed = bots.start(A3, A1, A2)
    until(lambda: bots.said("middle"))
    first = next(line[1] for line in bots.journal() if line[0] == "middle")
    killed.kill()
    killed.wait()
    bots.let_go()
    bots.start()
    until(lambda: bots.said("last") == 3)
    order = [line[1] for line in bots.journal() if line[0] in {"middle", "last"}]
    rest = [question for question in (A1, A2, A3) if question != first]
    assert order == [first] + [question for question in (first, *rest) for _ in range(2)]


def test_a_living_process_keeps_its_turns_and_a_dead_one_loses_them_to_another(bots: Bots) -> None:
    bots.start(A1, workers=1)
    bots.saw("middle", A1)
    dying = bots.start(B1, workers=1)
    bots.saw("middle", B1)
    bots.recorded(B1)
    bots.start(workers=1)
    dying.kill()
    dying.wait()
    until(lambda: bots.said("begin", B1) == 2, what="the idle process to take over")
    bots.let_go()
    until(lambda: bots.said("last") == 2)
    counts = {q: [bots.said(verb, q) for verb in ("begin", "first", "middle", "last")] for q in (A1, B1)}
    assert counts == {A1: [1, 1, 1, 1], B1: [2, 1, 2, 1]}


def test_a_question_that_kills_every_process_gets_a_note_and_frees_its_thread(bots: Bots) -> None:
    (bots.folder / "poison").write_text(A1, "utf-8")
    bots.let_go()
    for questions in ((A1, A2), (), ()):
        bots.start(*questions).wait(60)
    bots.start()
    bots.saw("last", A2)
    assert [bots.said(verb, A1) for verb in ("middle", "last")] == [3, 0]
    assert bots.said("poison", A1) == 1


@pytest.mark.parametrize("bots", ["sqlite"], indirect=True)
def test_those_who_stood_near_a_killer_are_answered(bots: Bots) -> None:
    (bots.folder / "poison").write_text(A1, "utf-8")
    for _ in range(2):
        bots.start(B1, C1, A1).wait(60)
    bots.let_go()
    while not bots.said("poison"):
        bot = bots.start()
        until(partial(bots.dead_or_given_up, bot))
    bots.saw("last", B1)
    bots.saw("last", C1)
    assert [line for line in bots.journal() if line[0] == "poison"] == [["poison", A1]]


def test_a_new_release_goes_on_with_the_turns_of_the_old_one(bots: Bots, tmp_path: Path) -> None:
    old = release(
        tmp_path / "old",
        lambda text: text.replace(
            "return turn(running.run.turn_id,", "return str(turn)[:0] + turn(running.run.turn_id,"
        ),
    )
    killed = bots.start(A1, A2, release=old)
    bots.saw("middle", A1)
    bots.recorded(A1)
    killed.kill()
    killed.wait()
    bots.let_go()
    bots.start()
    bots.saw("last", A2)
    assert bots.said("first") == bots.said("last") == 2


def release(folder: Path, change: Callable[[str], str]) -> Path:
    """A release of the engine whose workflow was worded differently."""
    for path in (*RELEASED, *RELEASED_FOR_TESTS):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (ROOT / path).is_dir() else shutil.copy
        copy(ROOT / path, folder / path)
    workflow = folder / "bot/engine/workflow.py"
    text = workflow.read_text("utf-8")
    assert change(text) != text
    workflow.write_text(change(text), "utf-8")
    return folder
