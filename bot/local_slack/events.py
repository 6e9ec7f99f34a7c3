"""Changes of the workspace as the Events API tells them to the app. Pure: a change goes in, payloads come out.

A person's message in a channel that mentions the bot makes two events, `message` and `app_mention`, as Slack does.
"""

import base64
import json
import time
import uuid

from bot.local_slack.entities import Change, Channel, Json, Message, MessageDeleted, MessageEdited, MessagePosted
from bot.local_slack.mrkdwn import mentions
from bot.local_slack.shapes import message_object
from bot.local_slack.state import Workspace

_SUBSCRIPTION_OF = {"channel": "message.channels", "group": "message.groups", "im": "message.im"}


def payloads_for(workspace: Workspace, change: Change) -> list[Json]:
    """The event_callback payloads that `change` sends to the app; none where its bot is no member."""
    match change:
        case MessagePosted(message):
            events = _posted(workspace, message)
        case MessageEdited(message, previous, event_ts):
            events = _edited(workspace, message, previous, event_ts)
        case MessageDeleted(previous, event_ts):
            events = _deleted(workspace, previous, event_ts)
        case _:
            events = []
    return [event_callback(workspace, event) for event in events]


def event_callback(workspace: Workspace, event: Json) -> Json:
    """The wrapper that carries `event`, with an event_id of its own."""
    team, app = workspace.team.id, workspace.app
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
        "event_time": int(time.time()),
        "authorizations": [
            {
                "enterprise_id": None,
                "team_id": team,
                "user_id": app.bot_user,
                "is_bot": True,
                "is_enterprise_install": False,
            }
        ],
        "is_ext_shared_channel": False,
        "event_context": "4-" + base64.urlsafe_b64encode(json.dumps(context).encode()).decode(),
    }


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
    """The app_mention event, if there is one: never in direct messages, never for what the bot itself says."""
    if channel.is_im or "app_mention" not in workspace.app.event_types or workspace.bot.id not in channel.members:
        return []
    if message.user == workspace.bot.id or not mentions(message.text, workspace.bot.id):
        return []
    return [{**_event_body(workspace, message), "type": "app_mention", "event_ts": event_ts}]


def _event_body(workspace: Workspace, message: Message) -> Json:
    return {**message_object(workspace, message), "channel": message.channel, "event_ts": message.ts}
