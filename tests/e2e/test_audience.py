"""An answer is held to the rights of everybody in its channel, over the wire."""

import json
from collections.abc import Iterator
from datetime import date

import pytest

from bot.demo.database import ensure
from local_slack.testing import ANA, DM_OF, GENERAL, MIRA, SlackServer, slack_server
from local_slack.wire import Json
from tests.e2e.bot_process import BotProcess
from tests.e2e.conversation import Conversation, table
from tests.wait import until

pytestmark = pytest.mark.slow

SETTINGS = {
    "roles": {"analyst": {"groups": ["S0ANALYSTS"]}},
    "owners": [ANA],
    "sources": {
        "demo": {
            "url": "sqlite:///demo.sqlite",
            "rights": {"rows": {"app_portfolio": "platform = 'iOS'"}},
            "roles": {"analyst": {}},
        }
    },
    "channels": {"*": {"source": "demo"}},
}
QUESTION = "list the names and platforms of the apps"
LABEL = "Share in channel ({} would see what they otherwise could not)"


@pytest.fixture(scope="module")
def slack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlackServer]:
    folder = tmp_path_factory.mktemp("audience")
    ensure(folder / "demo.sqlite", date(2026, 3, 1))
    (folder / "settings.yml").write_text(json.dumps(SETTINGS), "utf-8")
    with slack_server("--manifest", "manifest.yml") as server, BotProcess(server, folder, CONFIG_FILE="settings.yml"):
        yield server


def direct(slack: SlackServer, count: int) -> Json:
    """The last of so many messages of the bot to Ana alone."""
    look = lambda: [one for one in slack.messages(DM_OF[ANA]) if "You asked" in one["text"]][count - 1 :]  # noqa: E731
    return until(look, 20, "a private answer")[0]


def test_an_answer_goes_to_its_asker_until_it_is_shared(slack: SlackServer) -> None:
    thread = Conversation(slack)
    note = thread.ask(QUESTION)
    assert "in a direct message" in note["text"]
    assert "Android" not in str(slack.messages(GENERAL))
    answer = direct(slack, 1)
    assert {row[1] for row in table(answer)[1:]} == {"iOS", "Android", "Web"}
    slack.press(ANA, DM_OF[ANA], answer, LABEL.format("1 person"))
    until(lambda: "Android" in str(slack.replies(GENERAL, thread.root)), 20, "the shared answer")
    assert len(slack.replies(GENERAL, thread.root)) == 1


def test_a_file_of_a_private_answer_is_private(slack: SlackServer) -> None:
    thread = Conversation(slack)
    thread.ask("export all apps as csv")
    until(lambda: [one for one in slack.messages(DM_OF[ANA]) if one.get("files")], 20, "the file")
    assert slack.files(GENERAL, thread.root) == []


def test_whoever_sees_less_is_answered_in_the_channel(slack: SlackServer) -> None:
    thread = Conversation(slack, user=MIRA)
    assert {row[1] for row in table(thread.ask(QUESTION))[1:]} == {"iOS"}


def test_joins_and_leaves_count_at_once(slack: SlackServer) -> None:
    slack.control("channel", {"channel": "C0BOSSES", "name": "bosses", "members": [ANA, "U0BOT"]})
    room = Conversation(slack, "C0BOSSES")
    assert {row[1] for row in table(room.ask(QUESTION))[1:]} == {"iOS", "Android", "Web"}
    slack.control("join", {"channel": "C0BOSSES", "users": [MIRA]})
    slack.wait_until_quiet()
    assert "in a direct message" in room.ask(QUESTION)["text"]
    slack.control("leave", {"channel": "C0BOSSES", "user": MIRA})
    slack.wait_until_quiet()
    assert "Android" in str(room.ask("which apps are there by platform?"))
