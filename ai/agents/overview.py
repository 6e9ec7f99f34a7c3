"""Tells one person what there is: questions to begin with, theirs so far, saved states, definitions, costs."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from ai.agents.port import ActionsEvent, TextEvent, Turn
from ai.agents.question_context import QuestionContext
from ai.agents.suggestions import questions
from ai.answers.phrase import literal
from ai.ledger import TokenUsage, money
from ai.memory_store import MemoryStore
from ai.types import Request, ThreadKey

MOST, DEFINITIONS = 5, 12
USAGE_DAYS = 30
INTRODUCTION = (
    "I answer questions about the data in {}, with SQL that is checked before it runs.\n"
    "Mention me with a question, then go on in its thread without a mention: “by month”, “only last year”, “as CSV”.\n"
    "For example: {}"
)


@dataclass(frozen=True, slots=True)
class Remembered:
    """A question or a saved state, and the thread it comes from."""

    words: str
    thread: ThreadKey
    at: datetime


@dataclass(frozen=True, slots=True)
class Use:
    """What was asked and spent in so many `days`."""

    days: int
    questions: int
    people: int
    calls: int
    tokens: int
    cost: str


@dataclass(frozen=True, slots=True)
class Overview:
    memory: MemoryStore
    context: QuestionContext

    def examples(self, request: Request, count: int = 3) -> tuple[str, ...]:
        """Return questions that the data of a request answers. Raises NotAllowed or SourceUnavailable."""
        return questions(self.context, Turn(request), count)

    def introduction(self, request: Request) -> tuple[TextEvent, ActionsEvent]:
        """Return what we do here in three lines, and two questions to press. Raises as `examples`."""
        asked = self.examples(request, 2)
        examples = " or ".join(f"“{literal(example)}”" for example in asked)
        text = INTRODUCTION.format(literal(request.source), examples)
        return TextEvent(text), ActionsEvent(tuple((example, example) for example in asked))

    def definitions(self, request: Request) -> tuple[tuple[str, str], ...]:
        """Return figures, terms and approved rules with their descriptions. Raises as `examples`."""
        semantics = self.context.question(Turn(request)).semantics
        figures = [(metric.name, metric.description) for metric in semantics.metrics]
        words = [(term.name, term.description) for term in semantics.terms]
        return (*figures, *words, *((rule, "") for rule in semantics.rules))[:DEFINITIONS]

    def questions(self, request: Request) -> tuple[Remembered, ...]:
        """Return the newest answered questions of a person."""
        asked = self.memory.asked.of_person(request.thread.team, request.user, MOST)
        return tuple(Remembered(one.text, one.said_in, one.at) for one in asked)

    def states(self, request: Request) -> tuple[Remembered, ...]:
        """Return the newest states that a person saved."""
        states = self.memory.states.of_author(request.thread.team, request.user, MOST)
        return tuple(Remembered(one.snapshot.name, one.origin.thread, one.created_at) for one in states)

    def use(self, now: datetime) -> Use:
        since = now - timedelta(days=USAGE_DAYS)
        volume, entries = self.memory.asked.since(since), self.memory.spending.since(since)
        tokens = sum((entry.usage for entry in entries), TokenUsage()).total
        return Use(USAGE_DAYS, volume.questions, volume.people, len(entries), tokens, money(entries))
