"""The memory over HTTP: archives, states, workspaces, export, pages of history, forgetting; paths with a version."""

from typing import Any

import httpx
import pytest

from tests.http_service import BEN_TOKEN, Api

QUESTION = {"message": "how many apps do we have?"}


@pytest.fixture
def chat(client: httpx.Client) -> str:
    """A chat of three questions and answers."""
    chat_id = str(client.post("/v1/chat", json=QUESTION).json()["chat_id"])
    for text in ("and on iOS?", "which apps are there?"):
        client.post("/v1/chat", json={"message": text, "chat_id": chat_id})
    return chat_id


def run(client: httpx.Client, tool: str, chat_id: str | None, **arguments: Any) -> httpx.Response:
    return client.post(f"/v1/tools/{tool}", json={"chat_id": chat_id, "arguments": arguments})


def test_archives_are_stored_listed_loaded_restored_and_pruned(client: httpx.Client, chat: str) -> None:
    stored = run(client, "memory", chat, operation="store", start_index=0, end_index=1, auto=True).json()["result"]
    handle = stored.split()[2].rstrip(".")
    assert handle in run(client, "memory", chat, operation="list").json()["result"]
    assert "how many apps" in run(client, "memory", chat, operation="load", memory_handle=handle).json()["result"]
    assert "handle" in run(client, "list_history", chat).json()["result"]
    done = run(client, "memory", chat, operation="restore", memory_handle=handle, remove_placeholder=True).json()
    assert done["result"].startswith("Restored 2 messages")
    assert run(client, "memory", chat, operation="prune").json()["result"].startswith("Pruned")


def test_an_answer_comes_with_its_receipt_and_words_alone_with_none(client: httpx.Client) -> None:
    answered = client.post("/v1/chat", json=QUESTION).json()
    assert answered["receipt"]["sql"] == answered["sql"]
    assert answered["receipt"]["seal"]
    told = client.post("/v1/chat", json={"message": "help"}).json()
    assert [told[name] for name in ("sql", "row_count", "columns", "rows", "receipt")] == [None] * 5


def test_states_and_workspaces(client: httpx.Client, chat: str) -> None:
    state = {"conversationContext": "apps", "activeTask": "count", "activeFiles": [], "nextSteps": []}
    assert run(client, "createState", chat, name="Q3", **state).json() == {"result": {"success": True}}
    assert run(client, "loadState", None, name="Q3").json()["result"]["data"]["activeTask"] == "count"
    again = run(client, "createState", chat, name="Q3", **state)
    assert (again.status_code, "States are immutable" in again.json()["detail"]) == (409, True)
    assert run(client, "listWorkspaces", None).json()["result"]["success"]


def test_every_refusal_has_one_shape(client: httpx.Client, chat: str) -> None:
    for refused, status in (
        (run(client, "nothing", chat), 404),
        (run(client, "memory", chat, operation="load"), 409),
        (run(client, "memory", "T1/C_SALES/9.9", operation="list"), 403),
        (client.get("/v1/history", params={"chat_id": chat, "limit": 0}), 422),
        (client.post("/v1/chat", content=b'{"message": "hi"}', headers={"content-type": "text/plain"}), 415),
        (client.post("/v1/chat", content=b'{"message": "hi"}'), 415),
        (client.get("/v1/nowhere"), 404),
        (client.put("/v1/chat"), 405),
    ):
        assert refused.status_code == status, refused.text
        assert isinstance(refused.json()["detail"], str)


def test_history_comes_page_by_page(client: httpx.Client, chat: str) -> None:
    whole = client.get("/v1/history", params={"chat_id": chat}).json()
    assert whole["next"] is None
    told: list[Any] = []
    cursor: str | None = None
    while True:
        asked: dict[str, str | int] = {"chat_id": chat, "limit": 2}
        page = client.get("/v1/history", params=asked | ({"before": cursor} if cursor else {}))
        told = page.json()["messages"] + told
        if (cursor := page.json()["next"]) is None:
            break
    assert told == whole["messages"]
    assert len(told) == 6


def test_a_chat_is_exported_and_forgotten_by_its_user(api: Api, client: httpx.Client, chat: str) -> None:
    assert "how many apps" in client.get("/v1/export", params={"chat_id": chat}).text
    exported = client.get("/v1/export", params={"chat_id": chat, "format": "json"}).json()
    assert (exported["thread"], len(exported["messages"])) == (chat, 6)
    with api.client(BEN_TOKEN) as ben:
        assert ben.get("/v1/export", params={"chat_id": chat}).status_code == 403
        assert ben.delete("/v1/chat", params={"chat_id": chat}).status_code == 403
    assert client.delete("/v1/chat", params={"chat_id": chat}).status_code == 204
    assert client.get("/v1/history", params={"chat_id": chat}).status_code == 404


def test_paths_without_a_version_still_work(client: httpx.Client, chat: str) -> None:
    for path in ("history", "memory/stats"):
        old, new = (client.get(f"{root}/{path}", params={"chat_id": chat}) for root in ("", "/v1"))
        assert old.json() == new.json()


def test_a_page_shows_every_operation_with_an_example(client: httpx.Client) -> None:
    shown, document = client.get("/docs").text, client.get("/openapi.json").json()
    assert [path for path in document["paths"] if path.split("{")[0] not in shown] == []
    assert shown.count("curl -s") == sum(len(item) for item in document["paths"].values())
    assert "<script" not in shown
