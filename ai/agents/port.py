"""What an agent is: it is handed a turn and yields reply events. Owns the events, the turn, and running one without an engine.

The events say what to tell, never how it looks: no agent has heard of Slack. Their order is the order of the reply.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Protocol, TypeVar

from ai.answers.phrase import literal
from ai.results.table import ResultTable
from ai.stopping import NEVER, Stop
from ai.types import LoggedMessage, Request, Step, ThreadKey

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class StatusEvent:
    """What is being done now; replaced by whatever comes next."""

    text: str


@dataclass(frozen=True, slots=True)
class TextEvent:
    """Prose in Markdown (bold, code, lists); every data value in it is escaped."""

    markdown: str


@dataclass(frozen=True, slots=True)
class TableEvent:
    """Rows to look at. `table.row_count` may be larger than the number of rows given."""

    table: ResultTable


@dataclass(frozen=True, slots=True)
class SqlEvent:
    """SQL that ran, and the question that it answered."""

    sql: str
    question: str


@dataclass(frozen=True, slots=True)
class QuoteEvent:
    """Something that was said before, word for word. `ts` names the message in its thread, or the turn that it is of."""

    intro: str
    words: str
    at: str
    thread: ThreadKey
    ts: str


@dataclass(frozen=True, slots=True)
class FileEvent:
    """A finished file. It belongs to the turn and is removed when the turn has delivered it."""

    path: Path
    title: str


@dataclass(frozen=True, slots=True)
class QuestionEvent:
    """A question back to the person, with answers to choose from.

    `asks` are the messages that choosing them stands for, one for each option; without it the options say it themselves.
    With `for_owners` only an owner may choose.
    """

    text: str
    options: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    for_owners: bool = False


@dataclass(frozen=True, slots=True)
class NoteEvent:
    """The small print of an answer: how it was read, by whom, from how many rows, in how many milliseconds."""

    reading: str
    analyst: str
    row_count: int
    truncated: bool
    elapsed_ms: int
    query_id: int


@dataclass(frozen=True, slots=True)
class CautionEvent:
    """What an answer may get wrong in silence: one sentence in plain text, which may hold values of the data."""

    text: str


@dataclass(frozen=True, slots=True)
class ReceiptEvent:
    """What an answer rests on: the SQL that ran, everything else in lines of plain text, and the seal over it all."""

    sql: str
    lines: tuple[str, ...]
    seal: str


@dataclass(frozen=True, slots=True)
class FeedbackEvent:
    """People may say whether an answer is right. `day` is that of the question, where it was asked.

    An answer can be accepted when its question `stands_alone`; one that `is_verified` was accepted before.
    """

    query_id: int
    day: date
    stands_alone: bool
    is_verified: bool


ReplyEvent = (
    StatusEvent
    | TextEvent
    | TableEvent
    | SqlEvent
    | QuoteEvent
    | FileEvent
    | QuestionEvent
    | CautionEvent
    | NoteEvent
    | ReceiptEvent
    | FeedbackEvent
)


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole reply: its events in order."""

    events: tuple[ReplyEvent, ...]

    @property
    def text(self) -> str:
        """What is said, as Markdown: this is what the memory keeps of the reply."""
        return "\n\n".join(words for event in self.events if (words := said(event)))


def said(event: ReplyEvent) -> str:
    """The words of one event, "" for what is not said in words."""
    match event:
        case TextEvent(markdown):
            return markdown
        case SqlEvent(sql, _):
            return f"```sql\n{sql}\n```"
        case QuestionEvent(text, options):
            return "\n".join([text, *(f"- {option}" for option in options)])
        case QuoteEvent(intro, words, at):
            return f"{intro} “{literal(words)}” ({at})"
        case FileEvent(path, _):
            return f"File: {path.name}"
        case _:
            return ""


def run_now(name: str, fn: Callable[[], T]) -> T:  # noqa: ARG001 - a step is named, even where nothing is recorded
    """A `Step` that records nothing: what a turn uses where no durable engine runs it."""
    return fn()


@dataclass(frozen=True, slots=True)
class Turn:
    """One question being answered. `history` is what was said before it in the thread, oldest first.

    No step begins after `stop` was called; what takes long inside a step is interrupted by it.
    """

    request: Request
    history: tuple[LoggedMessage, ...] = ()
    step: Step = field(default=run_now)
    stop: Stop = NEVER
    _known: dict[str, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def once(self, name: str, look: Callable[[], T]) -> T:
        """What `look` gives, looked up once in a turn: the router and the agent ask the same of a question.

        Nothing that a step changes is looked up so, and a resumed turn looks again.
        """
        if name not in self._known:
            self._known[name] = look()
        found: T = self._known[name]
        return found


class Agent(Protocol):
    """Answers one kind of message."""

    def run(self, turn: Turn) -> Iterator[ReplyEvent]:
        """Answer; every call to a model, a database or a store that must not be repeated is a `turn.step`."""
