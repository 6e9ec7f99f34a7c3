"""Accept, revise and stop questions. Engines run them, in this process or in others."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Lock
from time import time

from ai.types import ThreadKey
from bot.engine.bells import Bell, LoopbackBell, NotifyBell
from bot.engine.database import QueueDatabase, understood
from bot.engine.keeping.damage import mend
from bot.engine.leases import living_on
from bot.engine.leases.postgres import living_at
from bot.engine.outage import reaching
from bot.engine.store import TurnStore
from bot.inbound import NewTurn, question_of, revised, said_at


@dataclass(frozen=True, slots=True)
class Pulse:
    """How many engines live and questions wait; `lag` is the oldest one's wait in seconds."""

    engines: int
    waiting: int
    lag: float


class TurnQueue:
    """The queue of all engines on one database. Thread-safe; to accept or stop a question may be repeated."""

    def __init__(self, database_url: str, data_dir: Path, engine: str = "") -> None:
        self._database = QueueDatabase(understood(database_url))
        self.store = TurnStore(self._database, engine, time)
        self._opening = Lock()
        is_sqlite = self._database.is_sqlite
        self._bell: Bell = LoopbackBell(data_dir / "bells") if is_sqlite else NotifyBell(self._database)
        self._living = partial(living_on, data_dir / "leases") if is_sqlite else partial(living_at, self._database)

    def open(self) -> None:
        """Make the tables; begin a damaged file anew where nobody is at work. Raises SourceUnavailable."""
        with self._opening, reaching(self._database.url):
            if self._database.is_sqlite and not self._living():
                mend(self._database.url)
            self.store.create()

    def close(self) -> None:
        self._bell.close()
        self._database.close()

    def enqueue(self, turn_id: str, thread: ThreadKey, person: str = "", *, is_quick: bool = False) -> None:
        """Accept a question for good; repeating an id changes nothing."""
        self.enqueue_all([NewTurn(turn_id, thread, person, is_quick)])

    def enqueue_all(self, turns: Sequence[NewTurn]) -> None:
        """Accept questions for good, all or none."""
        self.store.add(turns)
        self._ring()

    def stop(self, turn_id: str) -> None:
        """End an unfinished question now, or when its turn comes, in any process."""
        self._end(self.store.wordings(question_of(turn_id)))

    def stop_thread(self, thread: ThreadKey, before: float) -> int:
        """End the unfinished turns of a thread asked before the Slack time `before`; return their number."""
        earlier = [turn_id for turn_id in self.store.unfinished(thread) if said_at(turn_id) < before]
        self._end(earlier)
        return len(earlier)

    def revise(
        self, turn_id: str, edited_ts: str, thread: ThreadKey, person: str = "", *, is_quick: bool = False
    ) -> None:
        """Accept an edited question and end the turns of its older wordings."""
        turn = revised(turn_id, edited_ts)
        self._end([older for older in self.store.wordings(turn_id) if said_at(older) < said_at(turn)])
        self.enqueue(turn, thread, person, is_quick=is_quick)

    def pulse(self) -> Pulse:
        """Whether somebody answers, and for how long the questions have waited. Raises SourceUnavailable."""
        with reaching(self._database.url):
            return Pulse(self._living(), *self.store.backlog())

    def _end(self, turn_ids: list[str]) -> None:
        if turn_ids:
            self.store.stop(turn_ids)
            self._ring()

    def _ring(self) -> None:
        self._bell.ring()
