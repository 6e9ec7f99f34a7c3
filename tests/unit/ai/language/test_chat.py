"""How people write in chats, and what they ask behind their thanks."""

from pathlib import Path
from typing import Any

import pytest

from ai.language.remarks import behind_praise, goes_on, in_full
from tests.cases import cases


@pytest.mark.parametrize("line", cases(Path(__file__).with_name("chat.jsonl")))
def test_chat_spelling_and_thanks(line: dict[str, Any]) -> None:
    assert in_full(line["text"]) == line["full"]
    assert behind_praise(line["full"]) == line.get("behind", "")


def test_what_goes_on_from_the_question_before() -> None:
    assert all(map(goes_on, ["by month", "and what about iOS", "for web only", "web?", "top 3"]))
    assert not any(map(goes_on, ["for today that is all", "have a nice weekend", "that helps"]))
