"""Turn changes of the workspace into Events API payloads. Pure.

A channel message that mentions the bot makes two events, `message` and `app_mention`. The app gets the events it
subscribed to, from conversations with its bot only.
"""

import base64
import json
import uuid
from collections.abc import Sequence

from local_slack.objects import home_team, message_object, user_object, view_object
from local_slack.state.changes import (
    Change,
    ChannelArchived,
    ChannelRenamed,
    ContextChanged,
    FileDeleted,
    FileShared,
    HomeOpened,
    MemberJoined,
    MemberLeft,
    MessageDeleted,
    MessageEdited,
    MessagePosted,
    ReactionsChanged,
    SessionStopped,
    TokensRevoked,
    UserChanged,
)
from local_slack.state.entities import Channel, Message
from local_slack.state.mrkdwn import mentions
from local_slack.state.workspace import Workspace
from local_slack.wire import Json

_TOLD_BY_THE_SOURCE = {"reaction_added", "reaction_removed", "member_joined_channel", "member_left_channel"}
_SUBSCRIPTION_OF = {"channel": "message.channels", "group": "message.groups", "im": "message.im"}


def payloads_for(workspace: Workspace, change: Change) -> list[Json]:
    if not (workspace.app.is_installed or isinstance(change, TokensRevoked)):
        return []
    match change:
        case MessagePosted(message):
            events = _posted(workspace, message)
        case MessageEdited(message, previous, event_ts):
            events = _edited(workspace, message, previous, event_ts)
        case MessageDeleted(previous, event_ts):
            events = _deleted(workspace, previous, event_ts)
        case _:
            events = [event for event in _other(workspace, change) if event["type"] in workspace.app.event_types]
    return [event_callback(workspace, event) for event in events]


def event_callback(workspace: Workspace, event: Json) -> Json:
    """Wrap `event` under an event_id of its own."""
    app, enterprise = workspace.app, workspace.team.enterprise or None
    channel_id = event.get("channel") or event.get("channel_id")
    channel = workspace.channels.get(channel_id) if isinstance(channel_id, str) else None
    team = (channel.team if channel else "") or workspace.team.id
    context = {"et": event["type"], "tid": team, "aid": app.id, "cid": event.get("channel")}
    return {
        "token": "local-verification-token",
        "team_id": _source_team(workspace, event) or team,
        **({"enterprise_id": enterprise} if enterprise else {}),
        "context_team_id": team,
        "context_enterprise_id": enterprise,
        "api_app_id": app.id,
        "event": event,
        "type": "event_callback",
        "event_id": f"Ev{uuid.uuid4().hex[:9].upper()}",
        "event_time": int(workspace.clock.now()),
        "authorizations": [
            {
                "enterprise_id": enterprise,
                "team_id": None if workspace.team.is_org_install else team,
                "user_id": app.bot_user,
                "is_bot": True,
                "is_enterprise_install": workspace.team.is_org_install,
            }
        ],
        "is_ext_shared_channel": channel is not None and channel.is_ext_shared,
        "event_context": "4-" + base64.urlsafe_b64encode(json.dumps(context).encode()).decode(),
    }


def _source_team(workspace: Workspace, event: Json) -> str | None:
    """Return the workspace of the person behind a reaction or a membership."""
    user = event.get("user")
    if event["type"] in _TOLD_BY_THE_SOURCE and isinstance(user, str) and user in workspace.users:
        return home_team(workspace, user)
    return None


# --- messages


def _posted(workspace: Workspace, message: Message) -> list[Json]:
    channel = workspace.channel(message.channel)
    body = _event_body(workspace, message)
    return _message_event(workspace, channel, body) + _mention(workspace, channel, message, message.ts)


def _edited(workspace: Workspace, message: Message, previous: Message, event_ts: str) -> list[Json]:
    channel = workspace.channel(message.channel)
    changed = {
        "type": "message",
        "subtype": "message_changed",
        "message": message_object(workspace, message),
        "previous_message": message_object(workspace, previous),
        "channel": channel.id,
        "hidden": True,
        "ts": event_ts,
        "event_ts": event_ts,
    }
    return _message_event(workspace, channel, changed) + _mention(workspace, channel, message, event_ts)


def _deleted(workspace: Workspace, previous: Message, event_ts: str) -> list[Json]:
    channel = workspace.channel(previous.channel)
    deleted = {
        "type": "message",
        "subtype": "message_deleted",
        "previous_message": message_object(workspace, previous),
        "channel": channel.id,
        "hidden": True,
        "deleted_ts": previous.ts,
        "ts": event_ts,
        "event_ts": event_ts,
    }
    return _message_event(workspace, channel, deleted)


def _message_event(workspace: Workspace, channel: Channel, event: Json) -> list[Json]:
    subscription = _SUBSCRIPTION_OF[channel.channel_type]
    if subscription not in workspace.app.event_types or workspace.bot.id not in channel.members:
        return []
    return [{**event, "channel_type": channel.channel_type}]


