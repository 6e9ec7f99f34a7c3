"""What a workspace is made of, as frozen values, and what can happen to it.

No JSON here: `shapes` turns entities into Slack's objects, `events` turns changes into Slack's events.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Json = dict[str, Any]
UserKind = Literal["member", "guest", "external", "bot"]


@dataclass(frozen=True, slots=True)
class Team:
    """The workspace itself; `url` ends with a slash."""

    id: str
    name: str
    domain: str
    url: str


@dataclass(frozen=True, slots=True)
class App:
    """The installed app: its bot user, what it may do and which event types it is sent."""

    id: str
    bot_id: str
    bot_user: str
    scopes: tuple[str, ...]
    event_types: frozenset[str]


@dataclass(frozen=True, slots=True)
class User:
    id: str
    name: str
    real_name: str
    kind: UserKind = "member"
    tz: str = "Europe/Lisbon"
    tz_offset: int = 0
    color: str = "#4d5e8c"

    @property
    def is_bot(self) -> bool:
        return self.kind == "bot"


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel, or with `is_im` the direct conversation of exactly two members (`name` is empty then)."""

    id: str
    name: str
    members: tuple[str, ...]
    created: int
    is_im: bool = False
    is_private: bool = False
    topic: str = ""

    @property
    def channel_type(self) -> str:
        """The word that message events use: im, group or channel."""
        if self.is_im:
            return "im"
        return "group" if self.is_private else "channel"

    def other_side(self, user: str) -> str:
        """The member of a direct conversation that is not `user`."""
        return next(member for member in self.members if member != user)


@dataclass(frozen=True, slots=True)
class File:
    id: str
    name: str
    title: str
    mimetype: str
    content: bytes
    user: str
    created: int
    alt_text: str = ""
    shares: tuple[tuple[str, str], ...] = ()  # (channel, ts of the message that shows it)


@dataclass(frozen=True, slots=True)
class Draft:
    """What an author hands in; the workspace makes a message of it."""

    user: str
    channel: str
    text: str = ""
    thread_ts: str | None = None
    blocks: tuple[Json, ...] = ()
    attachments: tuple[Json, ...] = ()
    metadata: Mapping[str, Any] | None = None
    files: tuple[str, ...] = ()
    client_msg_id: str | None = None
    broadcast: bool = False
    by_app: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    ts: str
    draft: Draft
    edited: tuple[str, str] | None = None  # (user, ts)
    reactions: tuple[tuple[str, tuple[str, ...]], ...] = ()  # (name, users)
    is_tombstone: bool = False

    @property
    def channel(self) -> str:
        return self.draft.channel

    @property
    def user(self) -> str:
        return self.draft.user

    @property
    def text(self) -> str:
        return self.draft.text

    @property
    def thread_ts(self) -> str | None:
        return self.draft.thread_ts

    @property
    def is_reply(self) -> bool:
        return self.thread_ts is not None and self.thread_ts != self.ts

    @property
    def is_top_level(self) -> bool:
        """Shown in the channel itself, not only in a thread."""
        return not self.is_reply or self.draft.broadcast


@dataclass(frozen=True, slots=True)
class MessagePosted:
    message: Message


@dataclass(frozen=True, slots=True)
class MessageEdited:
    message: Message
    previous: Message
    event_ts: str


@dataclass(frozen=True, slots=True)
class MessageDeleted:
    previous: Message
    event_ts: str


@dataclass(frozen=True, slots=True)
class ReactionsChanged:
    message: Message


@dataclass(frozen=True, slots=True)
class EphemeralPosted:
    """Shown to one person now and kept nowhere."""

    message: Message
    recipient: str


@dataclass(frozen=True, slots=True)
class StatusChanged:
    """The line under a thread that says what the app is doing; an empty `status` clears it."""

    channel: str
    thread_ts: str
    status: str
    loading_messages: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class PresenceChanged:
    """The app's first Socket Mode connection opened, or its last one closed."""

    is_connected: bool


Change = (
    MessagePosted
    | MessageEdited
    | MessageDeleted
    | ReactionsChanged
    | EphemeralPosted
    | StatusChanged
    | PresenceChanged
)
