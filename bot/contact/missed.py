"""Find questions asked while nothing reached us, and take them in.

Looks through recent messages of known channels and threads, within bounds. Looking again is harmless.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from time import time
from typing import Any

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.web import SlackResponse

from ai.types import ThreadKey
from bot.access import DIRECT, is_http
from bot.delivery import Calls, Lane, part_of
from bot.inbound import Inbound, is_stop
from bot.listeners import Intake, is_for_us

OVERLAP = 60.0  # seconds: what came shortly before the end may not have been acknowledged
ROOTS_BEFORE = 86_400.0  # seconds: threads that were begun so long before are looked through for new replies
RECENT_MESSAGES = 2_000
MOST_CHANNELS, MOST_THREADS, MOST_PAGES, PAGE = 50, 50, 5, 200
Event = dict[str, Any]
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Missed:
    """Looks for missed messages. `channels` come from the settings file; the memory knows the others."""

    intake: Intake
    client: WebClient
    calls: Calls
    channels: tuple[str, ...]
    hours: float

    def since(self, marks: Sequence[float]) -> float | None:
        """Return from when to look at the start: the oldest mark, else the newest message; None without either."""
        return min(marks or self._recent_threads().values(), default=None)

    def catch_up(self, until: float) -> int:
        """Take in questions asked since `until` in their order; return their number."""
        if not self.hours:
            return 0
        since = self._bounded(until)
        events, answered = self._changed_since(since, list(self._recent_threads()))
        return self._take_all(events, answered, since)

    def look_through(self, thread: ThreadKey, since: float) -> bool:
        """Take in what a thread of ours misses since then; return False for a thread unknown to the memory."""
        if not self.hours:
            return True
        if not self.intake.is_engaged(thread):
            return False
        since = self._bounded(since)
        replies = list(self._replies(thread.channel, thread.thread_ts, since))
        self._take_all([event for event in replies if _changed_at(event) > since], _answered(replies), since)
        return True

    def _bounded(self, moment: float) -> float:
        return max(moment - OVERLAP, time() - self.hours * 3600)

    def _take_all(self, events: Sequence[Event], answered: set[str], since: float) -> int:
        ordered = sorted(events, key=lambda event: float(event["ts"]))
        taken = sum(self._take(event, event_is_new=float(event["ts"]) > since, answered=answered) for event in ordered)
        if taken:
            log.info("took in %d messages that had not reached us", taken)
        return taken

    def _recent_threads(self) -> dict[ThreadKey, float]:
        recent = self.intake.memory.parts.conversations.recent(RECENT_MESSAGES)
        return {key: at.timestamp() for key, at in recent if key.team == self.intake.team and not is_http(key.channel)}

    def _changed_since(self, since: float, threads: list[ThreadKey]) -> tuple[list[Event], set[str]]:
        channels = list(dict.fromkeys([*(key.channel for key in threads), *self.channels]))[:MOST_CHANNELS]
        events, looked_through = list[Event](), dict[tuple[str, str], bool]()
        for channel in channels:
            for root in self._roots(channel, since - ROOTS_BEFORE):
                events.append(root)
                looked_through[channel, str(root["ts"])] = float(root.get("latest_reply") or 0) > since
        older = [(key.channel, key.thread_ts) for key in threads if (key.channel, key.thread_ts) not in looked_through]
        spoken_in = [place for place, is_newer in looked_through.items() if is_newer]
        for channel, root_ts in [*spoken_in, *older[:MOST_THREADS]]:
            events += self._replies(channel, root_ts, since)
        answered = _answered(events)
        distinct = {(event["channel"], event["ts"]): event for event in events if _changed_at(event) > since}
        return list(distinct.values()), answered

    def _take(self, event: Event, answered: set[str], *, event_is_new: bool) -> bool:
        inbound = self.intake.read(event, {})
        if inbound is None or not self._is_for_us(inbound):
            return False
        known = self.intake.memory.question(inbound.turn_id)
        if is_stop(inbound.text):
            if self.intake.is_admitted(inbound):
                self.intake.queue.stop_thread(self.intake.conversation(inbound), before=float(event["ts"]))
        elif known is not None and "edited" in event and known.content != inbound.text:
            self.intake.revise(inbound, str(event["edited"]["ts"]))
        elif event_is_new and inbound.turn_id not in answered:
            return self.intake.take(inbound) and known is None
        return False

    def _is_for_us(self, inbound: Inbound) -> bool:
        return self.intake.bot_user in inbound.mentions or is_for_us(self.intake, inbound)

    def _roots(self, channel: str, oldest: float) -> Iterator[Event]:
        def page(cursor: str) -> SlackResponse:
            return self.client.conversations_history(channel=channel, oldest=f"{oldest:.6f}", limit=PAGE, cursor=cursor)

        return self._read(Lane("conversations.history"), channel, page)

    def _replies(self, channel: str, root: str, oldest: float) -> Iterator[Event]:
        def page(cursor: str) -> SlackResponse:
            return self.client.conversations_replies(
                channel=channel,
                ts=root,
                oldest=f"{oldest:.6f}",
                include_all_metadata=True,
                limit=PAGE,
                cursor=cursor,
            )

        return self._read(Lane("conversations.replies"), channel, page)

    def _read(self, lane: Lane, channel: str, page: Callable[[str], SlackResponse]) -> Iterator[Event]:
        """Yield messages of a few pages as events; none where we are not a member."""
        place = {"channel": channel, "channel_type": "im" if channel.startswith(DIRECT) else "channel"}
        try:
            for answer in islice(self.calls.pages(lane, page), MOST_PAGES):
                yield from ({**message, **place} for message in answer["messages"])
        except SlackApiError as error:
            log.info("no messages of %s are read: %s", channel, error.response.get("error"))


def _answered(events: Sequence[Event]) -> set[str]:
    return {part.turn_id for event in events if (part := part_of(event)) is not None}


def _changed_at(event: Event) -> float:
    return float(event.get("edited", {}).get("ts") or event["ts"])
