"""Faults of a language model: each refusal has its kind, what it is about, and how often it is tried."""

from pathlib import Path
from typing import Any

import httpx2
import openai
import pytest

from ai.analysts.client.faults import CallFault, fault_of
from ai.analysts.client.server_profile import ServerProfile, adapted
from ai.analysts.client.shapes import CutOff, NoObject
from tests.cases import cases

REQUEST = httpx2.Request("POST", "http://model.invalid/v1/chat/completions")
WHOLE = ServerProfile()
ALL = frozenset(
    {
        "v1/responses",
        "stream_options",
        "max_tokens",
        "max_completion_tokens",
        "reasoning_effort",
        "temperature",
        "system",
    }
)


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("refusals.jsonl")))
def test_a_refusal_has_its_kind(case: dict[str, Any]) -> None:
    body = case.get("body", {})
    response = httpx2.Response(case["status"], headers=case.get("headers", {}), json={"error": body}, request=REQUEST)
    fault = fault_of(openai.APIStatusError("refused", response=response, body=body))
    code = body.get("code") or body.get("type") or ""
    assert fault == CallFault(
        case["kind"],
        f"APIStatusError {case['status']} {code}".strip(),
        case.get("retry_after"),
        case["status"],
        frozenset(case.get("about", ())),
        shape=case.get("shape", False),
    )
    assert fault.tries == case.get("tries", 1)


@pytest.mark.parametrize(
    ("error", "kind", "tries"),
    [
        (openai.APITimeoutError(REQUEST), "slow", 1),
        (httpx2.ReadTimeout("slow"), "slow", 1),
        (openai.APIConnectionError(request=REQUEST), "down", 3),
        (httpx2.ConnectError("away"), "down", 3),
        (openai.APIError("broken", REQUEST, body=None), "down", 3),
        (openai.APIError("long", REQUEST, body={"code": "context_length_exceeded"}), "overflow", 1),
        (openai.APIResponseValidationError(httpx2.Response(200, request=REQUEST), body=None), "garbled", 2),
        (CutOff(), "cut", 1),
        (NoObject(), "garbled", 2),
        (ValueError("no JSON"), "garbled", 2),
        (KeyError("choices"), "garbled", 2),
    ],
    ids=lambda told: type(told).__name__ if isinstance(told, BaseException) else "",
)
def test_an_error_has_its_kind(error: Exception, kind: str, tries: int) -> None:
    fault = fault_of(error)
    assert (fault.kind, fault.tries, fault.detail) == (kind, tries, type(error).__name__)
    assert fault.shape is isinstance(error, NoObject)
    assert fault.error.kind == kind


def refused(*about: str, status: int = 400, shape: bool = False) -> CallFault:
    return CallFault("refused", "", None, status, frozenset(about), shape=shape)


@pytest.mark.parametrize(
    ("known", "fault", "then"),
    [
        (WHOLE, refused("v1/responses"), ServerProfile(responses=True)),
        (WHOLE, refused("stream_options", "temperature"), ServerProfile(usage=False)),
        (WHOLE, refused("max_tokens", "max_completion_tokens"), ServerProfile(limit="max_completion_tokens")),
        (WHOLE, refused("max_tokens"), ServerProfile(limit="")),
        (ServerProfile(limit="max_completion_tokens"), refused("max_completion_tokens"), ServerProfile()),
        (ServerProfile(limit=""), refused("max_tokens"), None),
        (WHOLE, refused("reasoning_effort"), ServerProfile(effort=False)),
        (WHOLE, refused("temperature"), ServerProfile(temperature=False)),
        (ServerProfile(temperature=False), refused("temperature"), None),
        (WHOLE, refused("system"), ServerProfile(system=False)),
        (WHOLE, refused("shape", shape=True), ServerProfile(way="function")),
        (ServerProfile(way="json_object"), refused(shape=True), ServerProfile(way="text")),
        (ServerProfile(way="text"), refused(shape=True), None),
        (WHOLE, refused(status=500), ServerProfile(way="function")),
        (WHOLE, refused(status=501), ServerProfile(way="function")),
        (WHOLE, refused(status=502), None),
        (WHOLE, refused(), None),
    ],
)
def test_a_refusal_changes_one_thing(known: ServerProfile, fault: CallFault, then: ServerProfile | None) -> None:
    assert adapted(known, fault, shaped=True, sent=ALL) == then
    if fault.shape or fault.status != 400:
        assert adapted(known, fault, shaped=False, sent=ALL) is None
    else:
        assert adapted(known, fault, shaped=True, sent=frozenset()) is None
