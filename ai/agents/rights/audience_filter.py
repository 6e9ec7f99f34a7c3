"""Holds messages to the rights of the reader, before they are quoted or put into a prompt.

Messages of people pass, and answers whose queries are all visible. A restricted reader gets nothing else of the bot,
since it may quote an answer.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from ai.agents.rights.audience import Audience
from ai.memory.prompt import AUTHOR
from ai.memory_store import MemoryStore
from ai.types import AnsweredQuery, LoggedMessage, Request


@dataclass(frozen=True, slots=True)
class AudienceFilter:
    """Judges messages by the queries of their turns."""

    memory: MemoryStore
    audience: Audience

    def allowed(self, messages: Iterable[LoggedMessage], request: Request) -> tuple[LoggedMessage, ...]:
        """Return the messages the author of a request may read."""
        if not self.audience.restricts(request.source, request.roles):
            return tuple(messages)
        may_hear = cache(lambda turn_id: self._answer(turn_id, request))
        return tuple(each for each in messages if _is_of_people(each) or may_hear(each.turn_id))

    def _answer(self, turn_id: str, request: Request) -> bool:
        ran = [query for query in self.memory.turn_queries(turn_id) if isinstance(query, AnsweredQuery)]
        return bool(ran) and all(self.audience.sight(query, request.roles) == "all" for query in ran)


def _is_of_people(message: LoggedMessage) -> bool:
    """Return whether a person wrote the message; summaries may hold answers."""
    return message.role == "user" and message.author != AUTHOR
