"""Decides which agent answers: cards first, by rank, then the analyst. Stores nothing."""

from collections.abc import Sequence
from dataclasses import replace

from ai.agents.cards import Services
from ai.agents.port import Turn
from ai.analysts.port import SQL_QUERY, Intent, Route
from ai.errors import NotAllowed
from ai.language.remarks import behind_praise, goes_on, in_full, is_agreed
from ai.types import AskedBack, Deed, LoggedMessage, ThreadKey

ANSWERED = "This was answered before; write what you want instead."
LATELY = 3  # messages
GONE_ON = "The thread has gone on since this was asked; write what you mean, or ask the question again."


class RouterAgent:
    def __init__(self, services: Services) -> None:
        self._services = services

    def classify_intent(
        self, user_message: str, thread_ts: ThreadKey | str, conversation_history: Sequence[LoggedMessage] | None = None
    ) -> Route:
        return self.route(self._services.context.lone_turn(user_message, thread_ts, conversation_history))

    def heard(self, turn: Turn) -> Turn:
        """Return the turn with its words spelt out, and without thanks before what it asks; a press as it is."""
        if turn.request.deed:
            return turn
        text, said = in_full(turn.request.text), self._services.cards.said
        rest = behind_praise(text)
        asks = rest and (said(rest) not in (None, said(text)) or goes_on(rest))
        return turn.saying(rest if asks else text) if asks or text != turn.request.text else turn

    def route(self, turn: Turn) -> Route:
        """Choose by the words; a press goes to the agent it was made for. Raises NotAllowed for a stale one."""
        if deed := turn.request.deed:
            return Route(self._pressed(turn.request.turn_id, deed), "pressed")
        if is_agreed(turn.request.text) and self._asks_back(turn):
            return Route(SQL_QUERY, "it agrees with the reading asked back")
        for card in self._services.cards.by_rank:
            if card.fits(turn.request.text):
                return Route(card.intent, "said outright")
            if card.claims(self._services, turn):
                return Route(card.intent, "claimed by its agent")
        question = self._services.context.question(turn)
        return self._services.analyst.route(replace(question, kinds=self._services.cards.told))

    def _asks_back(self, turn: Turn) -> bool:
        """Whether a question back stands before."""
        memory, request = self._services.memory, turn.request
        said = memory.transcripts.newest(request.thread, LATELY)
        last = next((message for message in reversed(said) if message.turn_id != request.turn_id), None)
        records = memory.turn_queries(last.turn_id) if last and last.role == "assistant" else ()
        return any(isinstance(record, AskedBack) for record in records)

    def _pressed(self, turn_id: str, deed: Deed) -> Intent:
        asked = self._services.memory.asked
        if deed.of and asked.was_answered(turn_id, deed):
            raise NotAllowed(ANSWERED)
        if deed.until_next and asked.has_gone_on(turn_id, deed):
            raise NotAllowed(GONE_ON)
        return self._services.cards.named(deed.to)
