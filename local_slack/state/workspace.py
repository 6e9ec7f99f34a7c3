"""The workspace: people, messages, files, and a feed of changes.

Plain data used from one thread, without JSON shapes, HTTP or connections. Lookups raise Slack's own SlackError.
"""

import mimetypes
import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from local_slack.limits import Limits, strict
from local_slack.state.changes import (
    Change,
    ChannelOpened,
    ChannelRead,
    EphemeralChanged,
    EphemeralDeleted,
    EphemeralPosted,
    FileDeleted,
    FileShared,
    MessageDeleted,
    MessageEdited,
    MessagePosted,
    MessageStreamed,
    ReactionsChanged,
    WorkspaceReset,
)
from local_slack.state.clock import Clock, is_ts
from local_slack.state.entities import App, Channel, File, Message, MessageDraft, Team, User, UserGroup
from local_slack.state.history import ConversationHistory
from local_slack.state.mrkdwn import stored_text
from local_slack.state.threads import AssistantThreads
from local_slack.state.views import Views
from local_slack.wire import SlackError

Subscriber = Callable[[Change], None]
T = TypeVar("T")


class Workspace:
    def __init__(
        self,
        team: Team,
        app: App,
        users: Iterable[User],
        channels: Iterable[Channel],
        groups: Iterable[UserGroup] = (),
        limits: Limits | None = None,
    ) -> None:
        self.limits = limits or strict()
        self.team = self._first_team = team
        self.app = app
        self.clock = Clock()
        self.groups = {group.id: group for group in groups}
        self._first_users = tuple(users)
        self._first_channels = tuple(channels)
        self._subscribers: list[Subscriber] = []
        self.threads = AssistantThreads(self.clock, self.publish, self.limits)
        self.views = Views(self.clock, self.publish, self.limits)
        self._forget()

    def reset(self) -> None:
        """Forget messages and files; keep the first people, channels and all subscribers."""
        self._forget()
        self.publish(WorkspaceReset())

    def _forget(self) -> None:
        self.team = self._first_team
        self.clock.clear()
        self.threads.clear()
        self.views.clear()
        self.restore(self._first_users, self._first_channels, (), ())

    def restore(
        self, users: Iterable[User], channels: Iterable[Channel], files: Iterable[File], messages: Iterable[Message]
    ) -> None:
        self.users = {user.id: user for user in users}
        self.channels = {channel.id: channel for channel in channels}
        self.files = {file.id: file for file in files}
        self.reads: dict[tuple[str, str], str] = {}  # (user, channel) -> ts of the newest message that was read
        self.contexts: dict[str, tuple[str, ...]] = {}  # user -> channels they look at beside the app
        self.ephemerals: dict[tuple[str, str], EphemeralPosted] = {}
        self._histories = {channel_id: ConversationHistory() for channel_id in self.channels}
        for message in messages:
            self._histories[message.channel].add(message)
            self.clock.has_given(message.ts)

    # --- the feed

    def subscribe(self, subscriber: Subscriber) -> None:
        """Call `subscriber` with every change, at once and in order."""
        self._subscribers.append(subscriber)

    def publish(self, change: Change) -> None:
        for subscriber in self._subscribers:
            subscriber(change)

    # --- looking things up

    @property
    def bot(self) -> User:
        return self.users[self.app.bot_user]

    def user(self, user_id: str) -> User:
        return _found(self.users, user_id, "user_not_found")

    def channel(self, channel_id: str) -> Channel:
        return _found(self.channels, channel_id, "channel_not_found")

    def file(self, file_id: str) -> File:
        return _found(self.files, file_id, "file_not_found")

    def history(self, channel_id: str) -> ConversationHistory:
        return self._histories[self.channel(channel_id).id]

    def message(self, channel_id: str, ts: str) -> Message:
        message = self.history(channel_id).get(ts)
        if message is None or message.is_tombstone:
            raise SlackError("message_not_found")
        return message

    def channels_of(self, user_id: str) -> list[Channel]:
        return [channel for channel in self.channels.values() if user_id in channel.members]

    def messages(self) -> list[Message]:
        return [message for history in self._histories.values() for message in history]

    # --- conversations

    def open_im(self, user_id: str, other_id: str) -> Channel:
        """Return the direct conversation of two users, made on first use."""
        pair = {self.user(user_id).id, self.user(other_id).id}
        for channel in self.channels.values():
            if channel.is_im and set(channel.members) == pair:
                return channel
        now = int(self.clock.now())
        channel = Channel(f"D{_identifier()}", "", tuple(sorted(pair)), now, is_im=True, is_private=True)
        self.put_channel(channel)
        self.publish(ChannelOpened(channel))
        return channel

    def put_channel(self, channel: Channel) -> None:
        self.channels[channel.id] = channel
        self._histories.setdefault(channel.id, ConversationHistory())

    def mark_read(self, user_id: str, channel_id: str, ts: str) -> None:
        self.reads[user_id, channel_id] = ts
        self.publish(ChannelRead(user_id, channel_id))

    # --- messages

    def post(self, draft: MessageDraft, ts: str | None = None) -> Message:
        """Add a message; a given `ts` must be free in the channel.

        Raises not_in_channel, is_archived, thread_not_found, invalid_ts.
        """
        history = self.history(draft.channel)
        return self.add(Message(self._free_ts(history, ts), self.admitted(draft)))

    def add(self, message: Message) -> Message:
        draft = message.draft
        self.history(draft.channel).add(message)
        for file_id in draft.files:
            file = self.file(file_id)
            self.files[file_id] = replace(file, shares=(*file.shares, (draft.channel, message.ts)))
        if draft.by_app:
            self.threads.clear_status(draft.channel, message.thread_ts or message.ts)
        self.publish(MessagePosted(message))
        for file_id in draft.files:
            self.publish(FileShared(file_id, draft.user, draft.channel, message.ts))
        return message

    def admitted(self, draft: MessageDraft) -> MessageDraft:
        """Return the draft in stored form; a reply's ts leads to its root."""
        channel = self.channel(draft.channel)
        if draft.user not in channel.members:
            raise SlackError("not_in_channel")
        if channel.is_archived:
            raise SlackError("is_archived")
        thread_ts = draft.thread_ts
        if thread_ts is not None:
            root = self.history(draft.channel).get(thread_ts)
            if root is None:
                raise SlackError("thread_not_found")
            thread_ts = root.thread_ts or root.ts
        return replace(draft, text=stored_text(draft.text), thread_ts=thread_ts)

    def edit(self, channel_id: str, ts: str, draft: MessageDraft, *, is_marked: bool = True) -> Message:
        """Replace the content of a message; `is_marked` shows readers the edit."""
        previous = self.message(channel_id, ts)
        edited = (draft.user, self.clock.next_ts()) if is_marked else previous.edited
        return self.replace(replace(previous, draft=replace(draft, text=stored_text(draft.text)), edited=edited))

    def replace(self, message: Message) -> Message:
        """Put a message in the place of the one with its ts."""
        history = self.history(message.channel)
        previous = self.message(message.channel, message.ts)
        history.replace(message)
        is_new_edit = message.edited is not None and message.edited != previous.edited
        event_ts = message.edited[1] if message.edited and is_new_edit else self.clock.next_ts()
        self.publish(MessageEdited(message, previous, event_ts))
        return message

    def stream(self, message: Message) -> None:
        self.history(message.channel).replace(message)
        self.publish(MessageStreamed(message))

    def delete(self, channel_id: str, ts: str) -> None:
        history = self.history(channel_id)
        previous = self.message(channel_id, ts)
        if history.replies(ts):
            gone = MessageDraft(previous.user, channel_id, "This message was deleted.", thread_ts=ts)
            history.replace(Message(ts, gone, is_tombstone=True))
        else:
            history.remove(previous)
        self.publish(MessageDeleted(previous, self.clock.next_ts()))

    def react(self, message: Message, user: str, name: str, *, is_added: bool) -> None:
        """Give or take back a reaction. Raises already_reacted, no_reaction."""
        users = dict(message.reactions).get(name, ())
        if is_added == (user in users):
            raise SlackError("already_reacted" if is_added else "no_reaction")
        given = (*users, user) if is_added else tuple(other for other in users if other != user)
        reactions = dict(message.reactions) | {name: given}
        left = tuple((name, users) for name, users in reactions.items() if users)
        changed = replace(message, reactions=left)
        self.history(message.channel).replace(changed)
        self.publish(ReactionsChanged(changed, user, name, is_added, self.clock.next_ts()))

    # --- messages for one person only

    def post_ephemeral(self, draft: MessageDraft, recipient: str) -> Message:
        """Show a message to `recipient` only; no history keeps it."""
        if recipient not in self.channel(draft.channel).members:
            raise SlackError("user_not_in_channel")
        message = Message(self.clock.next_ts(), self.admitted(draft))
        root = message.thread_ts
        is_shown = root is None or bool(self.history(draft.channel).replies(root))
        posted = self.ephemerals[draft.channel, message.ts] = EphemeralPosted(message, recipient, is_shown)
        self.publish(posted)
        return message

    def change_ephemeral(self, shown: EphemeralPosted, draft: MessageDraft | None) -> None:
        """Replace an ephemeral message, or remove it with None."""
        key = (shown.message.channel, shown.message.ts)
        if draft is None:
            del self.ephemerals[key]
            self.publish(EphemeralDeleted(shown.message, shown.recipient))
        else:
            message = replace(shown.message, draft=self.admitted(draft))
            self.ephemerals[key] = EphemeralPosted(message, shown.recipient, shown.is_shown)
            self.publish(EphemeralChanged(message, shown.recipient))

    # --- files

    def add_file(self, name: str, user: str, alt_text: str = "") -> File:
        """Reserve a file; its content comes later."""
        mimetype = mimetypes.guess_type(name)[0] or "application/octet-stream"
        file = File(f"F{_identifier()}", name, name, mimetype, b"", user, int(self.clock.now()), alt_text)
        self.files[file.id] = file
        return file

    def put_file(self, file: File) -> None:
        self.files[self.file(file.id).id] = file

    def delete_file(self, file_id: str) -> None:
        """Remove a file, first from the messages showing it."""
        for channel_id, ts in self.file(file_id).shares:
            message = self.history(channel_id).get(ts)
            if message is not None and file_id in message.draft.files:
                left = tuple(other for other in message.draft.files if other != file_id)
                self.edit(channel_id, ts, replace(message.draft, files=left), is_marked=False)
        del self.files[file_id]
        self.publish(FileDeleted(file_id, self.clock.next_ts()))

    def _free_ts(self, history: ConversationHistory, ts: str | None) -> str:
        if ts is None:
            return self.clock.next_ts()
        if not is_ts(ts) or ts in history:
            raise SlackError(
                "invalid_ts", [f"{ts} is no free timestamp in this channel; give one like 1730000000.000100"]
            )
        self.clock.has_given(ts)
        return ts


def _found(things: Mapping[str, T], key: str, error: str) -> T:
    if key not in things:
        raise SlackError(error)
    return things[key]


def _identifier() -> str:
    return uuid.uuid4().hex[:10].upper()
