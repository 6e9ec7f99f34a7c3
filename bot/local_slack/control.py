"""The JSON API that tests steer the local Slack with: act as a person, look inside, make things go wrong."""

from collections.abc import Callable
from dataclasses import asdict
from typing import cast

from starlette.routing import Route

from bot.local_slack.arguments import Arguments
from bot.local_slack.endpoints import json_endpoint
from bot.local_slack.entities import Json
from bot.local_slack.errors import SlackError
from bot.local_slack.journal import Fault, FaultKind
from bot.local_slack.people import delete, edit, say
from bot.local_slack.shapes import file_object, message_object
from bot.local_slack.slack import LocalSlack
from bot.local_slack.socket import Delivery


def control_routes(slack: LocalSlack) -> list[Route]:
    def route(verb: str, path: str, answer: Callable[[LocalSlack, Arguments], Json]) -> Route:
        return Route(f"/_control/{path}", json_endpoint(slack, answer), methods=[verb])

    return [
        route("GET", "state", _state),
        route("GET", "messages", _messages),
        route("GET", "calls", _calls),
        route("GET", "deliveries", _deliveries),
        route("GET", "file/{id}", _file),
        route("POST", "message", _message),
        route("POST", "edit", _edit),
        route("POST", "delete", _delete),
        route("POST", "fault", _fault),
        route("POST", "disconnect", _disconnect),
        route("POST", "redeliver", _redeliver),
        route("POST", "reset", _reset),
    ]


def _state(slack: LocalSlack, _args: Arguments) -> Json:
    gateway = slack.gateway
    return {
        "connections": gateway.connection_count,
        "undelivered": len(gateway.undelivered()),
        "given_up": sum(delivery.is_given_up for delivery in gateway.deliveries),
        "counts": {
            "messages": slack.workspace.message_count(),
            "files": len(slack.workspace.files),
            "calls": len(slack.journal.calls),
            "deliveries": len(gateway.deliveries),
        },
        "statuses": [asdict(status) for status in slack.workspace.statuses.values()],
    }


def _messages(slack: LocalSlack, args: Arguments) -> Json:
    """All messages of a channel, or those of one thread with its root, oldest first, with their metadata."""
    history = slack.workspace.history(args.required("channel"))
    thread_ts = args.optional("thread_ts")
    found = list(history)
    if thread_ts:
        found = [message for message in found if thread_ts in {message.ts, message.thread_ts}]
    return {"messages": [message_object(slack.workspace, message, with_metadata=True) for message in found]}


def _calls(slack: LocalSlack, args: Arguments) -> Json:
    return {"calls": [asdict(call) for call in slack.journal.since(args.number("since", 0))]}


def _deliveries(slack: LocalSlack, _args: Arguments) -> Json:
    return {"deliveries": [_delivery(delivery) for delivery in slack.gateway.deliveries]}


def _file(slack: LocalSlack, args: Arguments) -> Json:
    return {"file": file_object(slack.workspace, slack.workspace.file(args.required("id")))}


def _message(slack: LocalSlack, args: Arguments) -> Json:
    message = say(
        slack.workspace,
        args.required("user"),
        args.required("channel"),
        args.text("text"),
        args.optional("thread_ts"),
        args.optional("ts"),
    )
    return {"ts": message.ts}


def _edit(slack: LocalSlack, args: Arguments) -> Json:
    edit(slack.workspace, args.required("user"), args.required("channel"), args.required("ts"), args.text("text"))
    return {}


def _delete(slack: LocalSlack, args: Arguments) -> Json:
    delete(slack.workspace, args.required("user"), args.required("channel"), args.required("ts"))
    return {}


def _fault(slack: LocalSlack, args: Arguments) -> Json:
    fault = Fault(cast(FaultKind, args.required("kind")), args.number("retry_after", 1))
    slack.faults.plan(args.required("method"), fault, args.number("times", 1))
    return {}


def _disconnect(slack: LocalSlack, args: Arguments) -> Json:
    return {"told": slack.gateway.disconnect(args.text("reason", "refresh_requested"))}


def _redeliver(slack: LocalSlack, args: Arguments) -> Json:
    """Send one event again by its id, or switch duplicate deliveries on or off."""
    if args.has("duplicate"):
        slack.gateway.is_duplicating = args.flag("duplicate")
    elif not slack.gateway.redeliver(args.required("event_id")):
        raise SlackError("event_not_found")
    return {}


def _reset(slack: LocalSlack, _args: Arguments) -> Json:
    slack.reset()
    return {}


def _delivery(delivery: Delivery) -> Json:
    event = delivery.payload["event"]
    return {
        "event_id": delivery.event_id,
        "type": event["type"],
        "channel": event["channel"],
        "ts": event["ts"],
        "retry_attempt": delivery.attempt,
        "acknowledged": delivery.is_acknowledged,
        "given_up": delivery.is_given_up,
    }
