"""Reads single conversations as they were said: the newest messages, the answer to a turn, what has certain words."""

from dataclasses import dataclass, replace
from itertools import islice

from sqlalchemy import Engine, select

from ai.memory.log import messages as log
from ai.memory.log import threads
from ai.memory.log.database import reading
from ai.memory.log.messages import Span
from ai.memory.log.tables import MESSAGE
from ai.memory.search.scope import Scope
from ai.memory.search.search import Search
from ai.types import LoggedMessage, ThreadKey


@dataclass(frozen=True, slots=True)
class Transcripts:
    """The conversations of one store, word for word; what is folded or cleared from a view is in here all the same."""

    engine: Engine
    search: Search

    def newest(self, key: ThreadKey, limit: int) -> tuple[LoggedMessage, ...]:
        """The last messages of a thread, oldest first."""
        with reading(self.engine) as connection:
            thread = threads.find(connection, key)
            if thread is None:
                return ()
            found = log.newest_first(connection, Span(replace(thread, cleared_seq=0)), limit)
            return tuple(item.message for item in islice(found, limit))[::-1]

    def reply(self, turn_id: str) -> str | None:
        """What was said in answer to a turn; None while nothing is."""
        own = (MESSAGE.c.turn_id == turn_id) & (MESSAGE.c.role == "assistant") & MESSAGE.c.deleted_at.is_(None)
        with reading(self.engine) as connection:
            parts = connection.execute(select(MESSAGE.c.content).where(own).order_by(MESSAGE.c.seq)).scalars().all()
        return "\n\n".join(parts) if parts else None

    def find(self, key: ThreadKey, text: str, limit: int) -> tuple[tuple[LoggedMessage, ...], bool]:
        """The messages of a thread that fit a text best, best first, and whether not all could be looked through."""
        found = self.search.find(text, Scope(thread=key), limit)
        return found.messages, found.partial
