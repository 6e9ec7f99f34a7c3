"""Chats over HTTP: logged and queued as in Slack, answered from the memory."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from ai.agents.rights.audience import Audience, AudienceFilter
from ai.agents.tools import EXPORT_TOOL, export_folder
from ai.errors import NotAllowed, NotFound
from ai.language.texts import Translator
from ai.memory_store import MemoryStore, Outcome
from ai.types import AnsweredQuery, LoggedMessage, Request, ThreadKey
from bot.access import Access, is_http
from bot.delivery import Addressee, SharedFile
from bot.http_api.callers import NO_CHAT, ApiCaller
from bot.render.message import SlackMessage

IN_SLACK = "This chat is a thread in Slack; ask there, or leave chat_id out to begin a chat here."
FEW = 10


@dataclass(frozen=True, slots=True)
class SentMessage:
    """An accepted message and its sender."""

    thread: ThreadKey
    turn_id: str
    user: str


@dataclass(frozen=True, slots=True)
class Chats:
    """Accepts messages and finds their answers.

    `enqueue` hands a turn to the engine, `audience` decides about kept queries, `exports` is the folder of files.
    """

    memory: MemoryStore
    access: Access
    enqueue: Callable[[str, ThreadKey], None]
    audience: Audience
    exports: Path

    def ask(self, caller: ApiCaller, message: str, chat_id: str | None) -> SentMessage:
        """Log and queue a message in the caller's chat or a new one. Raises NotAllowed or NotFound."""
        thread = None if chat_id is None else self.own(caller, chat_id)
        at = datetime.now(UTC)
        while True:
            ts = f"{at.timestamp():.6f}"
            key = thread or caller.new_chat(ts)
            self.access.source_for(key.channel)
            asked = SentMessage(key, f"{key.team}:{key.channel}:{ts}", caller.user)
            if self.memory.receive(key, asked.turn_id, message, caller.user, at):
                self.enqueue(asked.turn_id, key)
                return asked
            at += datetime.resolution  # two messages in one microsecond

    def asked(self, caller: ApiCaller, turn_id: str) -> SentMessage:
        """Return an earlier message of the caller. Raises NotFound."""
        question = self.memory.question(turn_id)
        if question is None or not (is_http(question.thread.channel) and caller.may_read(question.thread)):
            raise NotFound("There is no such message; use the turn_id that POST /chat gave.")
        return SentMessage(question.thread, turn_id, caller.user)

    def reply(self, asked: SentMessage) -> str | None:
        """Return the answer, None while there is none."""
        return self.memory.transcripts.reply(asked.turn_id)

    def query(self, asked: SentMessage) -> AnsweredQuery | None:
        """Return the query of an answer as its sender may see it now, None without one."""
        answers = (query for query in self.memory.queries(asked.thread, FEW) if query.turn_id == asked.turn_id)
        shown = self.audience.shown(islice(answers, 1), self.access.roles_of(asked.user))
        return next(iter(shown), None)

    def files(self, asked: SentMessage) -> tuple[Path, ...]:
        """Return the kept files of an answer, if its sender may see their rows."""
        folder = self.exports / export_folder(asked.turn_id)
        if not folder.is_dir() or self.reply(asked) is None:
            return ()
        roles = self.access.roles_of(asked.user)
        calls = (trace.call for trace in self.memory.traces.of_turn(asked.thread, asked.turn_id))
        exported = [self.memory.query(int(str(call.params["query"]))) for call in calls if call.tool == EXPORT_TOOL]
        may_see = all(self.audience.sight(query, roles) == "all" for query in exported)
        return tuple(sorted(folder.iterdir())) if exported and may_see else ()

    def file(self, asked: SentMessage, name: str) -> Path:
        """Return one of these files. Raises NotFound."""
        found = next((path for path in self.files(asked) if path.name == name), None)
        if found is None:
            raise NotFound("There is no such file, or no longer: files are kept for a day; export the result again.")
        return found

    def heard(
        self, caller: ApiCaller, thread: ThreadKey, messages: tuple[LoggedMessage, ...]
    ) -> tuple[LoggedMessage, ...]:
        """Return the messages this caller may read: answers in Slack used the rights of others."""
        if is_http(thread.channel):
            return messages
        heard = self.filter.allowed(messages, self.listener(caller, thread))
        self.note(caller, thread, "refused" if len(heard) < len(messages) else "told", "messages over HTTP")
        return heard

    def note(self, caller: ApiCaller, thread: ThreadKey, outcome: Outcome, surface: str) -> None:
        """Enter a look at something into the log of access."""
        entry = self.audience.access(self.listener(caller, thread), outcome, surface)
        if entry is not None:
            self.memory.access.add(entry)

    @property
    def filter(self) -> AudienceFilter:
        return AudienceFilter(self.memory, self.audience)

    def listener(self, caller: ApiCaller, thread: ThreadKey) -> Request:
        """Return a request of the caller without a question."""
        source, roles = self.access.source_for(thread.channel), self.access.roles_of(caller.user)
        return Request("", thread, "", caller.user, datetime.now(UTC), source, roles=roles)

    def own(self, caller: ApiCaller, chat_id: str) -> ThreadKey:
        """Return the key of a chat over HTTP. Raises NotAllowed or NotFound."""
        key = caller.chat(chat_id)
        if not is_http(key.channel):
            raise NotAllowed(IN_SLACK)
        if not self.memory.knows(key):
            raise NotFound(NO_CHAT)
        return key


class Unseen:
    """The progress of a turn nobody watches."""

    placeholder: str | None = None

    def __enter__(self) -> "Unseen":
        return self

    def __exit__(self, *error: object) -> None: ...

    def begin(self) -> str:
        return ""

    def wait(self, text: str) -> None: ...

    def say(self, text: str) -> None: ...


@dataclass(frozen=True, slots=True)
class MemoryDelivery:
    """Delivers into the log. Only what was never logged is added, such as the apology of a failed turn."""

    memory: MemoryStore

    def working(self, thread: ThreadKey, turn_id: str, texts: Translator) -> Unseen:  # noqa: ARG002
        return Unseen()

    def answer(
        self,
        to: Addressee,
        messages: Sequence[SlackMessage],
        *,
        placeholder: str | None = None,  # noqa: ARG002
        note: SlackMessage | None = None,  # noqa: ARG002
        look_first: bool,  # noqa: ARG002
    ) -> ThreadKey:
        if messages:
            self.memory.add_reply(to.thread, to.turn_id, "\n\n".join(message.text for message in messages))
        return to.thread

    def upload(self, path: Path, turn_id: str, alt: str = "") -> str:  # noqa: ARG002
        """Leave the file in its place, to be fetched."""
        return path.name

    def share(self, to: Addressee, file_id: str, path: Path, title: str, *, look_first: bool) -> None:
        """Do nothing: the answer names its files."""

    def share_answer(
        self, to: Addressee, file: SharedFile, message: SlackMessage, placeholder: str | None, *, look_first: bool
    ) -> None:
        """Do nothing: files are kept, and never an answer's message."""
