"""Sets of JSON lines for `datathread match` and `datathread recall`: their answers, and a sentence for a bad line."""

import json
from pathlib import Path
from typing import Any

import pytest

from ai.errors import UserError
from ai.memory.corpora import matched, recalled
from tests.cases import cases

DOCS = [
    {"thread": "1", "id": "a", "author": "Ana", "at": "2026-01-01", "text": "The warehouse is in Lyon."},
    {"thread": "1", "id": "b", "author": "Ben", "at": "2026-01-02T10:00:00+01:00", "text": "Lunch is at noon."},
    {"thread": "2", "id": "c", "author": "Ana", "at": "2026-01-03", "text": "Another warehouse is in Bonn."},
]
QUESTIONS = [
    {"id": "where", "thread": "1", "text": "Where is the warehouse?"},
    {"id": "who", "thread": "2", "text": "Which warehouse?"},
    {"id": "when", "thread": "3", "text": "Lunch?"},
]
APPS, USERS = {"question": "how many apps?", "sql": "SELECT 1"}, {"question": "how many users?", "sql": "SELECT 2"}
ITEMS = [
    {"id": 7, "queries": [APPS, USERS], "description": "the one about apps"},
    {"id": 8, "queries": [APPS, USERS], "description": "the last query"},
    {"id": 9, "queries": [], "description": "the last query"},
]


def kept(folder: Path, name: str, lines: list[Any]) -> Path:
    path = folder / f"{name}.jsonl"
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines), "utf-8")
    return path


def test_the_meant_query_and_the_closest_are_told(tmp_path: Path) -> None:
    assert list(matched(kept(tmp_path, "items", ITEMS))) == [
        {"id": 7, "index": 0, "top": [0, 1]},
        {"id": 8, "index": 1, "top": [1, 0]},
        {"id": 9, "index": None, "top": []},
    ]


def test_the_messages_of_the_own_thread_are_found(tmp_path: Path) -> None:
    docs, questions = kept(tmp_path, "docs", DOCS), kept(tmp_path, "questions", QUESTIONS)
    where, who, when = recalled(docs, questions, 1, 400)
    assert where == {"id": "where", "ids": ["a"], "prompt_ids": ["a", "b"]}
    assert who == {"id": "who", "ids": ["c"], "prompt_ids": ["c"]}
    assert when == {"id": "when", "ids": [], "prompt_ids": []}
    assert [found["prompt_ids"] for found in recalled(docs, questions, 1, 0)] == [[], [], []]


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("sets.jsonl")))
def test_a_line_that_cannot_be_used_is_said(case: dict[str, Any], tmp_path: Path) -> None:
    docs = kept(tmp_path, "docs", case.get("docs", DOCS))
    questions = kept(tmp_path, "questions", case.get("questions", QUESTIONS))
    items = kept(tmp_path, "items", case.get("items", ITEMS))
    with pytest.raises(UserError) as refused:
        _ = [*recalled(docs, questions, 1, 400)] if "items" not in case else [*matched(items)]
    assert str(refused.value) == case["says"]
