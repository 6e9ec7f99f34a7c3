"""The five usage examples of seed 004, word for word, through the local Slack over the wire."""

import csv
import io
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from local_slack.testing import GENERAL, SALES, SlackServer
from tests.e2e.bot_process import BotProcess
from tests.e2e.conversation import Conversation, code
from tests.wait import until


@pytest.fixture
def thread(slack: SlackServer, bot: BotProcess) -> Conversation:
    return Conversation(slack)


def queries_run(bot: BotProcess) -> int:
    """How many queries the bot has run so far, by its own record."""
    with closing(sqlite3.connect(bot.data_dir / "state.sqlite")) as state:
        return int(state.execute("SELECT count(*) FROM query WHERE status = 'ok'").fetchone()[0])


def test_example_1_simple_query_flow(thread: Conversation) -> None:
    assert "49" in thread.ask("how many apps do we have?")["text"]


def test_example_2_follow_up_question(thread: Conversation) -> None:
    thread.ask("how many apps do we have?")
    assert "21" in thread.ask("what about iOS?")["text"]


def test_example_3_csv_export_runs_no_sql(thread: Conversation, bot: BotProcess) -> None:
    thread.ask("list the iOS apps")
    before = queries_run(bot)
    thread.ask("export this as csv")
    file = thread.slack.wait_for_file(thread.channel, thread.root)
    rows = list(csv.reader(io.StringIO(thread.slack.download(file).decode("utf-8"))))
    assert len(rows) == 1 + 21
    assert queries_run(bot) == before
    until(lambda: not list(Path(bot.data_dir, "exports").rglob("*.csv")))


def test_example_4_sql_retrieval_by_description(thread: Conversation) -> None:
    thread.ask("how many apps do we have?")
    thread.ask("what about iOS?")
    sql = code(thread.ask("show me the SQL you used to retrieve all the apps"))
    assert "app_portfolio" in sql
    assert "iOS" not in sql
    assert "iOS" in code(thread.ask("show me the SQL"))


def test_example_5_conversation_compression(thread: Conversation, bot: BotProcess) -> None:
    """Long threads are compressed, and nothing of them is lost: the first question is still there for a follow-up."""
    thread.ask("how many apps do we have?")
    for platform in ("iOS", "Android", "Web", "iOS", "Android", "Web", "iOS"):
        thread.ask(f"what about {platform}?")
    with closing(sqlite3.connect(bot.data_dir / "state.sqlite")) as state:
        logged, segments = state.execute(
            "SELECT (SELECT count(*) FROM message WHERE thread_id = thread.id),"
            " (SELECT count(*) FROM segment WHERE thread_id = thread.id) FROM thread WHERE thread_ts = ?",
            (thread.root,),
        ).fetchone()
    assert logged == 16
    assert segments >= 1
    assert "app_portfolio" in code(thread.ask("show me the SQL you used to retrieve all the apps"))


def test_threads_with_the_same_ts_in_two_channels_do_not_see_each_other(slack: SlackServer, bot: BotProcess) -> None:
    ts = "1800000000.000100"
    here, there = Conversation(slack, GENERAL), Conversation(slack, SALES)
    assert "49" in here.ask("how many apps do we have?", ts=ts)["text"]
    assert "Nothing has been asked in this thread yet" in there.ask("show me the SQL", ts=ts)["text"]
    assert "21" in here.ask("what about iOS?")["text"]
    assert "Nothing has been asked in this thread yet" in there.ask("export this as csv")["text"]
