"""Take questions in: check, log and queue them before Slack hears that we have them.

If anything fails, the event is not acknowledged and Slack repeats it; the same message twice is one question.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol

from slack_bolt import BoltContext
from slack_sdk import WebClient

from ai.agents.querying.verdicts import Verdicts
from ai.errors import NotAllowed
from ai.memory_store import MemoryStore
from ai.types import ThreadKey
from bot.access import Access
from bot.delivery import FAILURES
from bot.inbound import Inbound, is_stop, read_message, said_at

NOTHING_RUNS = "Nothing is being answered in this thread now."
log = logging.getLogger(__name__)


class Queue(Protocol):
    """The queue of questions. Every call may be repeated."""

    def enqueue(self, turn_id: str, thread: ThreadKey) -> None: ...

    def revise(self, turn_id: str, edited_ts: str, thread: ThreadKey) -> None: ...

    def stop(self, turn_id: str) -> None: ...

    def stop_thread(self, thread: ThreadKey, before: float) -> int: ...


@dataclass(frozen=True, slots=True)
class Intake:
    """Takes in questions, edits, deletions and requests to stop."""

    memory: MemoryStore
    access: Access
    queue: Queue
    verdicts: Verdicts

    def read(self, event: Mapping[str, Any], context: BoltContext) -> Inbound | None:
        """Return the message of a person in this event, or None."""
        return read_message(event, context.team_id or "", context.bot_user_id or "")

    def is_engaged(self, thread: ThreadKey) -> bool:
        """Return whether somebody asked in this thread before."""
        return self.memory.knows(thread)

    def take(self, inbound: Inbound, client: WebClient) -> None:
        """Log and queue a question, or tell its author why not. "stop" never waits in the queue."""
        try:
            self.access.admit(inbound)
        except NotAllowed as refusal:
            self.tell(inbound, client, str(refusal))
            return
        if is_stop(inbound.text):
            if not self.queue.stop_thread(inbound.thread, before=said_at(inbound.turn_id)):
                self.tell(inbound, client, NOTHING_RUNS)
            return
        self.memory.receive(inbound.thread, inbound.turn_id, inbound.text, inbound.user, inbound.sent_at)
        self.queue.enqueue(inbound.turn_id, inbound.thread)

    def revise(self, inbound: Inbound, edited_ts: str) -> None:
        """Answer an edited question again, in the place of its answer. Ignores unknown messages."""
        if self.memory.question(inbound.turn_id) is not None:
            self.memory.lifecycle.change(inbound.turn_id, inbound.text, self.now())
            self.queue.revise(inbound.turn_id, edited_ts, inbound.thread)

    def take_back(self, channel: str, ts: str, context: BoltContext) -> None:
        """Forget a deleted message and stop its turn."""
        turn_id = f"{context.team_id or ''}:{channel}:{ts}"
        if self.memory.question(turn_id) is not None:
            self.queue.stop(turn_id)
        self.memory.lifecycle.take_back(turn_id, self.now())

    def now(self) -> datetime:
        return datetime.now(UTC)

    def tell(self, inbound: Inbound, client: WebClient, sentence: str) -> None:
        """Say something to the author alone. Failing is harmless."""
        thread = inbound.thread
        try:
            client.chat_postEphemeral(
                channel=thread.channel, user=inbound.user, text=sentence, thread_ts=thread.thread_ts
            )
        except FAILURES as error:  # not tried again: nobody can look whether an ephemeral message was shown
            log.warning("could not tell what became of %s: %s", inbound.turn_id, type(error).__name__)
