"""Legal queries that would take all time, memory or disk: each is stopped, and others are answered meanwhile."""

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from time import monotonic
from typing import Any

import pytest

from ai.errors import QueryFailed, QueryTimeout
from ai.sql.database import Database, QueryLimits
from ai.sql.guard import Checked
from tests.databases import Databases
from tests.paths import SHARED_DATA

CORPUS = SHARED_DATA / "guard" / "runtime_public.jsonl"
CASES = [json.loads(line) for line in CORPUS.read_text("utf-8").splitlines()] if CORPUS.is_file() else []
LIMITS = QueryLimits(seconds=2)
ORDERS = "CREATE TABLE orders (id INTEGER PRIMARY KEY); INSERT INTO orders VALUES (1), (2), (3), (4), (5), (6);"
MORE_MEMORY = 300 * 1024  # KiB
SLOW_MACHINE = 5.0  # seconds; on a quiet machine less than one is needed


def taken(database: Database, sql: str) -> int:
    """How many rows came; an error of ours is as good."""
    with database.run(Checked(sql, sql, ())) as stream:
        return sum(map(len, stream.batches))


@pytest.mark.skipif(not CASES, reason=f"the corpus is not at {CORPUS}")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_an_explosive_query_is_stopped_and_others_are_answered(
    case: dict[str, Any], machine: Databases, tmp_path: Path
) -> None:
    before = getrusage(RUSAGE_SELF).ru_maxrss
    with (
        closing(Database("shop", machine.make(case["dialect"], tmp_path, ORDERS), limits=LIMITS)) as database,
        ThreadPoolExecutor(1) as other,
    ):
        assert taken(database, "SELECT 1") == 1
        started = monotonic()
        answers = other.submit(lambda: [taken(database, "SELECT id FROM orders") for _ in range(3)])
        with suppress(QueryTimeout, QueryFailed):
            assert taken(database, case["sql"]) <= LIMITS.rows + 1
        assert monotonic() - started < LIMITS.seconds + SLOW_MACHINE
        assert answers.result() == [6, 6, 6]
        assert taken(database, "SELECT 1") == 1
    assert getrusage(RUSAGE_SELF).ru_maxrss - before < MORE_MEMORY
