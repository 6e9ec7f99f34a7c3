"""Joins and leaves of channels, as told by events, for every process at once."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Boolean, Column, Engine, Float, Index, Integer, Table, delete, insert, select

from ai.memory.log.database import METADATA, deriving, reading
from ai.memory.log.tables import texts

KEPT_SECONDS = 86_400.0  # longer than any process remembers a list of members
CHANNEL_MOVE = Table(
    "channel_move",
    METADATA,
    Column("id", Integer, primary_key=True),
    *texts("team", "channel", "person"),
    Column("is_in", Boolean, nullable=False),
    Column("at", Float, nullable=False),  # Unix seconds, as the event tells
    Index("move_of_a_channel", "team", "channel", "id"),
)
MOVE = CHANNEL_MOVE.c


@dataclass(frozen=True, slots=True)
class ChannelMove:
    id: int
    person: str
    is_in: bool
    at: float


@dataclass(frozen=True, slots=True)
class ChannelMoves:
    engine: Engine

    def add(self, team: str, channel: str, person: str, at: float, *, is_in: bool) -> None:
        """Note a join or a leave, and drop those of more than a day ago."""
        with deriving(self.engine) as connection:
            connection.execute(delete(CHANNEL_MOVE).where(MOVE.at < at - KEPT_SECONDS))
            row = {"team": team, "channel": channel, "person": person, "is_in": is_in, "at": at}
            connection.execute(insert(CHANNEL_MOVE).values(row))

    def after(self, team: str, channel: str, number: int) -> Sequence[ChannelMove]:
        """Return the moves of a channel above a number, in the order of their notes."""
        those = (MOVE.team == team) & (MOVE.channel == channel) & (MOVE.id > number)
        wanted = select(MOVE.id, MOVE.person, MOVE.is_in, MOVE.at).where(those).order_by(MOVE.id)
        with reading(self.engine) as connection:
            return [ChannelMove(*row) for row in connection.execute(wanted)]
