"""Measure search over many messages: time, size of the index, and its cost to an append.

Texts draw from thirty thousand words by Zipf's law, as real ones do; all are in SQLite.
"""

import random
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from sqlalchemy import insert, text

from ai.memory.limits import MemoryLimits
from ai.memory.log.database import reading, writing
from ai.memory.log.tables import MESSAGE, THREAD
from ai.memory.search.scope import Scope
from ai.memory_store import MemoryStore, open_memory
from ai.results.store import ResultStore
from ai.types import ThreadKey
from benchmarks.report.rows import Row

IN_THREAD, WORDS, VOCABULARY, TIMES = 100, 20, 30_000, 15
BEGIN = datetime(2025, 1, 1, tzinfo=UTC)
CHANNEL = ("T1", "C7")


def rows(messages: int) -> Iterator[Row]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "state.sqlite"
        memory = open_memory(f"sqlite:///{path}", ResultStore(Path(folder) / "results"), MemoryLimits())
        fill(memory, messages)
        bare = size(memory)
        began = perf_counter()
        memory.search.catch_up()
        yield Row("making the index", perf_counter() - began, "s")
        yield Row("size with the index", size(memory) / 1e6, "MB", {"without it": bare / 1e6})
        yield from searches(memory, messages)
        yield from appends(memory)
        memory.close()


def fill(memory: MemoryStore, messages: int) -> None:
    """Write messages in bulk: a hundred per thread, a hundred threads per channel and day."""
    draw = random.Random(7)
    words = [f"{draw.choice('bcdfgklmnprst')}{number:x}a" for number in range(VOCABULARY)]
    likely = list(accumulate(1 / (rank + 3) for rank in range(VOCABULARY)))
    threads = range(1, messages // IN_THREAD + 1)
    with writing(memory.parts.engine) as connection:
        rows = [
            {"id": n, "team": "T1", "channel": f"C{n % 100}", "thread_ts": f"{n}", "last_seq": IN_THREAD}
            | {"tokens": 0, "cleared_seq": 0, "version": 0}
            for n in threads
        ]
        connection.execute(insert(THREAD), rows)
    for first in range(1, len(threads) + 1, 200):
        with writing(memory.parts.engine) as connection:
            some = [
                message(n, seq, " ".join(draw.choices(words, cum_weights=likely, k=WORDS)))
                for n in range(first, min(first + 200, len(threads) + 1))
                for seq in range(1, IN_THREAD + 1)
            ]
            connection.execute(insert(MESSAGE), some)


def message(thread: int, seq: int, content: str) -> dict[str, Any]:
    turn = f"T1:C{thread % 100}:17{thread:08}.{seq:06}"
    at = BEGIN + timedelta(minutes=thread, seconds=seq)
    rest = {"turn_seq": seq, "turn_id": turn, "part": "question", "role": "user", "author": "U1"}
    return {
        "thread_id": thread,
        "seq": seq,
        "content": content,
        "tokens": 60,
        "cum_tokens": 60 * seq,
        "created_at": at,
    } | rest


def searches(memory: MemoryStore, messages: int) -> Iterator[Row]:
    thread = ThreadKey("T1", f"C{messages // IN_THREAD // 2 % 100}", f"{messages // IN_THREAD // 2}")
    with reading(memory.parts.engine) as connection:
        rows = connection.execute(text("SELECT content FROM message WHERE thread_id IN (7, 77, 107)")).scalars().all()
        own = (
            connection.execute(
                MESSAGE.select()
                .with_only_columns(MESSAGE.c.content)
                .where(MESSAGE.c.thread_id == int(thread.thread_ts))
            )
            .scalars()
            .all()
        )
    draw = random.Random(8)
    common = sorted({word for row in rows for word in row.split()}, key=lambda w: -sum(w in row for row in rows))[:12]
    any_words = [word for row in rows for word in row.split()]
    everywhere, channel = Scope(), Scope(channels=frozenset({CHANNEL}))
    kinds: dict[str, Callable[[], tuple[str, Scope]]] = {
        "in a thread, 3 words": lambda: (" ".join(draw.sample(draw.choice(own).split(), 3)), Scope(thread)),
        "everywhere, 3 words": lambda: (" ".join(draw.sample(any_words, 3)), everywhere),
        "everywhere, 6 common words": lambda: (" ".join(draw.sample(common, 6)), everywhere),
        "in a channel, 3 words": lambda: (" ".join(draw.sample(any_words, 3)), channel),
        "everywhere, 1 word": lambda: (draw.choice(any_words), everywhere),
        "everywhere, a piece of a word": lambda: (draw.choice(any_words)[1:-1] + "a x", everywhere),
        "everywhere, what nobody said": lambda: ("qqqq", everywhere),
    }
    for name, make in kinds.items():
        yield Row(name, 1000 * median(timed(memory, *make()) for _ in range(TIMES)), "ms")


def timed(memory: MemoryStore, wanted: str, scope: Scope) -> float:
    began = perf_counter()
    memory.search.find(wanted, scope)
    return perf_counter() - began


def appends(memory: MemoryStore) -> Iterator[Row]:
    times = []
    with memory.search.keeping_up():
        for number in range(2000):
            began = perf_counter()
            memory.receive(ThreadKey("T1", "C1", "append"), f"append:{number}", "a few more words " * 5, "U1", BEGIN)
            times.append(perf_counter() - began)
    cuts = quantiles(times, n=100)
    yield Row("an append while the index is kept up: median", 1000 * cuts[49], "ms")
    yield Row("an append while the index is kept up: p99", 1000 * cuts[98], "ms")


def size(memory: MemoryStore) -> int:
    with reading(memory.parts.engine) as connection:
        count, free, page = (
            int(connection.execute(text(f"PRAGMA {name}")).scalar_one())
            for name in ("page_count", "freelist_count", "page_size")
        )
        return (count - free) * page
