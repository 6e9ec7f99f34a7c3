"""Where to look, what is found, and how documents are numbered."""

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
class WorkspaceScope:
    """A workspace, by id, as seen from a channel and a source."""

    workspace: str
    team: str
    channel: str
    source: str


@dataclass(frozen=True, slots=True)
class Saved:
    kind: Literal["state", "trace"]
    text: str
    created_at: datetime
    turn_id: str
    tool: str = ""
    context: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scope:
    """Where to look: in a `thread`, in `channels` (team, channel), or in all; states and traces `within` a workspace.

    Moments from `since` on and before `until` count. A question's own turn is `except_turn`. With a `remark`, only
    messages of people of that kind are found.
    """

    thread: ThreadKey | None = None
    channels: frozenset[tuple[str, str]] | None = None
    within: WorkspaceScope | None = None
    kinds: frozenset[Kind] = frozenset({"message"})
    since: datetime | None = None
    until: datetime | None = None
    except_turn: str | None = None
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Hit:
    """`share` is the part of the terms covered, 0 to 1, neighbours included.

    `literal`: it holds the text as written. `own`: it holds a word itself.
    `alike`: the cosine of its meaning, where that is near.
    """

    found: LoggedMessage | AnsweredQuery | Saved
    score: float
    share: float
    literal: bool
    own: bool
    alike: float = 0

    @property
    def text(self) -> str:
        match self.found:
            case LoggedMessage():
                return self.found.content
            case AnsweredQuery():
                return f"{self.found.question}\n{self.found.sql}"
        return self.found.text


@dataclass(frozen=True, slots=True)
class Found:
    """The hits, best first. `partial`: time ran out."""

    hits: tuple[Hit, ...] = ()
    partial: bool = False

    @property
    def messages(self) -> tuple[LoggedMessage, ...]:
        return tuple(hit.found for hit in self.hits if isinstance(hit.found, LoggedMessage))
