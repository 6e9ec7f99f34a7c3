"""Every operation of the archives, in plain words and as a call over HTTP: both leave the same conversation."""

import re
from pathlib import Path
from typing import Any

import httpx
import pytest

from ai.types import ThreadKey
from tests.cases import cases
from tests.http_service import Api

ASKED = ("how many apps do we have?", "which platforms are there?")
HANDLE = re.compile(r"mem://[^\s\]]+")


def begun(client: httpx.Client) -> str:
    """Begin a chat of two questions with their answers."""
    chat_id = str(client.post("/v1/chat", json={"message": ASKED[0]}).json()["chat_id"])
    say(client, chat_id, ASKED[1])
    return chat_id


def say(client: httpx.Client, chat_id: str, text: str) -> str:
    return str(client.post("/v1/chat", json={"message": text, "chat_id": chat_id}).json()["reply"])


def call(client: httpx.Client, chat_id: str, tool: str, **arguments: Any) -> str:
    answer = client.post(f"/v1/tools/{tool}", json={"chat_id": chat_id, "arguments": arguments})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["result"])


def last_handle(api: Api, chat_id: str) -> str:
    """Return the handle of the newest archive of a chat."""
    listed = api.memory.archives.list(ThreadKey.of(chat_id))
    return listed[-1].placeholder.handle if listed else ""


def conversation(api: Api, chat_id: str) -> list[str]:
    """Return the conversation up to the answer to the last question, without what names this chat."""
    said = [HANDLE.sub("mem://x", message.content) for message in api.memory.archives.history(ThreadKey.of(chat_id))]
    last = max(place for place, text in enumerate(said) if text == ASKED[-1])
    return said[: last + 2]


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("archive_operations.jsonl")))
def test_words_and_calls_do_the_same(case: dict[str, Any], api: Api, client: httpx.Client) -> None:
    by_words, by_calls, told, answered = begun(client), begun(client), "", ""
    for text in case["words"]:
        told = say(client, by_words, text.replace("{handle}", last_handle(api, by_words)))
    for given in case["calls"]:
        arguments = {
            name: last_handle(api, by_calls) if value == "{handle}" else value for name, value in given.items()
        }
        answered = call(client, by_calls, case.get("tool", "memory"), **arguments)
    shown = conversation(api, by_words)
    assert shown == conversation(api, by_calls)
    assert [words for words in case.get("shows", ()) if words not in "\n".join(shown)] == []
    for account in (told, answered):
        assert [words for words in case.get("told", ()) if words not in account] == [], account
