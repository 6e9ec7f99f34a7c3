"""Draws schedules, walks them, and shortens one that breaks a promise."""

import gc
import logging
import re
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from shutil import rmtree
from tempfile import TemporaryDirectory
from time import time

from bot.engine.crashes import Crashes
from bot.engine.database import QueueDatabase, understood
from bot.engine.store import TurnStore
from bot.listeners import Intake
from tests.desk import Desk, open_desk
from tests.fakes import KeptQueue
from tests.intakes import intake_of
from tests.schedules.play import Act, played, read_schedule
from tests.schedules.promises import broken
from tests.schedules.shared import QUEUE

IN_MEMORY = Path("/dev/shm")
BEGAN, APART = 1_800_000_000.0, 10_000.0  # so that no two walks of one memory know each other's messages


@dataclass
class Walker:
    """Walks with one memory, which is not what is tried here."""

    desk: Desk
    intake: Intake
    folder: Path
    queue: bytes  # of no questions, so that not every process makes the tables
    walks: Iterator[int] = field(default_factory=count)

    def broken(self, schedule: Sequence[Act], order: int) -> list[str]:
        number = next(self.walks)
        folder = self.folder / str(number)
        folder.mkdir()
        (folder / QUEUE).write_bytes(self.queue)
        try:
            with played(schedule, order, self.desk, self.intake, folder, BEGAN + APART * number) as play:
                return list(broken(play))
        finally:
            rmtree(folder)

    def shortened(self, schedule: Sequence[Act], order: int) -> list[Act]:
        """Leave out what a broken promise does not need."""
        kept, promises = list(schedule), self._kinds(schedule, order)
        for place in reversed(range(len(schedule))):
            shorter = [*kept[:place], *kept[place + 1 :]]
            if promises & self._kinds(shorter, order):
                kept = shorter
        return kept

    def _kinds(self, schedule: Sequence[Act], order: int) -> set[str]:
        """Return the broken promises without what names the question."""
        return {re.sub(r"'[^']*'|\d+", "", sentence) for sentence in self.broken(schedule, order)}


@contextmanager
def walker() -> Iterator[Walker]:
    with (
        TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None) as name,
        open_desk(Path(name)) as desk,
    ):
        logging.getLogger("bot").setLevel(logging.CRITICAL)
        try:
            intake = intake_of(desk.memory, KeptQueue())
            gc.collect()
            gc.freeze()  # else what stays is looked through again and again
            yield Walker(desk, intake, Path(name), _made_queue(Path(name)))
        finally:
            gc.unfreeze()
            logging.getLogger("bot").setLevel(logging.NOTSET)


def _made_queue(folder: Path) -> bytes:
    """Return the file of a queue in which nobody asked yet."""
    url = understood(f"sqlite:///{folder / QUEUE}")
    with closing(QueueDatabase(url)) as database:
        TurnStore(database, "", time).create()
        Crashes(database)
    return (folder / QUEUE).read_bytes()


PEOPLE = (
    "ask a",
    "ask a",
    "ask b",
    "ask a slow",
    "ask c",
    "ask a file",
    "ask b file",
    "ask a private",
    "ask b private file",
    "ask a quick",
    "stop a",
    "press a1",
    "press a2",
    "edit a1",
    "edit a2",
    "delete a1",
    "delete b1",
)
MISHAPS = (
    "crash 0", "crash 1", "crash 0", "crash r", "close 0", "close 1", "wire lost", "wire lost chat.postMessage", "wire lost chat.delete", "wire limited", "wire away", "wire broken", "wire token",
    "queue away", "heal", "heal", "refuse", "ask b killing", "ask c hanging", "wait 3", "wait 20",
)  # fmt: skip


def drawn(seed: int) -> list[Act]:
    chance = Random(seed)
    acts = ["ask a", *chance.choices(PEOPLE, k=chance.randint(1, 4)), *chance.choices(MISHAPS, k=chance.randint(0, 4))]
    rest = acts[1:]
    chance.shuffle(rest)
    return read_schedule(";".join([acts[0], *(f"{chance.choice((0, 1, 3, 10, 20, 40, 60))} {act}" for act in rest)]))
