"""The time zones of people, asked of Slack itself and remembered for an hour: "yesterday" is the asker's own."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from urllib.error import URLError
from zoneinfo import available_timezones

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

REMEMBERED_SECONDS = 3600.0  # people who travel wait this long
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SlackTimezones:
    """IANA names by user; `otherwise` where Slack tells none, for a question is worth more than its time zone."""

    client: WebClient
    otherwise: str
    clock: Callable[[], float] = monotonic
    _known: dict[str, tuple[float, str]] = field(default_factory=dict)

    def __call__(self, user: str) -> str:
        """The time zone of a user."""
        asked_at, zone = self._known.get(user, (float("-inf"), self.otherwise))
        if self.clock() - asked_at > REMEMBERED_SECONDS:
            zone = self._asked(user)
            self._known[user] = (self.clock(), zone)
        return zone

    def _asked(self, user: str) -> str:
        try:
            zone = str(self.client.users_info(user=user)["user"].get("tz"))
        except (SlackApiError, URLError, ConnectionError, TimeoutError) as error:
            reason = error.response.get("error") if isinstance(error, SlackApiError) else error
            log.warning("Slack does not tell the time zone of %s (%s); check the scope users:read", user, reason)
            return self.otherwise
        return zone if zone in available_timezones() else self.otherwise
