"""Two people in one thread, one of them in the user group that may see everything, asked of Slack over the wire."""

import csv
import io
import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from bot.demo.database import ensure
from local_slack.testing import ANA, MIRA, SlackServer, slack_server
from tests.e2e.bot_process import BotProcess
from tests.e2e.conversation import Conversation, table

pytestmark = pytest.mark.slow

SETTINGS = {
    "roles": {"analyst": {"groups": ["S0ANALYSTS"]}},
    "sources": {
        "demo": {
            "url": "sqlite:///demo.sqlite",
            "rights": {"rows": {"app_portfolio": "platform = 'iOS'"}},
            "roles": {"analyst": {}},
        }
    },
    "channels": {"*": {"source": "demo", "audience": "asker"}},
}


@pytest.fixture
def slack(tmp_path: Path) -> Iterator[SlackServer]:
    ensure(tmp_path / "demo.sqlite", date(2026, 3, 1))
    (tmp_path / "settings.yml").write_text(json.dumps(SETTINGS), "utf-8")
    with slack_server() as server, BotProcess(server, tmp_path, CONFIG_FILE="settings.yml"):
        yield server


def platforms(thread: Conversation, user: str, text: str) -> set[str]:
    thread.user = user
    return {row[1] for row in table(thread.ask(text))[1:]}


def test_a_member_of_the_group_sees_more_than_who_is_not(slack: SlackServer) -> None:
    thread, question = Conversation(slack), "list the names and platforms of the apps"
    assert platforms(thread, ANA, question) == {"iOS", "Android", "Web"}
    thread.user = MIRA
    refused = thread.ask("export this as csv")
    assert "rights that you do not have" in refused["text"]
    assert "Android" not in str(refused)
    assert "Android" not in str(thread.ask("sort them by platform"))
    assert platforms(thread, MIRA, question) == {"iOS"}
    thread.ask("export this as csv")
    content = slack.download(slack.wait_for_file(thread.channel, thread.root)).decode()
    assert {row[1] for row in list(csv.reader(io.StringIO(content)))[1:]} == {"iOS"}
