"""The JSON API of tests: act as a person, look inside."""

from collections.abc import Callable
from dataclasses import asdict

from starlette.routing import Route

from local_slack.control.administration import ADMINISTRATION
from local_slack.control.trouble import TROUBLE
from local_slack.delivery.deliveries import OutgoingPayload
from local_slack.objects import file_object, message_object
from local_slack.slack import LocalSlack
from local_slack.state import people
from local_slack.state.changes import EphemeralPosted
from local_slack.state.entities import MessageDraft
from local_slack.web_api.acts import acts
from local_slack.web_api.arguments import Arguments
from local_slack.web_api.json_endpoints import Answer, json_endpoint
from local_slack.wire import Json

_SECONDS_TO_ANSWER = 0.05


def control_routes(
    slack: LocalSlack, hang_up_on_all: Callable[[float], None], stop_reading: Callable[[], None]
) -> list[Route]:
    def restart(slack: LocalSlack, _args: Arguments) -> Json:
        """Cut every connection and keep all messages, as if Slack went down and came back."""
        slack.gateway.cut()
        hang_up_on_all(_SECONDS_TO_ANSWER)
        return {}

    def silence(slack: LocalSlack, _args: Arguments) -> Json:
        """Keep every connection open and send nothing any more, as a broken network does."""
        slack.gateway.silence()
        stop_reading()
        return {}

    posts: dict[str, Answer] = {**ACTIONS, **ADMINISTRATION, **TROUBLE, "restart": restart, "silence": silence}
    return [
        *(Route(f"/_control/{path}", json_endpoint(slack, answer)) for path, answer in LOOKS.items()),
        *(Route(f"/_control/{path}", json_endpoint(slack, answer), methods=["POST"]) for path, answer in posts.items()),
    ]


# --- looking


def _state(slack: LocalSlack, _args: Arguments) -> Json:
    deliveries = slack.deliveries
    return {
        "connections": slack.gateway.connection_count,
        "undelivered": len(deliveries.undelivered()),
        "given_up": sum(delivery.is_given_up for delivery in deliveries.all),
        "now": slack.workspace.clock.now(),
        "counts": {
            "messages": len(slack.workspace.messages()),
            "files": len(slack.workspace.files),
            "calls": len(slack.journal.calls),
            "deliveries": len(deliveries.all),
        },
        "statuses": [asdict(status) for status in slack.workspace.threads.statuses.values()],
        "sessions": [asdict(session) for session in slack.workspace.threads.sessions.values()],
        "prompts": [asdict(prompts) for prompts in slack.workspace.threads.prompts.values()],
    }


def _messages(slack: LocalSlack, args: Arguments) -> Json:
    """Return the messages of a channel or thread with their metadata, oldest first."""
    history = slack.workspace.history(args.required("channel"))
    thread_ts = args.optional("thread_ts")
    found = list(history)
    if thread_ts:
        found = [message for message in found if thread_ts in {message.ts, message.thread_ts}]
    return {"messages": [message_object(slack.workspace, message, with_metadata=True) for message in found]}


def _ephemerals(slack: LocalSlack, args: Arguments) -> Json:
    """Return the messages for one person only, oldest first, and whether Slack shows each."""
    user = args.required("user")
    found = [one for one in slack.workspace.ephemerals.values() if one.recipient == user]
    return {"messages": [_ephemeral(slack, one) for one in found]}


def _ephemeral(slack: LocalSlack, posted: EphemeralPosted) -> Json:
    facts = {"channel": posted.message.channel, "is_shown": posted.is_shown}
    return {**message_object(slack.workspace, posted.message), **facts}


def _notifications(slack: LocalSlack, args: Arguments) -> Json:
    """Return the pushes to one person, or to all, oldest first."""
    user = args.optional("user")
    return {"notifications": [asdict(one) for one in slack.notifications.sent if user in {None, one.user}]}


def _rules(slack: LocalSlack, _args: Arguments) -> Json:
    return {"limits": {name: asdict(row) for name, row in slack.workspace.limits.rows.items()}}


def _calls(slack: LocalSlack, args: Arguments) -> Json:
    return {"calls": [asdict(call) for call in slack.journal.calls_since(args.number("since", 0))]}


def _deliveries(slack: LocalSlack, _args: Arguments) -> Json:
    return {"deliveries": [_delivery(delivery) for delivery in slack.deliveries.all]}


def _file(slack: LocalSlack, args: Arguments) -> Json:
    return {"file": file_object(slack.workspace, slack.workspace.file(args.required("id")))}


def _delivery(delivery: OutgoingPayload) -> Json:
    event = delivery.payload.get("event", delivery.payload)
    channel = event.get("channel")
    return {
        "event_id": delivery.event_id,
        "type": event.get("type") or event.get("command"),
        "channel": channel.get("id") if isinstance(channel, dict) else channel,
        "ts": event.get("ts"),
        "retry_attempt": delivery.attempt,
        "acknowledged": delivery.is_acknowledged,
        "seconds": delivery.seconds,
        "given_up": delivery.is_given_up,
        "waits": delivery.waits,
    }


# --- acting as a person


def _message(slack: LocalSlack, args: Arguments) -> Json:
    draft = MessageDraft(
        args.required("user"),
        args.required("channel"),
        args.text("text"),
        thread_ts=args.optional("thread_ts"),
        client_msg_id=args.optional("client_msg_id"),
    )
    return {"ts": people.say(slack.workspace, draft, args.optional("ts")).ts}


def _join(slack: LocalSlack, args: Arguments) -> Json:
    people.join(slack.workspace, args.names("users"), args.required("channel"), args.text("inviter"))
    return {}


def _leave(slack: LocalSlack, args: Arguments) -> Json:
    people.leave(slack.workspace, args.required("user"), args.required("channel"))
    return {}


LOOKS: dict[str, Answer] = {
    "state": _state,
    "messages": _messages,
    "ephemerals": _ephemerals,
    "notifications": _notifications,
    "rules": _rules,
    "calls": _calls,
    "deliveries": _deliveries,
    "file/{id}": _file,
}
ACTIONS: dict[str, Answer] = {
    "message": _message,
    "join": _join,
    "leave": _leave,
    **acts("user"),
}
