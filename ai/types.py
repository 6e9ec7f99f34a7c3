"""The vocabulary: small frozen values that every part of the product speaks.

Owns names for threads, requests, logged messages and past queries. Does no work and imports nothing of ours.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol, TypeAlias, TypeVar

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
Role = Literal["user", "assistant"]
QueryStatus = Literal["draft", "ok", "failed", "declined", "asked", "told"]
T = TypeVar("T")


class Step(Protocol):
    """How a turn does something once: run `fn`, or give back what an earlier run of this turn recorded under `name`.

    What `fn` returns is recorded for good, so it is ids and small JSON, never message text or rows.
    """

    def __call__(self, name: str, fn: Callable[[], T]) -> T: ...


@dataclass(frozen=True, slots=True, order=True)
class ThreadKey:
    """One conversation. A Slack `thread_ts` is unique only within its channel, so the key is never the bare ts."""

    team: str
    channel: str
    thread_ts: str

    def __str__(self) -> str:
        return f"{self.team}/{self.channel}/{self.thread_ts}"

    @classmethod
    def of(cls, key: "ThreadKey | str") -> "ThreadKey":
        """The key itself; for a plain string `team/channel/ts`, or a bare ts, which is a key of its own."""
        if isinstance(key, ThreadKey):
            return key
        parts = key.split("/")
        return cls(*parts) if len(parts) == 3 else cls("", "", key)


@dataclass(frozen=True, slots=True)
class Request:
    """One question as a turn receives it: `turn_id` names it everywhere, `source` names the database it is about.

    `workspace` is the one that its channel belongs to; a channel's own one is called as the channel. `roles` are those of
    the asker at this moment: they say which rights hold.
    """

    turn_id: str
    thread: ThreadKey
    text: str
    user: str
    asked_at: datetime
    source: str
    timezone: str = "UTC"
    workspace: str = "default"
    roles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """Where somebody stands: in a channel of a team, which belongs to a workspace and asks about a data source."""

    team: str = ""
    channel: str = ""
    workspace: str = "default"
    source: str = ""

    @classmethod
    def of(cls, request: Request) -> "Place":
        """Where a request comes from."""
        return cls(request.thread.team, request.thread.channel, request.workspace, request.source)

    @property
    def owner(self) -> str:
        """The channel that the workspace is kept from the others for; "" for a workspace that all share."""
        return self.channel if self.workspace == self.channel else ""


@dataclass(frozen=True, slots=True)
class LoggedMessage:
    """One line of the append-only log. `turn_id` is the question that it asks or answers; times are UTC."""

    thread: ThreadKey
    seq: int
    turn_id: str
    role: Role
    content: str
    author: str
    tokens: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class PastQuery:
    """One query of a thread: the question, the SQL that was written for it and what became of it.

    `meaning` is the analyst's own typed reading (JSON), kept so that a follow-up can edit it. `result` is the handle of
    the stored rows, or None when there are none or they are no longer kept. `problem` says why it failed.
    """

    id: int
    thread: ThreadKey
    turn_id: str
    source: str
    question: str
    sql: str
    reading: str
    meaning: Json
    analyst: str
    status: QueryStatus
    row_count: int | None
    truncated: bool
    headline: str
    result: str | None
    elapsed_ms: int | None
    created_at: datetime
    problem: str = ""
