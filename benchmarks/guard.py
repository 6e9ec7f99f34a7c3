"""Time the guard per query, by dialect, over the public corpus and ours.
Wall time beside own work (of the thread) shows what the machine did meanwhile.
"""

import gc
import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from statistics import quantiles
from time import perf_counter, thread_time

from ai.errors import SqlRefused
from ai.sql.corpus import judge_from
from ai.sql.grammars import OWN, grammar_of
from ai.sql.guard import check
from benchmarks.report.rows import Row
from tests.paths import ROOT, SHARED_DATA

OWN_WORK = 5.0  # ms, on a busy machine
OURS = ROOT / "tests" / "unit" / "ai" / "sql" / "corpora"


def queries(dialect: str) -> Iterator[tuple[Path, str]]:
    public, policy = SHARED_DATA / "guard" / "public.jsonl", SHARED_DATA / "guard" / "policy.json"
    if public.exists():
        cases = map(json.loads, public.read_text("utf-8").splitlines())
        yield from ((policy, case["sql"]) for case in cases if case["dialect"] == dialect)
    for name in ("common", dialect):
        parts = (OURS / f"{name}.sql").read_text("utf-8").split(";\n")
        yield from ((OURS / "policy.json", sql) for sql in parts if sql.strip())


def measured(dialect: str, rounds: int) -> tuple[float, list[float], list[float]]:
    """Return milliseconds of the first query and of every later one, by the clock and by thread time."""
    policies = {policy for policy, _ in queries(dialect)}
    judges = {policy: judge_from(dialect, json.loads(policy.read_text("utf-8")), None) for policy in policies}
    wall: list[float] = []
    work: list[float] = []
    for _ in range(rounds):
        for policy, sql in queries(dialect):
            judge = judges[policy]
            started, own = perf_counter(), thread_time()
            with suppress(SqlRefused):
                check(sql, judge.catalog, judge.rights)
            wall.append((perf_counter() - started) * 1000)
            work.append((thread_time() - own) * 1000)
    return wall[0], wall[1:], work[1:]


def rows(rounds: int) -> Iterator[Row]:
    for dialect, grammar in zip(OWN, map(grammar_of, OWN), strict=True):
        gc.collect()
        first, wall, work = measured(dialect, rounds)
        cuts, own = quantiles(wall, n=100), quantiles(work, n=100)
        yield Row(f"{grammar.label}: the first query, which builds the grammar", first, "ms")
        yield Row(f"{grammar.label}: median", cuts[49], "ms")
        yield Row(f"{grammar.label}: own work at the 95th percentile", own[94], "ms", limit=OWN_WORK)
