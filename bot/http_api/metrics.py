"""`GET /metrics` for Prometheus: with METRICS_TOKEN, or from this machine where none is set."""

from collections.abc import Callable
from hmac import compare_digest
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import PlainTextResponse
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from ai.errors import NotAllowed
from bot.http_api.callers import NotKnown, is_loopback

PLAIN_TEXT = "text/plain; version=0.0.4; charset=utf-8"
bearer = HTTPBearer(auto_error=False)


def metrics_router(page: Callable[[], bytes], token: str | None) -> APIRouter:
    """Return the route. It stands in no document: machines alone call it."""
    router = APIRouter()

    @router.get("/metrics", response_class=PlainTextResponse, include_in_schema=False)
    def metrics(
        request: Request, credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]
    ) -> Response:
        sent, address = credentials.credentials if credentials else "", request.client.host if request.client else ""
        if token is not None and not compare_digest(sent.encode(), token.encode()):
            raise NotKnown("Send the METRICS_TOKEN of this service: Authorization: Bearer …")
        if token is None and not is_loopback(address):
            raise NotAllowed("Metrics are shown to this machine alone, as METRICS_TOKEN is not set.")
        return Response(page(), media_type=PLAIN_TEXT)

    return router
