"""Answers one message: route, let one agent answer, store the conversation.

Agents store their own queries. Routing is a step, so a resumed turn takes the same way.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from ai.agents.cards import Services
from ai.agents.direct_calls import DirectCalls
from ai.agents.port import Answer, ProofEvent, QuestionEvent, ReplyEvent, StatusEvent, TextEvent, Turn
from ai.agents.querying.chosen_source import ChosenSource
from ai.agents.querying.receipts import closed
from ai.agents.reply_check import ReplyCheck
from ai.agents.router_agent import RouterAgent
from ai.analysts.port import SQL_QUERY, Intent
from ai.answers.phrase import literal
from ai.errors import Stopped, UserError
from ai.stopping import NEVER, Stop
from ai.types import LoggedMessage, Request, Step, ThreadKey

T = TypeVar("T")


class Orchestrator(DirectCalls):
    def __init__(self, services: Services) -> None:
        super().__init__(services.context)
        self._memory = services.memory
        self._analyst = services.analyst
        self._router = RouterAgent(services)
        self._agents = services.cards.build(services)
        self._quoting = {card.intent for card in services.cards.listed if card.quotes}
        self._chosen = ChosenSource(services.context)

    def process_message(
        self, user_message: str, thread_ts: ThreadKey | str, conversation_history: Sequence[LoggedMessage] | None = None
    ) -> Answer:
        return self.whole(user_message, thread_ts, conversation_history)

    def stream(
        self, text: str, thread_ts: ThreadKey | str, conversation_history: Sequence[LoggedMessage] | None = None
    ) -> Iterator[ReplyEvent]:
        """Store a message, then reply event by event."""
        turn = self._context.lone_turn(text, thread_ts, conversation_history)
        request = turn.request
        self._memory.receive(request.thread, request.turn_id, request.text, request.user, request.asked_at)
        return self.run(turn)

    def answer(self, request: Request, step: Step, stop: Stop = NEVER) -> Iterator[ReplyEvent]:
        """Reply to a request in the log, under the steps of an engine. Raises Stopped."""
        return self.run(Turn(request, step=stoppable(step, stop), stop=stop))

    def run(self, turn: Turn) -> Iterator[ReplyEvent]:
        """Route the turn, pass on its events, store the reply. A UserError is a reply, too.

        Events from a proof on wait for the whole answer, which is then sealed. The last event says if the reply is not
        for everybody who would read it.
        """
        told: list[ReplyEvent] = []
        held: list[ReplyEvent] = []
        turn = self._router.heard(turn)
        check = ReplyCheck(self._context, self._memory, self._analyst, turn)
        try:
            for event in self._answered(turn, check):
                told.append(event)
                if isinstance(event, ProofEvent) or (held and not isinstance(event, StatusEvent)):
                    held.append(event)
                else:
                    yield event
        except Stopped as stopped:
            self._keep_only(turn.request, str(stopped))
            raise
        except UserError as error:
            told.append(check.seen(TextEvent(literal(str(error)))))
            held.append(told[-1])
            check.refused(error)
        yield from closed(self._memory, turn.request, Answer(tuple(told)).text, held)
        yield from filter(None, [check.ended()])

    def _keep_only(self, request: Request, reply: str) -> None:
        """Log a reply in place of one that an earlier run logged and nobody saw."""
        if not self._memory.add_reply(request.thread, request.turn_id, reply):
            self._memory.lifecycle.withdraw_answer(request.turn_id)
            self._memory.add_reply(request.thread, request.turn_id, reply)

    def _answered(self, heard: Turn, check: ReplyCheck) -> Iterator[ReplyEvent]:
        """Let one agent answer; in a thread with files, after choosing what the question is of."""
        turn = self._chosen.of(heard)
        routed = heard if isinstance(turn, QuestionEvent) else turn
        intent = routed.step("route", lambda: self._router.route(routed).intent)
        check.turn, check.quotes = routed, intent in self._quoting
        if isinstance(turn, QuestionEvent):
            yield check.seen(bound(turn, heard, intent))
            return
        if intent == SQL_QUERY and (told := self._chosen.told(turn)):
            yield check.seen(TextEvent(told))
        for event in self._agents[intent].run(turn):
            yield check.seen(bound(event, turn, intent))


def bound(event: ReplyEvent, turn: Turn, intent: Intent) -> ReplyEvent:
    """Bind a question back to its turn and its agent."""
    return event.asked_in(turn.request.turn_id, intent) if isinstance(event, QuestionEvent) else event


def stoppable(step: Step, stop: Stop) -> Step:
    """Wrap `step` so that none begins after `stop`."""

    def run(name: str, fn: Callable[[], T]) -> T:
        def unless_stopped() -> T:
            stop.check()
            return fn()

        return step(name, unless_stopped)

    return run
