"""Callers, known by their tokens. The demo needs no token from this machine.

A caller reads the channels of the token and their own chats. `*` is every channel but direct messages.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from ipaddress import ip_address

from ai.errors import NotAllowed, NotFound
from ai.types import ThreadKey
from bot.access import ANYWHERE, DIRECT, beside, http_channel, is_http

LOCAL = "local"
WHO = r"^[A-Za-z0-9_.@-]{1,64}$"  # what may stand in an id of a team or a user
NO_CHAT = "There is no such chat; use the chat_id that POST /chat gave."


class NotKnown(NotAllowed):
    """The token is missing or unknown."""


@dataclass(frozen=True, slots=True)
class ApiCaller:
    """A user of a team and their readable channels; chats belong to the first one."""

    team: str
    user: str
    channels: tuple[str, ...]

    def may_read(self, key: ThreadKey) -> bool:
        """Whether a conversation is the caller's own chat or in one of their channels."""
        channel = beside(key.channel)
        if key.team != self.team:
            return False
        if is_http(key.channel):
            return key.channel == http_channel(self.user, channel) and self._has(channel)
        return self._has(channel)

    def chat(self, chat_id: str) -> ThreadKey:
        """Return the key of a chat. Raises NotAllowed when the caller may not read it, existing or not."""
        if chat_id.count("/") != 2:
            raise NotFound(NO_CHAT)
        key = ThreadKey.of(chat_id)
        if not self.may_read(key):
            raise NotAllowed("This chat is not one that you may read.")
        return key

    def new_chat(self, ts: str) -> ThreadKey:
        return ThreadKey(self.team, http_channel(self.user, self.channels[0]), ts)

    def _has(self, channel: str) -> bool:
        return channel in self.channels or (ANYWHERE in self.channels and not channel.startswith(DIRECT))


@dataclass(frozen=True, slots=True)
class ApiCallers:
    """Finds callers by the digests of their tokens; `open_to_this_machine` is the demo."""

    by_digest: Mapping[bytes, ApiCaller]
    open_to_this_machine: bool = False

    def known(self, token: str | None, org: str | None, user: str | None, address: str) -> ApiCaller:
        """Return the caller of a token; in the demo, the one in the headers. Raises NotKnown or NotAllowed."""
        if token is None and self.open_to_this_machine and is_loopback(address):
            return ApiCaller(org or LOCAL, user or LOCAL, (ANYWHERE,))
        caller = self.by_digest.get(digest(token or ""))
        if caller is None:
            raise NotKnown("Send a token of this service: Authorization: Bearer …")
        if (org or caller.team, user or caller.user) != (caller.team, caller.user):
            raise NotAllowed("x-org-id or x-user-id names somebody else than the token does; leave them out.")
        return caller


def digest(token: str) -> bytes:
    """Hash a token, so that a lookup takes the same time for every guess."""
    return sha256(token.encode()).digest()


def is_loopback(address: str) -> bool:
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False
