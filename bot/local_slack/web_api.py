"""The Web API over HTTP: POST or GET /api/METHOD, the token, planned faults, the journal, and Slack's form of an answer."""

from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from bot.local_slack.arguments import Arguments, read_arguments
from bot.local_slack.endpoints import Endpoint, bearer_token, refusal
from bot.local_slack.entities import Json
from bot.local_slack.errors import SlackError
from bot.local_slack.journal import Fault
from bot.local_slack.methods.registry import METHODS
from bot.local_slack.slack import LocalSlack

HangUp = Callable[[Request], None]


def api_endpoint(slack: LocalSlack, hang_up: HangUp) -> Endpoint:
    """The endpoint of all methods; `hang_up` cuts the connection of a request without an answer."""

    async def endpoint(request: Request) -> Response:
        method = request.path_params["method"]
        fault = slack.faults.next_for(method)
        args: Json = {}
        try:
            args = await read_arguments(request)
            token_argument = args.pop("token", None)
            token = bearer_token(request) or token_argument
            if fault and fault.kind != "drop_after":
                return _failed(slack, method, args, fault)
            answer = {"ok": True, **_run(slack, method, token, Arguments(args))}
        except SlackError as error:
            answer = refusal(error)
        slack.journal.record(method, args, fault.kind if fault else answer.get("error", "ok"), 200)
        if fault:
            hang_up(request)
        return JSONResponse(answer, headers=_scope_headers(slack))

    return endpoint


def _run(slack: LocalSlack, name: str, token: Any, args: Arguments) -> Json:
    method = METHODS.get(name)
    if method is None:
        raise SlackError("unknown_method", [f"[ERROR] {name} is not a method of the local Slack"])
    if method.token != "none":
        _check_token(slack, token, method.token)
    return method.run(slack, args)


def _check_token(slack: LocalSlack, token: Any, wanted: str) -> None:
    if not token:
        raise SlackError("not_authed")
    kind = {slack.tokens.bot: "bot", slack.tokens.app: "app"}.get(str(token))
    if kind is None:
        raise SlackError("invalid_auth")
    if wanted not in {kind, "any"}:
        raise SlackError("not_allowed_token_type")


def _failed(slack: LocalSlack, method: str, args: Json, fault: Fault) -> Response:
    """The answer of a planned fault; the method is not run."""
    response: Response
    if fault.kind == "ratelimited":
        response = JSONResponse({"ok": False, "error": "ratelimited"}, 429, {"Retry-After": str(fault.retry_after)})
    else:
        response = PlainTextResponse("planned fault", 503 if fault.kind == "unavailable" else 500)
    slack.journal.record(method, args, fault.kind, response.status_code)
    return response


def _scope_headers(slack: LocalSlack) -> dict[str, str]:
    return {"x-oauth-scopes": ",".join(slack.workspace.app.scopes)}
