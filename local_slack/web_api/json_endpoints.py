"""Shared by HTTP endpoints: the caller's token, refusals as JSON, and plain JSON endpoints."""

import inspect
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from local_slack.slack import LocalSlack
from local_slack.web_api.arguments import Arguments, read_arguments
from local_slack.wire import Json, SlackError

Endpoint = Callable[[Request], Awaitable[Response]]
Answer = Callable[[LocalSlack, Arguments], Json | Awaitable[Json]]

_STATUS_OF = {"app_not_connected": 503, "operation_timeout": 504}


def bearer_token(request: Request) -> str | None:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() or None if scheme.lower() == "bearer" else None


def refusal(error: SlackError) -> Json:
    answer: Json = {"ok": False, "error": error.code, **error.facts}
    return answer | ({"response_metadata": {"messages": list(error.details)}} if error.details else {})


def refused(error: SlackError) -> JSONResponse:
    """Refuse with a telling status; the Web API itself answers 200."""
    status = _STATUS_OF.get(error.code, 404 if error.code.endswith("not_found") else 400)
    return JSONResponse(refusal(error), status)


def json_endpoint(slack: LocalSlack, answer: Answer) -> Endpoint:
    """Return an endpoint for `answer`; refusals get 4xx.

    A POST must be JSON: browsers ask before sending that to another origin.
    """

    async def endpoint(request: Request) -> Response:
        if request.method == "POST" and not request.headers.get("content-type", "").startswith("application/json"):
            return JSONResponse(refusal(SlackError("invalid_content_type", ["send the body as application/json"])), 415)
        try:
            found = answer(slack, Arguments(await read_arguments(request) | request.path_params))
            return JSONResponse({"ok": True, **(await found if inspect.isawaitable(found) else found)})
        except SlackError as error:
            return refused(error)

    return endpoint
