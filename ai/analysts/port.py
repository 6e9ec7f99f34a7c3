"""The analyst port: who reads a question and writes its SQL. The built-in reader and a language model both fit it.

An analyst only proposes. What it writes is checked by the guard and run by the database door, and every number it says
is bound to a cell afterwards. It keeps nothing between calls: what it needs from earlier turns is in `Question.past`.
"""

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
    """A question that was answered right before, as people here confirmed, and its SQL."""

    question: str
    sql: str


@dataclass(frozen=True, slots=True)
class Question:
    """Everything an analyst may look at. `history` is oldest first, `past` newest first; `today` is the asker's day.

    `examples` are accepted queries, the most alike first. `turn_id`, `user` and `thread` are for the ledger only. What takes
    long ends with `Stopped` when `stop` is called.
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
    """What kind of message this is; `why` is one clause for the log."""

    intent: Intent
    why: str


@dataclass(frozen=True, slots=True)
class Draft:
    """SQL that is proposed, how the question was read in plain words, and what was assumed to read it so.

    `meaning` is the analyst's own typed reading as JSON; it comes back in `PastQuery.meaning` for a follow-up. `expects`
    is what a right result would look like; who says so can be asked again when it looks otherwise. `by` names who read
    the question where the analyst itself did not.
    """

    sql: str
    reading: str
    meaning: Json = None
    assumptions: tuple[str, ...] = ()
    expects: Expected = ""
    by: str = ""


@dataclass(frozen=True, slots=True)
class AskBack:
    """The question has several readings: one question back, with the answers to choose from."""

    text: str
    options: tuple[str, ...] = ()
    by: str = ""


@dataclass(frozen=True, slots=True)
class CannotAnswer:
    """An honest no: one sentence why, and questions that would work."""

    reason: str
    suggestions: tuple[str, ...] = field(default=())
    by: str = ""


Proposal = Draft | AskBack | CannotAnswer


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool that a model wants to be called, and with what."""

    name: str
    arguments: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Tools:
    """What a model may call: the schemas as OpenAI writes them, and what a call gives. Calling `ending` ends the search."""

    schemas: tuple[Mapping[str, Any], ...]
    call: Callable[[ToolCall], Json]
    ending: str


@runtime_checkable
class Researcher(Protocol):
    """An analyst that can look for something by itself, with tools that it is handed."""

    def research(self, question: Question, tools: Tools) -> Mapping[str, Json] | None:
        """What it called the ending tool with; None when it found nothing or cannot be asked now."""


@runtime_checkable
class Definer(Protocol):
    """An analyst that follows rules in words, and may say one more exactly."""

    def define(self, question: Question) -> Json:
        """The metric or wording that a correction defines, as `ai.sql.semantics.change` reads it; None for neither."""


@runtime_checkable
class Voting(Protocol):
    """An analyst that may write another query for the same question, so that the results of several can vote."""

    @property
    def candidates(self) -> int:
        """How many queries are to be written for a question."""


class Analyst(Protocol):
    """Five things an analyst can do. `name` is shown to people with each answer."""

    @property
    def name(self) -> str: ...

    def route(self, question: Question) -> Route:
        """Say what kind of message this is; asked only when the rules are unsure."""

    def write_sql(self, question: Question) -> Proposal:
        """Propose one SELECT in the dialect of `question.catalog`, or say why not."""

    def repair_sql(self, question: Question, draft: Draft, problem: str) -> Proposal:
        """Propose again after `problem` (the guard's reason or the database's message)."""

    def phrase(self, question: Question, draft: Draft, result: ResultTable) -> Iterator[str]:
        """Say the result in words, piece by piece. Markdown; data values escaped with `ai.answers.phrase.literal`."""

    def choose(self, description: str, options: Sequence[str]) -> int | None:
        """The index of the option that `description` means, or None when none is close enough."""
