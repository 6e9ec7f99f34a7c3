"""Slack over HTTP: `/slack/events` takes events, presses and challenges.

The signature and its age are checked first. Slack gets its answer once the question is logged, and repeats it
otherwise.
"""

import re
from collections.abc import Mapping

from anyio import CapacityLimiter, to_thread
from fastapi import APIRouter, Request, Response
from slack_bolt import App, BoltRequest
from slack_bolt.adapter.starlette.handler import to_starlette_response
from slack_bolt.request.internals import parse_body
from slack_sdk.signature import SignatureVerifier

from bot.inbound import is_sound

STAMP = re.compile(r"[0-9]{1,12}")
ARRIVALS = 1  # at a time: more would let a reply overtake the mention that it follows


def slack_router(bolt: App, signing_secret: str) -> APIRouter:
    """Return the route of the Slack app's request URL."""
    router, arrivals, verifier = APIRouter(), CapacityLimiter(ARRIVALS), SignatureVerifier(signing_secret)

    @router.post("/slack/events", include_in_schema=False)
    async def slack_events(request: Request) -> Response:
        text = _text(await request.body())
        if text is None or not _is_signed(verifier, text, request.headers):
            return Response("This is not signed by Slack, or not just now.", 401)
        told = _read(text, request)
        if told is None:
            return Response("The body is not what Slack sends.", 400)
        return to_starlette_response(await to_thread.run_sync(bolt.dispatch, told, limiter=arrivals))

    return router


def _text(body: bytes) -> str | None:
    try:
        return body.decode()
    except UnicodeDecodeError:
        return None


def _read(text: str, request: Request) -> BoltRequest | None:
    """Return a body of a shape that Slack sends; None for any other."""
    try:
        if not is_sound(parse_body(text, request.headers.get("content-type"))):
            return None
        return BoltRequest(body=text, query=dict(request.query_params), headers=dict(request.headers))
    except (ValueError, TypeError, AttributeError, RecursionError):  # Bolt looks into fields that nobody else reads
        return None


def _is_signed(verifier: SignatureVerifier, text: str, headers: Mapping[str, str]) -> bool:
    stamp, signature = headers.get("x-slack-request-timestamp", ""), headers.get("x-slack-signature", "")
    return STAMP.fullmatch(stamp) is not None and signature.isascii() and verifier.is_valid(text, stamp, signature)
