"""Objects and events in the page's own form."""

from local_slack.delivery.journal import JournalEntry
from local_slack.objects import message_object, view_object
from local_slack.state import changes as c
from local_slack.state.entities import NOTHING_READ, Channel, Message, Session, User
from local_slack.state.mrkdwn import mentions
from local_slack.state.workspace import Workspace
from local_slack.wire import Json

EVERYBODY = "*"


def user_for_page(user: User) -> Json:
    return {
        "id": user.id,
        "name": user.name,
        "real_name": user.real_name,
        "is_bot": user.is_bot,
        "kind": user.kind,
        "team": user.organisation or None,
        "tz": user.tz,
        "color": user.color,
    }


def channel_for_page(workspace: Workspace, channel: Channel, me: str) -> Json:
    other = workspace.users[channel.other_side(me)] if channel.is_im else None
    return {
        "id": channel.id,
        "name": other.real_name if other else channel.name,
        "is_im": channel.is_im,
        "is_private": channel.is_private,
        "is_ext_shared": channel.is_ext_shared,
        "user": other.id if other else None,
        "members": list(channel.members),
        "topic": channel.topic,
        **unread(workspace, channel.id, me),
    }


def unread(workspace: Workspace, channel_id: str, me: str) -> Json:
    last_read = workspace.reads.get((me, channel_id), NOTHING_READ)
    new = [
        message
        for message in workspace.history(channel_id).top_level()
        if message.ts > last_read and message.user != me and not message.is_tombstone
    ]
    return {"last_read": last_read, "unread": len(new), "mentions": sum(mentions(one.text, me) for one in new)}


def status_for_page(status: c.StatusChanged) -> Json:
    return {
        "channel": status.channel,
        "thread_ts": status.thread_ts,
        "status": status.status,
        "loading_messages": list(status.loading_messages),
        "expires_at": status.expires_at,
    }


def session_for_page(session: Session) -> Json:
    return {
        "channel": session.channel,
        "thread_ts": session.thread_ts,
        "status": session.status,
        "title": session.title,
    }


def prompts_for_page(prompts: c.PromptsSet) -> Json:
    return {
        "channel": prompts.channel,
        "thread_ts": prompts.thread_ts,
        "title": prompts.title,
        "prompts": list(prompts.prompts),
    }


def entry_for_page(entry: JournalEntry) -> Json:
    return {
        "number": entry.number,
        "at": entry.at,
        "kind": entry.kind,
        "name": entry.name,
        "request": entry.request,
        "response": entry.response,
        "status": entry.status,
        "outcome": entry.outcome,
        "errors": entry.errors,
        "ms": entry.ms,
        "attempt": entry.attempt,
    }


def page_events(workspace: Workspace, change: c.Change) -> list[tuple[str, Json]]:
    """Return (audience, event) pairs; an audience is a channel, a person or EVERYBODY."""
    match change:
        case c.MessagePosted(message):
            return [_message(workspace, "message", message)]
        case c.MessageEdited(message) | c.ReactionsChanged(message) | c.MessageStreamed(message):
            return [_message(workspace, "message_changed", message)]
        case c.MessageDeleted(previous):
            gone = {"type": "message_deleted", "channel": previous.channel, "deleted_ts": previous.ts}
            return [(previous.channel, gone)]
        case c.EphemeralPosted(message, recipient, is_shown):
            return [_ephemeral(workspace, "message", message, recipient)] if is_shown else []
        case c.EphemeralChanged(message, recipient):
            return [_ephemeral(workspace, "message_changed", message, recipient)]
        case c.EphemeralDeleted(message, recipient):
            gone = {"type": "message_deleted", "channel": message.channel, "deleted_ts": message.ts}
            return [(recipient, {**gone, "is_ephemeral": True})]
        case c.StatusChanged() | c.PromptsSet() | c.TitleSet() | c.SessionChanged():
            return [_thread(change)]
    return _others(workspace, change)


def _others(workspace: Workspace, change: c.Change) -> list[tuple[str, Json]]:
    match change:
        case c.ViewShown(how, view):
            return [(view.user, {"type": how, "view": view_object(workspace, view)})]
        case c.ViewsGone(user, views, is_all):
            if is_all:
                return [(user, {"type": "views_cleared"})]
            return [(user, {"type": "view_closed", "view_id": view.id}) for view in views]
        case c.MemberJoined(_, channel) | c.ChannelOpened(channel) | c.ChannelRenamed(channel):
            return _channel(workspace, channel)
        case c.ChannelArchived(channel):
            return _channel(workspace, channel)
        case c.MemberLeft(user, channel):
            return [(user, {"type": "channel_gone", "channel": channel.id}), *_channel(workspace, channel)]
        case c.ChannelRead(user, channel_id):
            return [(user, {"type": "read", "channel": channel_id, **unread(workspace, channel_id, user)})]
        case c.PresenceChanged(is_connected):
            return [(EVERYBODY, {"type": "presence", "bot_connected": is_connected})]
        case c.WorkspaceReset():
            return [(EVERYBODY, {"type": "reset"})]
    return []


def _thread(change: c.StatusChanged | c.PromptsSet | c.TitleSet | c.SessionChanged) -> tuple[str, Json]:
    match change:
        case c.StatusChanged():
            return change.channel, {"type": "status", **status_for_page(change)}
        case c.PromptsSet():
            return change.channel, {"type": "prompts", **prompts_for_page(change)}
        case c.SessionChanged(session):
            return session.channel, {"type": "session", **session_for_page(session)}
    facts = {"channel": change.channel, "thread_ts": change.thread_ts, "title": change.title}
    return change.channel, {"type": "title", **facts}


def _message(workspace: Workspace, kind: str, message: Message) -> tuple[str, Json]:
    shown = {"type": kind, "channel": message.channel, "message": message_object(workspace, message)}
    return message.channel, shown


def _ephemeral(workspace: Workspace, kind: str, message: Message, recipient: str) -> tuple[str, Json]:
    shown = {**message_object(workspace, message), "is_ephemeral": True}
    return recipient, {"type": kind, "channel": message.channel, "message": shown}


def _channel(workspace: Workspace, channel: Channel) -> list[tuple[str, Json]]:
    people = [member for member in channel.members if member != workspace.bot.id]
    return [(member, {"type": "channel", "channel": channel_for_page(workspace, channel, member)}) for member in people]
