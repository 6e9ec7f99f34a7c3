"""Where to look and when, what is found, and how documents are named."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from ai.types import LoggedMessage, PastQuery, ThreadKey

Kind = Literal["message", "query"]
QUERY_BIT = 1 << 31  # set in the number of a query; messages are numbered by their place in the thread
THREAD_SHIFT = 32


@dataclass(frozen=True, slots=True)
class Scope:
    """What may be found. `thread` and `channels` (team, channel) bound it; without either, everything is looked at.

    Moments from `since` on and before `until` count. What belongs to `except_turn` is passed over: who asks what was
    said about something does not mean the question itself.
    """

    thread: ThreadKey | None = None
    channels: frozenset[tuple[str, str]] | None = None
    kinds: frozenset[Kind] = frozenset({"message"})
    since: datetime | None = None
    until: datetime | None = None
    except_turn: str | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """One document that was found. `share` says how much of the wish it covers, from 0 to 1, with what is around it.

    `literal`: it has the text as it was written. `own`: it has a word of it itself, not only its neighbours.
    """

    found: LoggedMessage | PastQuery
    score: float
    share: float
    literal: bool
    own: bool

    @property
    def text(self) -> str:
        """What was said, or asked and run."""
        return (
            self.found.content if isinstance(self.found, LoggedMessage) else f"{self.found.question}\n{self.found.sql}"
        )


@dataclass(frozen=True, slots=True)
class Found:
    """What was found, best first. `partial`: time ran out before everything was looked through."""

    hits: tuple[Hit, ...] = ()
    partial: bool = False

    @property
    def messages(self) -> tuple[LoggedMessage, ...]:
        """The messages among it, best first."""
        return tuple(hit.found for hit in self.hits if isinstance(hit.found, LoggedMessage))
