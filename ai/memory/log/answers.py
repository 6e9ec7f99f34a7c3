"""A model's words for a result, kept once per turn."""

from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Engine, insert, select

from ai.errors import NoResult
from ai.memory.log import threads
from ai.memory.log.database import reading, writing
from ai.memory.log.tables import PHRASING
from ai.types import ThreadKey


@dataclass(frozen=True, slots=True)
class Answers:
    engine: Engine

    def keep_phrasing(self, thread: ThreadKey, turn_id: str, text: str) -> None:
        with writing(self.engine) as connection:
            if connection.execute(select(PHRASING.c.turn_id).where(PHRASING.c.turn_id == turn_id)).first() is None:
                known = threads.claim(connection, thread, versions=0)
                row = {"turn_id": turn_id, "thread_id": known.id, "created_at": datetime.now(UTC), "text": text}
                connection.execute(insert(PHRASING).values(row))

    def phrasing(self, turn_id: str) -> str:
        """Raises NoResult."""
        with reading(self.engine) as connection:
            text = connection.execute(select(PHRASING.c.text).where(PHRASING.c.turn_id == turn_id)).scalar()
        if text is None:
            raise NoResult("The words of this answer are gone; ask the question again.")
        return str(text)
