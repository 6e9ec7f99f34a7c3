"""The port of agents: a turn goes in, reply events come out, in order. Events carry content, never layout."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any, Protocol, TypeVar

from ai.analysts.port import SQL_QUERY
from ai.answers.phrase import literal
from ai.answers.receipt import Receipt
from ai.charts import ResultChart
from ai.results.table import ResultTable
from ai.stopping import NEVER, Stop
from ai.types import Deed, LoggedMessage, Request, Step, ThreadKey

ANSWER = Deed("")
QUESTION = Deed(SQL_QUERY)  # asked of the data, whatever its words
TO_NOW = Deed("", until_next=True)  # an answer or a deed that only makes sense before the thread goes on
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class StatusEvent:
    """The work being done now."""

    text: str


@dataclass(frozen=True, slots=True)
class TextEvent:
    """Markdown (bold, code, lists) with data values escaped."""

    markdown: str


def plainly(text: str) -> TextEvent:
    """Return plain words as Markdown that shows them."""
    return TextEvent(literal(text))


@dataclass(frozen=True, slots=True)
class TableEvent:
    """Rows to show; `table.row_count` may exceed them. `headings` and `cells` are written for people, if given."""

    table: ResultTable
    headings: tuple[str, ...] = ()
    cells: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class ChartEvent:
    """A chart of a result; `table` has its rows, for where no picture can be shown."""

    chart: ResultChart
    query_id: int
    table: TableEvent


@dataclass(frozen=True, slots=True)
class SqlEvent:
    sql: str
    question: str


@dataclass(frozen=True, slots=True)
class QuoteEvent:
    """A quotation. `ts` names the message in its thread, or its turn; `by` its author, who ends the intro."""

    intro: str
    words: str
    at: str
    thread: ThreadKey
    ts: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class FileEvent:
    """A finished file, removed after delivery. `alt` is read out in place of a picture."""

    path: Path
    title: str
    alt: str = ""


@dataclass(frozen=True, slots=True)
class QuestionEvent:
    """A question back. `asks` has the message each option stands for, where the option is not the message itself.

    The deed says where an answer goes; without one, back to the agent that asks.
    """

    text: str
    options: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    for_owners: bool = False
    deed: Deed = ANSWER

    def asked_in(self, turn_id: str, agent: str) -> "QuestionEvent":
        return replace(self, deed=replace(self.deed, to=self.deed.to or agent, of=turn_id))


@dataclass(frozen=True, slots=True)
class NoteEvent:
    """The small print of an answer."""

    reading: str
    analyst: str
    row_count: int
    truncated: bool
    elapsed_ms: int
    query_id: int


@dataclass(frozen=True, slots=True)
class CautionEvent:
    """A likely silent error: one sentence of plain text."""

    text: str


@dataclass(frozen=True, slots=True)
class CauseEvent:
    """What moved a figure, for programs: drivers as (dimension, value, share of the change), the largest first."""

    cause: str
    drivers: tuple[tuple[str, str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class ProofEvent:
    """The receipt of an answer in a thread before it is sealed, which takes the words of the whole answer."""

    receipt: Receipt
    thread: ThreadKey


@dataclass(frozen=True, slots=True)
class ReceiptEvent:
    """The evidence of an answer, and its seal. `lines` stand above the SQL, `closing` below it."""

    sql: str
    lines: tuple[str, ...]
    seal: str
    closing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ActionsEvent:
    """The buttons under an answer: labels with their messages. `more` folds away.

    `refines` is the query to refine, 0 for none; `asks` are its next questions.
    """

    row: tuple[tuple[str, str], ...]
    more: tuple[tuple[str, str], ...] = ()
    refines: int = 0
    asks: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class PressEvent:
    """A question that was chosen instead of written: in words, with its asker."""

    words: str
    by: str


@dataclass(frozen=True, slots=True)
class FeedbackEvent:
    """Asks whether an answer is right. `day` is the day of the question, where it was asked."""

    query_id: int
    day: date


@dataclass(frozen=True, slots=True)
class PrivateEvent:
    """The reply is not for `hidden_from` people of its channel; 0 where its readers are unknown."""

    hidden_from: int


ReplyEvent = (
    StatusEvent
    | TextEvent
    | TableEvent
    | ChartEvent
    | SqlEvent
    | QuoteEvent
    | FileEvent
    | QuestionEvent
    | CautionEvent
    | NoteEvent
    | CauseEvent
    | ProofEvent
    | ReceiptEvent
    | ActionsEvent
    | PressEvent
    | FeedbackEvent
    | PrivateEvent
)


@dataclass(frozen=True, slots=True)
class Answer:
    events: tuple[ReplyEvent, ...]

    @property
    def text(self) -> str:
        """The reply as Markdown, for the memory."""
        return "\n\n".join(words for event in self.events if (words := said(event)))


def said(event: ReplyEvent) -> str:
    """Return the words of an event, "" for one without words."""
    match event:
        case TextEvent(markdown):
            return markdown
        case SqlEvent(sql, _):
            return f"```sql\n{sql}\n```"
        case QuestionEvent(text, options):
            return "\n".join([text, *(f"- {option}" for option in options)])
        case QuoteEvent(intro, words, at, by=by):
            return f"{intro} {f'{literal(by)}: ' if by else ''}“{literal(words)}” ({at})"
        case FileEvent(path, _):
            return f"File: {path.name}"
        case _:
            return ""


def run_now(name: str, fn: Callable[[], T]) -> T:  # noqa: ARG001 - a step is named, even where nothing is recorded
    """Run a step without recording it."""
    return fn()


@dataclass(frozen=True, slots=True)
class Turn:
    """One question being answered. A given `history`, oldest first, stands for the thread of the log.

    `stop` interrupts long work and ends the steps.
    """

    request: Request
    history: tuple[LoggedMessage, ...] | None = None
    step: Step = field(default=run_now)
    stop: Stop = NEVER
    _known: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def saying(self, text: str) -> "Turn":
        """Return the turn with other words in the place of its message."""
        return replace(self, request=replace(self.request, text=text))

    def once(self, name: str, look: Callable[[], T]) -> T:
        """Return `look()`, called once a turn. Not for facts a step changes."""
        if name not in self._known:
            self._known[name] = look()
        found: T = self._known[name]
        return found


class Agent(Protocol):
    def run(self, turn: Turn) -> Iterator[ReplyEvent]:
        """Answer. Wrap every call not to be repeated in `turn.step`."""
