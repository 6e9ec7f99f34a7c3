"""What is deleted in Slack, and what has had its time, is found by nobody any more; seen from Slack and the command line."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ai.memory_store import MemoryStore
from ai.types import ThreadKey
from local_slack.testing import ANA, GENERAL, SALES, SlackServer, slack_server
from tests.desk import shop
from tests.e2e.bot_process import BotProcess
from tests.e2e.conversation import Conversation
from tests.e2e.test_cli import datathread
from tests.memories import opened
from tests.wait import until

CONFIG = """
sources: {{shop: {{url: "sqlite:///{}"}}}}
channels: {{"*": {{source: shop, retention_days: 30}}, {}: {{source: shop}}}}
"""
OLD, KEPT = ThreadKey("T0LOCAL", GENERAL, "1700000000.000100"), ThreadKey("T0LOCAL", SALES, "1700000000.000100")


@dataclass(frozen=True)
class Place:
    """A bot that runs, its memory, and the folder that its command line uses as well."""

    slack: SlackServer
    memory: MemoryStore
    folder: Path
    settings: dict[str, str]

    def command(self, *arguments: str) -> str:
        """What `datathread memory …` says."""
        done = datathread(self.folder, "memory", *arguments, **self.settings)
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("forgetting")
    (folder / "data").mkdir()
    (folder / "config.yml").write_text(CONFIG.format(shop(folder), SALES), "utf-8")
    settings = {"CONFIG_FILE": str(folder / "config.yml")}
    with opened(folder / "data") as memory:
        for key in (OLD, KEPT):
            at = datetime.now(UTC) - timedelta(days=31)
            memory.receive(key, turn_of(key, key.thread_ts), "how many zebras?", ANA, at)
        with slack_server() as slack, BotProcess(slack, folder, **settings):
            yield Place(slack, memory, folder, settings)


def turn_of(thread: ThreadKey, ts: str) -> str:
    return f"{thread.team}:{thread.channel}:{ts}"


def test_what_has_had_its_time_goes_by_itself(place: Place) -> None:
    until(lambda: not place.memory.knows(OLD), what="the old turn to go")
    assert place.memory.knows(KEPT)


def test_what_is_deleted_in_slack_is_neither_found_nor_recalled(place: Place) -> None:
    thread = Conversation(place.slack)
    thread.ask("how many apps do we have?")
    deleted = place.slack.say(thread.user, thread.channel, "thanks, dear walruses", thread.root)
    key = replace(OLD, thread_ts=thread.root)
    until(lambda: place.memory.question(turn_of(key, deleted)) is not None, what="the words in the memory")
    place.slack.delete(thread.user, thread.channel, deleted)
    until(lambda: place.memory.question(turn_of(key, deleted)) is None, what="the words to go")
    assert "I found nothing" in thread.ask("what did we say about walruses?")["text"]
    assert "dear walruses" not in place.command("export", str(key))


def test_the_command_line_counts_writes_out_and_forgets(place: Place) -> None:
    assert "threads, " in place.command("stats")
    assert "how many zebras?" in place.command("export", str(KEPT))
    assert place.command("forget", "--thread", str(KEPT)) == "1 turns of 1 threads are forgotten.\n"
    assert not place.memory.knows(KEPT)


def test_the_command_line_forgets_one_thing_at_a_time(tmp_path: Path) -> None:
    refused = datathread(tmp_path, "memory", "forget", "--expired", "--everything")
    assert refused.returncode == 2
    assert "one of --thread" in refused.stderr
