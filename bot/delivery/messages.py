"""Post, update, delete and find the messages of turns by their metadata.

A refused form is followed by a simpler one; the log names the broken rule.
"""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any, NamedTuple

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.web import SlackResponse

from ai.types import ThreadKey
from bot.delivery.calls import FAILURES, Calls, Lane, error_name
from bot.delivery.refusals import METADATA, PLACE, code_of, rule_of
from bot.render.message import PLAIN_TABLES, MessageForm, SlackMessage
from bot.render.plain import MAX_UPDATE

EVENT_TYPE = "datathread_turn"
PAGE = 200
POST, UPDATE, DELETE = "chat.postMessage", "chat.update", "chat.delete"
BELOW, TAKEN_AWAY = "The answer is below.", "This answer was deleted."
REPLIES, STATUS = "conversations.replies", "assistant.threads.setStatus"
log = logging.getLogger(__name__)


class MessagePart(NamedTuple):
    """One message of a turn's answer; the first is number 0."""

    turn_id: str
    number: int = 0


class Messages:
    """The messages of turns; a thread without a ts is a whole conversation."""

    def __init__(self, client: WebClient, calls: Calls) -> None:
        self._client = client
        self._calls = calls
        self._sorts = True  # until this Slack refuses a table to sort

    def post(
        self, thread: ThreadKey, part: MessagePart, message: SlackMessage, *, look_first: bool = False
    ) -> tuple[MessageForm, str]:
        """Post a message once; return its form and its ts."""

        def post(content: Mapping[str, Any]) -> str:
            def call() -> str:
                posted = self._client.chat_postMessage(
                    channel=thread.channel,
                    thread_ts=thread.thread_ts or None,
                    unfurl_links=False,
                    unfurl_media=False,
                    **content,
                )
                return str(posted["ts"])

            lane = Lane(POST, thread.channel)
            return self._calls.once(lane, call, lambda: self.find(thread, part), look_first=look_first)

        return self._descend(part, message, POST, post)

    def change(self, thread: ThreadKey, part: MessagePart, ts: str, message: SlackMessage) -> MessageForm:
        """Update a message; return its form."""

        def change(content: Mapping[str, Any]) -> str:
            self._calls.repeat(Lane(UPDATE), lambda: self._client.chat_update(channel=thread.channel, ts=ts, **content))
            return ts

        return self._descend(part, message, UPDATE, change)[0]

    def try_change(self, thread: ThreadKey, part: MessagePart, ts: str, message: SlackMessage) -> None:
        """Update the message at `ts` if there is room."""
        content = message.full.content | {"metadata": _metadata(part)}
        self._calls.at_best(Lane(UPDATE), lambda: self._client.chat_update(channel=thread.channel, ts=ts, **content))

    def remove(self, thread: ThreadKey, ts: str, instead: str = BELOW) -> None:
        """Delete a message, or let it say something `instead`."""
        try:
            self._calls.repeat(Lane(DELETE), lambda: self._client.chat_delete(channel=thread.channel, ts=ts))
        except SlackApiError as error:
            if code_of(error) != "message_not_found":  # else an earlier try was heard
                log.warning("a message in %s cannot be deleted: %s", thread.channel, rule_of(error))
                self._say_instead(thread, ts, instead)

    def _say_instead(self, thread: ThreadKey, ts: str, text: str) -> None:
        say = partial(self._client.chat_update, channel=thread.channel, ts=ts, text=text)
        try:
            self._calls.repeat(Lane(UPDATE), say)
        except SlackApiError as error:
            log.warning("nor can it be changed: %s", rule_of(error))

    def set_status(self, thread: ThreadKey, text: str) -> bool:
        """Show Slack's own status line; return False where Slack refuses."""
        call = partial(
            self._client.assistant_threads_setStatus,
            channel_id=thread.channel,
            thread_ts=thread.thread_ts,
            status=text,
        )
        return self._calls.at_best(Lane(STATUS), call)

    def find(self, thread: ThreadKey, part: MessagePart) -> str | None:
        """Return the ts of a turn's message, or None. An unreadable thread holds none."""
        try:
            return next((ts for number, ts in self.parts(thread, part.turn_id) if number == part.number), None)
        except SlackApiError as error:
            log.warning("cannot look for turn %s in Slack: %s", part.turn_id, rule_of(error))
            return None

    def parts(self, thread: ThreadKey, turn_id: str) -> Iterator[tuple[int, str]]:
        for answer in self._calls.pages(Lane(REPLIES), partial(self._page, thread)):
            for message in answer["messages"]:
                part = part_of(message)
                if part is not None and part.turn_id == turn_id:
                    yield part.number, str(message["ts"])

    def _descend(
        self, part: MessagePart, message: SlackMessage, method: str, send: Callable[[Mapping[str, Any]], str]
    ) -> tuple[MessageForm, str]:
        """Send the best form that Slack takes, and remember where it takes no table to sort."""
        forms = (form for form in message.forms() if method == POST or form.blocks or len(form.text) <= MAX_UPDATE)
        known = message.sorts and not self._sorts
        found = _descend(part, islice(forms, 1, None) if known else forms, method, send)
        if found[0].name == PLAIN_TABLES:
            self._sorts = False
        return found

    def _page(self, thread: ThreadKey, cursor: str) -> SlackResponse:
        options: dict[str, Any] = {"include_all_metadata": True, "limit": PAGE, "cursor": cursor}
        if thread.thread_ts:
            return self._client.conversations_replies(channel=thread.channel, ts=thread.thread_ts, **options)
        return self._client.conversations_history(channel=thread.channel, **options)


def part_of(message: Mapping[str, Any]) -> MessagePart | None:
    """Return the turn and number of a message, None unless it is ours."""
    metadata = message.get("metadata") or {}
    if metadata.get("event_type") != EVENT_TYPE:
        return None
    payload = metadata.get("event_payload") or {}
    number = payload.get("part", 0)
    return MessagePart(str(payload.get("turn_id", "")), number if isinstance(number, int) else 0)


def _metadata(part: MessagePart) -> dict[str, Any]:
    numbered = {"part": part.number} if part.number else {}
    return {"event_type": EVENT_TYPE, "event_payload": {"turn_id": part.turn_id, **numbered}}


def _descend(
    part: MessagePart, forms: Iterator[MessageForm], method: str, send: Callable[[Mapping[str, Any]], str]
) -> tuple[MessageForm, str]:
    metadata: dict[str, Any] = {"metadata": _metadata(part)}
    refusals = list[SlackApiError]()
    for form in forms:
        try:
            return form, send({**form.content, **metadata})
        except SlackApiError as error:
            log.warning("Slack refused %s of turn %s as %s: %s", method, part.turn_id, form.name, rule_of(error))
            refusals.append(error)
            if code_of(error) in PLACE:
                break
            if code_of(error) in METADATA:
                metadata = {}
    raise refusals[-1]


def seen(client: WebClient, thread: ThreadKey, ts: str) -> Mapping[str, Any] | None:
    """Return a message of a thread, None where Slack does not show it."""
    try:
        found = client.conversations_replies(
            channel=thread.channel,
            ts=thread.thread_ts,
            oldest=ts,
            latest=ts,
            inclusive=True,
            include_all_metadata=True,
        )
    except FAILURES as error:
        log.warning("a message cannot be read again: %s", error_name(error))
        return None
    messages: Sequence[Mapping[str, Any]] = found.get("messages") or ()
    return next((one for one in messages if one["ts"] == ts), None)
