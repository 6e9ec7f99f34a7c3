"""Serve the bytes of files: in by the upload URL, out by the private download URL."""

from dataclasses import replace
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from local_slack.slack import LocalSlack
from local_slack.web_api.json_endpoints import Endpoint, bearer_token, refusal
from local_slack.wire import SlackError


def upload_endpoint(slack: LocalSlack) -> Endpoint:
    """Take the raw body, or the first file of a form; the URL is the permission."""

    async def upload(request: Request) -> Response:
        try:
            file = slack.workspace.file(request.path_params["file_id"])
        except SlackError as error:
            return JSONResponse(refusal(error), 404)
        content = await _content(request)
        slack.workspace.put_file(replace(file, content=content))
        return PlainTextResponse(f"OK - {len(content)}")

    return upload


def download_endpoint(slack: LocalSlack) -> Endpoint:
    """Return a file. A browser needs no token; a client's token must be right."""

    async def download(request: Request) -> Response:
        token = bearer_token(request)
        try:
            if token is not None:
                slack.grants.get(token)
        except SlackError as error:
            return JSONResponse(refusal(error), 401)
        try:
            file = slack.workspace.file(request.path_params["file_id"])
        except SlackError as error:
            return JSONResponse(refusal(error), 404)
        disposition = f"attachment; filename*=UTF-8''{quote(file.name)}"
        return Response(
            file.content,
            media_type=file.mimetype,
            headers={"Content-Disposition": disposition, "X-Content-Type-Options": "nosniff"},
        )

    return download


async def _content(request: Request) -> bytes:
    if request.headers.get("content-type", "").startswith("multipart/form-data"):
        async with request.form() as form:
            uploaded = next((value for value in form.values() if not isinstance(value, str)), None)
            return await uploaded.read() if uploaded else b""
    return await request.body()
