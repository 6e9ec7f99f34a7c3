"""The memory: everything the bot remembers goes in and comes out here.

Each call is one transaction; repeating a write of the same turn and part changes nothing. Areas (search, archives, …)
are objects of their own.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from threading import Lock
from typing import TYPE_CHECKING

import config
from ai.errors import MissingExtra, NoResult
from ai.memory.archives import Archives
from ai.memory.compatible import NEWEST_QUERIES, CompatibleNames, Thread
from ai.memory.embeddings import Encoder, encoder_at
from ai.memory.keeping import AccessEntry, AccessLog, Forgotten, Lifecycle, Outcome, as_json, as_markdown
from ai.memory.learned import Preferences, Rulebook, VerifiedAnswers
from ai.memory.limits import SETTINGS, MemoryLimits
from ai.memory.log import queries
from ai.memory.log.answers import Answers
from ai.memory.log.database import reading, writing
from ai.memory.log.lines import LineMark, LineMarks
from ai.memory.log.moves import ChannelMoves
from ai.memory.log.queries import NewQuery, QueryOrigin
from ai.memory.log.questions import AskedQuestions
from ai.memory.log.spending import Spending
from ai.memory.opening import Parts, ResultsOn, open_parts, results_at
from ai.memory.prompt import Summaries, ThreadPrompt
from ai.memory.seals import Chain, Receipts, chain_at
from ai.memory.search import Match, Recollections, Search, Transcripts, index_of, match
from ai.memory.views import Windows
from ai.memory.workspaces import States, Traces, Workspaces
from ai.results.store import ResultStore, StoredResult
from ai.results.table import ResultTable
from ai.tokens import ANYWHERE, RankFiles
from ai.types import PLAIN, AnsweredQuery, DraftQuery, Json, LoggedMessage, PastQuery, QuestionDetails, ThreadKey

if TYPE_CHECKING:
    from ai.memory.langchain.checkpointer import ThreadCheckpointer

__all__ = ["AccessEntry", "AccessLog", "ChannelMoves", "Forgotten", "LineMark", "LineMarks", "Match", "MemoryStore"]
__all__ += ["Outcome", "QueryOrigin", "as_json", "as_markdown"]
__all__ += ["limits_of", "memory_store", "open_configured", "open_memory", "open_with"]

NO_LONGER_KEPT = "The rows of that result are no longer kept; ask the question again to get them anew."


class MemoryStore(CompatibleNames):
    """A memory over its parts; without any, the configured one."""

    def __init__(self, parts: Parts | None = None) -> None:
        self._opened = open_configured(config.load()).parts if parts is None else parts

    @property
    def parts(self) -> Parts:
        return self._opened

    def close(self) -> None:
        self.parts.engine.dispose()

    def receive(
        self, thread: Thread, turn_id: str, content: str, author: str, at: datetime, more: QuestionDetails = PLAIN
    ) -> bool:
        """Log the question that begins a turn; return False if it is logged already."""
        return self.parts.conversations.ask(ThreadKey.of(thread), turn_id, content, author, at, more)

    def question(self, turn_id: str, *, taken_back: bool = False) -> LoggedMessage | None:
        return self.parts.conversations.question(turn_id, taken_back=taken_back)

    def knows(self, thread: Thread) -> bool:
        return self.parts.conversations.knows(ThreadKey.of(thread))

    def history(self, thread: Thread, before_turn: str | None = None) -> tuple[LoggedMessage, ...]:
        """Return the view of a thread, or the view before a turn, oldest first.

        Folded turns are lines with the handle `mem://…` as `turn_id`.
        """
        return self.parts.conversations.view(ThreadKey.of(thread), before_turn)

    def add_reply(self, thread: Thread, turn_id: str, content: str, part: str = "reply") -> bool:
        return self.parts.conversations.reply(ThreadKey.of(thread), turn_id, content, part)

    def add_sealed_reply(self, thread: Thread, turn_id: str, content: str, fields: dict[str, Json]) -> None:
        """Log an answer and seal its receipt, in one transaction."""
        with self.receipts.sealing(turn_id, fields) as seal:
            self.parts.conversations.reply(ThreadKey.of(thread), turn_id, content, "reply", also=seal)

    def save_query(
        self, origin: QueryOrigin, sql: str, reading: str = "", meaning: Json = None, *, ran: bool = False
    ) -> int:
        """Keep SQL and return its number; every `save_…` returns the earlier number of a part kept already."""
        return self._save(origin, NewQuery("ok" if ran else "draft", sql, reading, meaning))

    def save_question_back(self, origin: QueryOrigin, text: str, options: Sequence[str]) -> int:
        return self._save(origin, NewQuery("asked", reply=text, options=options))

    def save_refusal(self, origin: QueryOrigin, reason: str, suggestions: Sequence[str]) -> int:
        return self._save(origin, NewQuery("declined", reply=reason, options=suggestions))

    def _save(self, origin: QueryOrigin, new: NewQuery) -> int:
        with writing(self.parts.engine) as connection:
            return queries.save(connection, origin, new)

    def finish_query(self, query_id: int, stored: StoredResult, elapsed_ms: int, headline: str) -> None:
        """Record stored rows, and drop those beyond the thread's newest ten queries."""
        parts = self.parts
        with writing(parts.engine) as connection:
            queries.finish(connection, query_id, stored, elapsed_ms, headline)
            queries.drop_bodies(connection, parts.results, query_id, parts.limits.queries, parts.limits.result_bytes)

    def fail_query(self, query_id: int, detail: str) -> None:
        with writing(self.parts.engine) as connection:
            queries.fail(connection, query_id, detail)

    def outcome(self, query_id: int) -> PastQuery | DraftQuery:
        """Return whatever is kept under this number. Raises NoResult."""
        with reading(self.parts.engine) as connection:
            return queries.one(connection, query_id)

    def query(self, query_id: int) -> AnsweredQuery:
        """Return the query of this number. Raises NoResult, also for one that did not run."""
        if isinstance(found := self.outcome(query_id), AnsweredQuery):
            return found
        raise NoResult(f"q{query_id} gave no result; ask the question again.")

    def queries(self, thread: Thread, limit: int = 10, before_turn: str | None = None) -> tuple[AnsweredQuery, ...]:
        """Return the thread's successful queries, newest first, or those before a turn."""
        with reading(self.parts.engine) as connection:
            return queries.answered(connection, ThreadKey.of(thread), limit, before_turn)

    def turn_queries(self, turn_id: str) -> tuple[PastQuery | DraftQuery, ...]:
        """Return everything written down for a turn, oldest first."""
        with reading(self.parts.engine) as connection:
            return queries.of_turn(connection, turn_id)

    def find_query(self, thread: Thread, description: str | None) -> Match:
        """Find the described query; None and "the last query" mean the last one."""
        return match(description, self.queries(thread, NEWEST_QUERIES))

    def result(self, query: AnsweredQuery) -> ResultTable:
        """Return the first rows of a query. NoResult when they are no longer kept."""
        if query.result is None:
            raise NoResult(NO_LONGER_KEPT)
        return self.parts.results.head(query.result)

    def checkpointer(self) -> "ThreadCheckpointer":
        """Return a checkpointer for LangGraph's graphs. ConfigError without the extra `langgraph`."""
        try:
            from ai.memory.langchain.checkpointer import ThreadCheckpointer
        except ModuleNotFoundError:
            raise MissingExtra("LangGraph", "langgraph") from None
        return ThreadCheckpointer(self.parts.engine)

    # Areas, made when asked for: they hold nothing but where things are kept

    @property
    def windows(self) -> Windows:
        return Windows(self.parts.conversations, self.parts.cache)

    @property
    def prompt(self) -> ThreadPrompt:
        return ThreadPrompt(self.parts.conversations, self.windows, self.search)

    @property
    def summaries(self) -> Summaries:
        return Summaries(self.parts.conversations)

    @property
    def answers(self) -> Answers:
        return Answers(self.parts.engine)

    @property
    def receipts(self) -> Receipts:
        return Receipts(self.parts.engine, self.parts.chain)

    @property
    def archives(self) -> Archives:
        return Archives(self.parts.conversations)

    @property
    def lifecycle(self) -> Lifecycle:
        parts = self.parts
        return Lifecycle(parts.conversations, parts.results, parts.cache, index_of(parts.engine), parts.chain)

    @property
    def workspaces(self) -> Workspaces:
        return Workspaces(self.parts.engine)

    @property
    def states(self) -> States:
        return States(self.parts.engine, self.parts.results, self.workspaces)

    @property
    def traces(self) -> Traces:
        return Traces(self.parts.engine, self.workspaces, self.parts.conversations.count)

    @property
    def asked(self) -> AskedQuestions:
        return AskedQuestions(self.parts.engine)

    @property
    def lines(self) -> LineMarks:
        return LineMarks(self.parts.engine)

    @property
    def access(self) -> AccessLog:
        return AccessLog(self.parts.engine)

    @property
    def moves(self) -> ChannelMoves:
        return ChannelMoves(self.parts.engine)

    @property
    def spending(self) -> Spending:
        return Spending(self.parts.engine)

    @property
    def transcripts(self) -> Transcripts:
        return Transcripts(self.parts.engine, self.search)

    @property
    def search(self) -> Search:
        return Search(self.parts.engine, index_of(self.parts.engine), vectors=self.parts.vectors)

    @property
    def recollections(self) -> Recollections:
        return Recollections(self.search, self.workspaces)

    @property
    def verified(self) -> VerifiedAnswers:
        return VerifiedAnswers(self.parts.engine)

    @property
    def preferences(self) -> Preferences:
        return Preferences(self.parts.engine)

    @property
    def rules(self) -> Rulebook:
        return Rulebook(self.parts.engine)


