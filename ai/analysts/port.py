"""The port of analysts, who read questions and write SQL: the built-in reader, or a language model.

An analyst only proposes. The guard checks its SQL, the database door runs it, and every figure it says is bound to a
cell. It keeps nothing between calls: earlier turns come in `Question.past`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal, NewType, Protocol, runtime_checkable

from ai.memory.prompt import NOTHING, ThreadPart
from ai.results.table import ResultTable
from ai.sql.catalog import Catalog
from ai.sql.facts import Facts
from ai.sql.semantics import NO_SEMANTICS, Semantics
from ai.stopping import NEVER, Stop
from ai.types import AnsweredQuery, Json, ThreadKey

Intent = NewType("Intent", str)  # a kind of message, as the card of its agent names it
SQL_QUERY, UNSUPPORTED = Intent("sql_query"), Intent("unsupported")  # the two that every analyst tells apart
Expected = Literal["", "value", "row", "rows"]  # the shape of a right result; "" where nothing is said of it
TAKEN = "taken"  # in the JSON of a meaning, what an open question before it was taken for
NO_THREAD = ThreadKey("", "", "")


@dataclass(frozen=True, slots=True)
class Example:
    """An accepted question and its SQL."""

    question: str
    sql: str


@dataclass(frozen=True, slots=True)
class Question:
    """The input of an analyst. `past` is newest first, `examples` closest first.

    `today` is the day of the asker. `kinds` are the intents to route to, each with a clause. `turn_id`, `user` and
    `thread` are for the ledger. `stop` ends long work with Stopped. `settled` are turns answered without a query.
    """

    text: str
    catalog: Catalog
    today: date
    thread_part: ThreadPart = NOTHING
    past: tuple[AnsweredQuery, ...] = ()
    semantics: Semantics = NO_SEMANTICS
    examples: tuple[Example, ...] = ()
    turn_id: str = ""
    user: str = ""
    thread: ThreadKey = NO_THREAD
    stop: Stop = NEVER
    kinds: Mapping[Intent, str] = field(default_factory=dict)
    settled: frozenset[str] = frozenset()
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Route:
    """The intent of a message; `why` is a clause for the log."""

    intent: Intent
    why: str


@dataclass(frozen=True, slots=True)
class Draft:
    """Proposed SQL, with its reading in plain words and the assumptions made.

    `meaning` is the typed reading as JSON; it comes back in `AnsweredQuery.meaning`. `expects` is the shape of a right
    result, and allows to ask again for another one. `by` names the reader if it is not the analyst. `facts` are those
    of the SQL once it ran. `confidence` is the probability of being right, None where nobody weighed it.
    """

    sql: str
    reading: str
    meaning: Json = None
    assumptions: tuple[str, ...] = ()
    expects: Expected = ""
    by: str = ""
    facts: Facts | None = None
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class AskBack:
    """A question back, for a question with several readings."""

    text: str
    options: tuple[str, ...] = ()
    by: str = ""


@dataclass(frozen=True, slots=True)
class CannotAnswer:
    """A refusal in one sentence, with questions to ask instead."""

    reason: str
    suggestions: tuple[str, ...] = field(default=())
    by: str = ""


Proposal = Draft | AskBack | CannotAnswer


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool by a model."""

    name: str
    arguments: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Tools:
    """The tools a model may call, with schemas as OpenAI writes them. Calling `ending` ends the search."""

    schemas: tuple[Mapping[str, Any], ...]
    call: Callable[[ToolCall], Json]
    ending: str


@runtime_checkable
class Researcher(Protocol):
    """An analyst able to search by itself, with tools."""

    def research(self, question: Question, tools: Tools) -> Mapping[str, Json] | None:
        """Return the arguments of the ending tool, None when nothing is found or no model can be asked."""


@runtime_checkable
class Definer(Protocol):
    """An analyst able to follow rules in words."""

    def define(self, question: Question) -> Json:
        """Return the metric or wording of a correction, as `ai.sql.semantics` reads it, or None."""


@runtime_checkable
class Adviser(Protocol):
    """An analyst able to say where to look first."""

    def likeliest(self, question: Question, columns: Sequence[str]) -> tuple[str, ...]:
        """Return those of the columns likeliest to explain a change, best first; () if no model can be asked."""


@runtime_checkable
class Voting(Protocol):
    """An analyst able to write several queries for a question, whose results vote."""

    @property
    def candidates(self) -> int:
        """The number of queries to write."""


@runtime_checkable
class Backed(Protocol):
    """An analyst with a reader behind it, for when its SQL fails or may be wrong."""

    def instead(self, question: Question) -> Proposal:
        """Return the reader's proposal after the analyst's SQL failed for good."""

    def second_reading(self, question: Question) -> Draft | AskBack | None:
        """Return the reader's answer or question back, None where it is unsure."""


@runtime_checkable
class Doubting(Protocol):
    """An analyst able to doubt its answer by the result."""

    def doubt(self, question: Question, result: ResultTable) -> AskBack | CannotAnswer | None:
        """Return what to ask in place of the answer, None where it stands."""


@runtime_checkable
class Paid(Protocol):
    """An analyst whose words may cost a call."""

    def words_cost(self, draft: Draft, result: ResultTable) -> bool:
        """Whether `phrase` would make a call."""


class Analyst(Protocol):
    """The five calls of an analyst. `name` is shown with each answer."""

    @property
    def name(self) -> str: ...

    def route(self, question: Question) -> Route:
        """Classify a message no rule is sure of."""

    def write_sql(self, question: Question) -> Proposal:
        """Propose one SELECT in the dialect of `question.catalog`, or refuse."""

    def repair_sql(self, question: Question, draft: Draft, problem: str) -> Proposal:
        """Propose again after `problem`, the words of the guard or the database."""

    def phrase(self, question: Question, draft: Draft, result: ResultTable) -> Iterator[str]:
        """Say the result in Markdown, piece by piece, with data values escaped by `ai.answers.phrase.literal`."""


class Reader(Analyst, Doubting, Protocol):
    """An analyst able to judge itself."""

    def sure(self, question: Question) -> Draft | AskBack | None:
        """Return a sure answer or question back, or None."""
