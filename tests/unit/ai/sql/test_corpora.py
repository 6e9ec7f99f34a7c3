"""The guard on other people's queries: the public corpus of attacks, and thousands of queries written for real databases.

The corpora lie beside the project and are not part of it; without them these tests are skipped.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from time import thread_time
from typing import Any

import pytest

from ai.errors import SqlRefused
from ai.sql.catalog import Catalog
from ai.sql.corpus import judge_from
from ai.sql.database import Database
from ai.sql.grammars import OWN
from ai.sql.guard import check
from tests.paths import SHARED_DATA

GUARD = SHARED_DATA / "guard"
QUESTIONS = SHARED_DATA / "nl2sql"
needs_guard_corpus = pytest.mark.skipif(not GUARD.is_dir(), reason="the guard corpus (shared data) is not here")
needs_questions = pytest.mark.skipif(not QUESTIONS.is_dir(), reason="the question corpus (shared data) is not here")


@needs_guard_corpus
@pytest.mark.parametrize("dialect", OWN)
def test_every_attack_of_the_public_corpus_is_refused_and_every_query_let_through(dialect: str) -> None:
    judge = judge_from(dialect, json.loads((GUARD / "policy.json").read_text("utf-8")), None)
    cases = [case for case in _lines(GUARD / "public.jsonl") if case["dialect"] == dialect]
    verdicts = map(json.loads, judge.verdicts(map(json.dumps, cases)))
    wrong = [
        (case["id"], case["why"], v) for case, v in zip(cases, verdicts, strict=True) if v["verdict"] != case["expect"]
    ]
    assert len(cases) >= 44
    assert wrong == []


@needs_questions
def test_queries_for_real_databases_pass_and_give_the_same_rows() -> None:
    """Each tenth query, to stay quick; a query that SQLite itself cannot run is none."""
    asked = {(db, sql): rows for db, sql in sorted(set(_queries()))[::10] if (rows := _rows(db, sql)) is not None}
    runs = {(db, sql): _checked(sql, _catalog(db)) for db, sql in asked}
    assert len(asked) > 250
    assert len([sql for sql in runs.values() if sql is None]) <= 0.02 * len(asked), runs
    assert [key for key, sql in runs.items() if sql and sql != key[1] and _rows(key[0], sql) != asked[key]] == []


@needs_questions
def test_nineteen_of_twenty_queries_are_judged_within_ten_milliseconds_of_work() -> None:
    queries = sorted(set(_queries()))[::20]
    times = sorted(_timed(sql, _catalog(db)) for db, sql in queries)
    assert times[int(len(times) * 0.95)] < 0.010


def _timed(sql: str, catalog: Catalog) -> float:
    start = thread_time()
    _checked(sql, catalog)
    return thread_time() - start


def _checked(sql: str, catalog: Catalog) -> str | None:
    """What would run, or None when the guard refuses."""
    try:
        return check(sql, catalog).sql
    except SqlRefused:
        return None


def _queries() -> Iterator[tuple[str, str]]:
    databases: dict[str, str] = {}
    for file in sorted(QUESTIONS.glob("*.jsonl"), key=lambda path: path.name.startswith("llm_replay")):
        for case in _lines(file):
            databases.setdefault(case["id"], case.get("db", ""))
            gold = case.get("gold_sql") or case.get("sql") or []
            for sql in [gold] if isinstance(gold, str) else gold:
                if databases[case["id"]]:
                    yield databases[case["id"]], sql


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    return (json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip())


@cache
def _catalog(db: str) -> Catalog:
    return Database(db, f"sqlite:///{QUESTIONS / 'db' / db}.sqlite").catalog()


def _rows(db: str, sql: str) -> list[str] | None:
    """The rows as SQLite gives them, in any order; None when it cannot run this."""
    with closing(sqlite3.connect(f"file:{QUESTIONS / 'db' / db}.sqlite?mode=ro", uri=True)) as connection:
        connection.text_factory = bytes
        try:
            return sorted(map(repr, connection.execute(sql)))
        except sqlite3.Error:
            return None
