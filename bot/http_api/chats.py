"""Chats over HTTP: a message is logged and queued like one from Slack, and its answer is read from the memory.

`MemoryDelivery` is where such a turn delivers to: the answer is in the log by then, so only what was never logged, such
as the apology for a turn that failed, is added.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from ai.agents.rights.audience import Audience
from ai.agents.rights.audience_filter import AudienceFilter
from ai.agents.tools import EXPORT_TOOL, export_folder
from ai.errors import NotAllowed, NotFound
from ai.memory_store import MemoryStore
from ai.stopping import Stop
from ai.types import AnsweredQuery, LoggedMessage, Request, Step, ThreadKey
from bot.access import Access, is_http
from bot.http_api.callers import NO_CHAT, Caller
from bot.render.message import SlackMessage
from bot.turn import Outcome, TurnRunner

IN_SLACK = "This chat is a thread in Slack; ask there, or leave chat_id out to begin a chat here."
FEW = 10


@dataclass(frozen=True, slots=True)
class Asked:
    """A message that was taken in, and who sent it."""

    thread: ThreadKey
    turn_id: str
    user: str


@dataclass(frozen=True, slots=True)
class Chats:
    """Takes messages in and looks for their answers. `enqueue` hands a turn to the engine.

    `audience` judges what may be shown of a kept query to whoever asks for its answer again. `exports` is the folder that
    turns write files to.
    """

    memory: MemoryStore
    access: Access
    enqueue: Callable[[str, ThreadKey], None]
    audience: Audience
    exports: Path

    def ask(self, caller: Caller, message: str, chat_id: str | None) -> Asked:
        """Log and queue a message, in a chat of the caller's or a new one. NotAllowed or NotFound when it may not be."""
        thread = None if chat_id is None else self._own(caller, chat_id)
        at = datetime.now(UTC)
        while True:
            ts = f"{at.timestamp():.6f}"
            key = thread or caller.new_chat(ts)
            self.access.source_for(key.channel)
            asked = Asked(key, f"{key.team}:{key.channel}:{ts}", caller.user)
            if self.memory.receive(key, asked.turn_id, message, caller.user, at):
                self.enqueue(asked.turn_id, key)
                return asked
            at += datetime.resolution  # two messages in one microsecond

    def asked(self, caller: Caller, turn_id: str) -> Asked:
        """A message that the caller sent earlier. NotFound when there is none that they may read."""
        question = self.memory.question(turn_id)
        if question is None or not (is_http(question.thread.channel) and caller.may_read(question.thread)):
            raise NotFound("There is no such message; use the turn_id that POST /chat gave.")
        return Asked(question.thread, turn_id, caller.user)

    def reply(self, asked: Asked) -> str | None:
        """What was answered, None while nothing is."""
        return self.memory.transcripts.reply(asked.turn_id)

    def query(self, asked: Asked) -> AnsweredQuery | None:
        """The query that answered a message, as far as its sender may see it now; None when it took none."""
        answers = (query for query in self.memory.queries(asked.thread, FEW) if query.turn_id == asked.turn_id)
        shown = self.audience.shown(islice(answers, 1), self.access.roles_of(asked.user))
        return next(iter(shown), None)

    def files(self, asked: Asked) -> tuple[Path, ...]:
        """The files that an answered message asked for, while they are kept and as far as its sender may see their rows."""
        folder = self.exports / export_folder(asked.turn_id)
        if not folder.is_dir() or self.reply(asked) is None:
            return ()
        roles = self.access.roles_of(asked.user)
        calls = (trace.call for trace in self.memory.traces.of_turn(asked.thread, asked.turn_id))
        exported = [self.memory.query(int(str(call.params["query"]))) for call in calls if call.tool == EXPORT_TOOL]
        may_see = all(self.audience.sight(query, roles) == "all" for query in exported)
        return tuple(sorted(folder.iterdir())) if exported and may_see else ()

    def file(self, asked: Asked, name: str) -> Path:
        """One of these files. NotFound when there is none of this name."""
        found = next((path for path in self.files(asked) if path.name == name), None)
        if found is None:
            raise NotFound("There is no such file, or no longer: files are kept for a day; export the result again.")
        return found

    def heard(
        self, caller: Caller, thread: ThreadKey, messages: tuple[LoggedMessage, ...]
    ) -> tuple[LoggedMessage, ...]:
        """Those messages of a thread that the caller may hear: in Slack, answers were given under the rights of others."""
        if is_http(thread.channel):
            return messages
        source, roles = self.access.source_for(thread.channel), self.access.roles_of(caller.user)
        listener = Request("", thread, "", caller.user, datetime.now(UTC), source, roles=roles)
        return AudienceFilter(self.memory, self.audience).allowed(messages, listener)

    def _own(self, caller: Caller, chat_id: str) -> ThreadKey:
        key = caller.chat(chat_id)
        if not is_http(key.channel):
            raise NotAllowed(IN_SLACK)
        if not self.memory.knows(key):
            raise NotFound(NO_CHAT)
        return key


@dataclass(frozen=True, slots=True)
class MemoryDelivery:
    """Delivers into the log, from where the answer is read."""

    memory: MemoryStore

    def open(self, thread: ThreadKey, turn_id: str, message: SlackMessage, *, look_first: bool) -> str:  # noqa: ARG002
        """Nothing is shown before the answer."""
        return turn_id

    def status(self, thread: ThreadKey, turn_id: str, ts: str, text: str) -> None:
        """Nobody is watching."""

    def update(
        self,
        thread: ThreadKey,
        turn_id: str,
        ts: str,  # noqa: ARG002
        messages: Sequence[SlackMessage],
        *,
        look_first: bool,  # noqa: ARG002
    ) -> None:
        """Log the answer; where the orchestrator has done so, nothing changes."""
        self.memory.add_reply(thread, turn_id, "\n\n".join(message.text for message in messages))

    def upload(self, path: Path) -> str:
        """Files stay where they are, and are fetched from there."""
        return path.name

    def share(self, thread: ThreadKey, file_id: str, title: str, *, look_first: bool) -> None:
        """The answer names its files."""


@dataclass(frozen=True, slots=True)
class Runners:
    """Runs each turn where its answer belongs."""

    in_slack: TurnRunner
    over_http: TurnRunner

    def run(self, turn_id: str, step: Step, stop: Stop) -> Outcome:
        """Answer a turn."""
        return self._of(turn_id).run(turn_id, step, stop)

    def give_up(self, turn_id: str) -> None:
        """Say that a turn is set aside."""
        self._of(turn_id).give_up(turn_id)

    def _of(self, turn_id: str) -> TurnRunner:
        return self.over_http if is_http(turn_id.partition(":")[2]) else self.in_slack
