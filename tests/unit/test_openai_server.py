"""The server that tests talk to instead of a model: what it counts, and what it refuses."""

import httpx
import pytest

from ai.tokens import TokenCounter
from tests.http_service import NO_TLS
from tests.openai_server import ModelServer, Script

COUNT = TokenCounter(patience=60)
HELLO = {"model": "m", "messages": [{"role": "user", "content": "How many apps?"}]}
TOOL = {"type": "function", "function": {"name": "count_rows", "parameters": {"type": "object"}}}


def post(server: ModelServer, body: object) -> httpx.Response:
    return httpx.post(f"{server.url}/chat/completions", json=body, verify=NO_TLS)


def test_the_schemas_of_tools_are_part_of_the_prompt() -> None:
    with ModelServer(Script([{"reply": {"text": "42"}}])) as server:
        usage = [post(server, body).json()["usage"]["prompt_tokens"] for body in (HELLO, HELLO | {"tools": [TOOL]})]
        assert usage == [served.prompt_tokens for served in server.journal]
    assert usage[0] == COUNT("How many apps?")
    assert usage[1] > usage[0] + COUNT("count_rows")


def test_what_no_line_expects_is_refused_and_told() -> None:
    with ModelServer(Script([{"when": {"last": "weather"}, "reply": {"text": "rain"}}])) as server:
        refused = post(server, HELLO)
        assert [asked.messages for asked in server.unexpected] == [["How many apps?"]]
    assert refused.status_code == 503
    assert "How many apps?" in refused.json()["error"]["message"]


def test_a_line_answers_as_often_as_it_says() -> None:
    with ModelServer(Script([{"reply": {"text": "once"}, "times": 1}, {"reply": {"text": "ever after"}}])) as server:
        said = [post(server, HELLO).json()["choices"][0]["message"]["content"] for _ in range(3)]
    assert said == ["once", "ever after", "ever after"]


def test_a_script_that_looks_at_the_unknown_is_wrong() -> None:
    with pytest.raises(AssertionError, match="colour"):
        Script([{"when": {"colour": "red"}, "reply": {"text": "42"}}])
