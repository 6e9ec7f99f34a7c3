"""What was asked while nothing reached the bot: it finds it, and answers each question once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from local_slack.testing import ANA, BEN, DM_OF, GENERAL, MENTION, PRODUCT, SlackServer, slack_server
from tests.e2e.bot_process import BotProcess
from tests.e2e.conversation import Conversation
from tests.wait import until

EVENTS = ["app_mention", "message.channels", "message.groups", "message.im", "message.mpim"]


@pytest.fixture
def slack() -> Iterator[SlackServer]:
    with slack_server() as server:
        yield server


def lose_events(slack: SlackServer, is_on: bool = True) -> None:
    """Let Slack tell nobody what people say, as it does after its last retry."""
    slack.app(event_types=[] if is_on else EVENTS)


def test_what_was_asked_while_the_bot_was_down_is_answered_once(slack: SlackServer, tmp_path: Path) -> None:
    with BotProcess(slack, tmp_path) as bot:
        known, direct = Conversation(slack), Conversation(slack, DM_OF[ANA], ANA, direct=True)
        elsewhere = Conversation(slack, PRODUCT, BEN)
        for thread in (known, direct, elsewhere):
            thread.ask("how many apps do we have?")
        slack.wait_until_quiet()
        bot.kill()
        lose_events(slack)
        known.say("what about iOS?")
        slack.say(BEN, GENERAL, f"<@{ANA}> is that so?", thread_ts=known.root)
        direct.say("what about Android?")
        mention = Conversation(slack, PRODUCT, BEN)
        mention.say("how many users do we have?")
        aside = slack.say(BEN, PRODUCT, "how many users do we have?")
        slack.say(ANA, PRODUCT, f"{MENTION} how many apps do we have?", thread_ts=aside)
        slack.edit(elsewhere.user, PRODUCT, elsewhere.root, f"{MENTION} how many iOS apps do we have?")
        lose_events(slack, False)
        bot.start()
        for thread, count in ((known, 2), (direct, 2), (mention, 1)):
            until(lambda t=thread, n=count: len(t.answers()) == n, 60, "the missed questions' answers")  # type: ignore[misc]
        assert "21" in known.answers()[1]["text"]
        until(lambda: slack.replies(PRODUCT, aside), 60, "the answer to a mention in somebody else's thread")
        until(lambda: "iOS" in elsewhere.answers()[0]["text"], 60, "the answer to the edited wording")
        bot.kill()
        bot.start()
        assert "49" in Conversation(slack).ask("how many apps do we have?")["text"]
        assert [len(thread.replies()) for thread in (known, direct, mention, elsewhere)] == [2, 2, 1, 1]
        assert len(slack.replies(PRODUCT, aside)) == 1


def test_a_line_gone_silent_is_opened_anew_and_nothing_is_lost(slack: SlackServer, tmp_path: Path) -> None:
    with BotProcess(slack, tmp_path, SLACK_SILENCE_SECONDS="3") as bot:
        thread = Conversation(slack)
        thread.ask("how many apps do we have?")
        slack.wait_until_quiet()
        slack.silence()
        lose_events(slack)
        thread.say("what about iOS?")
        lose_events(slack, False)
        slack.wait_for_connections(1, 60)
        assert (
            "21" in until(lambda: thread.answers()[1:], 60, "the answer to what the silent line swallowed")[0]["text"]
        )
        assert "20" in thread.ask("what about Android?")["text"]
        assert len(thread.replies()) == 3
        assert "connecting anew" in bot.log.read_text("utf-8")


def test_a_bot_that_was_never_here_answers_nothing_of_the_past(slack: SlackServer, tmp_path: Path) -> None:
    lose_events(slack)
    before = slack.say(ANA, GENERAL, f"{MENTION} how many apps do we have?")
    lose_events(slack, False)
    with BotProcess(slack, tmp_path):
        Conversation(slack).ask("how many apps do we have?")
        assert slack.replies(GENERAL, before) == []
