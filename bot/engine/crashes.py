"""How often a turn took its process down with it, kept beside the queue so that it outlives the process.

The idea: a turn is suspect when it keeps dying at the same step. One that got further since its last crash was only
standing near another's, and starts counting anew.
"""

import sqlalchemy as sa
from sqlalchemy.pool import NullPool
from sqlalchemy.schema import CreateTable

_crashes = sa.Table(
    "turn_crashes",
    sa.MetaData(),
    sa.Column("turn_id", sa.Text, primary_key=True),
    sa.Column("steps", sa.Integer, nullable=False),
    sa.Column("crashes", sa.Integer, nullable=False),
)


class Crashes:
    """The crash counts in the engine's database."""

    def __init__(self, url: sa.URL) -> None:
        self._engine = sa.create_engine(url, poolclass=NullPool)
        if url.get_backend_name() == "sqlite":
            with self._engine.connect() as connection:
                # The mode stays with the file, so this also holds for every connection of DBOS.
                connection.exec_driver_sql("PRAGMA journal_mode=WAL")
        with self._engine.begin() as connection:
            connection.execute(CreateTable(_crashes, if_not_exists=True))

    def count(self, turn_id: str, steps: int) -> int:
        """Note a crash after `steps` recorded steps; how many there have been at that step."""
        with self._engine.begin() as connection:
            before = connection.execute(sa.select(_crashes).where(_crashes.c.turn_id == turn_id)).one_or_none()
            crashes = before.crashes + 1 if before and before.steps == steps else 1
            connection.execute(sa.delete(_crashes).where(_crashes.c.turn_id == turn_id))
            connection.execute(sa.insert(_crashes).values(turn_id=turn_id, steps=steps, crashes=crashes))
        return crashes

    def forget(self, turn_ids: list[str]) -> None:
        with self._engine.begin() as connection:
            connection.execute(sa.delete(_crashes).where(_crashes.c.turn_id.in_(turn_ids)))
