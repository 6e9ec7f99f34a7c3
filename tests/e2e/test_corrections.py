"""A correction over the wire: proposed by anybody, tested and approved by an owner, in force, and reverted."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from local_slack.testing import ANA, BEN, SlackServer, slack_server
from tests.e2e.bot_process import BotProcess
from tests.e2e.conversation import Conversation, button, labels
from tests.e2e.test_feedback import press
from tests.wait import until

CONFIG = """
sources:
  shop: {{url: "sqlite:///{path}", semantics: {{display: {{users: name}}}}}}
channels:
  "*": {{source: shop}}
owners: [{owner}]
"""
USERS = """
CREATE TABLE users (user_id INTEGER PRIMARY KEY, name TEXT NOT NULL, status TEXT NOT NULL);
INSERT INTO users (name, status) VALUES ('Ada', 'A'), ('Bo', 'A'), ('Cy', 'X');
"""
QUESTION = "how many active users do we have?"


@pytest.fixture(scope="module")
def slack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlackServer]:
    folder = tmp_path_factory.mktemp("corrections")
    with closing(sqlite3.connect(folder / "shop.sqlite")) as connection:
        connection.executescript(USERS)
    config = folder / "datathread.yml"
    config.write_text(CONFIG.format(path=folder / "shop.sqlite", owner=ANA), "utf-8")
    with slack_server() as server, BotProcess(server, folder, CONFIG_FILE=str(config)):
        yield server


def ephemerals(slack: SlackServer) -> list[dict[str, Any]]:
    return [call["args"] for call in slack.calls("chat.postEphemeral")]


def test_a_correction_changes_answers_when_an_owner_approves_it(slack: SlackServer) -> None:
    accepted = Conversation(slack, user=ANA)
    press(accepted, accepted.ask("how many users do we have?"), "Correct")
    assert "active" in Conversation(slack, user=BEN).ask(QUESTION)["text"]

    thread = Conversation(slack, user=BEN)
    proposed = thread.ask("by active users we mean status = 'A'")
    assert "active means users.status = 'A'" in proposed["text"]
    assert labels(proposed) == ["Test it", "Reject"]
    assert "2" not in Conversation(slack, user=BEN).ask(QUESTION)["text"]

    place = {"channel": thread.channel, "ts": proposed["ts"]}
    slack.act("action", BEN, message=place, action=button(proposed, "Test it"))
    refused = until(lambda: [one for one in ephemerals(slack) if "Only an owner" in one["text"]], what="the refusal")
    assert refused[0]["user"] == BEN
    assert labels(thread.answers()[0]) == ["Test it", "Reject"]

    thread.user = ANA
    tested = thread.press(proposed, "Test it")
    assert "Tested on 1 accepted question: 1 unchanged, 0 changed." in tested["text"]
    approved = thread.press(tested, "Approve")
    assert "in force" in approved["text"]
    answer = Conversation(slack, user=BEN).ask(QUESTION)
    assert "2" in answer["text"]
    assert "Definitions (version 1): active" in str(answer["blocks"])
    assert "verified by" in str(Conversation(slack, user=BEN).ask("how many users do we have?")["blocks"])

    assert "Only an owner" in Conversation(slack, user=BEN).ask("revert the last rule")["text"]
    reverted = Conversation(slack, user=ANA).ask("revert the last rule")
    assert "no longer in force" in reverted["text"]
    assert "2" not in Conversation(slack, user=BEN).ask(QUESTION)["text"]
    assert "(reverted)" in Conversation(slack, user=BEN).ask("show the rules")["text"]


def test_what_an_owner_rejects_changes_nothing(slack: SlackServer) -> None:
    thread = Conversation(slack, user=ANA)
    proposed = thread.ask("by idle users we mean status = 'X'")
    assert "idle means users.status = 'X'" in str(proposed)
    assert "is rejected" in thread.press(proposed, "Reject")["text"]
    assert "(rejected)" in Conversation(slack, user=BEN).ask("show the rules")["text"]
