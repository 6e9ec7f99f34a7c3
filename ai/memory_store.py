"""The whole memory on one page. `ai.memory` knows how things are kept.

Turns use the first half of the methods; seed 004 named the second. A thread is a `ThreadKey`, its text, or a bare
timestamp, a thread of its own. Each call is one transaction, so threads and processes may share a store, and repeating
a write of the same turn and part changes nothing. `memory_store` at the end is the one seed 004 imports.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from threading import Lock
from typing import Any
from uuid import uuid4

from langchain_core.messages import BaseMessage

import config
from ai.errors import NoResult
from ai.memory import seed_results
from ai.memory.areas import Areas, Parts
from ai.memory.facades import ByThread
from ai.memory.keeping.lifecycle import Forgotten
from ai.memory.langchain.chat_history import ThreadHistory
from ai.memory.langchain.messages import as_langchain, compress_messages
from ai.memory.limits import MemoryLimits, composed_aloud
from ai.memory.log import queries
from ai.memory.log.database import open_engine, reading, writing
from ai.memory.log.queries import NewQuery, QueryOrigin
from ai.memory.prompt.cache import cache_at
from ai.memory.prompt.conversation import Conversations, new_turn
from ai.memory.search.matching import Match, match
from ai.results.store import ResultStore, StoredResult
from ai.results.table import ResultTable, Row
from ai.tokens import ANYWHERE, CHARS_PER_TOKEN, RankFiles, TokenCounter
from ai.types import AnsweredQuery, DraftQuery, Json, LoggedMessage, PastQuery, ThreadKey

__all__ = [
    "Forgotten",
    "Match",
    "MemoryStore",
    "QueryOrigin",
    "limits_of",
    "memory_store",
    "open_configured",
    "open_memory",
]

Thread = ThreadKey | str
SEARCHED = 1000  # newest queries of a thread that a description is compared with
NO_LONGER_KEPT = "The rows of that result are no longer kept; ask the question again to get them anew."


class MemoryStore(Areas):
    """The memory of one store: conversations, queries, the rows of their results, and the areas that `Areas` names."""

    def __init__(self, parts: Parts) -> None:
        self._opened = parts

    @property
    def parts(self) -> Parts:
        """What this memory is made of."""
        return self._opened

    def close(self) -> None:
        self.parts.engine.dispose()

    # What turns use

    def receive(self, thread: Thread, turn_id: str, content: str, author: str, at: datetime) -> bool:
        """Log the question that begins a turn, said at the moment `at`. False when it is logged already."""
        return self.parts.conversations.ask(ThreadKey.of(thread), turn_id, content, author, at)

    def question(self, turn_id: str) -> LoggedMessage | None:
        """The question of a turn, None when it was never logged."""
        return self.parts.conversations.question(turn_id)

    def knows(self, thread: Thread) -> bool:
        """Whether anything was ever said in the thread."""
        return self.parts.conversations.knows(ThreadKey.of(thread))

    def history(self, thread: Thread, before_turn: str | None = None) -> tuple[LoggedMessage, ...]:
        """Return the view of the thread, oldest turn first; folded turns are lines whose `turn_id` is a handle `mem://…`."""
        return self.parts.conversations.view(ThreadKey.of(thread), before_turn)

    def add_reply(self, thread: Thread, turn_id: str, content: str, part: str = "reply") -> None:
        """Log a part of the answer of a turn, once."""
        self.parts.conversations.reply(ThreadKey.of(thread), turn_id, content, part)

    def save_query(
        self, origin: QueryOrigin, sql: str, reading: str = "", meaning: Json = None, *, ran: bool = False
    ) -> int:
        """Keep SQL and return its number; every `save_…` returns the earlier number of a part kept already."""
        return self._save(origin, NewQuery("ok" if ran else "draft", sql, reading, meaning))

    def save_question_back(self, origin: QueryOrigin, text: str, options: Sequence[str]) -> int:
        """Keep a question back and return its number."""
        return self._save(origin, NewQuery("asked", reply=text, options=options))

    def save_refusal(self, origin: QueryOrigin, reason: str, suggestions: Sequence[str]) -> int:
        """Keep a refusal and return its number."""
        return self._save(origin, NewQuery("declined", reply=reason, options=suggestions))

    def _save(self, origin: QueryOrigin, new: NewQuery) -> int:
        with writing(self.parts.engine) as connection:
            return queries.save(connection, origin, new)

    def finish_query(self, query_id: int, stored: StoredResult, elapsed_ms: int, headline: str) -> None:
        """Note that a query ran, and drop rows beyond the newest ten results of its thread."""
        parts = self.parts
        with writing(parts.engine) as connection:
            queries.finish(connection, query_id, stored, elapsed_ms, headline)
            queries.drop_bodies(connection, parts.results, query_id, parts.limits.queries, parts.limits.result_bytes)

    def fail_query(self, query_id: int, detail: str) -> None:
        """Note that a query did not run to its end; `detail` is for the log and for repair."""
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
        """The queries of the thread that ran, newest first; with `before_turn` only those of earlier turns."""
        with reading(self.parts.engine) as connection:
            return queries.answered(connection, ThreadKey.of(thread), limit, before_turn)

    def find_query(self, thread: Thread, description: str | None) -> Match:
        """Match a description, the last query for None; without a clear match, give the closest three as candidates."""
        return match(description, self.queries(thread, SEARCHED))

    def result(self, query: AnsweredQuery) -> ResultTable:
        """The first rows of a query's result; NoResult when they are no longer kept."""
        return self.parts.results.head(_kept(query))

    def result_batches(self, query: AnsweredQuery) -> Iterator[list[Row]]:
        """All rows of a query's result, a few thousand at a time; NoResult when they are no longer kept."""
        return self.parts.results.batches(_kept(query))

    # Seed 004, under its own names

    @property
    def _store(self) -> Mapping[str, ThreadHistory]:
        """Every thread's history by its name."""
        return ByThread(self.parts.conversations.keys, lambda key: self.get_memory(key) if self.knows(key) else None)

    @property
    def _sql_queries(self) -> Mapping[str, list[dict[str, Any]]]:
        """Every thread's queries by its name."""
        return ByThread(self.parts.conversations.keys, lambda key: self.get_sql_queries(key) or None)

    def get_memory(self, thread_ts: Thread) -> ThreadHistory:
        """The history of a thread, with the surface of LangChain's chat histories."""
        return ThreadHistory(self, ThreadKey.of(thread_ts))

    def add_user_message(self, thread_ts: Thread, content: str) -> None:
        """Log what a person said; the view is trimmed with it."""
        self.receive(thread_ts, new_turn(), content, "user", datetime.now(UTC))

    def add_assistant_message(self, thread_ts: Thread, content: str) -> None:
        """Log what the bot said to the newest question; the view is trimmed with it."""
        conversations, key = self.parts.conversations, ThreadKey.of(thread_ts)
        conversations.reply(key, conversations.latest_turn(key), content, f"reply-{uuid4()}")

    def get_messages(self, thread_ts: Thread) -> list[BaseMessage]:
        """The view of the thread; summaries are HumanMessages with `additional_kwargs["memory"] == "summary"`."""
        return [as_langchain(message) for message in self.history(thread_ts)]

    def clear(self, thread_ts: Thread) -> None:
        """Begin the view of the thread anew. The log keeps everything."""
        self.parts.conversations.clear(ThreadKey.of(thread_ts))

    def store_sql_query(
        self, thread_ts: Thread, sql_query: str, question: str, results: dict[str, Any] | None = None
    ) -> None:
        """Keep a query, and its rows when `results` is `{"success": True, "data": [{column: value}]}`."""
        key = ThreadKey.of(thread_ts)
        turn, part = self.parts.conversations.latest_turn(key), f"query-{uuid4()}"
        succeeded = results is None or bool(results.get("success", True))
        origin = QueryOrigin(key, turn, part, "", question, "")
        query_id = self._save(origin, NewQuery("ok" if succeeded else "failed", sql_query))
        if results is not None and succeeded:
            stored, headline = seed_results.keep(self.parts.results, f"q{query_id}", results.get("data", []))
            self.finish_query(query_id, stored, 0, headline)

    def get_sql_queries(self, thread_ts: Thread) -> list[dict[str, Any]]:
        """The last ten queries that ran, oldest first: `sql`, `question`, `results`, `timestamp`."""
        return [self.seed_entry(query) for query in reversed(self.queries(thread_ts, self.parts.limits.queries))]

    def get_last_sql_query(self, thread_ts: Thread) -> dict[str, Any] | None:
        """The last query that ran."""
        last = self.queries(thread_ts, 1)
        return self.seed_entry(last[0]) if last else None

    def get_last_query_results(self, thread_ts: Thread) -> dict[str, Any] | None:
        """The results of the last query that ran; None when it had none or they are no longer kept."""
        last = self.get_last_sql_query(thread_ts)
        return None if last is None else last["results"]

    def seed_entry(self, query: AnsweredQuery) -> dict[str, Any]:
        """A query as seed 004 writes it, with all its rows in memory; `result_batches` streams them."""
        results = None
        if query.result is not None:
            rows = (row for batch in self.result_batches(query) for row in batch)
            results = seed_results.as_results(self.result(query).columns, rows)
        timestamp = query.created_at.isoformat()
        return {"sql": query.sql, "question": query.question, "results": results, "timestamp": timestamp}

    def _trim_messages(self, thread_ts: Thread) -> None:
        """Fold the oldest turns when the view is over its limits. Every write has done so already."""
        self.parts.conversations.trim(ThreadKey.of(thread_ts))

    def _compress_old_messages(
        self, thread_ts: Thread, messages: Sequence[BaseMessage], keep_recent: int = 5
    ) -> list[BaseMessage]:
        """Any messages with the turns before the last `keep_recent` ones in a line each, with what queries found."""
        past = self.queries(thread_ts, SEARCHED)
        facts = {query.question: queries.fact(query.id, query.row_count, query.headline) for query in reversed(past)}
        return compress_messages(messages, keep_recent, facts)

    def _estimate_tokens(self, text: str) -> int:
        """The rough size of a text. Nothing of ours relies on it: messages are counted exactly."""
        return len(text) // CHARS_PER_TOKEN

    def _estimate_message_tokens(self, messages: Sequence[BaseMessage]) -> int:
        """The rough size of messages."""
        return sum(self._estimate_tokens(str(message.text)) for message in messages)


