"""What the page's and the tests' endpoints share: JSON in, JSON out, errors as {"ok": false, "error": code} with 4xx."""

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from bot.local_slack.arguments import Arguments, read_arguments
from bot.local_slack.entities import Json
from bot.local_slack.errors import SlackError
from bot.local_slack.slack import LocalSlack
from bot.local_slack.web_api import Endpoint, refusal

Answer = Callable[[LocalSlack, Arguments], Json]


def json_endpoint(slack: LocalSlack, answer: Answer) -> Endpoint:
    """An endpoint that answers with what `answer` returns.

    A POST must be JSON: browsers ask before they send that to another origin, so no foreign page can act here.
    """

    async def endpoint(request: Request) -> Response:
        if request.method == "POST" and not request.headers.get("content-type", "").startswith("application/json"):
            return JSONResponse(refusal(SlackError("invalid_content_type", ["send the body as application/json"])), 415)
        try:
            args = Arguments(await read_arguments(request) | request.path_params)
            return JSONResponse({"ok": True, **answer(slack, args)})
        except SlackError as error:
            return JSONResponse(refusal(error), 404 if error.code.endswith("_not_found") else 400)

    return endpoint
