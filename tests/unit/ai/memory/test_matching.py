"""Descriptions find the query they mean, or none."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ai.memory.search.matching import match
from ai.types import AnsweredQuery
from tests.cases import cases
from tests.memories import NOON, THREAD
from tests.paths import SHARED_DATA

PARAPHRASES = SHARED_DATA / "match" / "public.jsonl"


def past(number: int, question: str, sql: str) -> AnsweredQuery:
    return AnsweredQuery(
        id=number,
        thread=THREAD,
        turn_id=str(number),
        source="demo",
        question=question,
        sql=sql,
        reading="",
        meaning=None,
        analyst="",
        row_count=1,
        truncated=False,
        headline="",
        result=None,
        elapsed_ms=1,
        created_at=NOON,
    )


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("matches.jsonl")))
def test_a_description_finds_what_it_means(case: dict[str, Any]) -> None:
    asked = [past(number, *line.split(" | ")) for number, line in enumerate(case["asked"])]
    found = match(case["wanted"], asked[::-1])
    assert (found.query and found.query.question) == case["found"]
    assert len(found.candidates) == min(3, len(asked))
    if found.query is not None:
        assert found.candidates[0] == found.query
        assert found.query.sql == case.get("sql", found.query.sql)


@pytest.mark.skipif(not PARAPHRASES.exists(), reason="the shared paraphrases (data/match) are not here")
def test_paraphrases_find_their_query_and_foreign_ones_none() -> None:
    hits: Counter[str] = Counter()
    for item in map(json.loads, PARAPHRASES.read_text("utf-8").splitlines()):
        asked = [past(number, query["question"], query["sql"]) for number, query in enumerate(item["queries"])]
        found = match(item["description"], asked[::-1]).query
        right = None if item["answer"] is None else asked[item["answer"]].sql
        hits[item["kind"]] += (found.sql if found else None) == right
    assert hits["plain"] >= 97
    assert hits["near"] >= 94
    assert hits["absent"] >= 97
