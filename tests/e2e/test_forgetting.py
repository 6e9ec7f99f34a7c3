"""What is deleted in Slack, and what has had its time, is found by nobody any more; seen from Slack and the command line."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ai.memory_store import MemoryStore
from ai.types import ThreadKey
from local_slack.testing import ANA, BEN, GENERAL, SALES, SlackServer, slack_server
from tests.desk import shop
from tests.e2e.bot_process import BotProcess
from tests.e2e.conversation import Conversation
from tests.memories import opened
from tests.postgres import Postgres, postgres
from tests.processes import datathread
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
    deleted = place.slack.say(thread.user, thread.channel, "lol, dear walruses", thread.root)
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


SECRET = "zebrafish"
FROM_ANA = (
    f"We decided that the tank of {SECRET} stays at nine degrees",
    "how many apps do we have?",
    f"save this as {SECRET} count",
    f"remember that by {SECRET} I mean iOS apps",
    f"archive everything before this as what we said of {SECRET}",
    f"how many {SECRET} do we have?",
)


def files_with(words: str, *folders: Path) -> list[str]:
    files = (file for folder in folders for file in folder.rglob("*") if file.is_file())
    return [file.name for file in files if words.encode() in file.read_bytes()]


@pytest.mark.parametrize("kept_in", ["sqlite", "postgresql"])
def test_no_byte_of_a_forgotten_person_is_left(kept_in: str, tmp_path: Path) -> None:
    """Neither in the data folder, nor in the engine's database, nor in the files of PostgreSQL."""
    with ExitStack() as opened_here:
        server = opened_here.enter_context(postgres()) if kept_in == "postgresql" else None
        urls = [server.new_database() for _ in range(2)] if server else []
        settings = dict(zip(("STATE_URL", "ENGINE_URL"), urls, strict=False))
        slack = opened_here.enter_context(slack_server())
        bot = opened_here.enter_context(BotProcess(slack, tmp_path, **settings))
        folders = [bot.data_dir, *([server.cluster / "base"] if server else [])]
        ana, ben = Conversation(slack), Conversation(slack, user=BEN)
        for text in FROM_ANA:
            ana.ask(text)
        assert SECRET in str(ben.ask("what did we decide about the tank in this channel?"))
        rewrite(server, urls)
        assert files_with(SECRET, *folders), "the search finds nothing where there is something"
        forgotten = datathread(tmp_path, "memory", "forget", "--person", ANA, **settings)
        assert forgotten.returncode == 0, forgotten.stderr
        rewrite(server, urls)
        assert files_with(SECRET, *folders) == []
        assert "9" in ben.ask("how many apps do we have?")["text"]


def rewrite(server: Postgres | None, urls: list[str]) -> None:
    """Have PostgreSQL give up the room of deleted rows, as it does in its own time."""
    if server is None:
        return
    for url in urls:
        with server.connect(url.rpartition("/")[2]) as session:
            session.execute("VACUUM FULL")
            session.execute("CHECKPOINT")


@pytest.mark.parametrize("unknown", [("--person", "U0NOBODY"), ("--thread", "T1/C1/1.0")])
def test_an_unknown_person_or_thread_is_an_error(unknown: tuple[str, str], place: Place) -> None:
    refused = datathread(place.folder, "memory", "forget", *unknown, **place.settings)
    assert (refused.returncode, unknown[1] in refused.stderr) == (2, True)


def test_the_command_line_forgets_one_thing_at_a_time(tmp_path: Path) -> None:
    refused = datathread(tmp_path, "memory", "forget", "--expired", "--everything")
    assert refused.returncode == 2
    assert "one of --thread" in refused.stderr
