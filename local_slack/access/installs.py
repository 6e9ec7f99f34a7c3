"""Codes given out when a person allows the app, each good for one exchange."""

import secrets
from dataclasses import dataclass, field

from local_slack.limits import Limits
from local_slack.state.clock import Clock
from local_slack.wire import SlackError


@dataclass(frozen=True, slots=True)
class Install:
    user: str
    scopes: tuple[str, ...]
    user_scopes: tuple[str, ...]
    redirect_uri: str
    expires_at: float


@dataclass(slots=True)
class Installs:
    clock: Clock
    limits: Limits
    _codes: dict[str, Install | None] = field(default_factory=dict)

    def clear(self) -> None:
        self._codes.clear()

    def allow(self, user: str, scopes: str, user_scopes: str, redirect_uri: str) -> str:
        """Return a code, good for one exchange within ten minutes."""
        code = f"1000.{secrets.token_hex(16)}"
        expires_at = self.clock.now() + self.limits["oauth.code_seconds"]
        self._codes[code] = Install(user, names_in(scopes), names_in(user_scopes), redirect_uri, expires_at)
        return code

    def exchange(self, code: str, redirect_uri: str) -> Install:
        """Use up a code. Raises invalid_code, code_already_used, bad_redirect_uri."""
        if code not in self._codes:
            raise SlackError("invalid_code")
        install = self._codes[code]
        if install is None:
            raise SlackError("code_already_used")
        if install.expires_at < self.clock.now():
            raise SlackError("invalid_code")
        if redirect_uri and redirect_uri != install.redirect_uri:
            raise SlackError("bad_redirect_uri")
        self._codes[code] = None
        return install


def names_in(text: str) -> tuple[str, ...]:
    return tuple(name for name in text.replace(" ", ",").split(",") if name)
