"""The workspace: who is here, what was said, and the feed that tells everybody else what changed.

Plain data in this process, used from one thread. Methods that look something up raise the SlackError that Slack answers.
It knows no JSON shape, no HTTP and no connection; those subscribe to its feed.
"""

import mimetypes
import time
import uuid
from collections.abc import Callable, Iterable
from dataclasses import replace

from bot.local_slack.entities import (
    App,
    Change,
    Channel,
    Draft,
    EphemeralPosted,
    File,
    Json,
    Message,
    MessageDeleted,
    MessageEdited,
    MessagePosted,
    ReactionsChanged,
    StatusChanged,
    Team,
    User,
)
from bot.local_slack.errors import SlackError
from bot.local_slack.history import Clock, History, is_ts
from bot.local_slack.mrkdwn import stored_text

Subscriber = Callable[[Change], None]


class Workspace:
    """One team with its people, conversations, messages and files."""

    def __init__(self, team: Team, app: App, users: Iterable[User], channels: Iterable[Channel]) -> None:
        self.team = team
        self.app = app
        self.users = {user.id: user for user in users}
        self._first_channels = tuple(channels)
        self._subscribers: list[Subscriber] = []
        self._clock = Clock()
        self.reset()

    def reset(self) -> None:
        """Forget all that was said and uploaded; people, first channels and subscribers stay."""
        self.channels = {channel.id: channel for channel in self._first_channels}
        self.files: dict[str, File] = {}
        self.statuses: dict[tuple[str, str], StatusChanged] = {}
        self.titles: dict[tuple[str, str], str] = {}
        self.prompts: dict[tuple[str, str], list[Json]] = {}
        self._histories = {channel_id: History() for channel_id in self.channels}

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
        if user_id not in self.users:
            raise SlackError("user_not_found")
        return self.users[user_id]

    def channel(self, channel_id: str) -> Channel:
        if channel_id not in self.channels:
            raise SlackError("channel_not_found")
        return self.channels[channel_id]

    def file(self, file_id: str) -> File:
        if file_id not in self.files:
            raise SlackError("file_not_found")
        return self.files[file_id]

    def history(self, channel_id: str) -> History:
        return self._histories[self.channel(channel_id).id]

    def message(self, channel_id: str, ts: str) -> Message:
        message = self.history(channel_id).get(ts)
        if message is None or message.is_tombstone:
            raise SlackError("message_not_found")
        return message

    def channels_of(self, user_id: str) -> list[Channel]:
        return [channel for channel in self.channels.values() if user_id in channel.members]

    def message_count(self) -> int:
        return sum(len(history) for history in self._histories.values())

    # --- what people and the app do

    def open_im(self, user_id: str, other_id: str) -> Channel:
        """The direct conversation of two users, made if it is not there yet."""
        pair = {self.user(user_id).id, self.user(other_id).id}
        for channel in self.channels.values():
            if channel.is_im and set(channel.members) == pair:
                return channel
        channel = Channel(f"D{_identifier()}", "", tuple(sorted(pair)), int(time.time()), is_im=True, is_private=True)
        self.channels[channel.id] = channel
        self._histories[channel.id] = History()
        return channel

    def post(self, draft: Draft, ts: str | None = None) -> Message:
        """Add a message; a given `ts` (tests make threads collide with it) must be free in the channel.

        Raises not_in_channel, thread_not_found, invalid_ts.
        """
        history = self.history(draft.channel)
        message = Message(self._free_ts(history, ts), self._admitted(draft))
        history.add(message)
        for file_id in draft.files:
            file = self.file(file_id)
            self.files[file_id] = replace(file, shares=(*file.shares, (draft.channel, message.ts)))
        if draft.by_app:
            self.clear_status(draft.channel, message.thread_ts or message.ts)
        self.publish(MessagePosted(message))
        return message

    def post_ephemeral(self, draft: Draft, recipient: str) -> Message:
        """Show a message to `recipient` only."""
        if recipient not in self.channel(draft.channel).members:
            raise SlackError("user_not_in_channel")
        message = Message(self._clock.next_ts(), self._admitted(draft))
        self.publish(EphemeralPosted(message, recipient))
        return message

    def edit(self, channel_id: str, ts: str, draft: Draft, *, is_marked: bool = True) -> Message:
        """Replace the content of a message; `is_marked` says whether readers see that it was edited."""
        previous = self.message(channel_id, ts)
        event_ts = self._clock.next_ts()
        edited = (draft.user, event_ts) if is_marked else previous.edited
        message = replace(previous, draft=replace(draft, text=stored_text(draft.text)), edited=edited)
        self.history(channel_id).replace(message)
        self.publish(MessageEdited(message, previous, event_ts))
        return message

    def delete(self, channel_id: str, ts: str) -> None:
        history = self.history(channel_id)
        previous = self.message(channel_id, ts)
        if history.replies(ts):
            gone = Draft(previous.user, channel_id, "This message was deleted.", thread_ts=ts)
            history.replace(Message(ts, gone, is_tombstone=True))
        else:
            history.remove(previous)
        self.publish(MessageDeleted(previous, self._clock.next_ts()))

    def set_reactions(self, message: Message, reactions: dict[str, tuple[str, ...]]) -> None:
        changed = replace(message, reactions=tuple((name, users) for name, users in reactions.items() if users))
        self.history(message.channel).replace(changed)
        self.publish(ReactionsChanged(changed))

    def set_status(self, status: StatusChanged) -> None:
        key = (status.channel, status.thread_ts)
        if status.status:
            self.statuses[key] = status
        else:
            self.statuses.pop(key, None)
        self.publish(status)

    def clear_status(self, channel_id: str, thread_ts: str) -> None:
        if (channel_id, thread_ts) in self.statuses:
            self.set_status(StatusChanged(channel_id, thread_ts, ""))

    def add_file(self, name: str, user: str, alt_text: str = "") -> File:
        """Reserve a file; its content comes later."""
        mimetype = mimetypes.guess_type(name)[0] or "application/octet-stream"
        file = File(f"F{_identifier()}", name, name, mimetype, b"", user, int(time.time()), alt_text)
        self.files[file.id] = file
        return file

    def put_file(self, file: File) -> None:
        self.files[self.file(file.id).id] = file

    def delete_file(self, file_id: str) -> None:
        """Take a file out of the messages that show it, then away."""
        for channel_id, ts in self.file(file_id).shares:
            message = self.history(channel_id).get(ts)
            if message is not None and file_id in message.draft.files:
                left = tuple(other for other in message.draft.files if other != file_id)
                self.edit(channel_id, ts, replace(message.draft, files=left), is_marked=False)
        del self.files[file_id]

    def _admitted(self, draft: Draft) -> Draft:
        """The draft in stored form, its thread looked up: a reply's ts leads to the thread it is in."""
        if draft.user not in self.channel(draft.channel).members:
            raise SlackError("not_in_channel")
        thread_ts = draft.thread_ts
        if thread_ts is not None:
            root = self.history(draft.channel).get(thread_ts)
            if root is None:
                raise SlackError("thread_not_found")
            thread_ts = root.thread_ts or root.ts
        return replace(draft, text=stored_text(draft.text), thread_ts=thread_ts)

    def _free_ts(self, history: History, ts: str | None) -> str:
        if ts is None:
            return self._clock.next_ts()
        if not is_ts(ts) or ts in history:
            raise SlackError(
                "invalid_ts", [f"{ts} is no free timestamp in this channel; give one like 1730000000.000100"]
            )
        self._clock.has_given(ts)
        return ts


def _identifier() -> str:
    return uuid.uuid4().hex[:10].upper()
