"""Tells one person what there is: questions to begin with, theirs so far, saved states, definitions, costs."""

from dataclasses import dataclass

from ai.agents.port import Turn
from ai.agents.question_context import QuestionContext
from ai.agents.suggestions import questions
from ai.memory_store import MemoryStore
from ai.types import Request


@dataclass(frozen=True, slots=True)
class Overview:
    memory: MemoryStore
    context: QuestionContext

    def examples(self, request: Request, count: int = 3) -> tuple[str, ...]:
        """Return questions that the data of a request answers. Raises NotAllowed or SourceUnavailable."""
        return questions(self.context, Turn(request), count)
