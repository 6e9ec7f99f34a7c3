"""The client of a language model against a server that is not ours: @copilotkit/aimock, where it is installed.

`npm install --global @copilotkit/aimock` (Node 20 or later) brings its program `llmock`. What is known of 1.43.0: every
case below holds.
"""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any

import pytest
from langchain_core.messages import HumanMessage

from ai.analysts.client.client import ModelClient
from ai.errors import ModelUnavailable
from tests.cases import cases
from tests.memories import opened
from tests.models import ENDPOINT, SCHEMA, count_rows, spender

LINES = cases(Path(__file__).with_name("aimock.jsonl"))
LISTENING = re.compile(r"listening on (http://\S+)")
SECONDS = 4.0  # that a turn has; aimock answers at once unless it is told to be slow


@pytest.fixture(scope="module")
def aimock(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Its base URL. The name of a case is the question that it answers."""
    program = shutil.which("llmock")
    if program is None:
        pytest.skip("aimock is not installed: there is no llmock on the path")
    fixtures = [{"match": {"userMessage": line.id}, **line.values[0]["fixture"]} for line in LINES]
    file = tmp_path_factory.mktemp("aimock") / "fixtures.json"
    file.write_text(json.dumps({"fixtures": fixtures}), "utf-8")
    command = [program, "--port", "0", "--strict", "--fixtures", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        told: Queue[str] = Queue()
        reader = Thread(target=_read, args=(process.stdout, told), daemon=True)
        reader.start()
        try:
            yield f"{told.get(timeout=30)}/v1"
        finally:
            process.terminate()
            reader.join(10)


@pytest.fixture(scope="module")
def client(aimock: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModelClient]:
    with opened(tmp_path_factory.mktemp("book")) as memory:
        client = ModelClient(replace(ENDPOINT, base_url=aimock, seconds=SECONDS), memory.spending, len)
        yield client
        client.close()


@pytest.mark.parametrize("line", LINES)
def test_another_server_is_understood_alike(client: ModelClient, line: dict[str, Any]) -> None:
    expected = {key: line[key] for key in ("text", "data", "calls", "kind") if key in line}
    assert _asked(client, line["case"], line.get("ask", "words")) == expected


def _asked(client: ModelClient, question: str, how: str) -> dict[str, Any]:
    messages, who = [HumanMessage(question)], spender(question)
    try:
        if how == "stream":
            return {"text": "".join(client.stream(messages, who, "phrase"))}
        if how == "object":
            return {"data": client.complete(messages, who, "write_sql", schema=SCHEMA).data}
        if how == "tool":
            calls = client.complete(messages, who, "memory", tools=[count_rows]).tool_calls
            return {"calls": [[call["name"], call["args"]] for call in calls]}
        return {"text": client.complete(messages, who, "phrase").text}
    except ModelUnavailable as error:
        return {"kind": error.kind}


def _read(lines: Iterator[str], told: "Queue[str]") -> None:
    """Read to the end, so that the program never waits for its reader."""
    for line in lines:
        if found := LISTENING.search(line):
            told.put(found[1])
