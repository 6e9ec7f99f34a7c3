"""Run one turn: claim, ask, deliver. The error border: every turn ends in one named outcome.

A turn runs again from its top after a crash; recorded steps are neither paid nor posted twice. While Slack or the
memory is away the turn is put off, for up to a day. People get a sentence and the turn id, never exception text.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
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
from bot.inbound import question_of
from bot.render.message import SLACK, SlackMessage, status
from bot.render.pages import pages

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
    """Where replies go. Every call may be repeated."""

    def open(self, thread: ThreadKey, turn_id: str, message: SlackMessage, *, look_first: bool) -> str: ...

    def status(self, thread: ThreadKey, turn_id: str, ts: str, text: str) -> None: ...

    def update(
        self, thread: ThreadKey, turn_id: str, ts: str, messages: Sequence[SlackMessage], *, look_first: bool
    ) -> None: ...

    def upload(self, path: Path) -> str: ...

    def share(self, thread: ThreadKey, file_id: str, title: str, *, look_first: bool) -> None: ...


def utc_for_all(user: str) -> str:  # noqa: ARG001 - where nobody's time zone is known, UTC is everybody's
    return "UTC"


@dataclass(frozen=True, slots=True)
class Surface:
    """Where turns are answered: Slack, or chats over HTTP.

    `timezone_of` tells a user's time zone; links in replies lead to `site`. Delivered files are removed, except where
    `keeps_files` says that people fetch them later.
    """

    delivery: Deliverer
    timezone_of: Callable[[str], str] = utc_for_all
    site: str = SLACK
    keeps_files: bool = False


@dataclass(frozen=True, slots=True)
class TurnRunner:
    """Runs turns for the engine. `afterwards` is called with the thread once everything is delivered."""

    memory: MemoryStore
    orchestrator: Orchestrator
    access: Access
    surface_of: Callable[[ThreadKey], Surface]
    afterwards: Callable[[ThreadKey], bool] = lambda _: False
    clock: Callable[[], float] = field(default=monotonic)

    def run(self, turn_id: str, step: Step, stop: Stop = NEVER) -> Outcome:
        """Answer the logged question of a turn, unless it is stopped first."""
        question = self.memory.question(question_of(turn_id))
        if question is None:
            return "forgotten"
        turn = _Turn(self, question, self.surface_of(question.thread), step, is_edited=turn_id != question.turn_id)
        try:
            outcome = turn.answer(stop)
        except (SlackApiError, SourceUnavailable):
            log.exception("turn %s cannot be delivered", turn_id)
            outcome = "undeliverable"
        log.info("turn %s: %s", turn_id, outcome)
        return outcome

    def give_up(self, turn_id: str) -> None:
        """Say that a turn is set aside, in place of anything it posted."""
        question = self.memory.question(question_of(turn_id))
        if question is None:
            return
        thread, delivery = question.thread, self.surface_of(question.thread).delivery
        messages = pages([TextEvent(GAVE_UP.format(f"`{question.turn_id}`"))])
        ts = delivery.open(thread, question.turn_id, messages[0], look_first=True)
        delivery.update(thread, question.turn_id, ts, messages, look_first=True)

    def request(self, question: LoggedMessage, timezone: str) -> Request:
        """Return the question with its asker's rights. Raises NotAllowed when their rights are unknown."""
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
            timezone=timezone,
            workspace=self.access.workspace_for(question.thread.channel),
            roles=roles,
        )


@dataclass(frozen=True, slots=True)
class _Turn:
    """One run of one turn. A run after a crash repeats no recorded step and looks in Slack before it posts."""

    runner: TurnRunner
    question: LoggedMessage
    surface: Surface
    step: Step
    is_edited: bool
    run_id: str = field(default_factory=lambda: uuid4().hex)

    def answer(self, stop: Stop) -> Outcome:
        """Claim the turn, ask, deliver the answer and its files."""
        thread, turn_id, delivery = self.question.thread, self.question.turn_id, self.surface.delivery
        again = self.step("claim", lambda: self.run_id) != self.run_id
        ts = self._deliver("open", lambda: self._opened(look_first=again))
        events, outcome = self._asked(ts, stop, again=again)
        messages = pages(events, self.surface.site)
        self._deliver("close", lambda: delivery.update(thread, turn_id, ts, messages, look_first=again))
        for number, event in enumerate(event for event in events if isinstance(event, FileEvent)):
            self._share(event, number, look_first=again)
        self.step("sum up", lambda: self.runner.afterwards(thread))
        return outcome

    def _deliver(self, name: str, call: Callable[[], T]) -> T:
        """Call Slack in a recorded step. While Slack is away the turn is put off, for up to a day."""

        def attempt() -> T:
            try:
                return call()
            except SourceUnavailable as error:
                if datetime.now(UTC) - self.question.created_at > PATIENCE:
                    raise
                raise Postponed from error

        return self.step(name, attempt)

    def _opened(self, *, look_first: bool) -> str:
        """Post the status message and return its ts. An edited question has its message already."""
        thread, turn_id, delivery = self.question.thread, self.question.turn_id, self.surface.delivery
        opening = status(FIRST_STATUS, turn_id)
        ts = delivery.open(thread, turn_id, opening, look_first=look_first or self.is_edited)
        if self.is_edited:
            delivery.update(thread, turn_id, ts, (opening,), look_first=True)
        return ts

    def _asked(self, ts: str, stop: Stop, *, again: bool) -> tuple[list[ReplyEvent], Outcome]:
        runner, turn_id = self.runner, self.question.turn_id
        try:
            if self.is_edited:
                self.step("withdraw", lambda: runner.memory.lifecycle.withdraw_answer(turn_id))
            request = runner.request(self.question, self.surface.timezone_of(self.question.author))
            reply = runner.orchestrator.answer(request, self.step, stop)
            return list(self._watched(reply, ts, is_quiet=again)), "answered"
        except Stopped as stopped:
            return [TextEvent(str(stopped))], "stopped"
        except NotAllowed as refusal:
            log.warning("turn %s: %s", turn_id, refusal)
            return [TextEvent(str(refusal))], "failed"
        except Exception as error:  # the border of a turn: whatever went wrong, the person is answered
            if is_outage(error):
                raise Postponed from error
            log.exception("turn %s failed", turn_id)
            return [TextEvent(FAILED.format(f"`{turn_id}`"))], "failed"

    def _watched(self, events: Iterator[ReplyEvent], ts: str, *, is_quiet: bool) -> Iterator[ReplyEvent]:
        """Show each status for at least STATUS_SECONDS and pass everything else on.

        A second run is quiet: the answer may stand there already, and its step is not repeated.
        """
        thread, turn_id, clock = self.question.thread, self.question.turn_id, self.runner.clock
        shown = clock()
        for event in events:
            if not isinstance(event, StatusEvent):
                yield event
            elif not is_quiet and clock() - shown >= STATUS_SECONDS:
                self.surface.delivery.status(thread, turn_id, ts, event.text)
                shown = clock()

    def _share(self, file: FileEvent, number: int, *, look_first: bool) -> None:
        thread, delivery = self.question.thread, self.surface.delivery
        file_id = self._deliver(f"upload:{number}", lambda: delivery.upload(file.path))
        self._deliver(f"share:{number}", lambda: delivery.share(thread, file_id, file.title, look_first=look_first))
        if not self.surface.keeps_files:
            remove_export(file.path)


def remove_export(path: Path) -> None:
    """Remove a delivered file, and its folder once it is empty."""
    path.unlink(missing_ok=True)
    with suppress(OSError):  # another file of this turn is still to be sent
        path.parent.rmdir()