class SharedMemory(MemoryStore):
    """The memory bound to it; unbound, the configured one, opened at the first call."""

    def __init__(self) -> None:
        self._bound: MemoryStore | None = None
        self._lock = Lock()

    @contextmanager
    def bind(self, store: MemoryStore) -> Iterator[None]:
        before, self._bound = self._bound, store
        try:
            yield
        finally:
            self._bound = before

    @property
    def parts(self) -> Parts:
        with self._lock:
            if self._bound is None:
                self._bound = open_configured(config.load())
            return self._bound.parts


def open_memory(
    state_url: str,
    results: ResultStore | ResultsOn,
    limits: MemoryLimits,
    redis: str | None = None,
    ranks: RankFiles = ANYWHERE,
    encoder: Encoder | None = None,
    chain: Chain | None = None,
) -> MemoryStore:
    """Open the memory at a URL. ConfigError or SourceUnavailable. Without `chain` seals have a key of this process."""
    return MemoryStore(open_parts(state_url, results, limits, redis, ranks, encoder, chain))


def limits_of(settings: config.Settings) -> MemoryLimits:
    return MemoryLimits(**{name: getattr(settings, setting) for name, setting in SETTINGS.items()})


def open_configured(settings: config.Settings) -> MemoryStore:
    settings.make_data_dir()
    return open_with(settings)


def open_with(settings: config.Settings) -> MemoryStore:
    """Open the configured memory in a folder that is there. ConfigError or SourceUnavailable."""
    ranks = RankFiles(settings.tiktoken_cache_dir, settings.tiktoken_download_url)
    encoder = encoder_at(settings.embedding_model, settings.embedding_floor)
    chain = chain_at(settings.receipt_key_file, settings.data_dir, settings.state)
    place, root = settings.results_store, settings.data_dir / "results"
    results = results_at(place, root, settings.results_bytes, settings.results_days)
    return open_memory(settings.state, results, limits_of(settings), settings.redis, ranks, encoder, chain)


memory_store = SharedMemory()
