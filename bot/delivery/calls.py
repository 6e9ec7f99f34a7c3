"""Calls of the Web API that end well or in one error: in Slack's pace, and again where another try may mend it.

A call that never came back may have been heard. What must happen once is therefore looked for before it is tried again;
after a 429 it is not, for that is a plain no.
"""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPException
from threading import Event
from typing import TypeVar

from slack_sdk.errors import SlackApiError
from slack_sdk.web import SlackResponse

from ai.errors import SourceUnavailable
from bot.delivery.pace import Lane, Pace

T = TypeVar("T")
PAUSES = (0.2, 1, 2, 5, 10, 20, 40, 60, 60, 60)
TOO_MANY, BROKEN = 429, 500
RETRY_AFTER = 1.0  # seconds, where a 429 names none
FAILURES = (SlackApiError, OSError, HTTPException)
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Calls:
    """`pauses` are the seconds between tries while Slack cannot be reached; a 429 is waited for as long as it says."""

    pace: Pace = field(default_factory=Pace)
    pauses: tuple[float, ...] = PAUSES

    def repeat(self, lane: Lane, call: Callable[[], T]) -> T:
        """Call until it works; for what may be done twice. `SourceUnavailable` when Slack stays away."""
        return self.once(lane, call, lambda: None, look_first=False)

    def pages(self, lane: Lane, call: Callable[[str], SlackResponse]) -> Iterator[SlackResponse]:
        """Every page of a list, each asked for by its cursor when it is wanted."""
        cursor = ""
        while True:
            page = self.repeat(lane, partial(call, cursor))
            yield page
            cursor = (page.get("response_metadata") or {}).get("next_cursor", "")
            if not cursor:
                return

    def once(self, lane: Lane, call: Callable[[], T], look: Callable[[], T | None], *, look_first: bool) -> T:
        """Call until it works, or until `look` finds that an earlier try was heard."""
        pauses, unsure = iter(self.pauses), look_first
        while True:
            if unsure and (found := look()) is not None:
                return found
            self.pace.wait(lane)
            try:
                return call()
            except FAILURES as error:
                if (seconds := retry_after(error)) is not None:
                    self.pace.hold(lane, seconds)
                    log.warning("Slack wants %s called less often: not for the next %g s", lane.method, seconds)
                    continue
                unsure = True
                _wait_or_raise(error, next(pauses, None))

    def at_best(self, lane: Lane, call: Callable[[], object]) -> None:
        """Call if there is room for it, and leave it at that: for what the next call outdates anyway."""
        if not self.pace.has_room(lane):
            return
        self.pace.wait(lane)
        try:
            call()
        except FAILURES as error:
            if (seconds := retry_after(error)) is not None:
                self.pace.hold(lane, seconds)
            log.info("left out a call of %s (%s)", lane.method, type(error).__name__)


def retry_after(error: Exception) -> float | None:
    """How many seconds Slack wants no such call, None when it said no such thing."""
    if not isinstance(error, SlackApiError) or error.response.status_code != TOO_MANY:
        return None
    named = {name.lower(): value for name, value in error.response.headers.items()}.get("retry-after", RETRY_AFTER)
    return float(named[0] if isinstance(named, list) else named)


def _wait_or_raise(error: Exception, pause: float | None) -> None:
    """Let time pass before the next try, or raise what no repetition mends."""
    if isinstance(error, SlackApiError) and error.response.status_code < BROKEN:
        raise error
    if pause is None:
        raise SourceUnavailable("Slack cannot be reached.") from error
    log.warning("Slack did not answer as expected (%s); trying again in %g s", type(error).__name__, pause)
    Event().wait(pause)
