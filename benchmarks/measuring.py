"""Texts, medians and bytes for the memory benchmarks, ours and the peers'. Standard library only."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from statistics import median
from time import perf_counter

TEXT = "The revenue of the paid iOS apps in Germany was 1,204.50 EUR in March, 12 % more than in February. " * 4
BUDGET = 8_000


def measured(step: Callable[[int], object], times: int) -> float:
    taken = []
    for number in range(times):
        started = perf_counter()
        step(number)
        taken.append(perf_counter() - started)
    return median(taken) * 1e6


def turns(append: Callable[[int], object], window: Callable[[], object], times: int) -> tuple[float, float]:
    appended, read = [], []
    for number in range(times):
        started = perf_counter()
        append(number)
        between = perf_counter()
        window()
        appended.append(between - started)
        read.append(perf_counter() - between)
    return median(appended) * 1e6, median(read) * 1e6


def stored_bytes(folder: Path) -> int:
    """Return the bytes of a folder; write-ahead logs count as what they add to their database."""
    total = 0
    for file in folder.rglob("*"):
        if not file.is_file() or file.name.endswith(("-wal", "-shm")):
            continue
        with file.open("rb") as content:
            is_sqlite = content.read(15) == b"SQLite format 3"
        if is_sqlite:
            with closing(sqlite3.connect(file)) as database:
                pages, size = (database.execute(f"PRAGMA page_{each}").fetchone()[0] for each in ("count", "size"))
            total += pages * size
        else:
            total += file.stat().st_size
    return total


def written_bytes() -> int:
    return int(
        next(line for line in Path("/proc/self/io").read_text().splitlines() if line.startswith("wchar")).split()[1]
    )
