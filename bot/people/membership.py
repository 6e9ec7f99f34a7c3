"""Who is in a user group of Slack, asked of Slack itself and remembered for a few minutes."""

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic
from urllib.error import URLError

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from ai.errors import SourceUnavailable

REMEMBERED_SECONDS = 300.0  # after which somebody who left a group has lost its rights


@dataclass(frozen=True, slots=True)
class SlackGroups:
    """Members of user groups. When Slack does not say, nobody is taken for a member and nothing is answered."""

    client: WebClient
    clock: Callable[[], float] = monotonic
    _known: dict[str, tuple[float, frozenset[str]]] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def __call__(self, group: str) -> frozenset[str]:
        """The ids of the users in a group; `SourceUnavailable` when Slack does not say."""
        with self._lock:
            asked_at, members = self._known.get(group, (float("-inf"), frozenset[str]()))
            if self.clock() - asked_at > REMEMBERED_SECONDS:
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
