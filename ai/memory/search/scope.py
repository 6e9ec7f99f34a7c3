"""Where to look and when, what is found, and how documents are named."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from ai.types import AnsweredQuery, Json, LoggedMessage, ThreadKey

Kind = Literal["message", "query", "state", "trace"]
THREAD_SHIFT = 32  # above it stands the thread; states and traces belong to none, and have 0 there
QUERY_BIT = 1 << 31  # set in the number of all but messages, which are numbered by their place in the thread
STATE_BIT = 1 << 30  # set as well in the number of a state


@dataclass(frozen=True, slots=True)
class Within:
    """A workspace, by its id, as it is seen from a channel that asks about a source."""

    workspace: str
    team: str
    channel: str
    source: str


@dataclass(frozen=True, slots=True)
class Saved:
    """A state, or a trace of a tool, as the search finds it."""

    kind: Literal["state", "trace"]
    text: str
    created_at: datetime
    turn_id: str
    tool: str = ""
    context: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scope:
    """What may be found. `thread` and `channels` (team, channel) bound it; without either, everything is looked at.

    States and traces are found `within` a workspace, messages and queries without one.
    Moments from `since` on and before `until` count. What belongs to `except_turn` is passed over: who asks what was
    said about something does not mean the question itself.
    """

    thread: ThreadKey | None = None
    channels: frozenset[tuple[str, str]] | None = None
    within: Within | None = None
    kinds: frozenset[Kind] = frozenset({"message"})
    since: datetime | None = None
    until: datetime | None = None
    except_turn: str | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """One document that was found. `share` says how much of the wish it covers, from 0 to 1, with what is around it.

    `literal`: it has the text as it was written. `own`: it has a word of it itself, not only its neighbours.
    """

    found: LoggedMessage | AnsweredQuery | Saved
    score: float
    share: float
    literal: bool
    own: bool

    @property
    def text(self) -> str:
        """What was said, or asked and run, or saved."""
        match self.found:
            case LoggedMessage():
                return self.found.content
            case AnsweredQuery():
                return f"{self.found.question}\n{self.found.sql}"
        return self.found.text


@dataclass(frozen=True, slots=True)
class Found:
    """What was found, best first. `partial`: time ran out before everything was looked through."""

    hits: tuple[Hit, ...] = ()
    partial: bool = False

    @property
    def messages(self) -> tuple[LoggedMessage, ...]:
        """The messages among it, best first."""
        return tuple(hit.found for hit in self.hits if isinstance(hit.found, LoggedMessage))
