"""Replies of a model as values, and where a model is: addresses, and names without passwords."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from ai.analysts.client.endpoint import Endpoint
from ai.analysts.port import AskBack, CannotAnswer, Draft, Intent
from ai.analysts.replies import DEFINITION, SQL, columns_schema, definition_of, reply_of, route_schema
from ai.errors import ModelUnavailable
from tests.cases import cases
from tests.written_out import written_out

HERE = Path(__file__).parent
TEXT = {"type": "string"}


def as_told(proposal: Draft | AskBack | CannotAnswer) -> dict[str, Any]:
    """Return what a proposal tells, by its kind."""
    kind = {Draft: "draft", AskBack: "ask", CannotAnswer: "no"}[type(proposal)]
    left_out = ("by", "facts", "confidence")
    told = {name: value for name, value in asdict(proposal).items() if name not in left_out}
    return {kind: {name: [*value] if isinstance(value, tuple) else value for name, value in told.items()}}


@pytest.mark.parametrize("case", cases(HERE / "replies.jsonl"))
def test_a_reply_becomes_a_proposal(case: dict[str, Any]) -> None:
    told = written_out(case)
    if "garbled" in told:
        with pytest.raises(ModelUnavailable) as failed:
            reply_of(told["data"])
        assert (failed.value.kind, failed.value.detail) == ("garbled", "1 fields are wrong")
    else:
        assert as_told(reply_of(told["data"]).proposal) == {
            name: value for name, value in told.items() if name not in ("case", "data")
        }


@pytest.mark.parametrize("case", cases(HERE / "defined.jsonl"))
def test_a_reply_becomes_a_definition(case: dict[str, Any]) -> None:
    assert definition_of(case["data"]) == case["gives"]


def test_each_object_is_asked_for_by_its_schema() -> None:
    choice = {"type": "string", "enum": ["a", "b"]}
    assert route_schema([Intent("a"), Intent("b")]).as_json == {
        "type": "object",
        "properties": {"intent": choice},
        "required": ["intent"],
        "additionalProperties": False,
    }
    assert columns_schema(["a", "b"]).properties == {"columns": {"type": "array", "items": choice}}
    assert SQL.properties == {
        "kind": {"type": "string", "enum": ["sql", "ask", "more", "no"]},
        "sql": TEXT,
        "text": TEXT,
        "assumptions": {"type": "array", "items": TEXT},
        "options": {"type": "array", "items": TEXT},
        "expects": {"type": "string", "enum": ["value", "row", "rows"]},
    }
    assert DEFINITION.properties == {
        "kind": {"type": "string", "enum": ["metric", "wording", "sentence"]},
        **dict.fromkeys(("name", "table", "expression", "condition", "column", "value"), TEXT),
    }
    told = [(each.name, each.description) for each in (SQL, DEFINITION, route_schema([]), columns_schema([]))]
    assert told == [
        ("answer", "How a question is answered."),
        ("definition", "What a correction defines."),
        ("route", "What a message wants."),
        ("columns", "Columns to look at."),
    ]


@pytest.mark.parametrize("case", cases(HERE / "endpoints.jsonl"))
def test_a_model_is_at_its_address(case: dict[str, Any]) -> None:
    endpoint = Endpoint("small", "key", **case["set"])
    found = {
        "address": endpoint.address("small"),
        "named": endpoint.named("small"),
        "is_openai": endpoint.is_openai,
    }
    assert found == {name: case[name] for name in found}


def test_a_purpose_may_have_a_model_of_its_own() -> None:
    endpoint = Endpoint("small", "key", models={"write_sql": "large"})
    assert [endpoint.model_for("write_sql"), endpoint.model_for("phrase")] == ["large", "small"]
