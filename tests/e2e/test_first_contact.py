"""First contact: a channel that is joined, the first question in one, and what owners hear when something is amiss."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from local_slack.testing import ANA, BEN, BOT, DM_OF, GENERAL, MENTION, SlackServer, slack_server
from tests.e2e.bot_process import BotProcess
from tests.e2e.conversation import actions, answer_to
from tests.wait import until

NEW = "C0NEW"


@pytest.fixture
def slack() -> Iterator[SlackServer]:
    with slack_server("--manifest", "manifest.yml") as server:
        yield server


def test_a_joined_channel_is_greeted_with_questions_that_answer(slack: SlackServer, tmp_path: Path) -> None:
    slack.control("channel", {"channel": NEW, "name": "new", "members": [ANA]})
    with BotProcess(slack, tmp_path):
        slack.control("join", {"users": [BOT], "channel": NEW, "inviter": ANA})

        def greetings() -> list[dict[str, object]]:
            return [one for one in slack.messages(NEW) if one.get("blocks") and one["user"] == BOT]

        (greeting,) = until(greetings, 30, "a greeting")
        assert str(greeting["text"]).startswith("I answer questions about the data in demo")
        assert len(str(greeting["text"]).split("\n")) == 3
        asks = actions(greeting)
        assert len(asks) == 2
        for number, label in enumerate(asks, 1):
            slack.press(ANA, NEW, greeting, label)
            said = str(answer_to(slack, NEW, str(greeting["ts"]), number + 1, timeout=60)["text"])
            assert any(sign.isdigit() for sign in said), said


def test_the_first_who_asks_in_a_channel_is_told_what_can_be_asked_once(slack: SlackServer, tmp_path: Path) -> None:
    with BotProcess(slack, tmp_path):
        for user in (ANA, BEN):
            said = slack.say(user, GENERAL, f"{MENTION} how many apps do we have?")
            answer_to(slack, GENERAL, said, timeout=60)
        told = slack.wait_for_ephemeral(ANA)["text"]
        assert told.startswith("I answer questions about the data in demo")
        assert "For example: “How many apps do we have?” or “" in told
        assert slack.ephemerals(BEN) == []


def test_owners_are_told_once_what_needs_them(slack: SlackServer, tmp_path: Path) -> None:
    database = tmp_path / "empty.sqlite"
    database.touch()
    settings = tmp_path / "bot.yml"
    settings.write_text(
        f"sources: {{shop: {{url: 'sqlite:///{database}'}}}}\nchannels: {{'*': {{source: shop}}}}\nowners: [{ANA}]\n",
        "utf-8",
    )
    slack.app(scopes=["chat:write", "im:write", "users:read", "channels:history", "app_mentions:read"])

    def told() -> list[str]:
        return [one["text"] for one in slack.messages(DM_OF[ANA]) if one["user"] == BOT]

    with BotProcess(slack, tmp_path, CONFIG_FILE=str(settings)):
        (words,) = until(told, 30, "a word to the owner")
    assert "• scopes: Scopes are missing: add " in words
    assert "assistant:write" in words
    assert "• source shop: The database has no table that may be read" in words
    assert slack.messages(DM_OF[BEN]) == []
    with BotProcess(slack, tmp_path, CONFIG_FILE=str(settings)) as bot:
        until(lambda: "scopes: Scopes are missing" in bot.log.read_text("utf-8").partition("again")[2], 30, "the check")
    assert told() == [words]
