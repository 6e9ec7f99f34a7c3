"""Short-lived permits: trigger_ids to open views, response_urls to answer."""

import secrets
from dataclasses import dataclass, field

from local_slack.limits import Limits
from local_slack.state.clock import Clock
from local_slack.wire import SlackError


@dataclass(slots=True)
class Trigger:
    """Permission to show `user` one view."""

    user: str
    expires_at: float
    is_used: bool = False


@dataclass(slots=True)
class ResponseUrl:
    """Permission to answer five times within half an hour. `ts` is the message acted on."""

    user: str
    channel: str
    expires_at: float
    ts: str | None = None
    thread_ts: str | None = None
    uses: int = 0


@dataclass(slots=True)
class Permits:
    clock: Clock
    limits: Limits
    _triggers: dict[str, Trigger] = field(default_factory=dict)
    _response_urls: dict[str, ResponseUrl] = field(default_factory=dict)

    def clear(self) -> None:
        self._triggers.clear()
        self._response_urls.clear()

    def new_trigger(self, user: str) -> str:
        trigger_id = f"{secrets.randbelow(10**10)}.{secrets.randbelow(10**10)}.{secrets.token_hex(16)}"
        self._triggers[trigger_id] = Trigger(user, self.clock.now() + self.limits["trigger.seconds"])
        return trigger_id

    def use_trigger(self, trigger_id: str) -> str:
        """Return the user behind a trigger. Raises invalid_trigger_id, expired_trigger_id, exchanged_trigger_id."""
        trigger = self._triggers.get(trigger_id)
        if trigger is None:
            raise SlackError("invalid_trigger_id")
        if trigger.expires_at < self.clock.now():
            raise SlackError("expired_trigger_id")
        if trigger.is_used:
            raise SlackError("exchanged_trigger_id")
        trigger.is_used = True
        return trigger.user

    def new_response_url(self, user: str, channel: str, ts: str | None = None, thread_ts: str | None = None) -> str:
        """Return the last part of a new response_url."""
        name = secrets.token_hex(12)
        expires_at = self.clock.now() + self.limits["response_url.seconds"]
        self._response_urls[name] = ResponseUrl(user, channel, expires_at, ts, thread_ts)
        return name

    def use_response_url(self, name: str) -> ResponseUrl:
        """Raises no_such_url, expired_url, used_url."""
        found = self._response_urls.get(name)
        if found is None:
            raise SlackError("no_such_url")
        if found.expires_at < self.clock.now():
            raise SlackError("expired_url")
        if found.uses >= self.limits["response_url.uses"]:
            raise SlackError("used_url")
        found.uses += 1
        return found
