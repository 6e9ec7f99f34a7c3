"""Answers that people said are right: question and SQL, who says so, and under which definitions it was found right.

An answer belongs to the workspace of its channel and to one source. Whether a question means the same is decided by who
asks: here two are the same when their `normal` form is.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import ColumnElement, Engine, delete, insert, select, update

from ai.memory.database import reading, writing
from ai.memory.learned_tables import VERIFIED
from ai.memory.workspaces import Place
from ai.types import Json, ThreadKey

OWN = VERIFIED.c


@dataclass(frozen=True, slots=True)
class Verified:
    """One answer. `id` is 0 until it is kept; `day` is the asker's; `holds_under` are marks of definitions."""

    place: Place
    thread: ThreadKey
    turn_id: str
    question: str
    normal: str
    sql: str
    reading: str
    meaning: Json
    day: date
    asked_by: str
    accepted_by: str
    accepted_at: datetime
    version: int
    holds_under: tuple[str, ...]
    id: int = 0


@dataclass(frozen=True, slots=True)
class VerifiedAnswers:
    """The answers of one store."""

    engine: Engine

    def accept(self, answer: Verified) -> bool:
        """Keep an answer; the newest word of people holds. False when that of its turn is kept already."""
        with writing(self.engine) as connection:
            if connection.execute(select(OWN.id).where(OWN.turn_id == answer.turn_id)).first() is not None:
                return False
            alike = _of(answer.place) & (OWN.normal == answer.normal)
            connection.execute(delete(VERIFIED).where(alike))
            connection.execute(insert(VERIFIED).values(_row(answer)))
        return True

    def revoke(self, which: Iterable[int]) -> int:
        """Take answers back; how many there were."""
        with writing(self.engine) as connection:
            return connection.execute(delete(VERIFIED).where(OWN.id.in_(tuple(which)))).rowcount

    def of_turn(self, turn_id: str) -> Verified | None:
        """The answer that a turn gave, None when nobody said that it is right."""
        return next(iter(self._found(OWN.turn_id == turn_id, 1)), None)

    def alike(self, place: Place, normal: str) -> Verified | None:
        """The answer to a question of this normal form."""
        return next(iter(self._found(_of(place) & (OWN.normal == normal), 1)), None)

    def newest(self, place: Place, limit: int) -> tuple[Verified, ...]:
        """The answers of a workspace about a source, the newest first."""
        return self._found(_of(place), limit)

    def of_source(self, source: str, limit: int) -> tuple[Verified, ...]:
        """The answers about a source wherever they were given, the newest first."""
        return self._found(OWN.source == source, limit)

    def holds(self, which: Iterable[int], mark: str) -> None:
        """These answers were found right under definitions of this mark, too."""
        with writing(self.engine) as connection:
            rows = connection.execute(select(OWN.id, OWN.holds_under).where(OWN.id.in_(tuple(which)))).all()
            for row in rows:
                marks = sorted({*row.holds_under, mark})
                connection.execute(update(VERIFIED).where(OWN.id == row.id).values(holds_under=marks))

    def _found(self, which: ColumnElement[bool], limit: int) -> tuple[Verified, ...]:
        rows = select(VERIFIED).where(which).order_by(OWN.id.desc()).limit(limit)
        with reading(self.engine) as connection:
            return tuple(
                Verified(
                    place=Place(row.team, row.channel, row.workspace, row.source),
                    thread=ThreadKey(row.team, row.channel, row.thread_ts),
                    turn_id=row.turn_id,
                    question=row.question,
                    normal=row.normal,
                    sql=row.sql,
                    reading=row.reading,
                    meaning=row.meaning,
                    day=row.day,
                    asked_by=row.asked_by,
                    accepted_by=row.accepted_by,
                    accepted_at=row.accepted_at,
                    version=row.version,
                    holds_under=tuple(row.holds_under),
                    id=row.id,
                )
                for row in connection.execute(rows)
            )


def _of(place: Place) -> ColumnElement[bool]:
    return (OWN.team == place.team) & (OWN.workspace == place.workspace) & (OWN.source == place.source)


def _row(answer: Verified) -> dict[str, object]:
    thread, place = answer.thread, answer.place
    named: Sequence[str] = ("turn_id", "question", "normal", "sql", "reading", "meaning", "day", "asked_by")
    return {
        **{name: getattr(answer, name) for name in (*named, "accepted_by", "accepted_at", "version")},
        "team": thread.team,
        "channel": thread.channel,
        "thread_ts": thread.thread_ts,
        "workspace": place.workspace,
        "source": place.source,
        "holds_under": list(answer.holds_under),
    }
