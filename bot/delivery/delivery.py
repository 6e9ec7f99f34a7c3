"""Deliver answers to Slack: each posted once, and shown despite refusals.

A refused update becomes a new post, a refused thread a direct message. A plan that is new becomes its answer; a later
answer is a post, because posts notify people and edits do not.
"""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import time
from typing import NamedTuple

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from ai.agents.port import TextEvent
from ai.language.texts import ENGLISH_TEXTS, Translator
from ai.types import ThreadKey
from bot.delivery.calls import PAUSES, Calls, Lane, RateLimiter
from bot.delivery.files import Files, FilesOfTurns, KnownHere, in_words
from bot.delivery.messages import BELOW, TAKEN_AWAY, MessagePart, Messages
from bot.delivery.progress import PLACEHOLDER_SECONDS, STEP_SECONDS, Progress, Screen
from bot.delivery.refusals import reason_of, rule_of
from bot.render.message import PLAIN_TABLES, MessageForm, SlackMessage, render, status

PLACEHOLDER = -1  # the number of the message before the answer
FRESH_SECONDS = 10.0  # so long after its plan, which notified people, an answer takes its place
log = logging.getLogger(__name__)


class Addressee(NamedTuple):
    """The thread of a turn, and its asker for a direct answer."""

    thread: ThreadKey
    turn_id: str
    user: str


class SharedFile(NamedTuple):
    """An uploaded file; the id is "" where Slack refused it."""

    id: str
    path: Path
    title: str


