"""Run one turn: claim, ask, deliver. The error border: every turn ends in one named outcome.

A turn runs again from its top after a crash, with its recorded steps. While Slack or the memory is away it is put off.
People get a sentence and the turn id, never exception text.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import Literal, TypeVar
from uuid import uuid4

from slack_sdk.errors import SlackApiError

from ai.agents.orchestrator import Orchestrator
from ai.agents.port import FileEvent, PrivateEvent, QuestionEvent, ReplyEvent, StatusEvent, TextEvent, plainly
from ai.errors import NotAllowed, SourceUnavailable, Stopped
from ai.language.texts import ENGLISH, Translator
from ai.memory_store import MemoryStore
from ai.stopping import NEVER, Stop
from ai.types import LoggedMessage, Readers, Request, Step, ThreadKey
from bot.access import DIRECT, Access, is_http
from bot.delivery import Addressee, SharedFile, Surface, Working
from bot.engine import CLAIM, Postponed, is_outage
from bot.inbound import question_of
from bot.render.message import SlackMessage, pages
from bot.render.private_view import note_of, private_pages
from bot.turn.patience import patiently

T = TypeVar("T")
Caption = tuple[SlackMessage, str | None]  # the words of a file, and the placeholder they replace
Unpack = Callable[[LoggedMessage], Iterable[tuple[str, bool]]]
Outcome = Literal["answered", "asked back", "stopped", "failed", "forgotten", "undeliverable"]
WITH_FILE = "with its file"  # where an answer is, instead of a thread
FAILED = (
    "Something went wrong on our side, and it is written in the log. Please ask again; if it stays, tell an owner: {}"
)
AWAY = "The database cannot be reached now; ask again in a few minutes, and tell an owner if it stays so."
GAVE_UP = "This question stopped the bot three times, so it is set aside. Please word it differently. ({})"
WAITING = "Waiting: {} questions come before yours"
log = logging.getLogger(__name__)


def surfaces(in_slack: Surface, over_http: Surface) -> Callable[[ThreadKey], Surface]:
    """Return the choice of a thread's surface."""

    def surface_of(thread: ThreadKey) -> Surface:
        return over_http if is_http(thread.channel) else in_slack

    return surface_of


@dataclass(frozen=True, slots=True)
class TurnRunner:
    """Runs turns for the engine. `afterwards` is called after delivery; a thread with files asks about them.

    `unpack` fetches the files of a thread; each gives a sentence, and whether the question is to be answered.
    """

    memory: MemoryStore
    orchestrator: Orchestrator
    access: Access
    surface_of: Callable[[ThreadKey], Surface]
    afterwards: Callable[[ThreadKey], bool] = lambda _: False
    unpack: Unpack = lambda _: ()
    source_of_files: Callable[[ThreadKey], str | None] = lambda _: None
    readers_of: Callable[[str, str], Readers] = lambda _channel, _asker: Readers()

    def run(self, turn_id: str, step: Step, stop: Stop = NEVER) -> Outcome:
        """Answer a logged question, unless it is stopped first."""
        question = self.memory.question(question_of(turn_id))
        if question is None:
            return "forgotten"
        surface = self.surface_of(question.thread)
        texts = surface.texts_for(question.author)
        began = monotonic()
        turn = _Turn(self, question, surface, texts, step, is_edited=turn_id != question.turn_id)
        try:
            outcome = turn.answer(stop)
        except (SlackApiError, SourceUnavailable):
            log.exception("turn %s cannot be delivered", turn_id)
            outcome = "undeliverable"
        facts = {"thread": str(question.thread), "outcome": outcome, "seconds": round(monotonic() - began, 3)}
        log.info("turn %s: %s", turn_id, outcome, extra={"facts": facts})
        return outcome

    def wait(self, turn_id: str, ahead: int) -> None:
        """Say how many questions are before one that waits."""
        question = self.memory.question(question_of(turn_id))
        if question is not None:
            surface = self.surface_of(question.thread)
            texts = surface.texts_for(question.author)
            surface.delivery.working(question.said_in, question.turn_id, texts).wait(WAITING.format(ahead))

    def give_up(self, turn_id: str) -> None:
        """Say that a turn is set aside, in place of its messages."""
        question = self.memory.question(question_of(turn_id))
        if question is None:
            return
        to = Addressee(question.said_in, question.turn_id, question.author)
        surface = self.surface_of(question.thread)
        said = TextEvent(GAVE_UP.format(f"`{question.turn_id}`"))
        surface.delivery.answer(to, pages([said], texts=surface.texts_for(question.author)), look_first=True)

    def request(self, question: LoggedMessage, timezone: str, language: str = ENGLISH) -> Request:
        """Return the question with its asker's rights. Raises NotAllowed when they are unknown."""
        try:
            roles = self.access.roles_of(question.author, question.thread.channel)
        except SourceUnavailable as error:
            raise NotAllowed(str(error)) from error
        files, connected = self.source_of_files(question.thread), ""
        with suppress(NotAllowed) if files else nullcontext():
            connected = self.access.source_for(question.thread.channel)
        return Request(
            turn_id=question.turn_id,
            thread=question.thread,
            text=question.content,
            user=question.author,
            asked_at=question.created_at,
            source=files or connected,
            timezone=timezone,
            workspace=self.access.workspace_for(question.thread.channel),
            roles=(*roles, files) if files else roles,
            deed=question.deed,
            language=language,
            readers=among(self.readers_of(question.thread.channel, question.author), files),
            connected=connected if files else "",
        )

    def may_share(self, question: LoggedMessage) -> bool:
        return self.access.may_share(question.author, question.thread.channel)


