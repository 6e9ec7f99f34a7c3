"""What the HTTP endpoints share: the caller's token, a refusal as JSON, and the plain JSON endpoint of page and tests."""

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
    """The token of the Authorization header, if there is one."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() or None if scheme.lower() == "bearer" else None


def refusal(error: SlackError) -> Json:
    """The answer that says no."""
    answer: Json = {"ok": False, "error": error.code, **error.facts}
    return answer | ({"response_metadata": {"messages": list(error.details)}} if error.details else {})


def refused(error: SlackError) -> JSONResponse:
    """The same with a status that says why, for everybody but clients of the Web API."""
    status = _STATUS_OF.get(error.code, 404 if error.code.endswith("not_found") else 400)
    return JSONResponse(refusal(error), status)


def json_endpoint(slack: LocalSlack, answer: Answer) -> Endpoint:
    """An endpoint that answers with what `answer` returns, and with 4xx where it refuses.

    A POST must be JSON: browsers ask before they send that to another origin, so no foreign page can act here.
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
