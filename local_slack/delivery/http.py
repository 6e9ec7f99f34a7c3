"""HTTP mode: post signed payloads to the app's request URL."""

import asyncio
import hashlib
import hmac
import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol
from urllib.parse import urlencode, urlsplit

from local_slack.delivery.deliveries import OutgoingPayload
from local_slack.wire import Json, SlackError

_LOOPBACK = {"127.0.0.1", "localhost", "::1"}
_SECONDS_TO_ANSWER = 10.0
_REASONS = {"timeout": "http_timeout"}


class Failed(Protocol):
    """Takes a failed try: the envelope, its attempt, why, and whether no retry is wanted."""

    def __call__(self, delivery: OutgoingPayload, attempt: int, reason: str, *, is_final: bool = False) -> None: ...


@dataclass(eq=False, slots=True)
class RequestUrl:
    url: str
    signing_secret: str
    acknowledged: Callable[[OutgoingPayload, Json], None]
    failed: "Failed"
    is_open: bool = True
    _tasks: set["asyncio.Task[None]"] = field(default_factory=set)

    def __post_init__(self) -> None:
        if urlsplit(self.url).scheme not in {"http", "https"} or urlsplit(self.url).hostname not in _LOOPBACK:
            raise SlackError("invalid_request_url", ["the request URL must lead to this machine"])

    def next_carrier(self) -> "RequestUrl":
        return self

    def carry(self, delivery: OutgoingPayload) -> None:
        task = asyncio.get_running_loop().create_task(self._carry(delivery))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def verify(self) -> None:
        """Send Slack's challenge. Raises url_verification_failed."""
        challenge = {"token": "local-verification-token", "challenge": "is-it-you", "type": "url_verification"}
        status, answer, _ = await self._posted(json.dumps(challenge).encode(), "application/json", {})
        if status != 200 or (answer.get("challenge") or answer.get("text")) != challenge["challenge"]:
            raise SlackError("url_verification_failed", [f"{self.url} answered {status} without the challenge"])

    async def _carry(self, delivery: OutgoingPayload) -> None:
        headers = {}
        if delivery.attempt:
            headers = {
                "X-Slack-Retry-Num": str(delivery.attempt),
                "X-Slack-Retry-Reason": _REASONS.get(delivery.retry_reason, delivery.retry_reason),
            }
        attempt = delivery.attempt
        status, answer, is_final = await self._posted(*_body(delivery), headers)
        if 200 <= status < 300:
            self.acknowledged(delivery, answer)
        elif delivery.kind == "events_api":
            self.failed(delivery, attempt, "http_error" if status else "connection_failed", is_final=is_final)

    async def _posted(self, body: bytes, content_type: str, headers: dict[str, str]) -> tuple[int, Json, bool]:
        """Return the status, the JSON answered and whether no retry is wanted; status 0 without an answer."""
        stamp = str(int(time.time()))  # the app's clock, which nobody advances
        signed = {
            "Content-Type": content_type,
            "User-Agent": "Slackbot 1.0",
            "X-Slack-Request-Timestamp": stamp,
            "X-Slack-Signature": signature(self.signing_secret, stamp, body),
            **headers,
        }
        return await asyncio.to_thread(_post, urllib.request.Request(self.url, body, signed))


def signature(secret: str, timestamp: str, body: bytes) -> str:
    message = b"v0:" + timestamp.encode() + b":" + body
    return "v0=" + hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()


def _body(delivery: OutgoingPayload) -> tuple[bytes, str]:
    if delivery.kind == "events_api":
        return json.dumps(delivery.payload).encode(), "application/json"
    form: Any = delivery.payload if delivery.kind == "slash_commands" else {"payload": json.dumps(delivery.payload)}
    return urlencode(form).encode(), "application/x-www-form-urlencoded"


def _post(request: urllib.request.Request) -> tuple[int, Json, bool]:
    try:
        with urllib.request.urlopen(request, timeout=_SECONDS_TO_ANSWER) as response:
            return response.status, _answer(response.read()), False
    except urllib.error.HTTPError as error:
        with error:
            return error.code, {}, error.headers.get("X-Slack-No-Retry") == "1"
    except OSError:
        return 0, {}, False


def _answer(content: bytes) -> Json:
    text = content.decode("utf-8", "replace")
    try:
        answer = json.loads(text)
    except ValueError:
        return {"text": text} if text.strip() else {}
    return answer if isinstance(answer, dict) else {}
