"""Calls an agent with a text and a thread, without an engine."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence

from ai.agents.port import Answer, ReplyEvent, Turn
from ai.agents.question_context import QuestionContext
from ai.types import LoggedMessage, ThreadKey


class DirectCalls(ABC):
    """Calls beside `run`. They look the history up unless given."""

    def __init__(self, context: QuestionContext) -> None:
        self._context = context

    @abstractmethod
    def run(self, turn: Turn) -> Iterator[ReplyEvent]: ...

    def stream(
        self, text: str, thread_ts: ThreadKey | str, conversation_history: Sequence[LoggedMessage] | None = None
    ) -> Iterator[ReplyEvent]:
        return self.run(self._context.lone_turn(text, thread_ts, conversation_history))

    def whole(
        self, text: str, thread_ts: ThreadKey | str, conversation_history: Sequence[LoggedMessage] | None = None
    ) -> Answer:
        return Answer(tuple(self.stream(text, thread_ts, conversation_history)))
