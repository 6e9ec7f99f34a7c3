"""One turn: claim it, ask, deliver, remember. The error border: every turn ends in one named outcome.

The turn is the workflow of the durable engine and runs again from its top after a crash. What it did is recorded step
by step, so the second run pays for nothing twice and posts nothing twice. While Slack or the memory is away the turn is
put off, not failed: it ends `undeliverable` only where Slack refuses it, or is away for a day. A person never sees exception text: they get
a sentence and the turn id, and the log gets the rest.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Literal, Protocol, TypeVar
from uuid import uuid4

from slack_sdk.errors import SlackApiError

from ai.agents.orchestrator import Orchestrator
from ai.agents.port import FileEvent, ReplyEvent, StatusEvent, TextEvent
from ai.errors import NotAllowed, SourceUnavailable, Stopped
from ai.memory_store import MemoryStore
from ai.stopping import NEVER, Stop
from ai.types import LoggedMessage, Request, Step, ThreadKey
from bot.access import Access
from bot.engine import Postponed, is_outage
from bot.render.message import SLACK, SlackMessage, status
from bot.render.pages import pages
from bot.turn_ids import question_of

T = TypeVar("T")
Outcome = Literal["answered", "stopped", "failed", "forgotten", "undeliverable"]
STATUS_SECONDS = 1.0
PATIENCE = timedelta(days=1)
FIRST_STATUS = "Reading the question…"
FAILED = (
    "Something went wrong on our side, and it is written in the log. Please ask again; if it stays, tell an owner: {}"
)
GAVE_UP = "This question stopped the bot three times, so it is set aside. Please word it differently. ({})"
log = logging.getLogger(__name__)


class Deliverer(Protocol):
    """Where a turn's reply goes. Each call may be repeated; `bot.delivery` says what each does in Slack."""

    def open(self, thread: ThreadKey, turn_id: str, message: SlackMessage, *, look_first: bool) -> str: ...

    def status(self, thread: ThreadKey, turn_id: str, ts: str, text: str) -> None: ...

    def update(
        self, thread: ThreadKey, turn_id: str, ts: str, messages: Sequence[SlackMessage], *, look_first: bool
    ) -> None: ...

    def upload(self, path: Path) -> str: ...

    def share(self, thread: ThreadKey, file_id: str, title: str, *, look_first: bool) -> None: ...


def utc_for_all(user: str) -> str:  # noqa: ARG001 - where nobody's time zone is known, UTC is everybody's
    """The time zone of a user where nothing is known of people."""
    return "UTC"


