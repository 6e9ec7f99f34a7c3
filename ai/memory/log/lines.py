"""The ledger of the lines to Slack: until when each line has stored what it was told.

A mark never passes an event that is not stored. A silent line leaves the time after its mark to the others.
"""

from dataclasses import dataclass, replace

from sqlalchemy import Column, Engine, Float, String, Table, delete, func, insert, select, update

from ai.memory.log.database import METADATA, deriving, reading

SLACK_LINE = Table(
    "slack_line",
    METADATA,
    Column("id", String, primary_key=True),
    Column("team", String, nullable=False),
    Column("stored_until", Float, nullable=False),  # Unix seconds, as all moments here
    Column("beat_at", Float, nullable=False),  # 0 once the line was closed
    Column("looked_at", Float, nullable=False, server_default="0"),  # when another line last looked after it
)
LINE = SLACK_LINE.c


@dataclass(frozen=True, slots=True)
class LineMark:
    id: str
    stored_until: float
    beat_at: float
    looked_at: float

    @property
    def is_closed(self) -> bool:
        return self.beat_at == 0


@dataclass(frozen=True, slots=True)
class LineMarks:
    """The lines of all processes. Marks and beats are Unix seconds."""

    engine: Engine

    def of_team(self, team: str) -> tuple[LineMark, ...]:
        with reading(self.engine) as connection:
            found = select(LINE.id, LINE.stored_until, LINE.beat_at, LINE.looked_at).where(LINE.team == team)
            return tuple(LineMark(*row) for row in connection.execute(found.order_by(LINE.id)))

    def last_beat(self) -> float:
        """Return when any line last gave a sign of life; 0 without a living one."""
        with reading(self.engine) as connection:
            return float(connection.scalar(select(func.max(LINE.beat_at))) or 0)

    def beat(self, line: str, team: str, stored_until: float, at: float) -> None:
        """Enter a line's mark and sign of life; `at` 0 closes the line."""
        with deriving(self.engine) as connection:
            values = {"stored_until": stored_until, "beat_at": at}
            if not connection.execute(update(SLACK_LINE).where(LINE.id == line).values(values)).rowcount:
                connection.execute(insert(SLACK_LINE).values(id=line, team=team, **values))

    def bury(self, line: LineMark) -> LineMark:
        """Note that the process of a line is dead for certain."""
        with deriving(self.engine) as connection:
            own = (LINE.id == line.id) & (LINE.beat_at == line.beat_at)
            connection.execute(update(SLACK_LINE).where(own).values(beat_at=0.0))
        return replace(line, beat_at=0.0)

    def claim(self, line: LineMark, at: float) -> bool:
        """Note that somebody looks after a line now; return False if another one was first."""
        own = (LINE.id == line.id) & (LINE.looked_at == line.looked_at) & (LINE.beat_at == line.beat_at)
        with deriving(self.engine) as connection:
            return bool(connection.execute(update(SLACK_LINE).where(own).values(looked_at=at)).rowcount)

    def raise_mark(self, line: str, moment: float) -> None:
        """Record that another line found everything up to `moment`."""
        behind = (LINE.id == line) & (LINE.stored_until < moment)
        with deriving(self.engine) as connection:
            connection.execute(update(SLACK_LINE).where(behind).values(stored_until=moment))

    def drop(self, line: LineMark) -> None:
        """Remove a line, unless it has come back to life."""
        with deriving(self.engine) as connection:
            connection.execute(delete(SLACK_LINE).where(LINE.id == line.id, LINE.beat_at == line.beat_at))
