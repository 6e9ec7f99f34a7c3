"""What a caller of the HTTP API may and may not do: each request with its status and words; no refusal tells anything."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import APIRoute
from starlette.routing import Match

from ai.types import ThreadKey
from bot.http_api.api import VERSION, probes, router
from tests.cases import cases
from tests.http_service import ANA_TOKEN, BEN_TOKEN, Api

TOKENS = {"ana": ANA_TOKEN, "ben": BEN_TOKEN, "somebody": "token-of-nobody-0123456789", "nobody": None}
QUESTION = {"message": "which apps are there?"}
Names = Mapping[str, str]
CASES = cases(Path(__file__).with_name("http_refusals.jsonl"))
ROUTES = [route for route in (*probes.routes, *router.routes) if isinstance(route, APIRoute)]
OPEN = {"GET /docs", "GET /healthz", "GET /readyz"}  # nothing of them is refused


@pytest.fixture(scope="module")
def names(api: Api) -> Names:
    """What there is: a chat of each, the answers in them, one with a file, and a thread in Slack."""
    with api.here() as ana, api.here(BEN_TOKEN) as ben:
        first, other = ana.post("/v1/chat", json=QUESTION).json(), ben.post("/v1/chat", json=QUESTION).json()
        exported = ana.post("/v1/chat", json={"message": "export this as csv", "chat_id": first["chat_id"]}).json()
        told, old = (ana.post("/v1/chat", json={"message": text}).json() for text in ("help", "how many apps?"))
        drawn = ana.post("/v1/chat", json={"message": "plot the number of apps by platform"}).json()
    thread = ThreadKey("T1", "C_SALES", "1.0")
    api.memory.receive(thread, "T1:C_SALES:1.0", "how many apps?", "U_CEM", datetime.now(UTC))
    return {
        "chat": first["chat_id"],
        "turn": first["turn_id"],
        "bens": other["chat_id"],
        "bens_turn": other["turn_id"],
        "exported": exported["turn_id"],
        "file": exported["files"][0]["name"],
        "words": told["turn_id"],
        "old": old["chat_id"],
        "drawn": drawn["turn_id"],
        "slack": str(thread),
    }


def put(value: Any, names: Names) -> Any:
    """The value with what there is in its texts."""
    if isinstance(value, dict):
        return {key: put(one, names) for key, one in value.items()}
    return value.format(**names) if isinstance(value, str) else value


@pytest.mark.parametrize("case", CASES)
def test_each_request_has_its_answer(api: Api, names: Names, case: dict[str, Any]) -> None:
    method, path = put(case["do"], names).split()
    with api.here(TOKENS[case.get("as", "ana")], **case.get("headers", {})) as client:
        body = (
            {"content": case["raw"].encode()}
            if "raw" in case
            else {"json": put(case["json"], names)}
            if "json" in case
            else {}
        )
        answer = client.request(method, path, params=put(case.get("query", {}), names), **body)
    assert answer.status_code == case["status"], answer.text
    assert put(case.get("says", ""), names) in answer.text
    assert ("WWW-Authenticate" in answer.headers) == (answer.status_code == 401)
    assert answer.headers.items() >= case.get("comes_with", {}).items()
    assert answer.is_success or not {"text", "rows", "messages"} & answer.json().keys()


def endpoint(method: str, path: str) -> str:
    """Name the endpoint that a request reaches, "" where there is none."""
    asked = {"type": "http", "method": method, "path": path.removeprefix(VERSION)}
    return next((f"{method} {one.path}" for one in ROUTES if one.matches(asked)[0] is Match.FULL), "")


def test_every_endpoint_has_a_case_that_is_answered_and_one_that_is_refused() -> None:
    endpoints = {f"{method} {route.path}" for route in ROUTES for method in route.methods or ()}
    tried = [(endpoint(*case["do"].split()), case["status"] < 400) for case in (case.values[0] for case in CASES)]
    assert {name for name, answered in tried if name and answered} == endpoints
    assert {name for name, answered in tried if name and not answered} == endpoints - OPEN
