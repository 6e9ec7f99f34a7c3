"""The router: which kind of message this is. It reads the thread and keeps nothing.

Explicit wishes are decided by rule; the analyst is asked only when the rules are silent.
"""

from collections.abc import Sequence

from ai.agents.port import Turn
from ai.agents.querying.reshaping import Reshaping
from ai.agents.question_context import QuestionContext
from ai.agents.wishes.wording import explicit_intent
from ai.analysts.port import Analyst, Route
from ai.types import LoggedMessage, ThreadKey


class RouterAgent:
    """Decides by rule, then by the rows that are there, by what was accepted before, and only then by the analyst."""

    def __init__(self, analyst: Analyst, context: QuestionContext, reshaping: Reshaping) -> None:
        self._analyst = analyst
        self._context = context
        self._reshaping = reshaping

    def classify_intent(
        self, user_message: str, thread_ts: ThreadKey | str, conversation_history: Sequence[LoggedMessage] | None = None
    ) -> Route:
        """Classify one message of a thread (seed 004)."""
        return self.route(self._context.lone_turn(user_message, thread_ts, conversation_history))

    def route(self, turn: Turn) -> Route:
        """Classify the question of a turn."""
        intent = explicit_intent(turn.request.text)
        if intent is not None:
            return Route(intent, "said outright")
        if self._reshaping.plan(turn) is not None:
            return Route("reshape", "about the rows that are there")
        if self._context.verified(turn) is not None:
            return Route("sql_query", "asked before, and the answer was accepted")
        return self._analyst.route(self._context.question(turn, recall=False))
