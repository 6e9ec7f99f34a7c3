"""The endpoints of seeds 000 and 001, over real HTTP."""

from datetime import UTC, datetime
from pathlib import Path

import httpx

from ai.types import ThreadKey
from tests.http_service import Api, http_api

IN_SALES = ThreadKey("T1", "C_SALES", "1764000000.000100")


def test_a_chat_is_begun_and_gone_on_with(client: httpx.Client) -> None:
    """Seed 001: `POST /chat {message}` gives a chat_id, which the next message names."""
    headers = {"x-org-id": "T1", "x-user-id": "U_ANA"}
    first = client.post("/chat", json={"message": "how many apps do we have?"}, headers=headers)
    assert first.status_code == 200
    answer = first.json()
    assert "3" in answer["reply"]
    assert (answer["status"], answer["rows"], answer["row_count"]) == ("answered", [[3]], 1)
    second = client.post("/chat", json={"message": "what about iOS?", "chat_id": answer["chat_id"]}, headers=headers)
    assert second.json()["rows"] == [[2]]
    assert second.json()["chat_id"] == answer["chat_id"]
    assert "iOS" in second.json()["sql"]


def test_a_file_that_was_asked_for_is_fetched_by_its_link(client: httpx.Client) -> None:
    chat_id = client.post("/chat", json={"message": "list the apps"}).json()["chat_id"]
    exported = client.post("/chat", json={"message": "export this as csv", "chat_id": chat_id}).json()
    (file,) = exported["files"]
    fetched = client.get(file["link"])
    assert (fetched.status_code, fetched.headers["content-type"]) == (200, "text/csv; charset=utf-8")
    assert fetched.headers["content-disposition"] == f'attachment; filename="{file["name"]}"'
    assert fetched.content == b"name\r\nAda\r\nBo\r\n'=1+1\r\n"
    assert client.get(f"/chat/{exported['turn_id']}").json()["files"] == [file]
    for name in ("other.csv", "..%2F..%2Fshop.sqlite", "%2e%2e"):
        assert client.get(f"/chat/{exported['turn_id']}/files/{name}").status_code == 404


def test_statistics(client: httpx.Client) -> None:
    """Seeds 000 and 001: `GET /memory/stats?chat_id=X`, by the counts that are stored with each message."""
    chat_id = client.post("/chat", json={"message": "how many apps do we have?"}).json()["chat_id"]
    stats = client.get("/memory/stats", params={"chat_id": chat_id}).json()
    messages = client.get("/history", params={"chat_id": chat_id}).json()["messages"]
    assert stats == {
        "chat_id": chat_id,
        "totalMessages": 2,
        "totalTokens": sum(message["token_count"] for message in messages),
        "oldestMessage": messages[0]["created_at"],
        "newestMessage": messages[1]["created_at"],
    }


def test_search(client: httpx.Client) -> None:
    """Seed 000: `GET /memory/search?chat_id=X&q=term`."""
    chat_id = client.post("/chat", json={"message": "how many apps do we have?"}).json()["chat_id"]
    client.post("/chat", json={"message": "what about iOS?", "chat_id": chat_id})
    found = client.get("/memory/search", params={"chat_id": chat_id, "q": "iOS"}).json()
    assert {message["role"]: "iOS" in message["content"] for message in found["results"]} == {
        "user": True,
        "assistant": True,
    }
    assert not found["partial"]
    assert client.get("/memory/search", params={"chat_id": chat_id, "q": "pricing"}).json()["results"] == []


def test_history(client: httpx.Client) -> None:
    """Seed 000: `GET /history?chat_id=X&limit=N`, the last ones, oldest first."""
    chat_id = client.post("/chat", json={"message": "how many apps do we have?"}).json()["chat_id"]
    client.post("/chat", json={"message": "what about iOS?", "chat_id": chat_id})
    roles = [
        [
            message["role"]
            for message in client.get("/history", params={"chat_id": chat_id, "limit": n}).json()["messages"]
        ]
        for n in (1, 3, 10)
    ]
    assert roles == [["assistant"], ["assistant", "user", "assistant"], ["user", "assistant"] * 2]


def test_a_long_conversation_is_all_there(client: httpx.Client) -> None:
    """Seed 001, "Test 2: manual long conversation": what the window leaves out is still in the store."""
    chat_id = client.post("/chat", json={"message": "Hi"}).json()["chat_id"]
    for number in range(2, 14):
        client.post("/chat", json={"message": f"how many apps are called Ada{number}?", "chat_id": chat_id})
    messages = client.get("/history", params={"chat_id": chat_id}).json()["messages"]
    assert [message["content"] for message in messages[:3:2]] == ["Hi", "how many apps are called Ada2?"]
    assert client.get("/memory/stats", params={"chat_id": chat_id}).json()["totalMessages"] == 26


def test_a_thread_of_slack_is_read_by_who_may_see_its_channel(api: Api, client: httpx.Client) -> None:
    api.memory.receive(IN_SALES, "T1:C_SALES:1", "what did we decide about pricing?", "U9", datetime.now(UTC))
    chat = {"chat_id": str(IN_SALES)}
    assert client.get("/history", params=chat).json()["messages"][0]["author"] == "U9"
    found = client.get("/memory/search", params=chat | {"q": "pricing"}).json()["results"]
    assert [message["content"] for message in found] == ["what did we decide about pricing?"]


def test_a_body_without_its_content_type_is_refused_with_the_cause(client: httpx.Client) -> None:
    for path in ("/chat", "/v1/chat"):
        refused = client.post(path, content=b'{"message": "how many apps do we have?"}')
        assert (refused.status_code, "Content-Type: application/json" in refused.json()["detail"]) == (415, True)


def test_a_slow_answer_is_fetched_later(tmp_path: Path) -> None:
    with http_api(tmp_path, wait_seconds=0) as api, api.client() as client:
        pending = client.post("/chat", json={"message": "how many apps do we have?"})
        assert pending.status_code == 202
        link = pending.json()["link"]
        assert pending.headers["location"] == link
        answers = (client.get(link) for _ in range(1000))
        answer = next(answer for answer in answers if answer.status_code == 200)
    assert answer.json()["rows"] == [[3]]
    assert answer.json()["chat_id"] == pending.json()["chat_id"]
