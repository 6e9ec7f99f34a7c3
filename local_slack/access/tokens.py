"""Tokens, their scopes, and the app's secrets."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from local_slack.wire import SlackError

TokenKind = Literal["bot", "app", "user"]


@dataclass(frozen=True, slots=True)
class Tokens:
    """Secrets shared by app and Slack from the start."""

    bot: str = "xoxb-local-bot"
    app: str = "xapp-local-app"
    client_id: str = "1000.2000"
    client_secret: str = "local-client-secret"
    signing_secret: str = "local-signing-secret"


@dataclass(frozen=True, slots=True)
class Grant:
    """The rights of one token; `scopes` None means the app's."""

    kind: TokenKind
    scopes: tuple[str, ...] | None = None
    user: str | None = None
    refusal: str = ""  # the error answered once the token is void


@dataclass(slots=True)
class Grants:
    """All tokens: the first two, and those issued by installing the app again."""

    tokens: Tokens
    _grants: dict[str, Grant] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Restore the first two tokens alone."""
        self._grants = {self.tokens.bot: Grant("bot"), self.tokens.app: Grant("app")}

    def get(self, token: str | None) -> Grant:
        """Raises not_authed, invalid_auth, token_revoked, account_inactive."""
        if not token:
            raise SlackError("not_authed")
        grant = self._grants.get(token)
        if grant is None:
            raise SlackError("invalid_auth")
        if grant.refusal:
            raise SlackError(grant.refusal)
        return grant

    def issue(self, kind: TokenKind, scopes: Sequence[str], user: str | None = None) -> str:
        prefix = {"bot": "xoxb", "app": "xapp", "user": "xoxp"}[kind]
        token = f"{prefix}-local-{secrets.token_hex(12)}"
        self._grants[token] = Grant(kind, tuple(scopes), user)
        return token

    def revoke(self, token: str) -> None:
        """Raises invalid_auth."""
        if token not in self._grants:
            raise SlackError("invalid_auth")
        self._grants[token] = replace(self._grants[token], refusal="token_revoked")

    def uninstall(self) -> None:
        """Void all bot and user tokens: with the app removed they answer account_inactive."""
        for token, grant in self._grants.items():
            if grant.kind != "app":
                self._grants[token] = replace(grant, refusal="account_inactive")
