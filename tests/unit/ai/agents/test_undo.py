"""Going back several times: each time to the answer before the one that stands."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from ai.agents.undo_agent import standing
from ai.types import AnsweredQuery, ThreadKey
from tests.cases import cases

HERE = Path(__file__).parent


def answer(turn: str, sql: str) -> AnsweredQuery:
    noon = datetime(2026, 11, 22, 12, tzinfo=UTC)
    return AnsweredQuery(
        id=1, thread=ThreadKey("", "C1", "1"), turn_id=turn, source="demo", question="", analyst="", created_at=noon,
        sql=sql,
    )  # fmt: skip


@pytest.mark.parametrize("case", cases(HERE / "undone.jsonl"))
def test_answers_taken_back_stand_no_more(case: dict[str, Any]) -> None:
    shown = [answer(str(at), sql) for at, sql in enumerate(case["answers"])]
    left = standing(shown[::-1], {str(at) for at in case["undone"]})
    assert [query.sql for query in left] == case["left"]
