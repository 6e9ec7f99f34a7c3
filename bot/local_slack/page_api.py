"""What the page asks for, as the person it acts for, and the stream of what changes before their eyes."""

import asyncio
import json
from collections.abc import AsyncIterator

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from bot.local_slack.arguments import Arguments
from bot.local_slack.endpoints import Endpoint, json_endpoint, refusal
from bot.local_slack.entities import (
    Change,
    Channel,
    EphemeralPosted,
    Json,
    MessageDeleted,
    MessageEdited,
    MessagePosted,
    PresenceChanged,
    ReactionsChanged,
    StatusChanged,
    User,
)
from bot.local_slack.errors import SlackError
from bot.local_slack.people import person, say
from bot.local_slack.shapes import message_object
from bot.local_slack.slack import LocalSlack
from bot.local_slack.state import Workspace

_SECONDS_BETWEEN_SIGNS_OF_LIFE = 15.0


class PageStreams:
    """The open event streams of all pages: each gets what its person may see."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._streams: list[tuple[str, asyncio.Queue[Json | None]]] = []
        workspace.subscribe(self._tell)

    def close(self) -> None:
        """End all streams, so that the server can stop."""
        for _, queue in self._streams:
            queue.put_nowait(None)

    async def events(self, user_id: str) -> AsyncIterator[str]:
        """Server-Sent Events for one page, until it goes away or the server stops."""
        stream: tuple[str, asyncio.Queue[Json | None]] = (user_id, asyncio.Queue())
        self._streams.append(stream)
        try:
            yield _sse({"type": "hello"})
            while True:
                try:
                    event = await asyncio.wait_for(stream[1].get(), _SECONDS_BETWEEN_SIGNS_OF_LIFE)
                except TimeoutError:
                    yield ": still here\n\n"
                    continue
                if event is None:
                    return
                yield _sse(event)
        finally:
            self._streams.remove(stream)

    def _tell(self, change: Change) -> None:
        for user_id, queue in self._streams:
            if _may_see(self._workspace, user_id, change):
                queue.put_nowait(_page_event(self._workspace, change))


def page_routes(slack: LocalSlack, streams: PageStreams) -> list[Route]:
    return [
        Route("/_page/state", json_endpoint(slack, _state)),
        Route("/_page/messages", json_endpoint(slack, _messages)),
        Route("/_page/post", json_endpoint(slack, _post), methods=["POST"]),
        Route("/_page/events", _events_endpoint(slack, streams)),
    ]


def _state(slack: LocalSlack, args: Arguments) -> Json:
    workspace = slack.workspace
    me = person(workspace, args.required("as"))
    return {
        "team": {"id": workspace.team.id, "name": workspace.team.name},
        "me": _user(me),
        "users": [_user(user) for user in workspace.users.values()],
        "channels": [_channel(workspace, channel, me) for channel in workspace.channels_of(me.id)],
        "bot": {
            "user_id": workspace.bot.id,
            "name": workspace.bot.name,
            "connected": slack.gateway.connection_count > 0,
        },
    }


def _messages(slack: LocalSlack, args: Arguments) -> Json:
    workspace = slack.workspace
    me = person(workspace, args.required("as"))
    channel = workspace.channel(args.required("channel"))
    if me.id not in channel.members:
        raise SlackError("channel_not_found")
    history = workspace.history(channel.id)
    thread_ts = args.optional("thread_ts")
    if thread_ts is None:
        return {"messages": [message_object(workspace, message) for message in history.top_level()]}
    root = history.get(thread_ts)
    if root is None:
        raise SlackError("thread_not_found")
    return {"messages": [message_object(workspace, message) for message in (root, *history.replies(thread_ts))]}


def _post(slack: LocalSlack, args: Arguments) -> Json:
    message = say(
        slack.workspace, args.required("as"), args.required("channel"), args.text("text"), args.optional("thread_ts")
    )
    return {"ts": message.ts}


def _events_endpoint(slack: LocalSlack, streams: PageStreams) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        try:
            me = person(slack.workspace, request.query_params.get("as", ""))
        except SlackError as error:
            return JSONResponse(refusal(error), 404)
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return StreamingResponse(streams.events(me.id), media_type="text/event-stream", headers=headers)

    return endpoint


def _user(user: User) -> Json:
    return {
        "id": user.id,
        "name": user.name,
        "real_name": user.real_name,
        "is_bot": user.is_bot,
        "kind": user.kind,
        "tz": user.tz,
        "color": user.color,
    }


def _channel(workspace: Workspace, channel: Channel, me: User) -> Json:
    other = workspace.users[channel.other_side(me.id)] if channel.is_im else None
    return {
        "id": channel.id,
        "name": other.real_name if other else channel.name,
        "is_im": channel.is_im,
        "is_private": channel.is_private,
        "user": other.id if other else None,
        "members": list(channel.members),
        "topic": channel.topic,
    }


def _may_see(workspace: Workspace, user_id: str, change: Change) -> bool:
    match change:
        case PresenceChanged():
            return True
        case EphemeralPosted():
            return user_id == change.recipient
        case StatusChanged():
            channel_id = change.channel
        case MessageDeleted():
            channel_id = change.previous.channel
        case _:
            channel_id = change.message.channel
    return user_id in workspace.channel(channel_id).members


def _page_event(workspace: Workspace, change: Change) -> Json:
    match change:
        case MessagePosted(message):
            return _message_event("message", message_object(workspace, message), message.channel)
        case EphemeralPosted(message, _):
            shown = {**message_object(workspace, message), "is_ephemeral": True}
            return _message_event("message", shown, message.channel)
        case MessageEdited(message) | ReactionsChanged(message):
            return _message_event("message_changed", message_object(workspace, message), message.channel)
        case MessageDeleted(previous):
            return {"type": "message_deleted", "channel": previous.channel, "deleted_ts": previous.ts}
        case StatusChanged(channel, thread_ts, status):
            return {"type": "status", "channel": channel, "thread_ts": thread_ts, "status": status}
        case PresenceChanged(is_connected):
            return {"type": "presence", "bot_connected": is_connected}


def _message_event(kind: str, message: Json, channel_id: str) -> Json:
    return {"type": kind, "channel": channel_id, "message": message}


def _sse(event: Json) -> str:
    return f"data: {json.dumps(event)}\n\n"
