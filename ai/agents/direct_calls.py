"""Calling an agent by a text and a thread, without an engine around it."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence

from ai.agents.port import Answer, ReplyEvent, Turn
from ai.agents.question_context import QuestionContext
from ai.types import LoggedMessage, ThreadKey


class DirectCalls(ABC):
    """The calls of an agent beside `run`. The history of the thread is looked up when it is not given."""

    def __init__(self, context: QuestionContext) -> None:
        self._context = context

    @abstractmethod
    def run(self, turn: Turn) -> Iterator[ReplyEvent]:
        """Answer the message of a turn."""

    def stream(
        self, text: str, thread_ts: ThreadKey | str, conversation_history: Sequence[LoggedMessage] | None = None
    ) -> Iterator[ReplyEvent]:
        """Reply event by event."""
        return self.run(self._context.lone_turn(text, thread_ts, conversation_history))

    def whole(
        self, text: str, thread_ts: ThreadKey | str, conversation_history: Sequence[LoggedMessage] | None = None
    ) -> Answer:
        """Reply at once."""
        return Answer(tuple(self.stream(text, thread_ts, conversation_history)))
