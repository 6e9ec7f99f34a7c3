"""One event that waits to be taken in, and what its author is told meanwhile."""

from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import ceil
from threading import Event
from time import time
from typing import Any

from ai.types import ThreadKey
from bot.inbound import Inbound, is_stop, key_of, said_in
from bot.listeners import Body, Intake

TELL_SECONDS = 2.0  # after which whoever asked is told
AGAIN_SECONDS = (60.0, 600.0, 3600.0)  # from one word to the next
UNREACHED_SECONDS = 1.0
NOT_WRITTEN = "I could not write your question down; I will look again at {}. You need not ask again."
HELD = "I was away and first look for what was said here before; your answer follows. You need not ask again."


@dataclass(eq=False)
class Waiting:
    """An event on its way into the log. `news` is set once it is taken in, refused, or known to take longer."""

    body: Body
    thread: ThreadKey
    said_at: float  # Slack's time
    waits_for_gaps: bool
    asker: Inbound | None  # who is told; None where nobody asked for certain
    joins: bool = False  # it can be taken in together with others
    key: str = ""
    since: float = field(default_factory=time)
    news: Event = field(default_factory=Event)
    is_done: bool = False
    is_kept: bool = False
    is_held: bool = False
    error: Exception | None = None
    tries: int = 0
    words: int = 0
    tell_at: float = 0.0
    telling: "Future[bool] | None" = None

    def __post_init__(self) -> None:
        self.key = key_of(self.body)
        self.tell_at = self.since + TELL_SECONDS

    def word(self, now: float) -> str | None:
        """Return what to tell the author now, if anything."""
        if self.telling is not None and self.telling.done() and not self.telling.result():
            self.telling, self.tell_at = None, now + UNREACHED_SECONDS
            self.words -= 1
        if self.asker is None or now < self.tell_at:
            return None
        again = ceil((now + AGAIN_SECONDS[min(self.words, len(AGAIN_SECONDS) - 1)]) / 60) * 60
        self.words, self.tell_at = self.words + 1, again
        return HELD if self.is_held else NOT_WRITTEN.format(_clock(again))


def waiting(body: Body, intake: Intake) -> Waiting:
    event: Mapping[str, Any] = body["event"]
    said = said_in(event)
    ts = str(said.get("ts") or event.get("deleted_ts") or event["ts"])
    thread = ThreadKey(intake.team, str(event["channel"]), str(said.get("thread_ts") or ts))
    begins = said is event and thread.thread_ts == ts
    inbound = intake.read(event, body) if said is event else None
    asks = inbound is not None and (inbound.is_direct or event["type"] == "app_mention") and not is_stop(inbound.text)
    said_at = float(event.get("event_ts") or ts)
    joins = said is event and not event.get("files") and (inbound is None or _joins(intake, inbound))
    return Waiting(body, thread, said_at, not begins, inbound if asks else None, joins)


def _joins(intake: Intake, inbound: Inbound) -> bool:
    """Whether a message only adds a question, or nothing; a reply without a mention may lead to more."""
    plain = inbound.is_direct or not inbound.is_reply or intake.bot_user in inbound.mentions
    return plain and not is_stop(inbound.text)


def _clock(moment: float) -> str:
    """Return a time of day that Slack shows in the reader's zone."""
    return f"<!date^{moment:.0f}^{{time}}|{datetime.fromtimestamp(moment, UTC):%H:%M} UTC>"