@dataclass(frozen=True, slots=True)
class TurnRunner:
    """Runs turns for the engine.

    `timezone_of` tells that of whoever asks; links in a reply lead to `site`. `afterwards` is given the thread when all is
    delivered. Files are removed once they are delivered, unless they are fetched later.
    """

    memory: MemoryStore
    orchestrator: Orchestrator
    delivery: Deliverer
    access: Access
    timezone_of: Callable[[str], str] = utc_for_all
    site: str = SLACK
    keeps_files: bool = False
    afterwards: Callable[[ThreadKey], bool] = lambda _: False
    clock: Callable[[], float] = field(default=monotonic)

    def run(self, turn_id: str, step: Step, stop: Stop = NEVER) -> Outcome:
        """Answer the logged question of a turn, unless somebody says stop before it is answered."""
        question = self.memory.question(question_of(turn_id))
        if question is None:
            return "forgotten"
        try:
            outcome = self._answer(question, step, stop, edited=turn_id != question.turn_id)
        except (SlackApiError, SourceUnavailable):
            log.exception("turn %s cannot be delivered", turn_id)
            outcome = "undeliverable"
        log.info("turn %s: %s", turn_id, outcome)
        return outcome

    def give_up(self, turn_id: str) -> None:
        """Say that a turn is set aside, in place of what it may have posted already."""
        question = self.memory.question(question_of(turn_id))
        if question is None:
            return
        messages = pages([TextEvent(GAVE_UP.format(f"`{question.turn_id}`"))])
        ts = self.delivery.open(question.thread, question.turn_id, messages[0], look_first=True)
        self.delivery.update(question.thread, question.turn_id, ts, messages, look_first=True)

    def _answer(self, question: LoggedMessage, step: Step, stop: Stop, *, edited: bool) -> Outcome:
        thread, turn_id = question.thread, question.turn_id
        this_run = uuid4().hex
        again = step("claim", lambda: this_run) != this_run
        ts = step("open", _patient(question, lambda: self._opened(question, look_first=again, edited=edited)))
        events, outcome = self._asked(question, ts, step, stop, edited=edited, again=again)
        answer = pages(events, self.site)
        step("close", _patient(question, lambda: self.delivery.update(thread, turn_id, ts, answer, look_first=again)))
        for number, event in enumerate(event for event in events if isinstance(event, FileEvent)):
            self._deliver_file(question, event, number, step, again=again)
        step("sum up", lambda: self.afterwards(thread))
        return outcome

    def _opened(self, question: LoggedMessage, *, look_first: bool, edited: bool) -> str:
        """The ts of the turn's message, which says that we are at it. An edited question has its message already."""
        thread, turn_id, opening = question.thread, question.turn_id, status(FIRST_STATUS, question.turn_id)
        ts = self.delivery.open(thread, turn_id, opening, look_first=look_first or edited)
        if edited:
            self.delivery.update(thread, turn_id, ts, (opening,), look_first=True)
        return ts

    def _asked(
        self, question: LoggedMessage, ts: str, step: Step, stop: Stop, *, edited: bool, again: bool
    ) -> tuple[list[ReplyEvent], Outcome]:
        try:
            if edited:
                step("withdraw", lambda: self.memory.lifecycle.withdraw_answer(question.turn_id))
            reply = self.orchestrator.answer(self._request(question), step, stop)
            return list(self._watched(reply, question, ts, again=again)), "answered"
        except Stopped as stopped:
            return [TextEvent(str(stopped))], "stopped"
        except NotAllowed as refusal:
            log.warning("turn %s: %s", question.turn_id, refusal)
            return [TextEvent(str(refusal))], "failed"
        except Exception as error:  # the border of a turn: whatever went wrong, the person is answered
            if is_outage(error):
                raise Postponed from error
            log.exception("turn %s failed", question.turn_id)
            return [TextEvent(FAILED.format(f"`{question.turn_id}`"))], "failed"

    def _watched(
        self, events: Iterator[ReplyEvent], question: LoggedMessage, ts: str, *, again: bool
    ) -> Iterator[ReplyEvent]:
        """Show what is being done, not more often than a person can read, and pass on what is said.

        A turn that runs again shows nothing: the answer may stand there, and the step that put it there is not repeated.
        """
        shown = self.clock()
        for event in events:
            if not isinstance(event, StatusEvent):
                yield event
            elif not again and self.clock() - shown >= STATUS_SECONDS:
                _patient(question, partial(self.delivery.status, question.thread, question.turn_id, ts, event.text))()
                shown = self.clock()

    def _request(self, question: LoggedMessage) -> Request:
        """The question with who asks it. NotAllowed when it cannot be told what they may see."""
        try:
            roles = self.access.roles_of(question.author)
        except SourceUnavailable as error:
            raise NotAllowed(str(error)) from error
        return Request(
            turn_id=question.turn_id,
            thread=question.thread,
            text=question.content,
            user=question.author,
            asked_at=question.created_at,
            source=self.access.source_for(question.thread.channel),
            timezone=self.timezone_of(question.author),
            workspace=self.access.workspace_for(question.thread.channel),
            roles=roles,
        )

    def _deliver_file(self, question: LoggedMessage, file: FileEvent, number: int, step: Step, *, again: bool) -> None:
        file_id = step(f"upload:{number}", _patient(question, lambda: self.delivery.upload(file.path)))
        share = partial(self.delivery.share, question.thread, file_id, file.title, look_first=again)
        step(f"share:{number}", _patient(question, share))
        if not self.keeps_files:
            remove_export(file.path)


def _patient(question: LoggedMessage, call: Callable[[], T]) -> Callable[[], T]:
    """A call of Slack that puts the turn off while Slack is away, unless the question has waited for a day."""

    def attempt() -> T:
        try:
            return call()
        except SourceUnavailable as error:
            if datetime.now(UTC) - question.created_at > PATIENCE:
                raise
            raise Postponed from error

    return attempt


def remove_export(path: Path) -> None:
    """Remove a delivered file, and with the last one the folder that was made for them."""
    path.unlink(missing_ok=True)
    with suppress(OSError):  # another file of this turn is still to be sent
        path.parent.rmdir()
