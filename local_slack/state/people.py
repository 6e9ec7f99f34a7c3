"""Acts of people on messages: say, change, take back, react, stop, join, leave."""

import uuid
from collections.abc import Sequence
from dataclasses import replace

from local_slack.state import streams
from local_slack.state.changes import MemberJoined, MemberLeft
from local_slack.state.entities import Channel, Message, MessageDraft, User
from local_slack.state.mrkdwn import rich_text, stored_text
from local_slack.state.workspace import Workspace
from local_slack.wire import SlackError


def person(workspace: Workspace, user_id: str) -> User:
    """Return an active person; the bot is none. Raises user_not_found."""
    user = workspace.user(user_id)
    if user.is_bot or user.is_deleted:
        raise SlackError("user_not_found")
    return user


def channel_of(workspace: Workspace, user_id: str, channel_id: str) -> Channel:
    """Return a conversation the person is in. Raises user_not_found, channel_not_found."""
    channel = workspace.channel(channel_id)
    if person(workspace, user_id).id not in channel.members:
        raise SlackError("channel_not_found")
    return channel


def say(workspace: Workspace, draft: MessageDraft, ts: str | None = None) -> Message:
    """Post as a person, with the additions of Slack's composer. Raises no_text, and as `Workspace.post`."""
    person(workspace, draft.user)
    for file_id in draft.files:
        if workspace.file(file_id).user != draft.user:
            raise SlackError("file_not_found")
    said = replace(draft, client_msg_id=draft.client_msg_id or str(uuid.uuid4()))
    message = workspace.post(_saying(said, draft.text), ts)
    workspace.mark_read(draft.user, message.channel, message.ts)
    return message


def edit(workspace: Workspace, user_id: str, channel_id: str, ts: str, text: str) -> Message:
    """Change the text of one's own message. Raises no_text, and cant_update_message for another's."""
    old = _own(workspace, user_id, channel_id, ts, "cant_update_message")
    return workspace.edit(channel_id, ts, _saying(old.draft, text))


def delete(workspace: Workspace, user_id: str, channel_id: str, ts: str) -> None:
    """Delete one's own message. Raises cant_delete_message for another's."""
    _own(workspace, user_id, channel_id, ts, "cant_delete_message")
    workspace.delete(channel_id, ts)


def react(workspace: Workspace, user_id: str, channel_id: str, ts: str, name: str) -> bool:
    """Give or take back a reaction; return whether it is there now."""
    message = workspace.message(channel_of(workspace, user_id, channel_id).id, ts)
    is_added = user_id not in dict(message.reactions).get(name, ())
    workspace.react(message, user_id, name, is_added=is_added)
    return is_added


def stop(workspace: Workspace, user_id: str, channel_id: str, thread_ts: str) -> list[str]:
    """Press Stop on a thread; return the ts of each interrupted message. Raises thread_not_found."""
    channel = channel_of(workspace, user_id, channel_id)
    is_session = (channel.id, thread_ts) in workspace.threads.sessions
    if not is_session and workspace.history(channel.id).get(thread_ts) is None:
        raise SlackError("thread_not_found")
    return [message.ts for message in streams.stop_by_user(workspace, user_id, channel.id, thread_ts)]


def join(workspace: Workspace, user_ids: Sequence[str], channel_id: str, inviter: str = "") -> None:
    for user_id in user_ids:
        channel = workspace.channel(channel_id)
        if workspace.user(user_id).id not in channel.members:
            channel = replace(channel, members=(*channel.members, user_id))
            workspace.put_channel(channel)
            _note(workspace, user_id, channel_id, "channel_join", "has joined the channel")
            workspace.publish(MemberJoined(user_id, channel, inviter, workspace.clock.next_ts()))


def leave(workspace: Workspace, user_id: str, channel_id: str) -> None:
    """Take somebody out of a channel. Raises not_in_channel."""
    channel = workspace.channel(channel_id)
    if workspace.user(user_id).id not in channel.members or channel.is_im:
        raise SlackError("not_in_channel")
    _note(workspace, user_id, channel_id, "channel_leave", "has left the channel")
    members = tuple(member for member in channel.members if member != user_id)
    left = replace(channel, members=members)
    workspace.put_channel(left)
    workspace.publish(MemberLeft(user_id, left, workspace.clock.next_ts()))


def _note(workspace: Workspace, user_id: str, channel_id: str, subtype: str, text: str) -> None:
    workspace.post(MessageDraft(user_id, channel_id, f"<@{user_id}> {text}", subtype=subtype))


def _own(workspace: Workspace, user_id: str, channel_id: str, ts: str, refusal: str) -> Message:
    message = workspace.message(channel_id, ts)
    if message.user != person(workspace, user_id).id:
        raise SlackError(refusal)
    return message


def _saying(draft: MessageDraft, text: str) -> MessageDraft:
    if not text.strip() and not draft.files:
        raise SlackError("no_text")
    blocks = (rich_text(stored_text(text), block_id=uuid.uuid4().hex[:5]),) if text.strip() else ()
    return replace(draft, text=text, blocks=blocks)
