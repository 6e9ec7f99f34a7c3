"""Changes of a workspace, as its feed carries them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from local_slack.state.entities import Channel, Message, Session, User, View
from local_slack.wire import Json


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
class MessageStreamed:
    """A piece was appended; the app gets no event."""

    message: Message


@dataclass(frozen=True, slots=True)
class ReactionsChanged:
    """`user` gave the reaction `name`, or took it back."""

    message: Message
    user: str
    name: str
    is_added: bool
    event_ts: str


@dataclass(frozen=True, slots=True)
class FileShared:
    file: str
    user: str
    channel: str
    event_ts: str


@dataclass(frozen=True, slots=True)
class FileDeleted:
    file: str
    event_ts: str


@dataclass(frozen=True, slots=True)
class EphemeralPosted:
    """`is_shown` is false under a root without replies: Slack accepts the message and shows it nowhere."""

    message: Message
    recipient: str
    is_shown: bool = True


@dataclass(frozen=True, slots=True)
class EphemeralChanged:
    message: Message
    recipient: str


@dataclass(frozen=True, slots=True)
class EphemeralDeleted:
    message: Message
    recipient: str


@dataclass(frozen=True, slots=True)
class StatusChanged:
    """The app's status line under a thread; an empty `status` clears it."""

    channel: str
    thread_ts: str
    status: str
    loading_messages: Sequence[str] = ()
    expires_at: float = 0.0  # seconds since 1970


@dataclass(frozen=True, slots=True)
class PromptsSet:
    """Suggested prompts of a thread, or with an empty `thread_ts` of the conversation."""

    channel: str
    thread_ts: str
    title: str
    prompts: Sequence[Json]


@dataclass(frozen=True, slots=True)
class TitleSet:
    channel: str
    thread_ts: str
    title: str


@dataclass(frozen=True, slots=True)
class SessionChanged:
    session: Session


@dataclass(frozen=True, slots=True)
class SessionStopped:
    """`user` pressed Stop; `streams` are the interrupted messages."""

    channel: str
    thread_ts: str
    user: str
    streams: Sequence[str]
    event_ts: str


@dataclass(frozen=True, slots=True)
class ViewShown:
    how: Literal["view_opened", "view_pushed", "view_updated", "home"]
    view: View


@dataclass(frozen=True, slots=True)
class ViewsGone:
    """Modals of `user` were closed; `is_all` when the whole stack went together."""

    user: str
    views: Sequence[View]
    is_all: bool


@dataclass(frozen=True, slots=True)
class HomeOpened:
    user: str
    channel: str
    tab: str
    context: Sequence[str]  # channels the person looks at
    view: View | None
    event_ts: str


@dataclass(frozen=True, slots=True)
class ContextChanged:
    """`user` views other channels beside the conversation with the app."""

    user: str
    channel: str
    context: Sequence[str]
    event_ts: str


@dataclass(frozen=True, slots=True)
class MemberJoined:
    user: str
    channel: Channel
    inviter: str
    event_ts: str


@dataclass(frozen=True, slots=True)
class MemberLeft:
    user: str
    channel: Channel
    event_ts: str


@dataclass(frozen=True, slots=True)
class ChannelArchived:
    """`user` archived the channel, or brought it back."""

    channel: Channel
    user: str
    event_ts: str


@dataclass(frozen=True, slots=True)
class ChannelRenamed:
    channel: Channel
    event_ts: str


@dataclass(frozen=True, slots=True)
class UserChanged:
    """A person was added, deactivated, or became another kind."""

    user: User
    event_ts: str


@dataclass(frozen=True, slots=True)
class ChannelOpened:
    """A direct conversation was made."""

    channel: Channel


@dataclass(frozen=True, slots=True)
class ChannelRead:
    user: str
    channel: str


@dataclass(frozen=True, slots=True)
class TokensRevoked:
    """The app lost its bot token; with `is_uninstalled` it was removed."""

    bot_user: str
    is_uninstalled: bool
    event_ts: str


@dataclass(frozen=True, slots=True)
class PresenceChanged:
    """The first Socket Mode connection opened, or the last one closed."""

    is_connected: bool


@dataclass(frozen=True, slots=True)
class WorkspaceReset:
    """Everything said is forgotten."""


Change = (
    MessagePosted
    | MessageEdited
    | MessageDeleted
    | MessageStreamed
    | ReactionsChanged
    | FileShared
    | FileDeleted
    | EphemeralPosted
    | EphemeralChanged
    | EphemeralDeleted
    | StatusChanged
    | PromptsSet
    | TitleSet
    | SessionChanged
    | SessionStopped
    | ViewShown
    | ViewsGone
    | HomeOpened
    | ContextChanged
    | MemberJoined
    | MemberLeft
    | ChannelArchived
    | ChannelRenamed
    | UserChanged
    | ChannelOpened
    | ChannelRead
    | TokensRevoked
    | PresenceChanged
    | WorkspaceReset
)
