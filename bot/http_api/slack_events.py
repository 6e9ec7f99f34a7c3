"""Slack over HTTP: `/slack/events` takes what Socket Mode would carry: events, presses, and the question whether we are there.

Bolt judges the signature and its age before it reads anything else, and answers only when the question is in the log.
"""

from anyio import CapacityLimiter, to_thread
from fastapi import APIRouter, Request, Response
from slack_bolt import App, BoltRequest
from slack_bolt.adapter.starlette.handler import to_starlette_response

ARRIVALS = 1  # at a time: more would let a reply overtake the mention that it follows


def slack_router(bolt: App) -> APIRouter:
    """The address that the Slack app names as its request URL, for events and for interactivity."""
    router, arrivals = APIRouter(), CapacityLimiter(ARRIVALS)

    @router.post("/slack/events", include_in_schema=False)
    async def slack_events(request: Request) -> Response:
        """What Slack tells."""
        body = (await request.body()).decode("utf-8", "replace")
        try:
            told = BoltRequest(body=body, query=dict(request.query_params), headers=dict(request.headers))
        except ValueError:
            return Response("The body is not what Slack sends.", 400)
        return to_starlette_response(await to_thread.run_sync(bolt.dispatch, told, limiter=arrivals))

    return router
