"""The names the seed documents promise (`MEMORY.md`), read through to the memory. Nothing is kept here."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from uuid import uuid4

from ai.memory.log import queries
from ai.memory.log.database import reading, writing
from ai.memory.log.queries import NewQuery, QueryOrigin
from ai.memory.opening import Parts
from ai.memory.views.conversation import new_turn
from ai.results.store import ResultStore, StoredResult
from ai.results.table import ResultColumn, Row, titles
from ai.types import AnsweredQuery, QuestionDetails, ThreadKey

if TYPE_CHECKING:  # a third of a second to load, and no turn of ours needs it
    from langchain_core.messages import BaseMessage

    from ai.memory.langchain import ThreadHistory

T = TypeVar("T")
Thread = ThreadKey | str
NEWEST_QUERIES = 1000  # of a thread, compared with a description
CHARS_PER_TOKEN = 4  # of seeds 000 and 004: a rough rule, the product counts exactly
ROWS, BYTES = 100_000, 100 * 2**20  # most of a result


@dataclass(frozen=True)
class ByThread(Mapping[str, T], Generic[T]):
    """A read-only mapping of threads; a thread without anything is not in it."""

    keys_now: Callable[[], Iterable[ThreadKey]]
    read: Callable[[ThreadKey], T | None]

    def __getitem__(self, name: str) -> T:
        found = self.read(ThreadKey.of(name))
        if found is None:
            raise KeyError(name)
        return found

    def __iter__(self) -> Iterator[str]:
        return (name_of(key) for key in self.keys_now() if self.read(key) is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def name_of(key: ThreadKey) -> str:
    """Return the name of a thread: a bare timestamp where seed 004 gave only that."""
    return str(key) if key.team or key.channel else key.thread_ts


class CompatibleNames(ABC):
    """The methods of seed 004, over the parts of a memory."""

    @property
    @abstractmethod
    def parts(self) -> Parts: ...

    @abstractmethod
    def finish_query(self, query_id: int, stored: StoredResult, elapsed_ms: int, headline: str) -> None: ...

    @property
    def _store(self) -> "Mapping[str, ThreadHistory]":
        return ByThread(
            self.parts.conversations.keys,
            lambda key: self.get_memory(key) if self.parts.conversations.knows(key) else None,
        )

    @property
    def _sql_queries(self) -> Mapping[str, list[dict[str, Any]]]:
        return ByThread(self.parts.conversations.keys, lambda key: self.get_sql_queries(key) or None)

    def get_memory(self, thread_ts: Thread) -> "ThreadHistory":
        from ai.memory.langchain import ThreadHistory

        return ThreadHistory(self, ThreadKey.of(thread_ts))

    def add_user_message(self, thread_ts: Thread, content: str) -> None:
        self.parts.conversations.ask(ThreadKey.of(thread_ts), new_turn(), content, "user", datetime.now(UTC))

    def add_assistant_message(self, thread_ts: Thread, content: str) -> None:
        conversations, key = self.parts.conversations, ThreadKey.of(thread_ts)
        conversations.reply(key, conversations.latest_turn(key), content, f"reply-{uuid4()}")

    def add_message(self, thread_ts: Thread, message: "BaseMessage") -> None:
        """Log a message of any kind; all but a human's belong to the newest turn."""
        from ai.memory.langchain import original_of

        conversations, key = self.parts.conversations, ThreadKey.of(thread_ts)
        text, original = str(message.text), original_of(message)
        if message.type == "human":
            conversations.ask(key, new_turn(), text, "user", datetime.now(UTC), QuestionDetails(original=original))
        else:
            conversations.reply(key, conversations.latest_turn(key), text, f"reply-{uuid4()}", original)

    def get_messages(self, thread_ts: Thread) -> "list[BaseMessage]":
        """Return the view; summaries are HumanMessages with `additional_kwargs["memory"] == "summary"`."""
        from ai.memory.langchain import as_langchain, originals

        key = ThreadKey.of(thread_ts)
        shown = self.parts.conversations.view(key)
        with reading(self.parts.engine) as connection:
            kept = originals(connection, key, min((message.seq for message in shown), default=0))
        return [as_langchain(message, kept.get(message.seq)) for message in shown]

    def clear(self, thread_ts: Thread) -> None:
        self.parts.conversations.clear(ThreadKey.of(thread_ts))

    def store_sql_query(
        self, thread_ts: Thread, sql_query: str, question: str, results: dict[str, Any] | None = None
    ) -> None:
        """Keep a query, and its rows when `results` is `{"success": True, "data": [{column: value}]}`."""
        key = ThreadKey.of(thread_ts)
        turn, part = self.parts.conversations.latest_turn(key), f"query-{uuid4()}"
        succeeded = results is None or bool(results.get("success", True))
        origin, new = (
            QueryOrigin(key, turn, part, "", question, ""),
            NewQuery("ok" if succeeded else "failed", sql_query),
        )
        with writing(self.parts.engine) as connection:
            query_id = queries.save(connection, origin, new)
        if results is not None and succeeded:
            stored, headline = store_rows(self.parts.results, f"q{query_id}", results.get("data", []))
            self.finish_query(query_id, stored, 0, headline)

    def get_sql_queries(self, thread_ts: Thread) -> list[dict[str, Any]]:
        """Return the last ten successful queries, oldest first: `sql`, `question`, `results`, `timestamp`."""
        return [self.query_entry(query) for query in reversed(self._newest(thread_ts, self.parts.limits.queries))]

    def get_last_sql_query(self, thread_ts: Thread) -> dict[str, Any] | None:
        last = self._newest(thread_ts, 1)
        return self.query_entry(last[0]) if last else None

    def get_last_query_results(self, thread_ts: Thread) -> dict[str, Any] | None:
        last = self.get_last_sql_query(thread_ts)
        return None if last is None else last["results"]

    def query_entry(self, query: AnsweredQuery) -> dict[str, Any]:
        results, found = self.parts.results, None
        if query.result is not None:
            rows = (row for batch in results.batches(query.result) for row in batch)
            found = as_results(results.head(query.result).columns, rows)
        timestamp = query.created_at.isoformat()
        return {"sql": query.sql, "question": query.question, "results": found, "timestamp": timestamp}

    def _trim_messages(self, thread_ts: Thread) -> None:
        """Fold the oldest turns of an oversized view. Every write has done so already."""
        self.parts.conversations.trim(ThreadKey.of(thread_ts))

    def _compress_old_messages(
        self, thread_ts: Thread, messages: "Sequence[BaseMessage]", keep_recent: int = 5
    ) -> "list[BaseMessage]":
        from ai.memory.langchain import compress_messages

        past = self._newest(thread_ts, NEWEST_QUERIES)
        facts = {query.question: queries.fact(query.id, query.row_count, query.headline) for query in reversed(past)}
        return compress_messages(messages, keep_recent, facts)

    def _estimate_tokens(self, text: str) -> int:
        """Return the rough size of a text. The product counts exactly instead."""
        return len(text) // CHARS_PER_TOKEN

    def _estimate_message_tokens(self, messages: "Sequence[BaseMessage]") -> int:
        return sum(self._estimate_tokens(str(message.text)) for message in messages)

    def _newest(self, thread: Thread, limit: int) -> tuple[AnsweredQuery, ...]:
        with reading(self.parts.engine) as connection:
            return queries.answered(connection, ThreadKey.of(thread), limit)


def columns_of(data: Sequence[Mapping[str, Any]]) -> tuple[ResultColumn, ...]:
    return tuple(ResultColumn(name) for name in dict.fromkeys(key for row in data for key in row))


def rows_of(data: Sequence[Mapping[str, Any]], columns: Sequence[ResultColumn]) -> list[Row]:
    return [tuple(row.get(column.name) for column in columns) for row in data]


def headline(rows: Sequence[Row]) -> str:
    return str(rows[0][0]) if [len(row) for row in rows] == [1] else ""


def store_rows(results: ResultStore, handle: str, data: Sequence[Mapping[str, Any]]) -> tuple[StoredResult, str]:
    columns = columns_of(data)
    rows = rows_of(data, columns)
    return results.write(handle, columns, [rows], max_rows=ROWS, max_bytes=BYTES), headline(rows)


def as_results(columns: Sequence[ResultColumn], rows: Iterable[Row]) -> dict[str, Any]:
    """Return rows as seed 004 writes them. The second of two columns named `name` becomes `name_2`."""
    names = titles(columns)
    return {"success": True, "data": [dict(zip(names, row, strict=True)) for row in rows]}
