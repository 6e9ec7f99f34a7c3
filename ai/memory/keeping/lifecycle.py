"""How long things are kept: edits, deletions, forgetting and retention. Exports are for their keeper."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy import Connection, Table, delete, or_, select, true, update

from ai.language.remarks import remark_of
from ai.memory.keeping import access
from ai.memory.keeping.access import ACCESS
from ai.memory.keeping.erasure import Eraser
from ai.memory.learned import rulebook
from ai.memory.learned.preferences import PREFERENCE
from ai.memory.learned.rulebook import RULE
from ai.memory.learned.verified import VERIFIED
from ai.memory.log import threads
from ai.memory.log.database import reading, scrub, writing
from ai.memory.log.messages import QUESTION, question
from ai.memory.log.moves import CHANNEL_MOVE
from ai.memory.log.shared_files import SharedFiles
from ai.memory.log.spending import MODEL_CALL
from ai.memory.log.tables import MESSAGE, PHRASING, QUERY, RECEIPT, THREAD
from ai.memory.seals import Chain
from ai.memory.search.index import Index
from ai.memory.views.cache import WindowCache
from ai.memory.views.conversation import Conversations
from ai.memory.workspaces.states import erase
from ai.memory.workspaces.tables import STATE, TRACE, WORKSPACE
from ai.results.store import ResultStore
from ai.types import ThreadKey


@dataclass(frozen=True, slots=True)
class Forgotten:
    """The touched threads and the deleted turns. `scrubbed` is False while a reader holds the write-ahead log."""

    threads: tuple[ThreadKey, ...]
    turns: tuple[str, ...]
    scrubbed: bool


@dataclass(frozen=True, slots=True)
class Lifecycle:
    conversations: Conversations
    results: ResultStore
    cache: WindowCache
    index: Index
    chain: Chain

    @property
    def shared_files(self) -> SharedFiles:
        return SharedFiles(self.conversations.engine)

    def change(self, turn_id: str, content: str, at: datetime) -> bool:
        """Edit a question; return False when it is unknown or unchanged."""
        return self._rewrite(turn_id, content, {"edited_at": at})

    def take_back(self, turn_id: str, at: datetime) -> bool:
        """Delete the words of a question and keep its place; return False when unknown."""
        return self._rewrite(turn_id, "", {"deleted_at": at})

    def withdraw_answer(self, turn_id: str) -> bool:
        """Forget an answer, also to a question taken back."""
        with writing(self.conversations.engine) as connection:
            known = question(connection, turn_id, taken_back=True)
            if known is not None:
                self._eraser(connection).answer(known.thread, turn_id)
        if known is not None:
            self._scrub([known.thread])
        return known is not None

    def forget_thread(self, key: ThreadKey) -> Forgotten:
        with writing(self.conversations.engine) as connection:
            turns = self._eraser(connection).thread(key)
        return self._forgotten({key: turns})

    def forget_person(self, person: str) -> Forgotten:
        """Forget a person's turns, what they taught and saved, and their words where others were told them."""
        with writing(self.conversations.engine) as connection:
            eraser = self._eraser(connection)
            said = eraser.said_by(person)
            begun = eraser.begun_by(person)
            gone = {key: eraser.turns(key, turns) for key, turns in begun.items()}
            for key in eraser.quotations(said):
                gone.setdefault(key, [])
            erase(connection, self.results, STATE.c.author == person)
            connection.execute(delete(MODEL_CALL).where(MODEL_CALL.c.user == person))
            names = (VERIFIED.c.asked_by, VERIFIED.c.accepted_by, VERIFIED.c.confirmed_by, VERIFIED.c.objected_by)
            accepted = or_(*(name == person for name in names))
            rulebook.erase(connection, accepted, RULE.c.author == person)
            rulebook.erase_decider(connection, person)
            connection.execute(delete(PREFERENCE).where(PREFERENCE.c.user == person))
            connection.execute(delete(CHANNEL_MOVE).where(CHANNEL_MOVE.c.person == person))
            access.disguise(connection, person)
        return self._forgotten(gone)

    def knows_thread(self, key: ThreadKey) -> bool:
        """Whether anything is kept of a thread: messages, queries or states of graphs."""
        with reading(self.conversations.engine) as connection:
            return threads.find(connection, key) is not None

    def knows_person(self, person: str) -> bool:
        own = (
            select(MESSAGE.c.id).where(MESSAGE.c.author == person, MESSAGE.c.role == "user"),
            select(STATE.c.number).where(STATE.c.author == person),
            select(MODEL_CALL.c.id).where(MODEL_CALL.c.user == person),
            select(PREFERENCE.c.id).where(PREFERENCE.c.user == person),
            select(RULE.c.id).where((RULE.c.author == person) | (RULE.c.decided_by == person)),
            select(VERIFIED.c.id).where((VERIFIED.c.asked_by == person) | (VERIFIED.c.accepted_by == person)),
        )
        with reading(self.conversations.engine) as connection:
            return any(connection.execute(each.limit(1)).first() is not None for each in own)

    def forget_everything(self) -> Forgotten:
        keys = self.conversations.keys()
        with writing(self.conversations.engine) as connection:
            eraser = self._eraser(connection)
            gone = {key: eraser.thread(key) for key in keys}
            erase(connection, self.results, true())
            access.erase(connection, true())
            for table in (TRACE, WORKSPACE, MODEL_CALL, VERIFIED, RULE, PREFERENCE, CHANNEL_MOVE):
                connection.execute(delete(table))
        self.cache.clear()
        return self._forgotten(gone)

    def expire(self, days_of: Callable[[str], float | None], now: datetime) -> Forgotten:
        """Forget turns older than `days_of` gives for their channel; None keeps them."""
        gone: dict[ThreadKey, list[str]] = {}
        for channel in self._channels(ACCESS):
            if (days := days_of(channel)) is not None:
                with writing(self.conversations.engine) as connection:
                    old = (ACCESS.c.channel == channel) & (ACCESS.c.at < now - timedelta(days=days))
                    access.erase(connection, old)
        for channel in self._channels(THREAD):
            if (days := days_of(channel)) is None:
                continue
            with writing(self.conversations.engine) as connection:
                eraser = replace(self._eraser(connection), rules_stay=True)
                ended = eraser.ended_before(now - timedelta(days=days), channel)
                gone |= {key: eraser.turns(key, turns) for key, turns in ended.items()}
        return self._forgotten(gone) if gone else Forgotten((), (), scrubbed=True)

    def _channels(self, table: Table) -> Sequence[str]:
        with reading(self.conversations.engine) as connection:
            return connection.execute(select(table.c.channel).distinct()).scalars().all()

    def _rewrite(self, turn_id: str, content: str, moment: dict[str, datetime]) -> bool:
        size = self.conversations.count.count(content)
        with writing(self.conversations.engine) as connection:
            known = question(connection, turn_id)
            if known is None or (known.content == content and "edited_at" in moment):
                return False
            thread = threads.claim(connection, known.thread)
            own = (MESSAGE.c.turn_id == turn_id) & (MESSAGE.c.part == QUESTION)
            said = {"content": content, "tokens": size.tokens, "exact": size.exact, "remark": remark_of(content)}
            connection.execute(update(MESSAGE).where(own).values(**said, **moment, original=None))
            if not content:
                words = {"question": "", "reading": "", "meaning": None, "reply": "", "options": None}
                connection.execute(update(QUERY).where(QUERY.c.turn_id == turn_id).values(words))
                connection.execute(update(PHRASING).where(PHRASING.c.turn_id == turn_id).values(text=""))
                self.chain.erase(connection, RECEIPT.c.turn_id == turn_id)
                rulebook.erase(connection, VERIFIED.c.turn_id == turn_id, RULE.c.turn_id == turn_id)
                connection.execute(delete(PREFERENCE).where(PREFERENCE.c.turn_id == turn_id))
            self._eraser(connection).mend(thread, known.seq)
        self._scrub([known.thread])
        return True

    def _forgotten(self, gone: Mapping[ThreadKey, list[str]]) -> Forgotten:
        turns = tuple(turn for turns in gone.values() for turn in turns)
        return Forgotten(tuple(gone), turns, self._scrub(gone))

    def _scrub(self, keys: Iterable[ThreadKey]) -> bool:
        for key in keys:
            self.cache.drop(key)
        with writing(self.conversations.engine) as connection:
            self.index.purge(connection)
        return scrub(self.conversations.engine)

    def _eraser(self, connection: Connection) -> Eraser:
        return Eraser(connection, self.results, self.conversations, self.chain)
