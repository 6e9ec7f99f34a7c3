"""What a workspace is made of, as frozen values.

No JSON here but what the app itself writes (blocks, metadata, views): `shapes` turns entities into Slack's objects.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from local_slack.wire import Json

UserKind = Literal["member", "guest", "external", "bot"]
SessionStatus = Literal["active", "processing", "suspended", "closed"]
StreamState = Literal["in_progress", "completed", "stopped", "expired"]
NOTHING_READ = "0000000000.000000"


@dataclass(frozen=True, slots=True)
class Team:
    """The workspace itself; `url` ends with a slash."""

    id: str
    name: str
    domain: str
    url: str


@dataclass(frozen=True, slots=True)
class Command:
    """A slash command; `command` begins with the slash."""

    command: str
    description: str = ""
    usage_hint: str = ""


@dataclass(frozen=True, slots=True)
class Shortcut:
    """An entry of the app in a menu: anywhere, or on a message."""

    callback_id: str
    name: str
    type: Literal["global", "message"] = "global"
    description: str = ""


@dataclass(frozen=True, slots=True)
class App:
    """The installed app: its bot user, what it may do, which event types it is sent and what it adds to Slack."""

    id: str
    bot_id: str
    bot_user: str
    scopes: tuple[str, ...]
    event_types: frozenset[str]
    commands: tuple[Command, ...] = ()
    shortcuts: tuple[Shortcut, ...] = ()


@dataclass(frozen=True, slots=True)
class User:
    """`organisation` is the name of the other company of an external person."""

    id: str
    name: str
    real_name: str
    kind: UserKind = "member"
    tz: str = "Europe/Lisbon"
    tz_offset: int = 0
    color: str = "#4d5e8c"
    organisation: str = ""

    @property
    def is_bot(self) -> bool:
        return self.kind == "bot"


@dataclass(frozen=True, slots=True)
class UserGroup:
    id: str
    name: str
    handle: str
    users: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel, or with `is_im` the direct conversation of exactly two members (`name` is empty then)."""

    id: str
    name: str
    members: tuple[str, ...]
    created: int
    is_im: bool = False
    is_private: bool = False
    is_ext_shared: bool = False
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
class MessageDraft:
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
    subtype: str | None = None  # of what Slack itself says: channel_join, channel_leave


@dataclass(frozen=True, slots=True)
class Stream:
    """How a message comes into being piece by piece: what was appended so far, and until when more may be."""

    expires_at: float  # seconds since 1970
    display: Literal["timeline", "plan"] = "timeline"
    chunks: tuple[Json, ...] = ()
    state: StreamState = "in_progress"


@dataclass(frozen=True, slots=True)
class Message:
    ts: str
    draft: MessageDraft
    edited: tuple[str, str] | None = None  # (user, ts)
    reactions: tuple[tuple[str, tuple[str, ...]], ...] = ()  # (name, users)
    stream: Stream | None = None
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

    @property
    def is_streaming(self) -> bool:
        return self.stream is not None and self.stream.state == "in_progress"


@dataclass(frozen=True, slots=True)
class Session:
    """The work of the app in one thread, as it reports it."""

    channel: str
    thread_ts: str
    status: SessionStatus
    title: str = ""
    initiator: str = ""


@dataclass(frozen=True, slots=True)
class View:
    """A modal or an App Home of one person. `content` is what the app wrote; `values` what the person put in."""

    id: str
    user: str
    content: Json
    hash: str
    root_id: str
    previous_id: str | None = None
    values: Mapping[str, Any] | None = None

    @property
    def is_home(self) -> bool:
        return bool(self.content["type"] == "home")