class SlackDelivery:
    """Sends messages and files. `client` must not retry by itself."""

    def __init__(
        self,
        client: WebClient,
        pauses: tuple[float, ...] = PAUSES,
        limiter: RateLimiter | None = None,
        placeholder_seconds: float = PLACEHOLDER_SECONDS,
        step_seconds: float = STEP_SECONDS,
        fresh_seconds: float = FRESH_SECONDS,
        files: FilesOfTurns | None = None,
    ) -> None:
        self._client = client
        self.calls = Calls(limiter or RateLimiter(), pauses)
        self._messages = Messages(client, self.calls)
        self._files = Files(client, self.calls, files or KnownHere())
        self._placeholder_seconds = placeholder_seconds
        self._step_seconds = step_seconds
        self._fresh_seconds = fresh_seconds

    def working(self, thread: ThreadKey, turn_id: str, texts: Translator = ENGLISH_TEXTS) -> Progress:
        part = MessagePart(turn_id, PLACEHOLDER)
        screen = Screen(
            status=lambda text: self._messages.set_status(thread, texts(text)),
            open=lambda steps: self._messages.post(thread, part, status(steps, turn_id, texts))[1],
            change=lambda ts, steps: self._messages.try_change(thread, part, ts, status(steps, turn_id, texts)),
        )
        return Progress(screen, self._placeholder_seconds, self._step_seconds)

    def answer(
        self,
        to: Addressee,
        messages: Sequence[SlackMessage],
        *,
        placeholder: str | None = None,
        note: SlackMessage | None = None,
        look_first: bool,
    ) -> ThreadKey:
        """Show exactly `messages`, or none, in place of the placeholder; return their thread.

        With a `note` for the thread, they go to the asker alone. With `look_first`, an earlier answer of the turn is
        found and updated in place, and its files are deleted.
        """
        if look_first:
            self._files.take_away(to.turn_id, self._remove_file)
        if note is not None:
            direct = self._alone(to, messages, look_first=look_first)
            self._answer(to, (note,), placeholder, look_first=look_first)
            return direct
        return self._answer(to, messages, placeholder, look_first=look_first)

    def _answer(
        self, to: Addressee, messages: Sequence[SlackMessage], placeholder: str | None, *, look_first: bool
    ) -> ThreadKey:
        there = self._found(to.thread, to.turn_id) if look_first else {}
        if placeholder and time() - float(placeholder) < self._fresh_seconds:
            there.setdefault(0, placeholder)
        try:
            self._show_exactly(to.thread, to.turn_id, messages, there, placeholder)
        except SlackApiError as error:
            log.warning("turn %s cannot be answered in its thread: %s", to.turn_id, rule_of(error))
            shown = placeholder or there.get(PLACEHOLDER)
            return self._elsewhere(to, messages, shown, reason_of(error), look_first=look_first)
        if look_first:
            self._messages.set_status(to.thread, "")  # posts clear it by themselves, updates do not
        return to.thread

    def retract(self, thread: ThreadKey, turn_id: str, alone: str = "") -> None:
        """Delete every message of a turn's answer, also those to a person `alone`."""
        to = Addressee(thread, turn_id, alone)
        self.answer(to, (), look_first=True)
        if alone:
            self._alone(to, (), look_first=True)

    def _remove_file(self, channel: str, ts: str) -> None:
        self._messages.remove(ThreadKey("", channel, ""), ts, TAKEN_AWAY)

    def _alone(self, to: Addressee, messages: Sequence[SlackMessage], *, look_first: bool) -> ThreadKey:
        """Show exactly `messages` to the asker alone; return the conversation with them."""
        direct = self._direct_messages(to)
        there = self._found(direct, to.turn_id) if look_first else {}
        self._show_exactly(direct, to.turn_id, messages, there)
        return direct

    def upload(self, path: Path, turn_id: str, alt: str = "") -> str:
        return self._files.upload(path, turn_id, alt)

    def share(self, to: Addressee, file_id: str, path: Path, title: str, *, look_first: bool) -> None:
        """Show an uploaded file once, or its first lines where Slack refuses it."""
        if not self._files.share(to.thread, to.turn_id, file_id, title, look_first=look_first):
            note = render([TextEvent(in_words(path))])
            self._messages.post(to.thread, MessagePart(f"{to.turn_id}#{path.name}"), note, look_first=look_first)

    def share_answer(
        self, to: Addressee, file: SharedFile, message: SlackMessage, placeholder: str | None, *, look_first: bool
    ) -> None:
        """Show a file with the answer as its words, in one message; else the answer, and the file's first lines."""
        if self._files.share(to.thread, to.turn_id, file.id, file.title, message.text, look_first=look_first):
            there = self._found(to.thread, to.turn_id) if look_first else {}
            for ts in {*there.values(), *filter(None, [placeholder])}:
                self._messages.remove(to.thread, ts)
            self._messages.set_status(to.thread, "")
            return
        place = self.answer(to, (message,), placeholder=placeholder, look_first=look_first)
        self.share(to._replace(thread=place), "", file.path, file.title, look_first=look_first)

    def _found(self, thread: ThreadKey, turn_id: str) -> dict[int, str]:
        try:
            return dict(self._messages.parts(thread, turn_id))
        except SlackApiError as error:
            log.warning("cannot look for turn %s in Slack: %s", turn_id, rule_of(error))
            return {}

    def _show_exactly(
        self,
        thread: ThreadKey,
        turn_id: str,
        messages: Sequence[SlackMessage],
        there: Mapping[int, str],
        placeholder: str | None = None,
    ) -> None:
        """Show `messages` in the places of those `there`, and remove what has the place of none."""
        kept = {there.get(number) for number in range(len(messages))}
        for number, message in enumerate(messages):
            self._show(thread, MessagePart(turn_id, number), there.get(number), message)
        for ts in sorted({*there.values(), *filter(None, [placeholder])} - kept, reverse=True):
            self._messages.remove(thread, ts, BELOW if messages else TAKEN_AWAY)

    def _show(self, thread: ThreadKey, part: MessagePart, ts: str | None, message: SlackMessage) -> None:
        if ts is not None:
            try:
                return self._complete(thread, part, message, self._messages.change(thread, part, ts, message))
            except SlackApiError:
                self._messages.remove(thread, ts)
        return self._say(thread, part, message)

    def _say(self, thread: ThreadKey, part: MessagePart, message: SlackMessage) -> None:
        self._complete(thread, part, message, self._messages.post(thread, part, message)[0])

    def _complete(self, thread: ThreadKey, part: MessagePart, message: SlackMessage, form: MessageForm) -> None:
        """Send as files what a simpler form does not show."""
        if not form.blocks and message.table is not None:
            self._files.attach(thread, part.turn_id, message.table)
        if message.chart is not None and form.name not in (message.full.name, PLAIN_TABLES):
            self._files.attach_picture(thread, part.turn_id, message.chart.chart)

    def _elsewhere(
        self, to: Addressee, messages: Sequence[SlackMessage], placeholder: str | None, reason: str, *, look_first: bool
    ) -> ThreadKey:
        if placeholder and len(messages) == 1 and self._is_changed(to, placeholder, messages[0]):
            return to.thread
        direct = self._direct_messages(to)
        said = self._found(direct, to.turn_id) if look_first else {}
        why = TextEvent(f"{reason}, so here is the answer to your question.")
        for number, message in enumerate((render((why, *messages[0].events)), *messages[1:])):
            if number not in said:
                self._say(direct, MessagePart(to.turn_id, number), message)
        if placeholder:
            self._messages.remove(to.thread, placeholder)
        return direct

    def _is_changed(self, to: Addressee, placeholder: str, message: SlackMessage) -> bool:
        try:
            self._messages.change(to.thread, MessagePart(to.turn_id), placeholder, message)
        except SlackApiError as error:
            log.warning("turn %s cannot be answered in its placeholder: %s", to.turn_id, rule_of(error))
            return False
        return True

    def _direct_messages(self, to: Addressee) -> ThreadKey:
        opened = self.calls.repeat(
            Lane("conversations.open"), lambda: self._client.conversations_open(users=to.user, return_im=True)
        )
        return ThreadKey(to.thread.team, str(opened["channel"]["id"]), "")
