"""The way of a question over the wire: one answer each, in order, whatever Slack or a power cut does."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from local_slack.testing import ANA, BEN, DM_OF, MENTION, PRODUCT, SlackServer, slack_server
from tests.e2e.bot_process import BotProcess
from tests.e2e.conversation import Conversation, code, is_status, table
from tests.e2e.slow_database import slow_database
from tests.paths import SHARED_DATA
from tests.wait import until

CHINOOK = SHARED_DATA / "nl2sql" / "db" / "chinook.sqlite"


@pytest.fixture(scope="module")
def slack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlackServer]:
    """A local Slack with a bot on the demo data."""
    with slack_server() as server, BotProcess(server, tmp_path_factory.mktemp("demo")):
        yield server


@pytest.fixture(scope="module")
def slow_bot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BotProcess]:
    """A bot on a database with one ordinary table, and a view that takes seconds to count."""
    folder = tmp_path_factory.mktemp("slow")
    url = slow_database(folder, 8_000_000)
    with slack_server() as server, BotProcess(server, folder, url, QUERY_SECONDS="120") as bot:
        yield bot


def test_a_button_asks_what_it_says(slack: SlackServer) -> None:
    thread = Conversation(slack)
    thread.ask("how many apps do we have?")
    thread.ask("how many users do we have?")
    offered = thread.ask("show me the SQL for the zebras")
    assert code(thread.press(offered, "how many apps do we have?")).startswith("SELECT COUNT(*)")
    shown = ["rich_text", "rich_text"]
    until(lambda: [block["type"] for block in thread.answers()[2]["blocks"]] == shown, what="the choice in its place")


def test_a_kill_in_mid_turn_gives_exactly_one_answer(slow_bot: BotProcess) -> None:
    thread = Conversation(slow_bot.slack)
    thread.say("how many crawls are there?")
    until(lambda: thread.root in {line["thread_ts"] for line in slow_bot.slack.state()["statuses"]}, what="a status")
    slow_bot.kill()
    assert [reply for reply in thread.replies() if not is_status(reply)] == []
    slow_bot.start()
    assert "8,000,000" in until(thread.answers, 60, "the answer after the restart")[0]["text"]
    assert "3" in thread.ask("how many apps are there?")["text"]
    assert len(thread.replies()) == 2


def test_questions_of_one_thread_are_answered_in_order(slow_bot: BotProcess) -> None:
    thread = Conversation(slow_bot.slack)
    thread.say("how many crawls are there?")
    thread.say("how many apps are there?")
    other = Conversation(slow_bot.slack, PRODUCT, BEN)
    assert "3" in other.ask("how many apps are there?")["text"]
    assert thread.answers() == []
    until(lambda: len(thread.answers()) == 2, 60, "both answers")
    first, second = thread.answers()
    assert ("8,000,000" in first["text"], "3" in second["text"]) == (True, True)


def test_a_message_is_answered_once_however_often_it_arrives(slack: SlackServer) -> None:
    slack.duplicate_deliveries()
    thread = Conversation(slack)
    thread.ask("how many apps do we have?")
    thread.ask(f"{MENTION} what about iOS?")
    slack.wait_until_quiet()
    slack.duplicate_deliveries(False)
    assert len(thread.replies()) == 2


def test_a_direct_message_is_a_thread(slack: SlackServer) -> None:
    thread = Conversation(slack, DM_OF[ANA], ANA, direct=True)
    assert "49" in thread.ask("how many apps do we have?")["text"]
    assert "21" in thread.ask("what about iOS?")["text"]


def test_the_bot_listens_only_where_it_is_asked(slack: SlackServer) -> None:
    aside = slack.say(ANA, PRODUCT, "how many apps do we have?")
    thread = Conversation(slack)
    thread.ask("how many apps do we have?")
    slack.say(BEN, thread.channel, f"<@{ANA}> is that so?", thread_ts=thread.root)
    assert "21" in thread.ask("what about iOS?")["text"]
    slack.wait_until_quiet()
    assert slack.replies(PRODUCT, aside) == []
    assert len(thread.replies()) == 2


def test_a_dropped_answer_to_a_post_gives_no_second_message(slack: SlackServer) -> None:
    slack.fault("chat.postMessage", "drop_after")
    thread = Conversation(slack)
    assert "49" in thread.ask("how many apps do we have?")["text"]
    assert len(thread.replies()) == 1


def test_another_database_by_its_url_alone(tmp_path: Path) -> None:
    if not CHINOOK.exists():
        pytest.skip("chinook.sqlite is absent: the shared data is not beside the project")
    with slack_server() as slack, BotProcess(slack, tmp_path, f"sqlite:///{CHINOOK}"):
        rows = table(Conversation(slack).ask("How many customers do we have per country?"))
        with closing(sqlite3.connect(CHINOOK)) as chinook:
            truth = chinook.execute("SELECT Country, count(*) FROM Customer GROUP BY Country").fetchall()
        assert sorted((country, int(number)) for country, number in rows[1:]) == sorted(truth)


def test_help_names_the_data_and_questions_that_work(slack: SlackServer) -> None:
    thread = Conversation(slack)
    hello = thread.ask("hi")
    assert "demo" in hello["text"]
    questions, _, sayings = hello["text"].partition("Or say")
    examples = [line.removeprefix("- ") for line in questions.splitlines() if line.startswith("- ")]
    assert len(examples) == 3
    for example in examples:
        assert "Read as: " in str(Conversation(slack).ask(example)["blocks"])
    assert "ask a data question first" in thread.ask("plot it")["text"]
    offered = re.findall(r"^- “(.*)”: ", sayings, re.MULTILINE)
    assert len(offered) > 5
    thread.ask("list all apps")
    assert [said for said in offered if "does not look like one" in thread.ask(said)["text"]] == []
