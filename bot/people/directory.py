"""User groups and profiles, asked of Slack and cached."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING
from urllib.error import URLError
from zoneinfo import available_timezones

from ai.errors import SourceUnavailable
from ai.language.texts import language_of
from bot.people.standing import Profile

if TYPE_CHECKING:
    from slack_sdk import WebClient

REMEMBERED_SECONDS = 300.0  # after which somebody who left a group has lost its rights
log = logging.getLogger(__name__)
known_zones = cache(available_timezones)  # it walks through hundreds of files


@dataclass(frozen=True, slots=True)
class SlackGroups:
    """Members of user groups. A group that Slack does not list raises SourceUnavailable."""

    client: "WebClient"
    clock: Callable[[], float] = monotonic
    _known: dict[str, tuple[float, frozenset[str]]] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def __call__(self, group: str) -> frozenset[str]:
        with self._lock:
            asked_at, members = self._known.get(group, (float("-inf"), frozenset[str]()))
            if self.clock() - asked_at > REMEMBERED_SECONDS:
                members = self._asked(group)
                self._known[group] = (self.clock(), members)
            return members

    def _asked(self, group: str) -> frozenset[str]:
        try:
            answer = self.client.usergroups_users_list(usergroup=group)
        except failures() as error:
            raise SourceUnavailable(
                f"Slack does not say who is in the user group {group} ({reason(error)}); "
                "check the scope usergroups:read and the group's id in the settings file."
            ) from None
        return frozenset(answer.get("users") or ())


@dataclass(frozen=True, slots=True)
class SlackProfiles:
    """Profiles of people; None where Slack tells none."""

    client: "WebClient"
    clock: Callable[[], float] = monotonic
    _known: dict[str, tuple[float, Profile]] = field(default_factory=dict)

    def __call__(self, user: str) -> Profile | None:
        asked_at, profile = self._known.get(user, (float("-inf"), None))
        if profile is None or self.clock() - asked_at > REMEMBERED_SECONDS:
            profile = self._asked(user)
            if profile is not None:
                self._known[user] = (self.clock(), profile)
        return profile

    def timezone(self, user: str, otherwise: str) -> str:
        profile = self(user)
        return profile.timezone if profile and profile.timezone in known_zones() else otherwise

    def language(self, user: str, otherwise: str) -> str:
        profile = self(user)
        return language_of(profile.locale, otherwise) if profile else otherwise

    def _asked(self, user: str) -> Profile | None:
        try:
            return Profile.of(self.client.users_info(user=user, include_locale=True)["user"])
        except failures() as error:
            log.warning("Slack does not tell who %s is (%s); check the scope users:read", user, reason(error))
            return None


def failures() -> tuple[type[Exception], ...]:
    from slack_sdk.errors import SlackApiError  # the terminal asks no Slack

    return SlackApiError, URLError, ConnectionError, TimeoutError


def reason(error: Exception) -> object:
    response = getattr(error, "response", None)
    return error if response is None else response.get("error")
