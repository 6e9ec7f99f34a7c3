"""What the processes of a bot share: it stays when they die."""

import sqlite3
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from bot.listeners import Intake
from tests.desk import Desk
from tests.schedules.wire import Wire
from tests.schedules.world import Process, World

QUEUE = "engine.sqlite"


@dataclass
class Shared:
    """What stays when processes die."""

    world: World
    wire: Wire
    desk: Desk
    intake: Intake
    folder: Path
    is_queue_away: bool = False
    kills: int = 0  # of processes by a question
    efforts: Counter[tuple[str, str]] = field(default_factory=Counter)  # how often a step of a turn was done
    bells: dict[int, tuple[Process, Callable[[], None]]] = field(default_factory=dict)

    @property
    def queue_url(self) -> str:
        return f"sqlite:///{self.folder / QUEUE}"

    def unfinished(self) -> bool:
        looked = self._looking.execute("SELECT 1 FROM engine_turns WHERE state <> 'ended' LIMIT 1")
        return looked.fetchone() is not None

    @cached_property
    def _looking(self) -> sqlite3.Connection:
        return sqlite3.connect(self.folder / QUEUE, check_same_thread=False)

    def close(self) -> None:
        self._looking.close()
