"""Where questions are taken in: checked, written to the log, and queued, before Slack hears that we have them.

If anything fails here the event is not acknowledged and Slack brings it again; the same message twice is one question.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from slack_bolt import BoltContext
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from ai.errors import NotAllowed
from ai.memory_store import MemoryStore
from ai.types import ThreadKey
from bot.access import Access
from bot.inbound import Inbound, read_message

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Desk:
    """Takes questions in. `enqueue(turn_id, thread)` may be called again with the same turn."""

    memory: MemoryStore
    access: Access
    enqueue: Callable[[str, ThreadKey], None]

    def read(self, event: Mapping[str, Any], context: BoltContext) -> Inbound | None:
        """The message of a person in this event, None when there is none."""
        return read_message(event, context.team_id or "", context.bot_user_id or "")

    def is_engaged(self, thread: ThreadKey) -> bool:
        """Whether somebody has asked something in this thread before."""
        return self.memory.knows(thread)

    def take(self, inbound: Inbound, client: WebClient) -> None:
        """Log and queue a question, or tell its author alone why not."""
        try:
            self.access.admit(inbound)
        except NotAllowed as refusal:
            self._decline(inbound, client, str(refusal))
            return
        self.memory.receive(inbound.thread, inbound.turn_id, inbound.text, inbound.user, inbound.sent_at)
        self.enqueue(inbound.turn_id, inbound.thread)

    def take_back(self, channel: str, ts: str, context: BoltContext) -> None:
        """A message was deleted in Slack: its words go from the memory as well."""
        self.memory.lifecycle.take_back(f"{context.team_id or ''}:{channel}:{ts}", self.now())

    def now(self) -> datetime:
        """The present moment."""
        return datetime.now(UTC)

    def _decline(self, inbound: Inbound, client: WebClient, sentence: str) -> None:
        thread = inbound.thread
        try:
            client.chat_postEphemeral(
                channel=thread.channel, user=inbound.user, text=sentence, thread_ts=thread.thread_ts
            )
        except SlackApiError as error:
            log.warning("could not tell why %s is declined: %s", inbound.turn_id, error.response.get("error"))
