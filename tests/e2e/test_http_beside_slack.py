"""The HTTP API of a running bot: one memory and one queue for what is asked in Slack and what is asked over HTTP."""

from collections.abc import Iterator

import httpx
import pytest

from local_slack.testing import BEN, DM_OF, SlackServer
from tests.e2e.bot_process import BotProcess
from tests.e2e.conversation import Conversation
from tests.processes import free_port
from tests.wait import until

TEAM = {"x-org-id": "T0LOCAL", "x-user-id": "U0ANA"}


@pytest.fixture(scope="module")
def slack(local_slack_server: SlackServer) -> SlackServer:
    return local_slack_server


@pytest.fixture(scope="module")
def client(slack: SlackServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    port = free_port()
    with (
        BotProcess(slack, tmp_path_factory.mktemp("bot"), HTTP_PORT=str(port)),
        httpx.Client(base_url=f"http://127.0.0.1:{port}", headers=TEAM, timeout=60) as session,
    ):
        until(lambda: session.get("/readyz").status_code == 200, 60, "the bot to be ready")
        yield session


def test_slack_and_http_share_a_memory(slack: SlackServer, client: httpx.Client) -> None:
    thread = Conversation(slack)
    assert "49" in thread.ask("how many apps do we have?")["text"]
    chat = {"chat_id": f"T0LOCAL/{thread.channel}/{thread.root}"}
    messages = client.get("/history", params=chat).json()["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant"]
    answer = client.post("/chat", json={"message": "how many apps do we have?"}).json()
    assert answer["rows"] == [[49]]
    assert client.post("/chat", json={"message": "what about iOS?", "chat_id": answer["chat_id"]}).json()["rows"] == [
        [21]
    ]
    assert len(thread.replies()) == 1
    client.post("/chat", json={"message": "save this as Over HTTP", "chat_id": answer["chat_id"]})
    assert "Over HTTP" in thread.ask("list saved states")["text"]


def test_direct_messages_are_nobody_elses(slack: SlackServer, client: httpx.Client) -> None:
    direct = Conversation(slack, DM_OF[BEN], BEN, direct=True)
    direct.ask("how many apps do we have?")
    refused = client.get("/history", params={"chat_id": f"T0LOCAL/{direct.channel}/{direct.root}"})
    assert refused.status_code == 403
