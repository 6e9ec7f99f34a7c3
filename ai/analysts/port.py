"""The analyst port: reads a question and writes its SQL. The guard, the database and the figures decide about it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal, Protocol, runtime_checkable

from ai.results.table import ResultTable
from ai.sql.catalog.catalog import Catalog
from ai.sql.semantics.semantics import NO_SEMANTICS, Semantics
from ai.stopping import NEVER, Stop
from ai.types import Json, LoggedMessage, PastQuery, ThreadKey

Intent = Literal[
    "sql_query",
    "reshape",
    "csv_export",
    "sql_retrieval",
    "chart",
    "memory",
    "states",
    "cost",
    "correction",
    "help",
    "thanks",
    "unsupported",
]
Expected = Literal["", "value", "row", "rows"]  # the shape of a right result; "" where nothing is said of it
NO_THREAD = ThreadKey("", "", "")
THREAD_TOKENS = 200  # most of what was said in its thread that a question brings, where a model is paid by the token


@dataclass(frozen=True, slots=True)
class Example:
    question: str
    sql: str


@dataclass(frozen=True, slots=True)
class Question:
    """Everything an analyst may look at. `history` is oldest first, `past` newest first, `today` the asker's day.

    `turn_id`, `user` and `thread` are for the ledger. Long work ends with `Stopped` when `stop` is called.
    """

    text: str
    catalog: Catalog
    today: date
    history: tuple[LoggedMessage, ...] = ()
    past: tuple[PastQuery, ...] = ()
    semantics: Semantics = NO_SEMANTICS
    examples: tuple[Example, ...] = ()
    turn_id: str = ""
    user: str = ""
    thread: ThreadKey = NO_THREAD
    stop: Stop = NEVER


@dataclass(frozen=True, slots=True)
class Route:
    """The kind of a message; `why` is one clause for the log."""

    intent: Intent
    why: str


@dataclass(frozen=True, slots=True)
class Draft:
    """Proposed SQL, its reading in plain words, and the assumptions.

    `meaning` is the typed reading as JSON, for follow-ups. `expects` is the shape of a right result. `by` names another
    reader.
    """

    sql: str
    reading: str
    meaning: Json = None
    assumptions: tuple[str, ...] = ()
    expects: Expected = ""
    by: str = ""


@dataclass(frozen=True, slots=True)
class AskBack:
    text: str
    options: tuple[str, ...] = ()
    by: str = ""


@dataclass(frozen=True, slots=True)
class CannotAnswer:
    reason: str
    suggestions: tuple[str, ...] = field(default=())
    by: str = ""


Proposal = Draft | AskBack | CannotAnswer


@dataclass(frozen=True, slots=True)
class ToolCall:
    name: str
    arguments: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Tools:
    """Schemas as OpenAI writes them, and a function to run a call. Calling `ending` ends the search."""

    schemas: tuple[Mapping[str, Any], ...]
    call: Callable[[ToolCall], Json]
    ending: str


@runtime_checkable
class Researcher(Protocol):
    def research(self, question: Question, tools: Tools) -> Mapping[str, Json] | None:
        """Return the arguments of the ending call; None without one."""


@runtime_checkable
class Definer(Protocol):
    """An analyst that turns a correction into a definition."""

    def define(self, question: Question) -> Json:
        """Return a metric or wording for `ai.sql.semantics.change`; None for neither."""


@runtime_checkable
class Voting(Protocol):
    """An analyst that writes several queries for one question; their results vote."""

    @property
    def candidates(self) -> int: ...


class Analyst(Protocol):
    @property
    def name(self) -> str: ...

    def route(self, question: Question) -> Route:
        """Classify a message; asked only when the rules are unsure."""

    def write_sql(self, question: Question) -> Proposal:
        """Propose one SELECT in the dialect of `question.catalog`, or say why not."""

    def repair_sql(self, question: Question, draft: Draft, problem: str) -> Proposal: ...

    def phrase(self, question: Question, draft: Draft, result: ResultTable) -> Iterator[str]:
        """Say the result in Markdown, data values escaped by `ai.answers.phrase.literal`."""

    def choose(self, description: str, options: Sequence[str]) -> int | None: ...