class SharedMemory(MemoryStore):
    """The memory that is bound to it; unbound, the one that the settings name, opened at the first call."""

    def __init__(self) -> None:
        self._bound: MemoryStore | None = None
        self._lock = Lock()

    @contextmanager
    def bind(self, store: MemoryStore) -> Iterator[None]:
        """Stand for `store` inside the block."""
        before, self._bound = self._bound, store
        try:
            yield
        finally:
            self._bound = before

    @property
    def parts(self) -> Parts:
        """Those of the memory that is meant."""
        with self._lock:
            if self._bound is None:
                self._bound = open_configured(config.load())
            return self._bound.parts


def open_memory(
    state_url: str, results: ResultStore, limits: MemoryLimits, redis: str | None = None, ranks: RankFiles = ANYWHERE
) -> MemoryStore:
    """Open a memory, or make it; on SQLite leave Redis alone, which is slower. Raises ConfigError, SourceUnavailable."""
    limits, engine = composed_aloud(limits), open_engine(state_url)
    cache = cache_at(redis if engine.dialect.name == "postgresql" else None)
    return MemoryStore(Parts(engine, results, Conversations(engine, limits, TokenCounter(files=ranks)), limits, cache))


def limits_of(settings: config.Settings) -> MemoryLimits:
    """The limits that the settings name."""
    return MemoryLimits(
        max_messages=settings.max_messages_per_thread,
        max_tokens=settings.max_conversation_tokens,
        trigger_ratio=settings.compression_trigger_ratio,
        keep_recent=settings.keep_recent_messages,
        queries=settings.queries_per_thread,
        result_bytes=settings.thread_bytes,
        window=settings.context_window_tokens,
        ceiling=settings.active_context_tokens,
        model=settings.model_context_tokens,
    )


def open_configured(settings: config.Settings) -> MemoryStore:
    """The memory that the settings name."""
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    results = ResultStore(settings.data_dir / "results")
    ranks = RankFiles(settings.tiktoken_cache_dir, settings.tiktoken_download_url)
    return open_memory(settings.state, results, limits_of(settings), settings.redis, ranks)


def _kept(query: AnsweredQuery) -> str:
    if query.result is None:
        raise NoResult(NO_LONGER_KEPT)
    return query.result


memory_store = SharedMemory()
