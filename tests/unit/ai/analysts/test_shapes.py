"""Objects in the answers of models: asked for in four ways, and found in prose, fences, calls and after thoughts."""

from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from ai.analysts.client import shapes
from ai.analysts.client.endpoint import Structured
from ai.analysts.client.shapes import STRUCTURED, WAYS, Schema, object_in, with_schema
from tests.cases import cases

SCHEMA = Schema("answer", "An answer.", {"kind": {"type": "string", "enum": ["a", "b"]}, "sql": {"type": "string"}})
WRITTEN = (
    '{"type": "object", "properties": {"kind": {"type": "string", "enum": ["a", "b"]}, "sql": {"type": "string"}}, '
    '"required": ["kind", "sql"], "additionalProperties": false}'
)


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("objects.jsonl")))
def test_an_object_is_found_or_missed(case: dict[str, Any]) -> None:
    text = case["text"] if isinstance(case["text"], str) else "{" * case["text"]["starts"] + '"x {"kind": "a"}'
    calls = [{"name": "answer", "args": args, "id": "1"} for args in case.get("calls", ())]
    message = AIMessage(text, tool_calls=calls, response_metadata={"finish_reason": case.get("ends", "stop")})
    if isinstance(case["gives"], str):
        with pytest.raises(getattr(shapes, case["gives"])):
            object_in(message, SCHEMA, case.get("way", "text"))
    else:
        assert object_in(message, SCHEMA, case.get("way", "text")) == case["gives"]


def test_there_are_four_ways_to_ask() -> None:
    assert {way: WAYS[way](SCHEMA) for way in STRUCTURED} == {
        "json_schema": {
            "response_format": {
                "type": "json_schema",
                "json_schema": {
                    "name": "answer",
                    "description": "An answer.",
                    "schema": SCHEMA.as_json,
                    "strict": True,
                },
            }
        },
        "function": {
            "tools": [
                {
                    "type": "function",
                    "function": {"name": "answer", "description": "An answer.", "parameters": SCHEMA.as_json},
                }
            ],
            "tool_choice": {"type": "function", "function": {"name": "answer"}},
        },
        "json_object": {"response_format": {"type": "json_object"}},
        "text": {},
    }


@pytest.mark.parametrize("way", STRUCTURED)
def test_a_request_without_a_schema_has_it_in_words(way: Structured) -> None:
    asked = [HumanMessage("How many?")]
    words = f"Answer with one JSON object of this JSON schema, and nothing else: {WRITTEN}"
    in_words = [] if way in ("json_schema", "function") else [HumanMessage(words)]
    assert with_schema(asked, SCHEMA, way) == [*asked, *in_words]
