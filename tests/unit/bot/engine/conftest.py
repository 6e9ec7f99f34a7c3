"""An engine in this process, on a database of its own."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from ai.stopping import Stop
from ai.types import Step, ThreadKey
from bot.engine import Engine, Hooks, Room
from bot.engine.dispatch import never

Run = Callable[..., AbstractContextManager[Engine]]


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which an engine has run once."""

    def turn(turn_id: str, step: Step, stop: Stop) -> str:
        return "answered"

    folder = tmp_path_factory.mktemp("engine") / "data"
    engine = Engine(f"sqlite:///{folder}/engine.sqlite", folder, turn)
    with closing(engine):
        engine.launch()
    return folder


@pytest.fixture
def folder(empty_database: Path, tmp_path: Path) -> Path:
    return copytree(empty_database, tmp_path / "data")


@pytest.fixture
def run(folder: Path) -> Run:
    @contextmanager
    def running(turn: Callable[[str, Step, Stop], str], **options: Any) -> Iterator[Engine]:
        room = Room(options.pop("workers", 16), options.pop("is_held", never), giving_seconds=20)
        engine = Engine(f"sqlite:///{folder}/engine.sqlite", folder, turn, room, Hooks(**options))
        with closing(engine):
            engine.launch()
            yield engine

    return running


def thread(number: int) -> ThreadKey:
    return ThreadKey("T1", "C1", f"17000000{number:02}.000100")


def turn_id(thread: ThreadKey, after_tenths: int = 0) -> str:
    """The id of a message that was written so many tenths of a second after the thread began."""
    start, _, micros = thread.thread_ts.partition(".")
    seconds, micros_left = divmod(int(micros) + after_tenths * 100_000, 1_000_000)
    return f"{thread.team}:{thread.channel}:{int(start) + seconds}.{micros_left:06}"
