"""Take answers posted to a response_url: say, replace or delete."""

from dataclasses import replace

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from local_slack.access.permits import ResponseUrl
from local_slack.slack import LocalSlack
from local_slack.web_api.arguments import Arguments, read_arguments
from local_slack.web_api.content import draft_of, updated, with_content
from local_slack.web_api.json_endpoints import refused
from local_slack.wire import Json, SlackError


def response_url_route(slack: LocalSlack) -> Route:
    async def endpoint(request: Request) -> Response:
        args: Json = {}
        try:
            args = await read_arguments(request)
            answer_at(slack, slack.permits.use_response_url(request.path_params["name"]), Arguments(args))
        except SlackError as error:
            response = refused(error)
            slack.journal.add("response_url", "response_url", args, error.code, status=response.status_code)
            return response
        slack.journal.add("response_url", "response_url", args, "ok", response={"ok": True}, status=200)
        return JSONResponse({"ok": True})

    return Route("/hooks/{name}", endpoint, methods=["POST"])


def answer_at(slack: LocalSlack, place: ResponseUrl, args: Arguments) -> None:
    """Act on the original message, or post a new one, for all or for one person."""
    workspace = slack.workspace
    if place.ts and args.flag("delete_original"):
        _delete(slack, place)
        return
    if place.ts and _replaces(args):
        _replace(slack, place, args)
        return
    channel = workspace.channel(place.channel)
    draft = with_content(draft_of(workspace, channel, args))
    if workspace.bot.id not in channel.members:
        raise SlackError("not_in_channel")
    if args.text("response_type", "ephemeral") == "in_channel":
        workspace.post(draft)
    else:
        workspace.post_ephemeral(draft, place.user)


def _replaces(args: Arguments) -> bool:
    """Whether the original is replaced: on request, or by default."""
    if args.has("replace_original"):
        return args.flag("replace_original")
    return not args.has("response_type")


def _replace(slack: LocalSlack, place: ResponseUrl, args: Arguments) -> None:
    workspace = slack.workspace
    new = draft_of(workspace, workspace.channel(place.channel), args)
    shown = workspace.ephemerals.get((place.channel, place.ts or ""))
    if shown is not None:
        draft = replace(new, thread_ts=shown.message.thread_ts)
        workspace.change_ephemeral(shown, with_content(draft))
        return
    message = workspace.message(place.channel, place.ts or "")
    workspace.edit(message.channel, message.ts, with_content(updated(message.draft, new, args)))


def _delete(slack: LocalSlack, place: ResponseUrl) -> None:
    shown = slack.workspace.ephemerals.get((place.channel, place.ts or ""))
    if shown is not None:
        slack.workspace.change_ephemeral(shown, None)
    else:
        slack.workspace.delete(place.channel, place.ts or "")
