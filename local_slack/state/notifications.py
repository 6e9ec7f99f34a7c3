"""Push notifications: the text each person's phone would show, and why.

A post notifies the other side of a direct conversation, everybody it mentions and the followers of its thread. Edits,
deletions, streamed pieces, reactions and ephemeral messages notify nobody.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from local_slack.state.changes import Change, MessagePosted, WorkspaceReset
from local_slack.state.entities import Message
from local_slack.state.mrkdwn import addressees
from local_slack.state.workspace import Workspace

Reason = Literal["direct message", "mention", "thread"]
_EVERYBODY = {"here", "channel", "everyone"}


@dataclass(frozen=True, slots=True)
class Notification:
    """One push. `text` is the message's top-level text, or that of its blocks where it has none."""

    user: str
    channel: str
    ts: str
    thread_ts: str | None
    author: str
    text: str
    reason: Reason


@dataclass(slots=True)
class Notifications:
    workspace: Workspace
    sent: list[Notification] = field(default_factory=list)
    _followers: dict[tuple[str, str], set[str]] = field(default_factory=dict)  # by channel and thread_ts

    def __post_init__(self) -> None:
        self.workspace.subscribe(self._notice)

    def _notice(self, change: Change) -> None:
        match change:
            case MessagePosted(message) if message.draft.subtype is None:
                self.sent += [_push(message, user, reason) for user, reason in self._receivers(message)]
            case WorkspaceReset():
                self.sent.clear()
                self._followers.clear()

    def _receivers(self, message: Message) -> Iterator[tuple[str, Reason]]:
        channel = self.workspace.channel(message.channel)
        mentioned = self._mentioned(message)
        followers = self._following(message, mentioned)
        for user in channel.members:
            if user == message.user or self.workspace.user(user).is_bot:
                continue
            if channel.is_im:
                yield user, "direct message"
            elif user in mentioned:
                yield user, "mention"
            elif user in followers:
                yield user, "thread"

    def _mentioned(self, message: Message) -> set[str]:
        found: set[str] = set()
        for kind, name in _addressees(message):
            if kind == "user":
                found.add(name)
            elif kind == "group" and name in self.workspace.groups:
                found.update(self.workspace.groups[name].users)
            elif kind == "special" and name in _EVERYBODY:
                found.update(self.workspace.channel(message.channel).members)
        return found

    def _following(self, message: Message, mentioned: set[str]) -> set[str]:
        """Return all authors of the thread and everybody mentioned in it, this message included."""
        if not message.is_reply or message.thread_ts is None:
            return set()
        key = message.channel, message.thread_ts
        if key not in self._followers:
            history = self.workspace.history(message.channel)
            root = history.get(message.thread_ts)
            thread = [*([root] if root else []), *history.replies(message.thread_ts)]
            named = {user for one in thread for user in self._mentioned(one)}
            self._followers[key] = {one.user for one in thread} | named
        self._followers[key] |= {message.user, *mentioned}
        return self._followers[key]


def _push(message: Message, user: str, reason: Reason) -> Notification:
    text = message.text or "\n".join(_texts(list(message.draft.blocks)))
    return Notification(user, message.channel, message.ts, message.thread_ts, message.user, text, reason)


def _addressees(message: Message) -> Iterator[tuple[str, str]]:
    for text in (message.text, *_texts(list(message.draft.blocks))):
        yield from addressees(text)


def _texts(value: Any) -> Iterator[str]:
    """Yield every text of blocks; users, groups and broadcasts of rich text as mentions."""
    match value:
        case {"type": "user", "user_id": str(user)}:
            yield f"<@{user}>"
        case {"type": "usergroup", "usergroup_id": str(group)}:
            yield f"<!subteam^{group}>"
        case {"type": "broadcast", "range": str(name)}:
            yield f"<!{name}>"
        case {"type": "raw_text" | "raw_number"}:
            return  # cells mention nobody
        case {"text": str(text)}:
            yield text
        case dict():
            for inner in value.values():
                yield from _texts(inner)
        case list():
            for inner in value:
                yield from _texts(inner)
