"""Conversations: each call is one transaction that logs, folds, clears or shows messages of one thread."""

from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import uuid4

from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError

from ai.memory.limits import MemoryLimits
from ai.memory.log import insets, segments, threads
from ai.memory.log import messages as log
from ai.memory.log.database import reading, writing
from ai.memory.log.messages import QUESTION, NewMessage
from ai.memory.prompt.view import Viewer
from ai.tokens import TokenCounter
from ai.types import LoggedMessage, Role, ThreadKey

BOT = "assistant"


@dataclass(frozen=True, slots=True)
class Conversations:
    """The conversations of one store. `count` says how many tokens a text has; it is asked once per message."""

    engine: Engine
    limits: MemoryLimits
    count: TokenCounter

    @property
    def viewer(self) -> Viewer:
        return Viewer(self.limits, self.count)

    def ask(self, key: ThreadKey, turn_id: str, content: str, author: str, at: datetime) -> bool:
        """Log the question of a turn; False when it is logged already."""
        return self._append(key, self._new(turn_id, QUESTION, "user", content, author, at))

    def reply(self, key: ThreadKey, turn_id: str, content: str, part: str) -> bool:
        """Log a part of the answer of a turn; False when it is logged already."""
        return self._append(key, self._new(turn_id, part, "assistant", content, BOT, datetime.now(UTC)))

    def latest_turn(self, key: ThreadKey) -> str:
        """The turn that was begun last, or a new one when the thread shows none."""
        with reading(self.engine) as connection:
            thread = threads.find(connection, key)
            newest = None if thread is None else log.newest_turn(connection, thread)
        return new_turn() if newest is None else newest[0]

    def question(self, turn_id: str) -> LoggedMessage | None:
        """The question of a turn, None when it was never logged."""
        with reading(self.engine) as connection:
            return log.question(connection, turn_id)

    def knows(self, key: ThreadKey) -> bool:
        """Whether anything was ever said in the thread."""
        with reading(self.engine) as connection:
            thread = threads.find(connection, key)
        return thread is not None and thread.last_seq > 0

    def view(self, key: ThreadKey, before_turn: str | None = None) -> tuple[LoggedMessage, ...]:
        """What is shown of the thread, or what was shown before that turn."""
        with reading(self.engine) as connection:
            thread = threads.find(connection, key)
            if thread is None:
                return ()
            before = None if before_turn is None else log.turn_seq(connection, thread, before_turn)
            return self.viewer.show(connection, thread, before)

    def trim(self, key: ThreadKey) -> None:
        """Fold old turns when the view is over its limits."""
        with writing(self.engine) as connection:
            thread = threads.find(connection, key)
            if thread is not None:
                self.viewer.fold(connection, thread)

    def clear(self, key: ThreadKey) -> None:
        """Show nothing of what was said until now. The log stays."""
        with writing(self.engine) as connection:
            thread = threads.clear(connection, key)
            segments.unfold(connection, thread)
            segments.strip(connection, thread)
            insets.clear(connection, thread)

    def keys(self) -> tuple[ThreadKey, ...]:
        """All threads, oldest first."""
        with reading(self.engine) as connection:
            return tuple(threads.keys(connection))

    def recent(self, messages: int) -> tuple[tuple[ThreadKey, datetime], ...]:
        """The threads of the last `messages` messages, and when each was last spoken in; newest first."""
        with reading(self.engine) as connection:
            return tuple(threads.recent(connection, messages))

    def _new(self, turn_id: str, part: str, role: Role, content: str, author: str, at: datetime) -> NewMessage:
        whole = content.encode("utf-8", "replace").decode()  # half of a surrogate pair cannot be stored
        size = self.count.count(whole)
        return NewMessage(turn_id, part, role, whole, author, size.tokens, size.exact, at)

    def _append(self, key: ThreadKey, new: NewMessage) -> bool:
        try:
            with writing(self.engine) as connection:
                thread, turn_seq = log.append(connection, key, new)
                self.viewer.fold(connection, thread, turn_seq)
        except IntegrityError:
            with reading(self.engine) as connection:
                if log.is_logged(connection, new.turn_id, new.part):
                    return False
            raise
        return True


def new_turn() -> str:
    """An id for a turn that no message of Slack began."""
    return f"turn-{uuid4()}"
