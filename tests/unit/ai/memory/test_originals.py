"""Messages of LangChain beyond their words: kept as they are, but of files only what names their bytes."""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from ai.errors import UserError
from ai.memory.langchain import original_of
from tests.cases import cases

PNG = f"sha256:{sha256(b'PNG-bytes').hexdigest()}"


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("originals.jsonl")))
def test_files_are_named_by_their_bytes(case: dict[str, Any]) -> None:
    found = original_of(HumanMessage(case["content"]))
    if case["kept"] is None:
        assert found is None
    else:
        kept = json.loads(json.dumps(case["kept"]).replace("$png", PNG))
        assert json.loads(found or "") == {"type": "human", "data": {"content": kept}}


def test_what_stands_beside_words_is_kept_without_them() -> None:
    call = {"name": "count", "args": {"of": "apps", "raw": b"PNG-bytes"}, "id": "1", "type": "tool_call"}
    found = json.loads(original_of(AIMessage("Counting.", tool_calls=[call], name="Ana")) or "")
    assert found["type"] == "ai"
    assert (found["data"]["name"], "content" in found["data"]) == ("Ana", False)
    assert found["data"]["tool_calls"] == [{**call, "args": {"of": "apps", "raw": PNG}}]
    assert original_of(AIMessage("Counting.")) is None


def test_a_copy_in_the_view_is_kept_as_its_message() -> None:
    copy = HumanMessage("hello", additional_kwargs={"memory": "copy", "handle": "mem://1"})
    assert original_of(copy) is None
    other = HumanMessage("hello", additional_kwargs={"memory": "copy", "handle": "mem://1", "own": 1})
    assert json.loads(original_of(other) or "")["data"] == {"additional_kwargs": {"own": 1}}


def test_half_a_sign_is_kept_beside_the_log() -> None:
    assert json.loads(original_of(HumanMessage("a\ud83d")) or "") == {"type": "human", "data": {"content": "a\ud83d"}}


def test_what_json_cannot_hold_is_refused() -> None:
    with pytest.raises(UserError, match=r"^A human message cannot be kept: .*\. Keep it elsewhere and name it\.$"):
        original_of(HumanMessage("hello", additional_kwargs={"own": object()}))