def _mention(workspace: Workspace, channel: Channel, message: Message, event_ts: str) -> list[Json]:
    """Return the app_mention event: none in direct messages, none for the bot's own words."""
    if channel.is_im or "app_mention" not in workspace.app.event_types or workspace.bot.id not in channel.members:
        return []
    if message.user == workspace.bot.id or not mentions(message.text, workspace.bot.id):
        return []
    return [{**_event_body(workspace, message), "type": "app_mention", "event_ts": event_ts}]


def _event_body(workspace: Workspace, message: Message) -> Json:
    return {**message_object(workspace, message), "channel": message.channel, "event_ts": message.ts}


# --- everything else


def _other(workspace: Workspace, change: Change) -> list[Json]:
    match change:
        case ReactionsChanged(message, user, name, is_added, event_ts):
            event = _reaction(message, user, name, "reaction_added" if is_added else "reaction_removed")
        case FileShared(file, user, channel, event_ts):
            event = {
                "type": "file_shared",
                "file_id": file,
                "file": {"id": file},
                "user_id": user,
                "channel_id": channel,
            }
        case FileDeleted(file, event_ts):
            event = {"type": "file_deleted", "file_id": file}
        case MemberJoined(user, joined, inviter, event_ts):
            event = {**_member(workspace, user, joined, "member_joined_channel"), "inviter": inviter}
        case MemberLeft(user, left, event_ts):
            return _left(workspace, user, left, event_ts)
        case SessionStopped(channel, thread_ts, user, streams, event_ts):
            event = {
                "type": "agent_session_stopped",
                "channel": channel,
                "thread_ts": thread_ts,
                "user": user,
                "streaming_message_ts": list(streams),
            }
        case TokensRevoked(bot_user, is_uninstalled, event_ts):
            return _lost(bot_user, event_ts, is_uninstalled=is_uninstalled)
        case ChannelArchived() | ChannelRenamed() | UserChanged():
            return _administered(workspace, change)
        case _:
            return _around_home(workspace, change)
    return [{**event, "event_ts": event_ts}] if _is_seen(workspace, event) else []


def _around_home(workspace: Workspace, change: Change) -> list[Json]:
    match change:
        case HomeOpened(user, channel, tab, context, view, event_ts):
            event = {"type": "app_home_opened", "user": user, "channel": channel, "tab": tab, "event_ts": event_ts}
            shown = {"view": view_object(workspace, view)} if view else {}
            return [{**event, **shown, "context": _context(workspace, context)}]
        case ContextChanged(user, channel, context, event_ts):
            event = {"type": "app_context_changed", "user": user, "channel": channel, "event_ts": event_ts}
            return [{**event, "context": _context(workspace, context)}]
    return []


def _context(workspace: Workspace, channels: Sequence[str]) -> Json:
    team = workspace.team.id
    return {
        "entities": [{"type": "slack#/types/channel_id", "value": channel, "team_id": team} for channel in channels]
    }


def _reaction(message: Message, user: str, name: str, kind: str) -> Json:
    item = {"type": "message", "channel": message.channel, "ts": message.ts}
    return {"type": kind, "user": user, "reaction": name, "item_user": message.user, "item": item}


def _member(workspace: Workspace, user: str, channel: Channel, kind: str) -> Json:
    letter = "G" if channel.is_private else "C"
    return {
        "type": kind,
        "user": user,
        "channel": channel.id,
        "channel_type": letter,
        "team": home_team(workspace, user),
    }


def _left(workspace: Workspace, user: str, left: Channel, event_ts: str) -> list[Json]:
    """Tell of somebody who left; the bot hears of its own removal as channel_left too."""
    event = {**_member(workspace, user, left, "member_left_channel"), "event_ts": event_ts}
    if user == workspace.bot.id:
        kind = "group_left" if left.is_private else "channel_left"
        return [event, {"type": kind, "channel": left.id, "actor_id": left.members[0], "event_ts": event_ts}]
    return [event] if _is_seen(workspace, event) else []


def _administered(workspace: Workspace, change: ChannelArchived | ChannelRenamed | UserChanged) -> list[Json]:
    if isinstance(change, UserChanged):
        return [{"type": "user_change", "user": user_object(workspace, change.user), "event_ts": change.event_ts}]
    channel = change.channel
    if workspace.bot.id not in channel.members:
        return []
    family = "group" if channel.is_private else "channel"
    if isinstance(change, ChannelRenamed):
        named = {"id": channel.id, "name": channel.name, "name_normalized": channel.name, "created": channel.created}
        return [{"type": f"{family}_rename", "channel": named, "event_ts": change.event_ts}]
    kind = f"{family}_{'archive' if channel.is_archived else 'unarchive'}"
    return [{"type": kind, "channel": channel.id, "user": change.user, "event_ts": change.event_ts}]


def _lost(bot_user: str, event_ts: str, *, is_uninstalled: bool) -> list[Json]:
    revoked: Json = {"type": "tokens_revoked", "tokens": {"oauth": [], "bot": [bot_user]}, "event_ts": event_ts}
    return [revoked, {"type": "app_uninstalled", "event_ts": event_ts}] if is_uninstalled else [revoked]


def _is_seen(workspace: Workspace, event: Json) -> bool:
    channel_id = event.get("channel") or event.get("channel_id") or event.get("item", {}).get("channel")
    if channel_id is None:
        return True
    return workspace.bot.id in workspace.channel(channel_id).members
