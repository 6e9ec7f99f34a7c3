"""How typed text is kept and what rich text it becomes; texts.jsonl holds a case a line."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from local_slack.state.mrkdwn import mentions, rich_text, stored_text

CASES = [json.loads(line) for line in Path(__file__).with_name("texts.jsonl").read_text("utf-8").splitlines()]
VALUE_OF = {"text": "text", "user": "user_id", "channel": "channel_id", "broadcast": "range", "link": "url"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["case"])
def test_text_is_kept_and_told_apart(case: dict[str, Any]) -> None:
    assert stored_text(case["typed"]) == case["stored"]
    [section] = rich_text(case["stored"], "b")["elements"]
    assert [[part["type"], part[VALUE_OF[part["type"]]]] for part in section["elements"]] == case["elements"]


@given(st.text(alphabet="<>&@#!|;ampltgU0 x/:https"))
def test_keeping_twice_changes_nothing_more(text: str) -> None:
    assert stored_text(stored_text(text)) == stored_text(text)


@pytest.mark.parametrize(
    ("text", "is_mention"),
    [
        ("<@U0BOT> hi", True),
        ("hi <@U0BOT|bot>", True),
        ("<@U0BOTTOM> hi", False),
        ("U0BOT", False),
        ("&lt;@U0BOT&gt;", False),
    ],
)
def test_mentions(text: str, is_mention: bool) -> None:
    assert mentions(text, "U0BOT") is is_mention
