"""Delivers replies to Slack: posts once, updates in place, uploads files. Owns idempotency and retries of Web API calls.

A post carries the turn id in its metadata. After an answer that never came, and on a turn that another process began,
we look for that metadata before posting again: Slack may have accepted what we did not see accepted. Updating a message
twice does no harm, so updates are simply repeated.
"""

import logging
from collections.abc import Callable, Iterator
from functools import partial
from http.client import HTTPException
from pathlib import Path
from threading import Event
from typing import Any, TypeVar
from urllib.request import Request, urlopen

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.web import SlackResponse

from ai.errors import SourceUnavailable
from ai.types import ThreadKey
from bot.render.message import SlackMessage, status

T = TypeVar("T")
EVENT_TYPE = "datathread_turn"
PAUSES = (0.2, 1, 2, 5, 10, 20, 40, 60, 60, 60)
UPLOAD_SECONDS = 60
PAGE = 200
log = logging.getLogger(__name__)


class Delivery:
    """Sends messages and files. `client` must not retry lost connections by itself: a retried post is a second one."""

    def __init__(self, client: WebClient, pauses: tuple[float, ...] = PAUSES) -> None:
        self._client = client
        self._pauses = pauses

    def open(self, thread: ThreadKey, turn_id: str, message: SlackMessage, *, look_first: bool) -> str:
        """Post the message of a turn into its thread, once, and give its ts."""
        unsure = look_first
        for pause in self._attempts():
            if unsure and (ts := self.find(thread, turn_id)):
                return ts
            try:
                return self._post(thread, turn_id, message)
            except (SlackApiError, OSError, HTTPException) as error:
                unsure = True
                _wait_or_raise(error, pause)
        raise AssertionError("the last attempt returns or raises")

    def _post(self, thread: ThreadKey, turn_id: str, message: SlackMessage) -> str:
        posted = self._client.chat_postMessage(
            channel=thread.channel,
            thread_ts=thread.thread_ts,
            unfurl_links=False,
            unfurl_media=False,
            **_content(turn_id, message),
        )
        return str(posted["ts"])

    def update(self, thread: ThreadKey, turn_id: str, ts: str, message: SlackMessage) -> None:
        """Make the message of a turn say `message`."""
        self._repeated(lambda: self._client.chat_update(channel=thread.channel, ts=ts, **_content(turn_id, message)))

    def status(self, thread: ThreadKey, turn_id: str, ts: str, text: str) -> None:
        """Let the message of a turn say what is being done now."""
        self.update(thread, turn_id, ts, status(text, turn_id))

    def upload(self, path: Path) -> str:
        """Send a file's bytes and give its id; nobody sees it before it is shared."""

        def send() -> str:
            size = path.stat().st_size
            slot = self._client.files_getUploadURLExternal(filename=path.name, length=size)
            with path.open("rb") as content:
                headers = {"Content-Type": "application/octet-stream", "Content-Length": str(size)}
                upload = Request(str(slot["upload_url"]), data=content, headers=headers, method="POST")
                with urlopen(upload, timeout=UPLOAD_SECONDS):
                    return str(slot["file_id"])

        return self._repeated(send)

    def share(self, thread: ThreadKey, file_id: str, title: str, *, look_first: bool) -> None:
        """Show an uploaded file in the thread, once."""
        unsure = look_first
        for pause in self._attempts():
            if unsure and self._is_shared(file_id):
                return
            try:
                self._client.files_completeUploadExternal(
                    files=[{"id": file_id, "title": title}], channel_id=thread.channel, thread_ts=thread.thread_ts
                )
            except (SlackApiError, OSError, HTTPException) as error:
                unsure = True
                _wait_or_raise(error, pause)
            else:
                return

    def find(self, thread: ThreadKey, turn_id: str) -> str | None:
        """The ts of the message that a turn has in its thread, None when it has none."""
        found = (message["ts"] for message in self._replies(thread) if _turn_of(message) == turn_id)
        return next(found, None)

    def _replies(self, thread: ThreadKey) -> Iterator[dict[str, Any]]:
        cursor = ""
        while True:
            page = self._repeated(partial(self._page, thread, cursor))
            yield from page["messages"]
            cursor = (page.get("response_metadata") or {}).get("next_cursor", "")
            if not cursor:
                return

    def _page(self, thread: ThreadKey, cursor: str) -> SlackResponse:
        return self._client.conversations_replies(
            channel=thread.channel, ts=thread.thread_ts, include_all_metadata=True, limit=PAGE, cursor=cursor
        )

    def _is_shared(self, file_id: str) -> bool:
        info = self._repeated(lambda: self._client.files_info(file=file_id))
        return any((info["file"].get("shares") or {}).values())

    def _repeated(self, call: Callable[[], T]) -> T:
        """A call that may be made twice, repeated until it works or the pauses are used up."""
        for pause in self._attempts():
            try:
                return call()
            except (SlackApiError, OSError, HTTPException) as error:
                _wait_or_raise(error, pause)
        raise AssertionError("the last attempt returns or raises")

    def _attempts(self) -> Iterator[float | None]:
        """The pause after each attempt that fails; None after the last."""
        yield from self._pauses
        yield None


def _content(turn_id: str, message: SlackMessage) -> dict[str, Any]:
    metadata = {"event_type": EVENT_TYPE, "event_payload": {"turn_id": turn_id}}
    return {"text": message.text, "blocks": list(message.blocks), "metadata": metadata}


def _turn_of(message: dict[str, Any]) -> str | None:
    metadata = message.get("metadata") or {}
    return metadata.get("event_payload", {}).get("turn_id") if metadata.get("event_type") == EVENT_TYPE else None


def _wait_or_raise(error: Exception, pause: float | None) -> None:
    """Let time pass before the next attempt, or raise what no repetition mends."""
    if isinstance(error, SlackApiError):
        status = error.response.status_code
        if status == 429:
            pause = None if pause is None else float(error.response.headers.get("Retry-After", pause))
        elif status < 500:
            raise error
    if pause is None:
        raise SourceUnavailable("Slack cannot be reached.") from error
    log.warning("Slack did not answer as expected (%s); trying again in %g s", type(error).__name__, pause)
    Event().wait(pause)