@dataclass(frozen=True, slots=True)
class _Turn:
    """One run of one turn. `texts` are those in the asker's language."""

    runner: TurnRunner
    question: LoggedMessage
    surface: Surface
    texts: Translator
    step: Step
    is_edited: bool
    run_id: str = field(default_factory=lambda: uuid4().hex)

    def answer(self, stop: Stop) -> Outcome:
        question, delivery = self.question, self.surface.delivery
        again = self.step(CLAIM, lambda: self.run_id) != self.run_id
        with delivery.working(question.said_in, question.turn_id, self.texts) as working:
            self.step("open", working.begin)
            events, outcome = self._asked(working, stop)
        to = Addressee(question.said_in, question.turn_id, question.author)
        if self._is_taken_back():
            delivery.answer(to, (), look_first=True)
            return "forgotten"
        to, caption = self._close(to, events, working, again=again)
        for number, event in enumerate(event for event in events if isinstance(event, FileEvent)):
            self._share(to, event, number, caption, look_first=again)
        self.step("sum up", lambda: self.runner.afterwards(question.thread))
        return outcome

    def _is_taken_back(self) -> bool:
        """Whether the question was deleted meanwhile; one that it asked to forget is gone and gets its answer."""
        known, turn_id = self.runner.memory.question, self.question.turn_id
        return known(turn_id) is None and known(turn_id, taken_back=True) is not None

    def _close(
        self, to: Addressee, events: Sequence[ReplyEvent], working: Working, *, again: bool
    ) -> tuple[Addressee, Caption | None]:
        """Deliver the answer, or return it as the caption of its one file; return where the files go."""
        if (private := self._private(events)) is not None:
            return self._close_privately(to, events, private, working, again=again), None
        delivery, site, texts = self.surface.delivery, self.surface.site, self.texts

        def close() -> str:
            if self._is_one_file(events):
                return WITH_FILE
            messages, look_first = pages(events, site, texts), again or self.is_edited
            return str(delivery.answer(to, messages, placeholder=working.placeholder, look_first=look_first))

        closed = self._deliver("close", close) or str(to.thread)
        if closed == WITH_FILE:
            words = pages([event for event in events if isinstance(event, TextEvent)], site, texts)
            return to, (words[0], working.placeholder)
        return to._replace(thread=ThreadKey.of(closed)), None

    def _private(self, events: Sequence[ReplyEvent]) -> PrivateEvent | None:
        """Return why the answer goes to its asker alone, None where everybody may read it."""
        channel = self.question.said_in.channel
        if channel.startswith(DIRECT):
            return None
        found = next((event for event in events if isinstance(event, PrivateEvent)), None)
        always = self.runner.access.policy_for(channel) == "private" and not self.surface.keeps_files
        return found or (PrivateEvent(0) if always else None)

    def _close_privately(
        self, to: Addressee, events: Sequence[ReplyEvent], private: PrivateEvent, working: Working, *, again: bool
    ) -> Addressee:
        """Deliver the answer to its asker alone, and say so in the thread; return where the files go."""

        def close() -> str:
            offers = private.hidden_from > 0 and self.runner.may_share(self.question)
            messages = private_pages(events, private, self.question, self.surface.site, self.texts, offers=offers)
            look_first, answer = again or self.is_edited, self.surface.delivery.answer
            placeholder, note = working.placeholder, note_of(private, self.texts)
            return str(answer(to, messages, placeholder=placeholder, note=note, look_first=look_first))

        closed = self._deliver("close", close)
        return to._replace(thread=ThreadKey.of(closed))

    def _deliver(self, name: str, call: Callable[[], T]) -> T:
        return self.step(name, lambda: patiently(call, self.question.created_at))

    def _asked(self, working: Working, stop: Stop) -> tuple[list[ReplyEvent], Outcome]:
        runner, turn_id = self.runner, self.question.turn_id
        try:
            if self.is_edited:
                self.step("withdraw", lambda: runner.memory.lifecycle.withdraw_answer(turn_id))
            unpacked = list(runner.unpack(self.question))
            told: list[ReplyEvent] = [plainly(sentence) for sentence, _ in unpacked]
            if not all(goes_on for _, goes_on in unpacked):
                return told, "answered"
            request = runner.request(self.question, self.surface.timezone_of(self.question.author), self.texts.language)
            reply = runner.orchestrator.answer(request, self.step, stop)
            events, pictures = [*told, *self._watched(reply, working)], self.surface.pictures
            outcome: Outcome = "asked back" if any(isinstance(each, QuestionEvent) for each in events) else "answered"
            return (list(pictures.drawn(events, turn_id, working.say)) if pictures else events), outcome
        except Stopped as stopped:
            return [TextEvent(str(stopped))], "stopped"
        except NotAllowed as refusal:
            log.warning("turn %s: %s", turn_id, refusal)
            return [TextEvent(str(refusal))], "failed"
        except SourceUnavailable as error:
            if is_outage(error):
                raise Postponed from error
            log.warning("turn %s: %s", turn_id, error)
            return [TextEvent(AWAY)], "failed"
        except Exception as error:  # the border of a turn: whatever went wrong, the person is answered
            if is_outage(error):
                raise Postponed from error
            log.exception("turn %s failed", turn_id)
            return [TextEvent(FAILED.format(f"`{turn_id}`"))], "failed"

    @staticmethod
    def _watched(events: Iterator[ReplyEvent], working: Working) -> Iterator[ReplyEvent]:
        for event in events:
            if isinstance(event, StatusEvent):
                working.say(event.text)
            else:
                yield event

    def _is_one_file(self, events: Sequence[ReplyEvent]) -> bool:
        """Whether the answer is a text and one file, which become one message."""
        only_words = all(isinstance(event, TextEvent | FileEvent) for event in events)
        files = sum(isinstance(event, FileEvent) for event in events)
        return only_words and files == 1 and not (self.is_edited or self.surface.keeps_files)

    def _share(
        self,
        to: Addressee,
        file: FileEvent,
        number: int,
        caption: Caption | None,
        *,
        look_first: bool,
    ) -> None:
        delivery = self.surface.delivery
        file_id = self._deliver(f"upload:{number}", lambda: delivery.upload(file.path, to.turn_id, file.alt))

        def share() -> None:
            if caption is None:
                delivery.share(to, file_id, file.path, file.title, look_first=look_first)
            else:
                delivery.share_answer(to, SharedFile(file_id, file.path, file.title), *caption, look_first=look_first)

        self._deliver(f"share:{number}", share)
        if not self.surface.keeps_files:
            remove_export(file.path)


def among(readers: Readers, files: str | None) -> Readers:
    """Return the readers of a thread with files: everybody there may read what is dropped there."""
    if not files:
        return readers
    return replace(readers, roles=lambda: {(*roles, files): count for roles, count in readers.roles().items()})


def remove_export(path: Path) -> None:
    path.unlink(missing_ok=True)
    with suppress(OSError):  # another file of this turn is still to be sent
        path.parent.rmdir()
