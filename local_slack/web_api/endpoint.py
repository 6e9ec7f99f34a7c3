"""Serve /api/METHOD: token and scopes, rate limits, planned faults, the journal."""

import base64
import binascii
import time
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from local_slack.access.faults import PlannedFault
from local_slack.access.tokens import Grant
from local_slack.slack import LocalSlack
from local_slack.state.workspace import Workspace
from local_slack.web_api.arguments import Arguments, read_arguments
from local_slack.web_api.json_endpoints import Endpoint, bearer_token, refusal
from local_slack.web_api.methods.registry import METHODS, Method
from local_slack.wire import Json, RateLimitedError, SlackError

HangUp = Callable[[Request], None]


def api_endpoint(slack: LocalSlack, hang_up: HangUp) -> Endpoint:
    """Return the endpoint of all methods; `hang_up` cuts a connection without an answer."""

    async def endpoint(request: Request) -> Response:
        name, began = request.path_params["method"], time.perf_counter()
        fault = slack.faults.next_for(name)
        args: Json = {}
        status, headers = 200, {"x-oauth-scopes": ",".join(slack.workspace.app.scopes)}
        try:
            args = await read_arguments(request)
            token = bearer_token(request) or args.pop("token", None)
            args.pop("token", None)
            if fault and not fault.runs_the_call:
                raise _planned(fault)
            answer, scopes = _run(slack, name, str(token or ""), args | _basic_auth(request))
            headers["x-oauth-scopes"] = ",".join(scopes)
        except RateLimitedError as error:
            answer, status, headers["Retry-After"] = refusal(error), 429, str(error.retry_after)
        except SlackError as error:
            answer = refusal(error)
        if fault and fault.kind in {"server_error", "unavailable"}:
            status = 503 if fault.kind == "unavailable" else 500
        outcome = fault.kind if fault and fault.kind != "error" else answer.get("error", "ok")
        slack.journal.record(name, args, answer, outcome, status, (time.perf_counter() - began) * 1000)
        if fault and fault.hangs_up:
            hang_up(request)
        if fault and fault.kind == "slow":
            await slack.faults.hold(fault.seconds)
        return PlainTextResponse("planned fault", status) if status >= 500 else JSONResponse(answer, status, headers)

    return endpoint


def _run(slack: LocalSlack, name: str, token: str, args: Json) -> tuple[Json, tuple[str, ...]]:
    method = METHODS.get(name)
    if method is None:
        raise SlackError("unknown_method", [f"[ERROR] {name} is not a method of the local Slack"])
    scopes = slack.workspace.app.scopes
    if method.token != "none":
        grant = slack.grants.get(token)
        scopes = scopes if grant.scopes is None else grant.scopes
        _check_grant(slack.workspace, method, grant, scopes, args)
    if "metadata.message:read" not in scopes:
        args = args | {"include_all_metadata": False}
    slack.limits.check(token, name, method.tier, str(args.get("channel", "")))
    return {"ok": True, **method.run(slack, Arguments(args))}, scopes


def _check_grant(workspace: Workspace, method: Method, grant: Grant, scopes: tuple[str, ...], args: Json) -> None:
    if method.token not in {grant.kind, "any"}:
        raise SlackError("not_allowed_token_type")
    needed = needed_scopes(workspace, method, args)
    if needed and not set(needed) & set(scopes):
        raise SlackError("missing_scope", facts={"needed": ",".join(needed), "provided": ",".join(scopes)})


def needed_scopes(workspace: Workspace, method: Method, args: Json) -> tuple[str, ...]:
    """Return the scopes any one of which allows the call; "*" stands for the kind of the named conversation."""
    family, _, right = method.scope.partition(":")
    if family != "*":
        return (method.scope,) if method.scope else ()
    channel = workspace.channels.get(str(args.get("channel", "")))
    if channel is None:
        return tuple(f"{kind}:{right}" for kind in ("channels", "groups", "mpim", "im"))
    kind = {"channel": "channels", "group": "groups", "im": "im"}[channel.channel_type]
    return (f"{kind}:{right}",)


def _planned(fault: PlannedFault) -> SlackError:
    if fault.kind == "ratelimited":
        return RateLimitedError(int(fault.seconds))
    return SlackError(fault.error if fault.kind == "error" else "internal_error")


def _basic_auth(request: Request) -> Json:
    """Return the client id and secret of oauth.v2.access from the header."""
    scheme, _, encoded = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "basic":
        return {}
    try:
        client_id, _, secret = base64.b64decode(encoded).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return {}
    return {"client_id": client_id, "client_secret": secret}
