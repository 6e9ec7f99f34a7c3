"""Deliver replies to Slack: post once, update in place, upload files.

Each message carries its turn id and number in its metadata. A resumed turn, and a post without an answer, look for it
before posting. Updates are repeated freely.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.request import Request, urlopen

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.web import SlackResponse

from ai.types import ThreadKey
from bot.delivery.calls import PAUSES, Calls, Lane, RateLimiter
from bot.render.message import SlackMessage, status

EVENT_TYPE = "datathread_turn"
UPLOAD_SECONDS = 60
PAGE = 200


class Part(NamedTuple):
    """One message of a turn's answer; the first is number 0."""

    turn_id: str
    number: int = 0


class SlackDelivery:
    """Sends messages and files. `client` must not retry by itself."""

    def __init__(
        self, client: WebClient, pauses: tuple[float, ...] = PAUSES, limiter: RateLimiter | None = None
    ) -> None:
        self._client = client
        self._calls = Calls(limiter or RateLimiter(), pauses)

    def open(self, thread: ThreadKey, turn_id: str, message: SlackMessage, *, look_first: bool) -> str:
        """Post the first message of a turn once; return its ts."""
        return self._post(thread, Part(turn_id), message, look_first=look_first)

    def status(self, thread: ThreadKey, turn_id: str, ts: str, text: str) -> None:
        """Show a status in the turn's message, if there is room."""
        content = _content(Part(turn_id), status(text, turn_id))
        self._calls.at_best(
            Lane("chat.update"), lambda: self._client.chat_update(channel=thread.channel, ts=ts, **content)
        )

    def update(
        self, thread: ThreadKey, turn_id: str, ts: str, messages: Sequence[SlackMessage], *, look_first: bool
    ) -> None:
        """Show exactly `messages`: the first at `ts`, the others below it.

        With `look_first`, earlier messages of the turn are found and reused.
        """
        there = {**dict(self._parts(thread, turn_id) if look_first else ()), 0: ts}
        for number, message in enumerate(messages):
            part = Part(turn_id, number)
            if number in there:
                self._change(thread, part, there[number], message)
            else:
                self._post(thread, part, message, look_first=False)
        for number in sorted(there, reverse=True):
            if number >= len(messages):
                self._delete(thread, there[number])

    def upload(self, path: Path) -> str:
        """Send a file's bytes and return its id; it stays invisible until shared."""

        def send() -> str:
            size = path.stat().st_size
            slot = self._client.files_getUploadURLExternal(filename=path.name, length=size)
            with path.open("rb") as content:
                headers = {"Content-Type": "application/octet-stream", "Content-Length": str(size)}
                upload = Request(str(slot["upload_url"]), data=content, headers=headers, method="POST")
                with urlopen(upload, timeout=UPLOAD_SECONDS):
                    return str(slot["file_id"])

        return self._calls.repeat(Lane("files.getUploadURLExternal"), send)

    def share(self, thread: ThreadKey, file_id: str, title: str, *, look_first: bool) -> None:
        """Show an uploaded file in the thread once."""

        def complete() -> bool:
            self._client.files_completeUploadExternal(
                files=[{"id": file_id, "title": title}], channel_id=thread.channel, thread_ts=thread.thread_ts
            )
            return True

        lane = Lane("files.completeUploadExternal")
        self._calls.once(lane, complete, lambda: self._is_shared(file_id) or None, look_first=look_first)

    def find(self, thread: ThreadKey, part: Part) -> str | None:
        """Return the ts of a turn's message, or None."""
        return next((ts for number, ts in self._parts(thread, part.turn_id) if number == part.number), None)

    def _post(self, thread: ThreadKey, part: Part, message: SlackMessage, *, look_first: bool) -> str:
        def post() -> str:
            posted = self._client.chat_postMessage(
                channel=thread.channel,
                thread_ts=thread.thread_ts,
                unfurl_links=False,
                unfurl_media=False,
                **_content(part, message),
            )
            return str(posted["ts"])

        lane = Lane("chat.postMessage", thread.channel)
        return self._calls.once(lane, post, lambda: self.find(thread, part), look_first=look_first)

    def _change(self, thread: ThreadKey, part: Part, ts: str, message: SlackMessage) -> None:
        content = _content(part, message)
        self._calls.repeat(
            Lane("chat.update"), lambda: self._client.chat_update(channel=thread.channel, ts=ts, **content)
        )

    def _delete(self, thread: ThreadKey, ts: str) -> None:
        def delete() -> None:
            try:
                self._client.chat_delete(channel=thread.channel, ts=ts)
            except SlackApiError as error:
                if error.response.get("error") != "message_not_found":  # else an earlier try was heard
                    raise

        self._calls.repeat(Lane("chat.delete"), delete)

    def _parts(self, thread: ThreadKey, turn_id: str) -> Iterator[tuple[int, str]]:
        for message in self._replies(thread):
            part = part_of(message)
            if part is not None and part.turn_id == turn_id:
                yield part.number, str(message["ts"])

    def _replies(self, thread: ThreadKey) -> Iterator[dict[str, Any]]:
        def page(cursor: str) -> SlackResponse:
            return self._client.conversations_replies(
                channel=thread.channel, ts=thread.thread_ts, include_all_metadata=True, limit=PAGE, cursor=cursor
            )

        for answer in self._calls.pages(Lane("conversations.replies"), page):
            yield from answer["messages"]

    def _is_shared(self, file_id: str) -> bool:
        info = self._calls.repeat(Lane("files.info"), lambda: self._client.files_info(file=file_id))
        return any((info["file"].get("shares") or {}).values())


def part_of(message: dict[str, Any]) -> Part | None:
    """Return the turn and number of an answer's message, None for other messages."""
    metadata = message.get("metadata") or {}
    if metadata.get("event_type") != EVENT_TYPE:
        return None
    payload = metadata.get("event_payload") or {}
    return Part(str(payload.get("turn_id", "")), int(payload.get("part", 0)))


def _content(part: Part, message: SlackMessage) -> dict[str, Any]:
    numbered = {"part": part.number} if part.number else {}
    payload = {"turn_id": part.turn_id, **numbered}
    metadata = {"event_type": EVENT_TYPE, "event_payload": payload}
    return {"text": message.text, "blocks": list(message.blocks), "metadata": metadata}
