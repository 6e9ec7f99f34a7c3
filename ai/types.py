"""The vocabulary: small frozen values for threads, requests, logged messages and queries. Imports nothing of ours."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol, TypeAlias, TypeVar

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
Role = Literal["user", "assistant"]
T = TypeVar("T")


class Step(Protocol):
    """Run `fn` once per turn and name; a resumed turn gets the recorded value.

    Values are recorded for good, so return ids and small JSON, never message text or rows.
    """

    def __call__(self, name: str, fn: Callable[[], T]) -> T: ...


@dataclass(frozen=True, slots=True, order=True)
class ThreadKey:
    """A conversation. Slack's `thread_ts` is unique only within its channel."""

    team: str
    channel: str
    thread_ts: str

    def __str__(self) -> str:
        return f"{self.team}/{self.channel}/{self.thread_ts}"

    @classmethod
    def of(cls, key: "ThreadKey | str") -> "ThreadKey":
        """Read a key from `team/channel/ts`; a bare ts becomes a key of its own."""
        if isinstance(key, ThreadKey):
            return key
        parts = key.split("/")
        return cls(*parts) if len(parts) == 3 else cls("", "", key)


@dataclass(frozen=True, slots=True)
class Request:
    """A question as a turn receives it, about the database `source`.

    A channel's own `workspace` has the name of the channel. `roles` decide the asker's rights at this moment.
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
class LoggedMessage:
    """A line of the append-only log, part of the turn `turn_id`; times are UTC."""

    thread: ThreadKey
    seq: int
    turn_id: str
    role: Role
    content: str
    author: str
    tokens: int
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryRecord:
    """A question handed to an analyst; `analyst` is the name shown with the answer."""

    id: int
    thread: ThreadKey
    turn_id: str
    source: str
    question: str
    analyst: str
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenQuery(QueryRecord):
    """A record with SQL. `reading` restates the question; `meaning` is the analyst's typed form of it (JSON), edited by follow-ups."""

    sql: str
    reading: str = ""
    meaning: Json = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftQuery(WrittenQuery):
    """SQL that has not run yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredQuery(WrittenQuery):
    """SQL that ran. `result` is the handle of the stored rows, None once they are dropped."""

    row_count: int | None = None
    truncated: bool = False
    headline: str = ""
    result: str | None = None
    elapsed_ms: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedQuery(WrittenQuery):
    """SQL that was refused, broke, or gave way to another attempt; `problem` says why."""

    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedBack(QueryRecord):
    """A question returned with `options` to choose from."""

    text: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Declined(QueryRecord):
    """A question nobody could turn into SQL, with questions that would work."""

    reason: str
    suggestions: tuple[str, ...]


PastQuery = AnsweredQuery | FailedQuery | AskedBack | Declined
