"""Settings of the language model, from the environment's names to the body of a request."""

from datetime import UTC, datetime
from pathlib import Path
from shutil import copy
from typing import Any

import pytest

from ai.agents.port import Answer, run_now
from ai.types import Request, ThreadKey
from bot.demo.database import build
from bot.product import open_product
from config import load
from tests.openai_server import ModelServer, Script
from tests.openai_server.chat import Asked

COUNT = {"kind": "sql", "sql": "SELECT COUNT(*) AS apps FROM app_portfolio", "text": "apps", "expects": "value"}
WIDE = {"kind": "sql", "sql": "SELECT name, platform FROM app_portfolio", "text": "apps", "expects": "rows"}
KNOWS: list[dict[str, Any]] = [
    {"when": {"stream": True}, "reply": {"text": "All apps."}},
    {"when": {"contains": ["platform"], "last": "platform"}, "reply": {"data": WIDE}},
    {"reply": {"data": COUNT}},
]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("demo") / "demo.sqlite"
    build(path, datetime.now(UTC).date())
    return path


@pytest.fixture
def folder(demo: Path, tmp_path: Path) -> Path:
    """A data folder with the demo's database in it."""
    copy(demo, tmp_path)
    return tmp_path


def asked_with(folder: Path, question: str, base: str = "/v1", **settings: Any) -> list[Asked]:
    with ModelServer(Script(KNOWS), base=base) as server:
        known = load(data_dir=folder, openai_base_url=server.url, openai_model="usual", **settings)
        with open_product(known) as product:
            thread, at = ThreadKey("T", "C", "1"), datetime.now(UTC)
            product.memory.receive(thread, "T/1", question, "U", at)
            request = Request("T/1", thread, question, "U", at, "demo")
            assert Answer(tuple(product.orchestrator.answer(request, run_now))).text
        return [*server.probes, *(served.asked for served in server.journal)]


def test_each_part_of_the_work_has_its_model_and_its_options(folder: Path) -> None:
    settings: dict[str, Any] = {
        "model_sql": "coder",
        "model_temperature": 0.3,
        "model_effort": "low",
        "model_output_tokens": 900,
    }
    requests = asked_with(folder, "show all apps with their platform", **settings)
    bodies = [request.body for request in requests if not request.is_probe]
    assert [body["model"] for body in bodies] == ["coder", "usual"]
    for body in bodies:
        assert (body["temperature"], body["reasoning_effort"], body["max_tokens"]) == (0.3, "low", 900)


def test_azure_is_asked_at_its_deployment_with_its_version_and_key(folder: Path) -> None:
    settings: dict[str, Any] = {"openai_api_version": "2024-10-21", "openai_api_key": "k-1", "model_sql": "my-sql"}
    requests = asked_with(folder, "how many apps do we have?", base="", **settings)
    assert {request.path for request in requests} == {
        "/openai/deployments/my-sql/chat/completions?api-version=2024-10-21"
    }
    assert {request.headers.get("api-key") for request in requests} == {"k-1"}
    assert all("max_completion_tokens" in request.body for request in requests)


def test_the_first_way_to_objects_is_the_one_of_the_settings(folder: Path) -> None:
    requests = asked_with(folder, "how many apps do we have?", model_structured="function")
    assert [(request.is_probe, request.form) for request in requests] == [(True, "function"), (False, "function")]
