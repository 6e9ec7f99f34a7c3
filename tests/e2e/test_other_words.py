"""What was said in other words is found in Slack with a model of meanings, and told as a guess."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ai.memory_store import MemoryStore
from local_slack.testing import BEN, SlackServer, slack_server
from tests.desk import shop
from tests.e2e.bot_process import BotProcess
from tests.e2e.conversation import Conversation
from tests.memories import opened
from tests.paths import ROOT
from tests.stand_ins.model2vec import write_model
from tests.wait import until

SAID = "the new tool is nine dollars a seat"


@pytest.fixture
def slack() -> Iterator[SlackServer]:
    with slack_server() as running:
        yield running


def asked_about_pricing(slack: SlackServer, folder: Path, **settings: str) -> str:
    with BotProcess(slack, folder, f"sqlite:///{shop(folder)}", **settings), opened(folder / "data") as memory:
        thread = Conversation(slack)
        thread.ask("how many apps do we have?")
        ts = slack.say(BEN, thread.channel, SAID, thread_ts=thread.root)
        until(lambda: is_logged(memory, thread, ts), what="Ben's words in the memory")
        told: str = thread.ask("what did we say about pricing?")["text"]
        return told


def is_logged(memory: MemoryStore, thread: Conversation, ts: str) -> bool:
    return memory.question(f"T0LOCAL:{thread.channel}:{ts}") is not None


def test_a_paraphrase_is_quoted_as_a_guess(slack: SlackServer, tmp_path: Path) -> None:
    model = write_model(tmp_path / "model", [["pricing", "dollars", "seat"]])
    library = f"{ROOT / 'tests' / 'stand_ins'}:{ROOT}"
    told = asked_about_pricing(slack, tmp_path, EMBEDDING_MODEL=str(model), PYTHONPATH=library)
    assert "Nothing was said about pricing in these words. This may be meant:" in told
    assert SAID in told


def test_without_the_setting_nothing_is_found(slack: SlackServer, tmp_path: Path) -> None:
    told = asked_about_pricing(slack, tmp_path)
    assert "I found nothing that was said about “pricing”" in told
    assert SAID not in told
