"""Slack over HTTP: `/slack/events` takes what Socket Mode would carry: events, presses, and the question whether we are there.

The signature and its age are judged before anything is read. Slack is answered when the question is in the log; when it
is not, Slack brings it again, and the same message twice is one question.
"""

import re
from collections.abc import Mapping

from anyio import CapacityLimiter, to_thread
from fastapi import APIRouter, Request, Response
from slack_bolt import App, BoltRequest
from slack_bolt.adapter.starlette.handler import to_starlette_response
from slack_sdk.signature import SignatureVerifier

STAMP = re.compile(r"[0-9]{1,12}")
ARRIVALS = 1  # at a time: more would let a reply overtake the mention that it follows


def slack_router(bolt: App, signing_secret: str) -> APIRouter:
    """The address that the Slack app names as its request URL, for events and for interactivity."""
    router, arrivals, verifier = APIRouter(), CapacityLimiter(ARRIVALS), SignatureVerifier(signing_secret)

    @router.post("/slack/events", include_in_schema=False)
    async def slack_events(request: Request) -> Response:
        """What Slack tells."""
        body = await request.body()
        if not _is_signed(verifier, body, request.headers):
            return Response("This is not signed by Slack, or not just now.", 401)
        try:
            told = BoltRequest(body=body.decode(), query=dict(request.query_params), headers=dict(request.headers))
        except ValueError:
            return Response("The body is not what Slack sends.", 400)
        return to_starlette_response(await to_thread.run_sync(bolt.dispatch, told, limiter=arrivals))

    return router


def _is_signed(verifier: SignatureVerifier, body: bytes, headers: Mapping[str, str]) -> bool:
    stamp, signature = headers.get("x-slack-request-timestamp", ""), headers.get("x-slack-signature", "")
    return STAMP.fullmatch(stamp) is not None and signature.isascii() and verifier.is_valid(body, stamp, signature)
