"""The score of the question sets: what counts as shown, and what does not."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.cases import cases
from tests.corpora.score import verdict


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("score.jsonl")))
def test_verdicts(case: dict[str, Any], tmp_path: Path) -> None:
    database = tmp_path / "shop.sqlite"
    with closing(sqlite3.connect(database)) as connection:
        connection.executescript(
            "CREATE TABLE shop (name TEXT, sold REAL); INSERT INTO shop VALUES ('A', 1.5), ('B', 2)"
        )
    item = {"kind": "answerable", "gold_sql": [case["gold"]]} if "gold" in case else {"kind": case["kind"]}
    answer = {"status": case.get("status", "answered"), "rows": case.get("rows"), "total": case.get("total")}
    assert verdict(item, answer, database) == case["verdict"]
