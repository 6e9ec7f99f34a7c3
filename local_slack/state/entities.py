"""Frozen values of a workspace.

JSON stands here only for the app's own writing: blocks, metadata, views.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from local_slack.wire import Json

UserKind = Literal["member", "guest", "colleague", "external", "bot"]
SessionStatus = Literal["active", "processing", "suspended", "closed"]
StreamState = Literal["in_progress", "completed", "stopped", "expired"]
NOTHING_READ = "0000000000.000000"


@dataclass(frozen=True, slots=True)
class Team:
    """The workspace; `url` ends with a slash. `enterprise` is its organisation on Enterprise Grid."""

    id: str
    name: str
    domain: str
    url: str
    enterprise: str = ""
    enterprise_name: str = ""
    is_org_install: bool = False  # the app was installed for the whole organisation


@dataclass(frozen=True, slots=True)
class Command:
    """A slash command; `command` begins with the slash."""

    command: str
    description: str = ""
    usage_hint: str = ""


@dataclass(frozen=True, slots=True)
class Shortcut:
    """A menu entry of the app, anywhere or on a message."""

    callback_id: str
    name: str
    type: Literal["global", "message"] = "global"
    description: str = ""


@dataclass(frozen=True, slots=True)
class App:
    """The installed app: bot user, scopes, subscribed events, commands and shortcuts."""

    id: str
    bot_id: str
    bot_user: str
    scopes: tuple[str, ...]
    event_types: frozenset[str]
    commands: tuple[Command, ...] = ()
    shortcuts: tuple[Shortcut, ...] = ()
    is_installed: bool = True


@dataclass(frozen=True, slots=True)
class User:
    """A person or the bot. `organisation` names an external person's company, `team` a home workspace not ours.

    A colleague belongs to another workspace of our organisation.
    """

    id: str
    name: str
    real_name: str
    kind: UserKind = "member"
    tz: str = "Europe/Lisbon"
    tz_offset: int = 0
    locale: str = "en-US"
    color: str = "#4d5e8c"
    organisation: str = ""
    team: str = ""
    is_deleted: bool = False

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
    """A channel, or with `is_im` the direct conversation of two members, without a name.

    `team` is a workspace of our organisation other than ours.
    """

    id: str
    name: str
    members: tuple[str, ...]
    created: int
    is_im: bool = False
    is_private: bool = False
    is_ext_shared: bool = False
    topic: str = ""
    is_org_shared: bool = False
    is_archived: bool = False
    team: str = ""

    @property
    def is_shared(self) -> bool:
        """Whether people of other workspaces may be in it."""
        return self.is_ext_shared or self.is_org_shared

    @property
    def channel_type(self) -> str:
        """Return im, group or channel, as message events say."""
        if self.is_im:
            return "im"
        return "group" if self.is_private else "channel"

    def other_side(self, user: str) -> str:
        """Return the other member of a direct conversation."""
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
    """A message before the workspace gives it a ts."""

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
    """The pieces of a streamed message so far."""

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
        """Whether the channel itself shows it."""
        return not self.is_reply or self.draft.broadcast

    @property
    def is_streaming(self) -> bool:
        return self.stream is not None and self.stream.state == "in_progress"


@dataclass(frozen=True, slots=True)
class Session:
    """The app's work in one thread, as it reports it."""

    channel: str
    thread_ts: str
    status: SessionStatus
    title: str = ""
    initiator: str = ""


@dataclass(frozen=True, slots=True)
class View:
    """A modal or App Home of one person. `content` is the app's, `values` the person's input."""

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
