"""Records of turns lost with their process, to find the one killing it.

Progress since the last loss clears a turn. Two losses at one step make a suspect; suspects resume one at a time. A
process dying with a single turn, or a single suspect, blames that one.
"""

from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.pool import NullPool
from sqlalchemy.schema import CreateTable

SUSPECT_LOSSES = 2
GUILTY_BLAME = 3
_crashes = sa.Table(
    "turn_crashes",
    sa.MetaData(),
    sa.Column("turn_id", sa.Text, primary_key=True),
    sa.Column("engine", sa.Text, nullable=False),
    sa.Column("steps", sa.Integer, nullable=False),
    sa.Column("losses", sa.Integer, nullable=False),
    sa.Column("blame", sa.Integer, nullable=False),
)


@dataclass(frozen=True)
class Record:
    """Losses of a turn at its current step, and losses that nothing else explains."""

    losses: int
    blame: int

    @property
    def guilty(self) -> bool:
        return self.blame >= GUILTY_BLAME

    @property
    def suspect(self) -> bool:
        return self.losses >= SUSPECT_LOSSES and not self.guilty


class Crashes:
    def __init__(self, url: sa.URL) -> None:
        self._engine = sa.create_engine(url, poolclass=NullPool)
        if url.get_backend_name() == "sqlite":
            with self._engine.connect() as connection:
                # The mode stays with the file, so this also holds for every connection of DBOS.
                connection.exec_driver_sql("PRAGMA journal_mode=WAL")
        with self._engine.begin() as connection:
            connection.execute(CreateTable(_crashes, if_not_exists=True))

    def note(self, turn_id: str, engine: str, steps: int, *, alone: bool) -> Record:
        """Record the loss of a turn with `engine` after `steps` steps. Repeating it changes nothing."""
        this_turn = _crashes.c.turn_id == turn_id
        with self._engine.begin() as connection:
            known = connection.execute(sa.select(_crashes).where(this_turn)).one_or_none()
            if known and known.engine == engine:
                return Record(known.losses, known.blame)
            before = Record(known.losses, known.blame) if known and known.steps == steps else Record(0, 0)
            record = Record(before.losses + 1, before.blame + (alone or before.suspect))
            connection.execute(sa.delete(_crashes).where(this_turn))
            values = {"turn_id": turn_id, "engine": engine, "steps": steps, **vars(record)}
            connection.execute(sa.insert(_crashes).values(values))
        return record

    def suspects(self) -> list[str]:
        with self._engine.connect() as connection:
            return list(connection.scalars(sa.select(_crashes.c.turn_id).where(_crashes.c.losses >= SUSPECT_LOSSES)))

    def forget(self, turn_ids: list[str]) -> None:
        with self._engine.begin() as connection:
            connection.execute(sa.delete(_crashes).where(_crashes.c.turn_id.in_(turn_ids)))
