"""Answers and their files over HTTP: whose, as what, until when, and what is documented."""

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest

from ai.agents.tools import export_folder
from ai.sql.rights import Rights
from ai.types import ThreadKey
from tests.http_service import Api, http_api

QUESTION = {"message": "which apps are there?"}


def exported(client: httpx.Client, kind: str) -> tuple[str, str]:
    """The turn of an export, and the path of its file."""
    chat = client.post("/v1/chat", json=QUESTION).json()["chat_id"]
    told = client.post("/v1/chat", json={"message": f"export this as {kind}", "chat_id": chat}).json()
    return told["turn_id"], f"/v1/chat/{told['turn_id']}/files/{told['files'][0]['name']}"


@pytest.mark.parametrize(
    ("kind", "media_type"), [("csv", "text/csv; charset=utf-8"), ("parquet", "application/vnd.apache.parquet")]
)
def test_a_file_comes_as_what_it_is(client: httpx.Client, kind: str, media_type: str) -> None:
    _, path = exported(client, kind)
    assert client.get(path).headers["content-type"] == media_type


def test_a_file_goes_with_its_folder(api: Api, client: httpx.Client) -> None:
    turn_id, path = exported(client, "csv")
    shutil.rmtree(api.exports / export_folder(turn_id))
    assert client.get(path).status_code == 404


def test_a_file_goes_with_its_answer(api: Api, client: httpx.Client) -> None:
    turn_id, path = exported(client, "csv")
    api.memory.lifecycle.withdraw_answer(turn_id)
    assert client.get(path).status_code == 404


def test_a_file_that_no_answer_gave_is_not_handed_out(api: Api, client: httpx.Client) -> None:
    turn_id = client.post("/v1/chat", json=QUESTION).json()["turn_id"]
    folder = api.exports / export_folder(turn_id)
    folder.mkdir(parents=True)
    (folder / "stray.csv").write_text("a", "utf-8")
    assert client.get(f"/v1/chat/{turn_id}/files/stray.csv").status_code == 404
    assert client.get(f"/v1/chat/{turn_id}").json()["files"] == []


def test_an_earlier_answer_keeps_its_rows(client: httpx.Client) -> None:
    first = client.post("/v1/chat", json=QUESTION).json()
    client.post("/v1/chat", json={"message": "how many apps do we have?", "chat_id": first["chat_id"]})
    assert client.get(f"/v1/chat/{first['turn_id']}").json()["rows"] == first["rows"]


@pytest.fixture
def narrowed(tmp_path: Path) -> Iterator[Api]:
    with http_api(tmp_path, rights=Rights(tables=frozenset({"apps"}), rows={"apps": "name <> 'Ada'"})) as served:
        yield served


def test_who_may_not_see_all_rows_has_no_tools_of_the_memory(narrowed: Api, client: httpx.Client) -> None:
    called: dict[str, object] = {"chat_id": None, "arguments": {}}
    assert client.post("/v1/tools/listWorkspaces", json=called).status_code == 200
    with narrowed.client() as restricted:
        refused = restricted.post("/v1/tools/listWorkspaces", json=called)
    assert (refused.status_code, "not yours to use" in refused.text) == (403, True)


def test_what_is_looked_at_is_noted_in_the_log_of_access(narrowed: Api) -> None:
    thread, turn_id = ThreadKey("T1", "C_SALES", "1.0"), "T1:C_SALES:1.0"
    narrowed.memory.receive(thread, turn_id, "which apps are there?", "U_CEM", datetime.now(UTC))
    said = {"chat_id": str(thread)}
    with narrowed.client() as client:
        _, path = exported(client, "csv")
        drawn = client.post("/v1/chat", json={"message": "plot the number of apps by platform"}).json()
        looks = [
            client.get(path),
            client.get("/v1/chart", params={"turn_id": drawn["turn_id"], "format": "spec"}),
            client.get("/v1/history", params={"chat_id": drawn["chat_id"]}),
            client.get("/v1/history", params=said),
            client.post("/v1/tools/listWorkspaces", json={}),
        ]
        narrowed.memory.add_reply(thread, turn_id, "These are 3 apps: Ada …")  # by the rights of U_CEM
        asked_alone = client.get("/v1/export", params=said).text
    assert [look.status_code for look in looks] == [200, 200, 200, 200, 403]
    assert ("which apps are there?" in asked_alone, "Ada" in asked_alone) == (True, False)
    noted = [one for one in narrowed.memory.access.of("U_ANA") if one.surface != "reply"]
    assert [(one.outcome, one.surface) for one in noted] == [
        ("told", "file over HTTP"),
        ("told", "chart over HTTP"),
        ("told", "messages over HTTP"),
        ("refused", "listWorkspaces"),
        ("refused", "messages over HTTP"),
    ]
    assert [one.thread for one in noted if one.surface == "messages over HTTP"] == [thread, thread]


def test_who_asks_from_this_machine_needs_no_token_in_the_demo(tmp_path: Path) -> None:
    with http_api(tmp_path, tokens=False) as demo, demo.client(None) as anybody:
        assert anybody.post("/v1/chat", json=QUESTION).status_code == 200


def test_what_may_take_longer_is_documented_where_it_may(client: httpx.Client) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    later = {path for path, calls in paths.items() for call in calls.values() if "202" in call["responses"]}
    assert later == {"/v1/chat", "/v1/chat/{turn_id}"}
