"""Problems as HTTP answers, all of one shape: `{"detail": "a sentence"}`."""

import json
from collections.abc import Mapping

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from ai.errors import DatathreadError, NotAllowed, NotFound, SourceUnavailable, UserError
from bot.http_api.callers import NotKnown

STATUS_OF: Mapping[type[DatathreadError], int] = {
    NotKnown: 401,
    NotAllowed: 403,
    NotFound: 404,
    UserError: 409,
    SourceUnavailable: 503,
}
JSON_ONLY = "Send the body as JSON, with the header Content-Type: application/json."


async def refused(_: Request, error: Exception) -> JSONResponse:
    status = next(STATUS_OF[kind] for kind in (*type(error).__mro__, UserError) if kind in STATUS_OF)
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else None
    return JSONResponse({"detail": str(error)}, status, headers)


async def invalid(request: Request, error: Exception) -> JSONResponse:
    """Say what is wrong with the first value; 415 for a body that is not sent as JSON."""
    if request.method in ("POST", "PATCH") and "json" not in request.headers.get("content-type", ""):
        return JSONResponse({"detail": JSON_ONLY}, 415)
    first = error.errors()[0] if isinstance(error, RequestValidationError) else {"loc": (), "msg": str(error)}
    name = ".".join(str(part) for part in first["loc"] if part not in ("body", "query", "header", "path"))
    return JSONResponse({"detail": f"{name or 'The request'} is not right: {first['msg']}."}, 422)


async def failed(_: Request, error: Exception) -> JSONResponse:
    """Answer what the framework refuses, such as an unknown path."""
    known = error if isinstance(error, HTTPException) else HTTPException(500)
    return JSONResponse({"detail": str(known.detail)}, known.status_code, dict(known.headers or {}))


async def whole_text(request: Request) -> None:
    """Refuse a body with half of a surrogate pair, which nothing can keep."""
    try:
        json.dumps(json.loads(await request.body() or b"{}"), ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise HTTPException(422, "The body holds half of a character; send whole ones.") from None
    except (ValueError, RecursionError):  # the shape of the body says why
        return
