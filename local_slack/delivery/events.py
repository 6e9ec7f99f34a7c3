"""Turn changes of the workspace into Events API payloads. Pure.

A channel message that mentions the bot makes two events, `message` and `app_mention`. The app gets the events it
subscribed to, from conversations with its bot only.
"""

import base64
import json
import uuid
from collections.abc import Sequence

from local_slack.objects import home_team, message_object, view_object
from local_slack.state.changes import (
    Change,
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
)
from local_slack.state.entities import Channel, Message
from local_slack.state.mrkdwn import mentions
from local_slack.state.workspace import Workspace
from local_slack.wire import Json

_SUBSCRIPTION_OF = {"channel": "message.channels", "group": "message.groups", "im": "message.im"}


def payloads_for(workspace: Workspace, change: Change) -> list[Json]:
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
    team, app = workspace.team.id, workspace.app
    channel_id = event.get("channel") or event.get("channel_id")
    channel = workspace.channels.get(channel_id) if isinstance(channel_id, str) else None
    context = {"et": event["type"], "tid": team, "aid": app.id, "cid": event.get("channel")}
    return {
        "token": "local-verification-token",
        "team_id": team,
        "context_team_id": team,
        "context_enterprise_id": None,
        "api_app_id": app.id,
        "event": event,
        "type": "event_callback",
        "event_id": f"Ev{uuid.uuid4().hex[:9].upper()}",
        "event_time": int(workspace.clock.now()),
        "authorizations": [
            {
                "enterprise_id": None,
                "team_id": team,
                "user_id": app.bot_user,
                "is_bot": True,
                "is_enterprise_install": False,
            }
        ],
        "is_ext_shared_channel": channel is not None and channel.is_ext_shared,
        "event_context": "4-" + base64.urlsafe_b64encode(json.dumps(context).encode()).decode(),
    }


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
            event = _member(workspace, user, left, "member_left_channel")
        case SessionStopped(channel, thread_ts, user, streams, event_ts):
            event = {
                "type": "agent_session_stopped",
                "channel": channel,
                "thread_ts": thread_ts,
                "user": user,
                "streaming_message_ts": list(streams),
            }
        case TokensRevoked(bot_user, is_uninstalled):
            return _lost(bot_user, is_uninstalled=is_uninstalled)
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


def _lost(bot_user: str, *, is_uninstalled: bool) -> list[Json]:
    revoked: Json = {"type": "tokens_revoked", "tokens": {"oauth": [], "bot": [bot_user]}}
    return [revoked, {"type": "app_uninstalled"}] if is_uninstalled else [revoked]


def _is_seen(workspace: Workspace, event: Json) -> bool:
    """Return whether the bot is in the conversation; a leaving bot hears of itself."""
    channel_id = event.get("channel") or event.get("channel_id") or event.get("item", {}).get("channel")
    if channel_id is None or event.get("user") == workspace.bot.id:
        return True
    return workspace.bot.id in workspace.channel(channel_id).members
