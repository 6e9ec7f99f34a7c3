"""Requests to stop a turn, stored beside the queue for every process.

Each process polls for its running turns and calls their signals. The turn itself says "Stopped."
"""

import logging
from collections.abc import Callable, Collection
from threading import Event, Thread

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.schema import CreateTable

from ai.stopping import Stop

LISTEN_SECONDS = 0.25
_stops = sa.Table("turn_stops", sa.MetaData(), sa.Column("turn_id", sa.Text, primary_key=True))
log = logging.getLogger(__name__)


class Stops:
    """The stop requests. `running` returns the signals of this process's turns."""

    def __init__(self, url: sa.URL, running: Callable[[], dict[str, Stop]]) -> None:
        self._engine = sa.create_engine(url, pool_size=1, max_overflow=2, pool_pre_ping=True)
        self._running = running
        self._closing = Event()
        self._wish = Event()
        self._thread = Thread(target=self._listen, name="engine-stops", daemon=True)
        with self._engine.begin() as connection:
            connection.execute(CreateTable(_stops, if_not_exists=True))

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._closing.set()
        self._wish.set()
        self._thread.join()
        self._engine.dispose()

    def want(self, turn_ids: Collection[str]) -> None:
        """Ask these turns to end. Repeating it changes nothing."""
        with self._engine.begin() as connection:
            known = set(connection.scalars(sa.select(_stops.c.turn_id).where(_stops.c.turn_id.in_(turn_ids))))
            new = [{"turn_id": turn_id} for turn_id in turn_ids if turn_id not in known]
            if new:
                connection.execute(sa.insert(_stops), new)
        self._wish.set()

    def wanted(self, turn_ids: Collection[str]) -> list[str]:
        with self._engine.connect() as connection:
            return list(connection.scalars(sa.select(_stops.c.turn_id).where(_stops.c.turn_id.in_(turn_ids))))

    def forget(self, turn_ids: Collection[str]) -> None:
        with self._engine.begin() as connection:
            connection.execute(sa.delete(_stops).where(_stops.c.turn_id.in_(turn_ids)))

    def _listen(self) -> None:
        while not self._closing.is_set():
            self._wish.wait(LISTEN_SECONDS)
            self._wish.clear()
            try:
                self._call(self._running())
            except (
                SQLAlchemyError,
                OSError,
            ) as error:  # a database that is away for a moment; the next round asks again
                log.warning("could not look for turns to stop (%s)", type(error).__name__)

    def _call(self, running: dict[str, Stop]) -> None:
        for turn_id in self.wanted(running) if running else ():
            Thread(target=running[turn_id].call, name=f"stop {turn_id}", daemon=True).start()
