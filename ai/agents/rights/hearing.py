"""Holds what was said in a thread to the rights of whoever asks now, before it is quoted or stands in a prompt.

What people wrote, everybody in the thread may read. An answer is heard by those who may see all that it was computed from;
from whom something is kept back, of other messages of the bot nothing is heard, since they may quote such answers.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from ai.agents.rights.audience import Audience
from ai.memory.prompt import AUTHOR
from ai.memory_store import MemoryStore
from ai.types import LoggedMessage, Request


@dataclass(frozen=True, slots=True)
class Hearing:
    """Judges messages by the queries of their turns."""

    memory: MemoryStore
    audience: Audience

    def heard(self, messages: Iterable[LoggedMessage], request: Request) -> tuple[LoggedMessage, ...]:
        """Those of the messages that whoever makes a request may hear, in the same order."""
        if not self.audience.restricts(request.source, request.roles):
            return tuple(messages)
        may_hear = cache(lambda turn_id: self._answer(turn_id, request))
        return tuple(each for each in messages if _is_of_people(each) or may_hear(each.turn_id))

    def _answer(self, turn_id: str, request: Request) -> bool:
        """Whether the answer of a turn rests on nothing but what the asker may see."""
        ran = [query for query in self.memory.turn_queries(turn_id) if query.status == "ok"]
        return bool(ran) and all(self.audience.sight(query, request.roles) == "all" for query in ran)


def _is_of_people(message: LoggedMessage) -> bool:
    """Whether a person wrote it; a line that sums up a part of the thread may hold answers."""
    return message.role == "user" and message.author != AUTHOR
