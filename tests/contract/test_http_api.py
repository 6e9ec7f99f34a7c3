"""What the HTTP API promises: only who may see a thing is told of it, and every answer is one that its document names."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode

from ai.errors import ConfigError
from ai.types import ThreadKey
from bot.access import http_channel
from bot.http_api.server import serving
from tests.contract.api_document import KEPT, parts
from tests.fakes import ScriptedAnalyst
from tests.http_service import ANA_TOKEN, BEN_TOKEN, Api, http_api

EXAMPLES = 15
OPERATIONS = [
    ("GET", "/healthz"),
    ("GET", "/readyz"),
    ("GET", "/docs"),
    ("GET", "/v1/memory/stats"),
    ("GET", "/v1/memory/search"),
    ("GET", "/v1/history"),
    ("GET", "/v1/export"),
    ("POST", "/v1/tools/{tool}"),
    ("POST", "/v1/chat"),
    ("DELETE", "/v1/chat"),
    ("GET", "/v1/chat/{turn_id}"),
    ("GET", "/v1/chat/{turn_id}/files/{name}"),
    ("GET", "/v1/chart"),
]
QUESTION = {"message": "how many apps do we have?"}
ELSEWHERE = [
    ThreadKey("T1", "C_SECRET", "1.1"),
    ThreadKey("T2", "C_SALES", "1.1"),
    ThreadKey("T1", "D_ANA", "1.1"),
    ThreadKey("", "", "1.1"),
    ThreadKey("T1", http_channel("U_BEN", "C_GENERAL"), "1.1"),
    ThreadKey("T1", http_channel("U_ANA", "C_SECRET"), "1.1"),
    ThreadKey("T1", http_channel("U_ANA:C_X", "C_SALES"), "1.1"),
]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    with http_api(tmp_path_factory.mktemp("demo"), tokens=False) as served:
        yield served


def fuzz(api: Api, operation: tuple[str, str], mode: GenerationMode, headers: dict[str, str]) -> None:
    method, path = operation
    document = schemathesis.openapi.from_url(f"{api.url}/openapi.json")

    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
    @given(document[path][method].as_strategy(generation_mode=mode))
    def ask(case: schemathesis.Case[Any]) -> None:
        case.call_and_validate(headers=headers)

    ask()


@pytest.mark.parametrize("operation", OPERATIONS, ids=" ".join)
def test_any_request_is_answered_as_documented(api: Api, operation: tuple[str, str]) -> None:
    fuzz(api, operation, GenerationMode.POSITIVE, {"Authorization": f"Bearer {ANA_TOKEN}"})


@pytest.mark.parametrize("operation", OPERATIONS[3:], ids=" ".join)
def test_any_wrong_request_is_refused_as_documented(api: Api, operation: tuple[str, str]) -> None:
    fuzz(api, operation, GenerationMode.NEGATIVE, {"Authorization": f"Bearer {ANA_TOKEN}"})


def test_any_message_is_answered_in_the_demo(demo: Api) -> None:
    fuzz(demo, ("POST", "/v1/chat"), GenerationMode.POSITIVE, {})


def test_every_operation_is_tried(demo: Api) -> None:
    with demo.client(None) as client:
        paths = client.get("/openapi.json").json()["paths"]
    assert sorted((method.upper(), path) for path, item in paths.items() for method in item) == sorted(OPERATIONS)


def test_the_document_and_its_page_say_what_they_said(api: Api) -> None:
    assert [*parts(api.app.openapi())] == [json.loads(line) for line in KEPT.read_text("utf-8").splitlines()]


def test_the_demo_documents_no_token(api: Api, demo: Api) -> None:
    said, told = api.app.openapi()["paths"], demo.app.openapi()
    asking = {path: {method: {**its} for method, its in item.items()} for path, item in said.items()}
    secured = [its.pop("security", None) for item in asking.values() for its in item.values()]
    assert secured.count([{"HTTPBearer": []}]) == len(OPERATIONS) - 3
    assert (told["paths"], [*told["components"]]) == (asking, ["schemas"])


@pytest.mark.parametrize("authorization", [None, "Bearer", "Basic eDp5", "Bearer x", f"Bearer {ANA_TOKEN}x", ANA_TOKEN])
@pytest.mark.parametrize("path", ["/history?chat_id=x", "/memory/stats?chat_id=x", "/chat/x"])
def test_without_a_token_nothing_is_told(api: Api, authorization: str | None, path: str) -> None:
    with api.client(None) as client:
        refused = client.get(path, headers={"Authorization": authorization} if authorization else {})
    assert refused.status_code == 401
    assert refused.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize(
    "header", [{"x-org-id": "T2"}, {"x-user-id": "U_BEN"}, {"x-org-id": "T2", "x-user-id": "U_ANA"}]
)
def test_headers_must_say_what_the_token_says(api: Api, header: dict[str, str]) -> None:
    with api.client(**header) as client:
        assert client.post("/chat", json=QUESTION).status_code == 403


@pytest.mark.parametrize("key", ELSEWHERE, ids=str)
@pytest.mark.parametrize("path", ["/history", "/memory/stats", "/memory/search"])
def test_what_is_said_elsewhere_is_not_told(api: Api, client: httpx.Client, key: ThreadKey, path: str) -> None:
    """Nor is it told whether there is such a thread."""
    ask = {"chat_id": str(key), "q": "secret"}
    before = client.get(path, params=ask)
    api.memory.receive(key, f"{path}:{key}", "a secret", "U1", datetime.now(UTC))
    after = client.get(path, params=ask)
    assert before.status_code == after.status_code == 403
    assert before.content == after.content


def test_a_chat_is_its_users_own(api: Api, client: httpx.Client) -> None:
    mine = client.post("/chat", json=QUESTION).json()
    with api.client(BEN_TOKEN) as ben:
        assert ben.get("/history", params={"chat_id": mine["chat_id"]}).status_code == 403
        assert ben.post("/chat", json=QUESTION | {"chat_id": mine["chat_id"]}).status_code == 403
        assert ben.get(f"/chat/{mine['turn_id']}").status_code == 404
        assert ben.get(f"/chat/{mine['turn_id']}/files/how-many-apps-do-we-have.csv").status_code == 404


@pytest.mark.parametrize(
    ("format_", "begins", "kind"),
    [
        ("png", b"\x89PNG", "image/png"),
        ("svg", b"<svg", "image/svg+xml"),
        ("spec", b'{"$schema"', "application/json"),
    ],
)
def test_a_chart_is_drawn_for_its_asker_alone(
    api: Api, client: httpx.Client, format_: str, begins: bytes, kind: str
) -> None:
    asked = client.post("/v1/chat", json={"message": "plot the number of apps by platform"}).json()
    wanted = {"turn_id": asked["turn_id"], "format": format_}
    drawn = client.get("/v1/chart", params=wanted)
    assert (drawn.content.startswith(begins), drawn.headers["content-type"]) == (True, kind)
    with api.client(BEN_TOKEN) as ben:
        assert ben.get("/v1/chart", params=wanted).status_code == 404


def test_an_answer_without_rows_has_no_chart(client: httpx.Client) -> None:
    asked = client.post("/v1/chat", json={"message": "thanks"}).json()
    refused = client.get("/v1/chart", params={"turn_id": asked["turn_id"]})
    assert (refused.status_code, refused.json()["detail"][:25]) == (409, "That answer has no rows t")


def test_a_thread_of_slack_is_not_written_to(api: Api, client: httpx.Client) -> None:
    key = ThreadKey("T1", "C_SALES", "2.2")
    api.memory.receive(key, "T1:C_SALES:2.2", "hello", "U1", datetime.now(UTC))
    refused = client.post("/chat", json=QUESTION | {"chat_id": str(key)})
    assert refused.status_code == 403
    assert "ask there" in refused.json()["detail"]
    assert client.get("/chat/T1:C_SALES:2.2").status_code == 404


def test_a_chat_that_is_not_there(client: httpx.Client) -> None:
    unknown = str(ThreadKey("T1", http_channel("U_ANA", "C_SALES"), "9.9"))
    for refused in (
        client.get("/history", params={"chat_id": unknown}),
        client.get("/history", params={"chat_id": "no key"}),
        client.post("/chat", json=QUESTION | {"chat_id": unknown}),
    ):
        assert refused.status_code == 404


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b'{"message": "\xff"}', 400),
        (b"{", 422),
        (b'{"message": " "}', 422),
        (b'{"message": "%s"}' % (b"x" * 300_000), 413),
    ],
)
def test_a_body_that_is_none(client: httpx.Client, body: bytes, status: int) -> None:
    assert client.post("/chat", content=body, headers={"content-type": "application/json"}).status_code == status


def test_a_method_that_is_not_there_names_those_that_are(client: httpx.Client) -> None:
    refused = client.delete("/history")
    assert (refused.status_code, refused.headers["allow"]) == (405, "GET")


def test_the_demo_needs_no_token(demo: Api) -> None:
    with demo.client(None) as client:
        chat_id = client.post("/chat", json=QUESTION).json()["chat_id"]
        assert chat_id.startswith("local/")
        assert client.get("/history", params={"chat_id": chat_id}).status_code == 200
        assert client.get("/history", params={"chat_id": chat_id}, headers={"x-user-id": "other"}).status_code == 403


def test_the_demo_answers_only_to_names_of_this_machine(demo: Api) -> None:
    for host, status in (("evil.example", 400), ("localhost", 200), ("127.0.0.1:8080", 200), ("[::1]:8080", 200)):
        with demo.here(None, Host=host) as client:
            assert client.get("/healthz").status_code == status


def test_a_turn_that_fails_is_answered_too(tmp_path: Path) -> None:
    with http_api(tmp_path, analyst=ScriptedAnalyst([])) as api, api.client() as client:
        answer = client.post("/chat", json=QUESTION)
    assert answer.status_code == 200
    assert "Something went wrong on our side" in answer.json()["reply"]
    assert "pop" not in answer.text


def test_health(client: httpx.Client) -> None:
    assert client.get("/healthz").json() == {"status": "ok", "parts": {}}
    assert client.get("/readyz").status_code == 200


def test_readiness_names_what_does_not_work(tmp_path: Path) -> None:
    states = {"source shop": "ok", "source warehouse": "The warehouse does not answer."}
    with http_api(tmp_path, ready=lambda: states) as api, api.client() as client:
        answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json() == {"status": "failing", "parts": states}
    works = {"source shop": "ok", "memory": "ok"}
    with http_api(tmp_path, ready=lambda: works) as api, api.client() as client:
        answer = client.get("/readyz")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok", "parts": works})


def test_a_port_that_is_taken_is_named(api: Api) -> None:
    port = int(api.url.rpartition(":")[2])
    with pytest.raises(ConfigError, match="HTTP_PORT"), serving(FastAPI(), port):
        pass
