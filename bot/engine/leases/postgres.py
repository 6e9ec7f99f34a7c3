"""Leases as advisory locks of a shared PostgreSQL, for engines on several machines.

The server drops a session's locks with its client. A restarted server drops all, so each round renews the own lock
first. Does not survive a pooler in transaction mode.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

import sqlalchemy as sa
from sqlalchemy.pool import NullPool

from bot.engine.database import KEEPALIVE, QueueDatabase

LEASES, SWEEPS = 1_146_180_001, 1_146_180_002  # the two families of our locks, any numbers that others do not use
SETTLING_SECONDS = 5.0  # more than two renewals of any engine


class AdvisoryLeases:
    def __init__(self, url: sa.URL, settling_seconds: float = SETTLING_SECONDS) -> None:
        self._database = sa.create_engine(url, poolclass=NullPool, isolation_level="AUTOCOMMIT", connect_args=KEEPALIVE)
        self._held: dict[str, sa.Connection] = {}
        self._settling_seconds = settling_seconds
        self._renewed = -settling_seconds

    def hold(self, engine: str) -> None:
        session = self._database.connect()
        session.execute(sa.select(sa.func.pg_advisory_lock(LEASES, sa.func.hashtext(engine))))
        self._held[engine] = session

    def is_free(self, engine: str) -> bool:
        with self._database.connect() as session:
            return _locked(session, LEASES, engine)

    def renew(self) -> None:
        if not all(_alive(session) for session in self._held.values()):
            self._hold_again()
            self._renewed = monotonic()

    @contextmanager
    def alone(self) -> Iterator[bool]:
        self.renew()
        if monotonic() - self._renewed < self._settling_seconds:
            yield False  # the others lost theirs too and get time to come back before anybody looks for the dead
            return
        with self._database.connect() as session:
            yield _locked(session, SWEEPS, "sweep")

    def close(self) -> None:
        for session in self._held.values():
            session.close()
        self._held.clear()

    def _hold_again(self) -> None:
        for engine, dropped in list(self._held.items()):
            self.hold(engine)
            dropped.close()


def _locked(session: sa.Connection, family: int, name: str) -> bool:
    return bool(session.scalar(sa.select(sa.func.pg_try_advisory_lock(family, sa.func.hashtext(name)))))


def _alive(session: sa.Connection) -> bool:
    if session.invalidated:  # asked anything it would connect anew, without its lock
        return False
    try:
        session.execute(sa.select(1))
    except sa.exc.DBAPIError:
        return False
    return True


def living_at(database: QueueDatabase) -> int:
    """Count the engines that hold leases in a database."""
    held = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = ?"
    here = " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    [(living,)] = database.read(held + here, (LEASES,))
    return int(living)
