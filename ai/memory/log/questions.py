"""What people asked: somebody's latest questions, and how much was asked."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Engine, Select, func, select

from ai.memory.log.database import reading
from ai.memory.log.messages import IN_THREAD, QUESTION
from ai.memory.log.tables import MESSAGE, QUERY, THREAD
from ai.types import Deed, ThreadKey

ANSWERED = (QUERY.c.status == "ok") & (MESSAGE.c.part == QUESTION) & MESSAGE.c.deleted_at.is_(None)


class AskedQuestion(NamedTuple):
    """A question that was answered. `said_in` is the thread that shows it."""

    text: str
    said_in: ThreadKey
    at: datetime


class Volume(NamedTuple):
    questions: int
    people: int


@dataclass(frozen=True, slots=True)
class AskedQuestions:
    engine: Engine

    def of_person(self, team: str, user: str, limit: int) -> tuple[AskedQuestion, ...]:
        """Return the newest answered questions of a person, each once."""
        newest = func.max(QUERY.c.id)
        own = (THREAD.c.team == team) & (MESSAGE.c.author == user) & ANSWERED
        columns = (QUERY.c.question, MESSAGE.c.place, MESSAGE.c.created_at, *IN_THREAD)
        found = select(*columns).join_from(QUERY, MESSAGE, QUERY.c.turn_id == MESSAGE.c.turn_id)
        last = select(newest).join_from(QUERY, MESSAGE, QUERY.c.turn_id == MESSAGE.c.turn_id)
        last = last.join(THREAD, THREAD.c.id == MESSAGE.c.thread_id).where(own).group_by(QUERY.c.question)
        found = found.join(THREAD, THREAD.c.id == MESSAGE.c.thread_id).where(ANSWERED, QUERY.c.id.in_(last))
        with reading(self.engine) as connection:
            rows = connection.execute(found.order_by(QUERY.c.id.desc()).limit(limit)).all()
        return tuple(
            AskedQuestion(
                row.question,
                ThreadKey(row.team, row.channel, row.place or row.thread_ts),
                row.created_at,
            )
            for row in rows
        )

    def was_answered(self, turn_id: str, deed: Deed) -> bool:
        """Whether a press of another turn answered the same question before this one."""
        own, other = MESSAGE.alias(), MESSAGE
        same = (other.c.thread_id == own.c.thread_id) & (other.c.pressed == deed.stored) & (other.c.seq < own.c.seq)
        return self._exists(select(other.c.id).join_from(own, other, same).where(own.c.turn_id == turn_id))

    def has_gone_on(self, turn_id: str, deed: Deed) -> bool:
        """Whether the thread of a turn had answers since the question of its deed, or does not hold it."""
        own, asked, other = MESSAGE.alias(), MESSAGE.alias(), MESSAGE
        in_thread = (asked.c.thread_id == own.c.thread_id) & (asked.c.turn_id == deed.of)
        offer = select(asked.c.id).join_from(own, asked, in_thread).where(own.c.turn_id == turn_id)
        later = (other.c.thread_id == asked.c.thread_id) & (other.c.turn_seq > asked.c.turn_seq)
        answered = offer.join(other, later).where(other.c.role == "assistant", other.c.turn_id != turn_id)
        return not self._exists(offer) or self._exists(answered)

    def _exists(self, rows: Select[Any]) -> bool:
        with reading(self.engine) as connection:
            return connection.execute(rows.limit(1)).first() is not None

    def since(self, moment: datetime) -> Volume:
        """Return how many questions were answered since then, and of how many people."""
        counts = select(func.count(func.distinct(QUERY.c.turn_id)), func.count(func.distinct(MESSAGE.c.author)))
        joined = counts.join_from(QUERY, MESSAGE, QUERY.c.turn_id == MESSAGE.c.turn_id)
        with reading(self.engine) as connection:
            return Volume(*connection.execute(joined.where(ANSWERED, QUERY.c.created_at >= moment)).one())
