"""User groups and time zones of people, asked of Slack and remembered for a while."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic
from urllib.error import URLError
from zoneinfo import available_timezones

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from ai.errors import SourceUnavailable

GROUP_SECONDS = 300.0  # after which somebody who left a group has lost its rights
ZONE_SECONDS = 3600.0  # people who travel wait this long
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SlackGroups:
    """Members of user groups, cached. A group that Slack does not list raises SourceUnavailable."""

    client: WebClient
    clock: Callable[[], float] = monotonic
    _known: dict[str, tuple[float, frozenset[str]]] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def __call__(self, group: str) -> frozenset[str]:
        """Return the user ids of a group. Raises SourceUnavailable."""
        with self._lock:
            asked_at, members = self._known.get(group, (float("-inf"), frozenset[str]()))
            if self.clock() - asked_at > GROUP_SECONDS:
                members = self._asked(group)
                self._known[group] = (self.clock(), members)
            return members

    def _asked(self, group: str) -> frozenset[str]:
        try:
            answer = self.client.usergroups_users_list(usergroup=group)
        except (SlackApiError, URLError, ConnectionError, TimeoutError) as error:
            reason = error.response.get("error") if isinstance(error, SlackApiError) else error
            raise SourceUnavailable(
                f"Slack does not say who is in the user group {group} ({reason}); "
                "check the scope usergroups:read and the group's id in the settings file."
            ) from None
        return frozenset(answer.get("users") or ())


@dataclass(frozen=True, slots=True)
class SlackTimezones:
    """IANA names by user, cached; `otherwise` where Slack tells none."""

    client: WebClient
    otherwise: str
    clock: Callable[[], float] = monotonic
    _known: dict[str, tuple[float, str]] = field(default_factory=dict)

    def __call__(self, user: str) -> str:
        asked_at, zone = self._known.get(user, (float("-inf"), self.otherwise))
        if self.clock() - asked_at > ZONE_SECONDS:
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
