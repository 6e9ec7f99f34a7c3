"""Endpoints of the page: look and act as one person."""

from dataclasses import replace

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from local_slack.objects import file_object, message_object, view_object
from local_slack.page.interactions import INTERACTIONS
from local_slack.page.shapes import (
    channel_for_page,
    entry_for_page,
    prompts_for_page,
    session_for_page,
    status_for_page,
    user_for_page,
)
from local_slack.page.streams import PageStreams
from local_slack.slack import LocalSlack
from local_slack.state import people
from local_slack.state.entities import NOTHING_READ, MessageDraft, User
from local_slack.web_api.acts import acts
from local_slack.web_api.arguments import Arguments
from local_slack.web_api.json_endpoints import Answer, Endpoint, json_endpoint, refusal, refused
from local_slack.wire import Json, SlackError


def page_routes(slack: LocalSlack, streams: PageStreams) -> list[Route]:
    looks: dict[str, Answer] = {"state": _state, "messages": _messages, "journal": _journal}
    acts = {**ACTIONS, **INTERACTIONS}
    return [
        *(Route(f"/_page/{path}", json_endpoint(slack, answer)) for path, answer in looks.items()),
        *(Route(f"/_page/{path}", json_endpoint(slack, answer), methods=["POST"]) for path, answer in acts.items()),
        Route("/_page/upload", _upload_endpoint(slack), methods=["POST"]),
        Route("/_page/events", _events_endpoint(slack, streams)),
    ]


def _state(slack: LocalSlack, args: Arguments) -> Json:
    workspace = slack.workspace
    me = people.person(workspace, args.required("as"))
    home = workspace.views.home(me.id)
    return {
        "team": {"id": workspace.team.id, "name": workspace.team.name},
        "me": user_for_page(me),
        "users": [user_for_page(user) for user in workspace.users.values()],
        "channels": [channel_for_page(workspace, channel, me.id) for channel in workspace.channels_of(me.id)],
        "bot": _bot(slack),
        **_around_threads(slack, me),
        "home": view_object(workspace, home) if home else None,
        "modals": [view_object(workspace, view) for view in workspace.views.stack(me.id)],
        "rules": {
            "reply_timeout_seconds": slack.deliveries.redelivery.after,
            "stream_seconds": slack.workspace.limits["stream.seconds"],
        },
    }


def _bot(slack: LocalSlack) -> Json:
    app, bot = slack.workspace.app, slack.workspace.bot
    return {
        "user_id": bot.id,
        "name": bot.name,
        "connected": slack.ways.is_connected,
        "app_id": app.id,
        "commands": [
            {"command": one.command, "description": one.description, "usage_hint": one.usage_hint}
            for one in app.commands
        ],
        "shortcuts": [
            {"callback_id": one.callback_id, "name": one.name, "type": one.type, "description": one.description}
            for one in app.shortcuts
        ],
    }


def _around_threads(slack: LocalSlack, me: User) -> Json:
    threads = slack.workspace.threads
    mine = {channel.id for channel in slack.workspace.channels_of(me.id)}
    return {
        "statuses": [status_for_page(one) for one in threads.statuses.values() if one.channel in mine],
        "sessions": [session_for_page(one) for one in threads.sessions.values() if one.channel in mine],
        "prompts": [prompts_for_page(one) for one in threads.prompts.values() if one.channel in mine],
    }


def _messages(slack: LocalSlack, args: Arguments) -> Json:
    workspace = slack.workspace
    channel = people.channel_of(workspace, args.required("as"), args.required("channel"))
    history = workspace.history(channel.id)
    thread_ts = args.optional("thread_ts")
    if thread_ts is None:
        return {"messages": [message_object(workspace, message) for message in history.top_level()]}
    root = history.get(thread_ts)
    if root is None:
        raise SlackError("thread_not_found")
    return {"messages": [message_object(workspace, message) for message in (root, *history.replies(thread_ts))]}


def _journal(slack: LocalSlack, args: Arguments) -> Json:
    entries = slack.journal.entries_since(args.number("since", 0))
    return {"entries": [entry_for_page(entry) for entry in entries], "dropped": slack.journal.dropped}


def _post(slack: LocalSlack, args: Arguments) -> Json:
    draft = MessageDraft(
        args.required("as"),
        args.required("channel"),
        args.text("text"),
        thread_ts=args.optional("thread_ts"),
        files=tuple(args.names("files")),
        client_msg_id=args.optional("client_msg_id"),
        broadcast=args.flag("broadcast"),
    )
    return {"ts": people.say(slack.workspace, draft).ts}


def _read(slack: LocalSlack, args: Arguments) -> Json:
    user, channel_id = args.required("as"), args.required("channel")
    channel = people.channel_of(slack.workspace, user, channel_id)
    newest = max((message.ts for message in slack.workspace.history(channel.id)), default=NOTHING_READ)
    slack.workspace.mark_read(user, channel.id, args.text("ts", newest))
    return {}


ACTIONS: dict[str, Answer] = {
    "post": _post,
    "read": _read,
    **acts("as"),
}


def _upload_endpoint(slack: LocalSlack) -> Endpoint:
    """Keep the bytes of a person's file until a message names it."""

    async def endpoint(request: Request) -> Response:
        if request.headers.get("content-type") != "application/octet-stream":
            wanted = SlackError("invalid_content_type", ["send the bytes as application/octet-stream"])
            return JSONResponse(refusal(wanted), 415)
        args = Arguments(dict(request.query_params))
        try:
            user = people.person(slack.workspace, args.required("as"))
            file = slack.workspace.add_file(args.required("name"), user.id)
        except SlackError as error:
            return refused(error)
        slack.workspace.put_file(replace(file, content=await request.body()))
        return JSONResponse({"ok": True, "file": file_object(slack.workspace, slack.workspace.file(file.id))})

    return endpoint


def _events_endpoint(slack: LocalSlack, streams: PageStreams) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        try:
            me = people.person(slack.workspace, request.query_params.get("as", ""))
        except SlackError as error:
            return refused(error)
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        events = streams.events(me.id, with_journal=request.query_params.get("journal") == "1")
        return StreamingResponse(events, media_type="text/event-stream", headers=headers)

    return endpoint
