"""Take questions in: check, log and queue them before the acknowledgement.

On failure the event stays unacknowledged and Slack repeats it; the same message twice is one question.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol

from ai.agents.overview import Overview
from ai.agents.querying.refinements import Refinements
from ai.agents.querying.verdicts import Person, Verdicts
from ai.agents.wishes.topics import new_topic
from ai.errors import NotAllowed, SourceUnavailable
from ai.memory_store import MemoryStore, Outcome
from ai.types import LoggedMessage, QuestionDetails, Request, ThreadKey
from bot.access import Access
from bot.inbound import Inbound, NewTurn, is_stop, read_message, read_press, retraction, said_at
from bot.listeners.manners.talk import LATELY, MEANT_YOU, is_meant, left_open
from bot.listeners.notes import Tell
from bot.people import People
from bot.render.message import SLACK
from bot.render.text import fallback

FRESH_AFTER = timedelta(hours=24)  # a direct message after so long a silence begins a new conversation
NOTHING_RUNS = "Nothing is being answered in this thread now."


class Queue(Protocol):
    """What is done to questions in the queue. Every call may be repeated."""

    def revise(
        self, turn_id: str, edited_ts: str, thread: ThreadKey, person: str = "", *, is_quick: bool = False
    ) -> None: ...

    def stop(self, turn_id: str) -> None: ...

    def stop_thread(self, thread: ThreadKey, before: float) -> int: ...


class ThreadTables(Protocol):
    """The tables made of files in threads."""

    def expect(self, thread: ThreadKey, turn_id: str, person: str, file_id: str, where: Mapping[str, Any]) -> None: ...

    def source_of(self, thread: ThreadKey) -> str | None: ...

    def forget(self, *, threads: Collection[str] = (), person: str = "", turn_id: str = "") -> None: ...


@dataclass(frozen=True, slots=True)
class Intake:
    """Takes in questions, edits, deletions and requests to stop.

    `accept` queues questions, all or none. `tell` speaks to one person alone; `begin` names a new conversation,
    `forget` forgets a person. `later` calls after the acknowledgement. `is_quick` tells by its words whether a
    question asks no database.
    """

    memory: MemoryStore
    access: Access
    accept: Callable[[Sequence[NewTurn]], object]
    queue: Queue
    verdicts: Verdicts
    refinements: Refinements
    people: People
    bot_user: str
    tell: Tell
    timezone_of: Callable[[str], str]
    begin: Tell
    overview: Overview
    forget: Callable[[str], object]
    later: Callable[..., None]
    files: ThreadTables
    is_quick: Callable[[str], bool]
    site: str = SLACK
    is_member: Callable[[str, str], bool] = lambda _channel, _user: True

    @property
    def team(self) -> str:
        """Return the app's team id, the first part of every key."""
        return self.people.home.team_id

    def read(self, message: Mapping[str, Any], body: Mapping[str, Any]) -> Inbound | None:
        """Return the message of a person in an event with the wrapper `body`, or None."""
        return read_message(message, body, self.team, self.bot_user)

    def read_press(self, body: Mapping[str, Any]) -> Inbound:
        return read_press(body, self.team)

    def is_engaged(self, thread: ThreadKey) -> bool:
        return self.memory.knows(thread)

    def is_meant(self, inbound: Inbound) -> bool:
        """Whether a reply without a mention, in a thread that we have joined, is for us."""
        lately = self.memory.transcripts.newest(inbound.thread, LATELY)
        return is_meant(inbound, lately, self.people.name_of, lambda text: self._names_data(inbound, text))

    def _names_data(self, inbound: Inbound, text: str) -> bool:
        with suppress(NotAllowed, SourceUnavailable):
            return self.overview.context.names_data(replace(self.request(inbound), text=text))
        return False

    def overhear(self, inbound: Inbound) -> None:
        """Remember what people of ours say to each other. Nothing answers it."""
        standing = self.people.standing(inbound.user, inbound.origin)
        if self.access.admits(inbound.thread.channel, standing):
            self.memory.receive(inbound.thread, inbound.turn_id, inbound.text, inbound.user, inbound.sent_at)

    def person(self, press: Inbound) -> Person:
        """Return who presses, with their rights. Raises NotAllowed for people of other workspaces."""
        standing = self.people.standing(press.user, press.origin)
        self.access.require(standing, "Only people of this workspace may do this.")
        workspace = self.access.workspace_for(press.thread.channel)
        channel, is_owner = press.thread.channel, self.access.is_owner(press.user)
        return Person(press.user, self.roles_of(press), workspace, is_owner, channel)

    def judge(self, press: Inbound) -> Person:
        """Return the judge of an answer. Raises NotAllowed for people outside of its channel."""
        person = self.person(press)
        if not (press.is_direct or self.is_member(press.thread.channel, press.user)):
            raise NotAllowed("Only members of this channel may judge its answers; join it first.")
        return person

    def is_admitted(self, inbound: Inbound) -> bool:
        """Whether somebody may ask here, or tell them."""
        try:
            self.access.admit(inbound.thread.channel, self.people.standing(inbound.user, inbound.origin))
        except NotAllowed as refusal:
            self.tell(inbound, str(refusal))
            self.note(inbound, "refused", "question")
            return False
        return True

    def take(self, inbound: Inbound) -> bool:
        """Log and queue a question, or tell its author why not. "stop" never queues."""
        if not self.is_admitted(inbound):
            return False
        thread = self.conversation(inbound)
        if inbound.deed:
            return self._log(inbound, thread, inbound.text)
        if is_stop(inbound.text):
            if not self.queue.stop_thread(thread, before=said_at(inbound.turn_id)):
                self.tell(inbound, NOTHING_RUNS)
            return True
        meant = self._meant_before(inbound)
        if meant is not None:
            self.accept([NewTurn(meant, thread, inbound.user)])
            return True
        return self._log(inbound, thread, new_topic(inbound.text) or inbound.text)

    def _log(self, inbound: Inbound, thread: ThreadKey, text: str) -> bool:
        is_first = not (inbound.is_direct or self.memory.parts.conversations.knows_channel(thread.team, thread.channel))
        place = inbound.thread.thread_ts if thread != inbound.thread else ""
        more = QuestionDetails(place, inbound.deed)
        is_new = self.memory.receive(thread, inbound.turn_id, text, inbound.user, inbound.sent_at, more)
        if is_new and inbound.is_direct and not (place or inbound.is_reply):
            self.begin(inbound, text)
        if is_new and is_first:
            self.later(self.introduce, inbound)
        self.accept([NewTurn(inbound.turn_id, thread, inbound.user, self.is_quick(text))])
        return True

    def introduce(self, inbound: Inbound) -> None:
        """Greet the first asker of a channel with examples."""
        try:
            text, _ = self.overview.introduction(self.request(inbound))
        except (NotAllowed, SourceUnavailable):
            return  # the answer says why
        self.tell(inbound, fallback(text.markdown))

    def conversation(self, inbound: Inbound) -> ThreadKey:
        """Return the thread of a message: among direct messages the last one's, else its own."""
        if not inbound.is_direct:
            return inbound.thread
        here = inbound.thread
        root = self.memory.question(f"{here.team}:{here.channel}:{here.thread_ts}")
        if root is not None:
            return root.thread
        if inbound.is_reply or new_topic(inbound.text) is not None:
            return here
        last = self.memory.parts.conversations.newest(here.team, here.channel)
        return last[0] if last is not None and inbound.sent_at - last[1] < FRESH_AFTER else here

    def _meant_before(self, inbound: Inbound) -> str | None:
        """Return the turn that "I meant you" asks to answer."""
        if not (inbound.is_reply and MEANT_YOU.fullmatch(inbound.text)):
            return None
        found = left_open(inbound, self.memory.transcripts.newest(inbound.thread, LATELY))
        return found.turn_id if found else None

    def revise(self, inbound: Inbound, edited_ts: str) -> None:
        """Answer an edited question again, in place; an edit to "stop" stops it. Ignores unknown messages."""
        known = self.memory.question(inbound.turn_id)
        if known is None or not self.is_admitted(inbound):
            return
        if is_stop(inbound.text):
            if not self.queue.stop_thread(known.thread, before=float(edited_ts)):
                self.tell(inbound, NOTHING_RUNS)
        else:
            text = new_topic(inbound.text) or inbound.text
            self.memory.lifecycle.change(inbound.turn_id, text, datetime.now(UTC))
            self.queue.revise(inbound.turn_id, edited_ts, known.thread, inbound.user, is_quick=self.is_quick(text))

    def roles_of(self, inbound: Inbound) -> tuple[str, ...]:
        """Return somebody's roles, with that of their thread's files. Raises SourceUnavailable."""
        files = self.files.source_of(self.conversation(inbound))
        roles = self.access.roles_of(inbound.user, inbound.thread.channel)
        return (*roles, *([files] if files else []))

    def request(self, inbound: Inbound) -> Request:
        """Return a message as a request with its author's rights. Raises NotAllowed or SourceUnavailable."""
        channel = inbound.thread.channel
        return Request(
            turn_id=inbound.turn_id,
            thread=inbound.thread,
            text=inbound.text,
            user=inbound.user,
            asked_at=inbound.sent_at,
            source=self.access.source_for(channel),
            workspace=self.access.workspace_for(channel),
            roles=self.access.roles_of(inbound.user, channel),
        )

    def note(self, press: Inbound, outcome: Outcome, surface: str) -> None:
        """Enter a look at something into the log of access; whoever may ask nothing here is told nothing."""
        with suppress(NotAllowed, SourceUnavailable):
            entry = self.overview.context.audience.access(self.request(press), outcome, surface)
            if entry is not None:
                self.memory.access.add(entry)

    def take_back(self, channel: str, ts: str) -> None:
        turn_id = f"{self.team}:{channel}:{ts}"
        self.files.forget(turn_id=turn_id)
        question = self.memory.question(turn_id, taken_back=True)  # also when the event comes again
        if question is not None:
            self.queue.stop(turn_id)
            self.memory.lifecycle.take_back(turn_id, datetime.now(UTC))
            self.withdraw(question, ts)

    def withdraw(self, question: LoggedMessage, shown_ts: str) -> None:
        """Take an answer away, out of its thread in a turn."""
        self.memory.lifecycle.withdraw_answer(question.turn_id)
        turn = retraction(question.turn_id, shown_ts)
        self.accept([NewTurn(turn, question.thread, question.author, is_quick=True)])
