"""Frozen values for threads, requests, messages and queries."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal, Protocol, TypeAlias, TypeVar

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
Role = Literal["user", "assistant"]
T = TypeVar("T")


class Step(Protocol):
    """Run `fn` once per turn and name. The value is recorded for good: ids and small JSON, never text or rows."""

    def __call__(self, name: str, fn: Callable[[], T]) -> T: ...


@dataclass(frozen=True, slots=True, order=True)
class ThreadKey:
    """A conversation; `thread_ts` is unique only within its channel."""

    team: str
    channel: str
    thread_ts: str

    def __str__(self) -> str:
        return f"{self.team}/{self.channel}/{self.thread_ts}"

    @classmethod
    def of(cls, key: "ThreadKey | str") -> "ThreadKey":
        """Read `team/channel/ts`, or a bare ts."""
        if isinstance(key, ThreadKey):
            return key
        parts = key.split("/")
        return cls(*parts) if len(parts) == 3 else cls("", "", key)


OUTSIDERS = frozenset({"guest", "external"})  # roles of people who do not belong to the company, and teach nobody


NOBODY = "(nobody)"  # the role of people who may read nothing, whatever the rights of everybody are


def anybody(_user: str) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Readers:
    """The readers of a reply beside its asker. Both calls raise SourceUnavailable where nobody knows.

    `roles` counts them by their roles, `includes` says whether a person is among the members of the channel.
    """

    roles: Callable[[], Mapping[tuple[str, ...], int]] = dict
    includes: Callable[[str], bool] = anybody


@dataclass(frozen=True, slots=True)
class Disclosed:
    """SQL told of in a reply, with the mark of its rows; None where only the SQL is told."""

    source: str
    sql: str
    mark: str | None


@dataclass(slots=True)
class Disclosure:
    """Collects the queries told of in a reply. `summaries` are texts on several answers of a thread."""

    queries: list[Disclosed] = field(default_factory=list)
    summaries: bool = False


@dataclass(frozen=True, slots=True)
class Deed:
    """The meaning of a press, beside its words. One answers a question."""

    to: str  # the agent
    of: str = ""  # the turn of the question it answers
    state: str = ""  # the asker's own mark
    until_next: bool = False  # the thread must not have gone on

    @property
    def stored(self) -> str:
        return json.dumps([self.to, self.of, self.state, self.until_next], ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def read(cls, stored: str) -> "Deed | None":
        return cls(*json.loads(stored)) if stored else None


@dataclass(frozen=True, slots=True)
class QuestionDetails:
    """The thread a question was said in, if another; the button behind it; its message of LangChain."""

    place: str = ""
    deed: Deed | None = None
    original: str | None = None


PLAIN = QuestionDetails()


@dataclass(frozen=True, slots=True)
class Request:
    """A question with its asker. A channel's own `workspace` has its name; `roles` decide rights now.

    The reply notes in `disclosed` whose rights it touches, the prompt of a language model in `prompted`. Where `source`
    is the files of a thread, `connected` is that of the channel.
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
    deed: Deed | None = None
    language: str = "en"
    connected: str = ""
    readers: Readers = Readers()
    disclosed: Disclosure = field(default_factory=Disclosure, compare=False, repr=False)
    prompted: Disclosure = field(default_factory=Disclosure, compare=False, repr=False)


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
    """A line of the append-only log; times are UTC. Only a question knows its `place` and its `deed`."""

    thread: ThreadKey
    seq: int
    turn_id: str
    role: Role
    content: str
    author: str
    tokens: int
    created_at: datetime
    place: str = ""
    deed: Deed | None = None

    @property
    def said_in(self) -> ThreadKey:
        """The thread that shows the message: a conversation may go through several."""
        return replace(self.thread, thread_ts=self.place) if self.place else self.thread


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryRecord:
    id: int
    thread: ThreadKey
    turn_id: str
    source: str
    question: str
    analyst: str
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenQuery(QueryRecord):
    """SQL and its `reading`; follow-ups edit `meaning`, the analyst's typed JSON."""

    sql: str
    reading: str = ""
    meaning: Json = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftQuery(WrittenQuery):
    """SQL still to run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredQuery(WrittenQuery):
    """`result` is the handle of its rows while they are kept."""

    row_count: int | None = None
    truncated: bool = False
    headline: str = ""
    result: str | None = None
    elapsed_ms: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedQuery(WrittenQuery):
    """SQL refused, broken, or replaced by another attempt."""

    problem: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedBack(QueryRecord):
    text: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Declined(QueryRecord):
    reason: str
    suggestions: tuple[str, ...]


PastQuery = AnsweredQuery | FailedQuery | AskedBack | Declined
