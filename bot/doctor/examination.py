"""Try the bot's needs in a scratch channel of a Slack, and write down the outcome.

The record's `limits` are rules for the local Slack (`python -m local_slack --rules FILE`).
"""

import logging
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import partial
from threading import Event
from time import monotonic
from typing import Any, TypeVar

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.socket_mode import SocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest
from slack_sdk.socket_mode.response import SocketModeResponse

from bot.contact import Greeting
from bot.delivery import FAILURES, Calls, Lane, RateLimiter, error_name, rule_of
from bot.doctor.probes import CHILDREN, FORMS, LIMITS, TEXT, Content, LimitProbe, container, missing_scopes, with_blocks

T = TypeVar("T")
EVENT_SECONDS = 10.0
ACCEPTED = "accepted"
MARK = {"event_type": "datathread_doctor", "event_payload": {"mark": "read me back"}}
log = logging.getLogger(__name__)


@dataclass
class Examination:
    """The record of an examination."""

    slack: str
    at: str
    limits: dict[str, dict[str, Any]] = field(default_factory=dict)
    forms: dict[str, str] = field(default_factory=dict)
    works: dict[str, str] = field(default_factory=dict)
    milliseconds: dict[str, float] = field(default_factory=dict)

    @property
    def problems(self) -> list[str]:
        return [f"{name}: {found}" for name, found in self.works.items() if found != "works"]

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def examine(
    client: WebClient,
    greeting: Greeting,
    channel: str,
    app_token: str | None = None,
    limiter: RateLimiter | None = None,
) -> Examination:
    """Examine a Slack in `channel`, and delete the messages. Takes about three minutes."""
    record = Examination(greeting.site, datetime.now(UTC).isoformat(timespec="seconds"))
    patient = _Patient(client, Calls(limiter or RateLimiter()), channel, record)
    root = patient.post({"text": TEXT})
    try:
        patient.thread = root
        for name, content in FORMS.items():
            record.forms[name] = patient.outcome(content)
        accepted = [name for name, block in CHILDREN.items() if patient.takes(with_blocks(container(block)))]
        source = f"datathread slack doctor, {greeting.team}, {record.at[:10]}"
        record.limits["container.children_live"] = {"value": accepted, "status": "seen live", "source": source}
        for probe in LIMITS:
            if (value := _measured(patient, probe)) is not None:
                record.limits[probe.name] = {"value": value, "status": "seen live", "source": source}
        record.works["scopes"] = _scopes(patient)
        record.works["metadata"] = _attempt(lambda: _read_back(patient), "add the scope metadata.message:read")
        record.works["status"] = _attempt(patient.set_status, "Slack shows no status here; people see a message later")
        record.works["update"] = _attempt(lambda: patient.update(root, {"text": TEXT}), "answers cannot be updated")
        if app_token is not None:
            record.works["events"] = _attempt(
                lambda: _heard(patient, app_token), "no event came; stop other bots first"
            )
    finally:
        patient.leave()
    return record


def _measured(patient: "_Patient", probe: LimitProbe) -> int | None:
    """Return the largest accepted size next to the documented one, or None."""
    takes = patient.takes_update if probe.in_update else patient.takes
    if takes(probe.content(probe.expected)):
        return probe.expected + 1 if takes(probe.content(probe.expected + 1)) else probe.expected
    return probe.expected - 1 if probe.expected > 1 and takes(probe.content(probe.expected - 1)) else None


def _attempt(call: Callable[[], object], otherwise: str) -> str:
    try:
        return "works" if call() is not False else otherwise
    except FAILURES as error:
        return f"{otherwise} ({error_name(error)})"


def _scopes(patient: "_Patient") -> str:
    missing = missing_scopes(patient.timed("auth.test", patient.client.auth_test))
    return f"add {', '.join(missing)}, and install the app again" if missing else "works"


def _read_back(patient: "_Patient") -> bool:
    ts = patient.post({"text": TEXT, "metadata": MARK})
    found = patient.timed(
        "conversations.replies",
        lambda: patient.client.conversations_replies(
            channel=patient.channel, ts=patient.thread, include_all_metadata=True
        ),
    )
    return any(one["ts"] == ts and one.get("metadata", {}).get("event_payload") for one in found["messages"])


def _heard(patient: "_Patient", app_token: str) -> bool:
    arrived, heard = Event(), set[str]()

    def listen(socket: Any, request: SocketModeRequest) -> None:
        socket.send_socket_mode_response(SocketModeResponse(envelope_id=request.envelope_id))
        heard.add(str(request.payload.get("event", {}).get("ts", "")))
        arrived.set()

    socket = SocketModeClient(app_token=app_token, web_client=patient.client)
    socket.socket_mode_request_listeners.append(listen)
    socket.connect()
    try:
        ts, began = patient.post({"text": TEXT}), monotonic()
        while ts not in heard and arrived.wait(EVENT_SECONDS):
            arrived.clear()
        patient.record.milliseconds["event"] = round((monotonic() - began) * 1000, 1)
        return ts in heard
    finally:
        socket.close()


@dataclass
class _Patient:
    """A channel of the Slack that is examined."""

    client: WebClient
    calls: Calls
    channel: str
    record: Examination
    thread: str = ""
    posted: list[str] = field(default_factory=list)

    def timed(self, method: str, call: Callable[[], T]) -> T:
        """Call in Slack's pace; keep the shortest time of each method."""
        lane, took = Lane(method, self.channel), list[float]()

        def measured() -> T:
            began = monotonic()
            answer = call()
            took.append((monotonic() - began) * 1000)
            return answer

        answer = self.calls.repeat(lane, measured)
        self.record.milliseconds[method] = round(min(self.record.milliseconds.get(method, took[-1]), took[-1]), 1)
        return answer

    def post(self, content: Content) -> str:
        call = partial(self.client.chat_postMessage, channel=self.channel, thread_ts=self.thread or None, **content)
        ts = str(self.timed("chat.postMessage", call)["ts"])
        self.posted.append(ts)
        return ts

    def update(self, ts: str, content: Content) -> bool:
        self.timed("chat.update", partial(self.client.chat_update, channel=self.channel, ts=ts, **content))
        return True

    def set_status(self) -> bool:
        call = partial(self.client.assistant_threads_setStatus, channel_id=self.channel, thread_ts=self.thread)
        self.timed("assistant.threads.setStatus", partial(call, status="is examined"))
        return True

    def outcome(self, content: Content) -> str:
        try:
            self.post(content)
        except SlackApiError as error:
            return rule_of(error)
        return ACCEPTED

    def takes(self, content: Content) -> bool:
        return self.outcome(content) == ACCEPTED

    def takes_update(self, content: Content) -> bool:
        try:
            return self.update(self.posted[-1], content)
        except SlackApiError:
            return False

    def leave(self) -> None:
        for ts in reversed(self.posted):
            try:
                self.timed("chat.delete", partial(self.client.chat_delete, channel=self.channel, ts=ts))
            except SlackApiError as error:
                log.warning("a message of the examination stays: %s", rule_of(error))
