"""Archives, saved states and forgetting in Slack: each deed shows what it is about and has one button to undo or confirm."""

from typing import Any

import pytest

from local_slack.testing import SlackServer
from tests.e2e.bot_process import BotProcess
from tests.e2e.conversation import Conversation, labels

FIRST = "how many apps do we have?"


@pytest.fixture
def thread(slack: SlackServer, bot: BotProcess) -> Conversation:
    begun = Conversation(slack)
    begun.ask(FIRST)
    return begun


def shown(message: dict[str, Any]) -> str:
    return str(message["blocks"])


def test_archiving_and_restoring_are_undone_by_their_buttons(thread: Conversation) -> None:
    archived = thread.ask("archive everything before this")
    assert "Archived 2 messages of " in shown(archived)
    assert FIRST in shown(archived)
    assert labels(archived) == ["Undo"]
    restored = thread.press(archived, "Undo")
    assert "Restored: 2 messages of " in shown(restored)
    assert "Archived 2 messages" in shown(thread.press(restored, "Undo"))


def test_pruning_is_confirmed(thread: Conversation) -> None:
    thread.press(thread.ask("archive everything before this"), "Undo")
    asked = thread.ask("prune archives")
    assert FIRST in shown(asked)
    assert labels(asked) == ["Drop them"]
    assert "Dropped 1 archive" in shown(thread.press(asked, "Drop them"))


def test_saving_is_undone_by_its_button(thread: Conversation) -> None:
    saved = thread.ask("save this as Number of apps")
    assert labels(saved) == ["Undo"]
    hidden = thread.press(saved, "Undo")
    assert "no longer listed" in shown(hidden)
    assert "is listed again" in shown(thread.press(hidden, "Undo"))


def test_forgetting_is_confirmed(thread: Conversation) -> None:
    asked = thread.ask("forget this thread")
    assert "deletes all 3 messages of " in shown(asked)
    assert FIRST in shown(asked)
    assert labels(asked) == ["Forget it all"]
    assert "This thread is forgotten" in shown(thread.press(asked, "Forget it all"))
    assert FIRST not in shown(thread.ask("what was the very first message?"))
