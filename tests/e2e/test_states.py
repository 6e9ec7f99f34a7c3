"""Saved states in Slack: saved in one thread, resumed in another with all that belongs to them."""

import csv
import io
import sqlite3
from contextlib import closing

from local_slack.testing import BEN, DM_OF, PRODUCT, SlackServer
from tests.e2e.bot_process import BotProcess
from tests.e2e.conversation import Conversation, code, table


def test_a_state_is_resumed_in_another_channel(slack: SlackServer, bot: BotProcess) -> None:
    first = Conversation(slack)
    first.ask("list the iOS apps")
    saved = first.ask("save this as Q3 revenue, next: compare with Android; tell Ben")
    assert "Saved as" in saved["text"]
    second = Conversation(slack, PRODUCT, BEN)
    resumed = second.ask("resume q3 revenue")
    assert "compare with Android" in resumed["text"]
    assert "iOS" in code(resumed)
    assert len(table(resumed)) > 1
    assert "iOS" in code(second.ask("show me the SQL"))
    second.ask("export this as csv")
    file = slack.wait_for_file(second.channel, second.root)
    assert len(list(csv.reader(io.StringIO(slack.download(file).decode())))) == 1 + 21


def test_the_next_question_leans_on_what_was_resumed(slack: SlackServer, bot: BotProcess) -> None:
    first = Conversation(slack)
    first.ask("how many apps do we have?")
    first.ask("save this as App count")
    second = Conversation(slack, PRODUCT, BEN)
    second.ask("resume App count")
    assert "21" in second.ask("what about iOS?")["text"]


def test_a_name_is_used_once(slack: SlackServer, bot: BotProcess) -> None:
    thread = Conversation(slack)
    thread.ask("how many apps do we have?")
    assert "Saved as" in thread.ask("save this as Twice")["text"]
    assert "is saved already" in thread.ask("save this as Twice")["text"]
    assert "Saved as" in thread.ask("save this as Twice-v2")["text"]


def test_states_are_listed_and_archived(slack: SlackServer, bot: BotProcess) -> None:
    thread = Conversation(slack)
    thread.ask("how many apps do we have?")
    thread.ask("save this as Seldom needed")
    assert "Seldom needed" in thread.ask("list saved states")["text"]
    thread.ask("archive the state Seldom needed")
    assert "Seldom needed" not in thread.ask("list saved states")["text"]
    assert "how many apps" in thread.ask("resume Seldom needed")["text"]


def test_what_is_saved_in_direct_messages_stays_there(slack: SlackServer, bot: BotProcess) -> None:
    direct = Conversation(slack, DM_OF[BEN], BEN, direct=True)
    direct.ask("how many apps do we have?")
    assert "this conversation" in direct.ask("save this as Mine alone")["text"]
    assert "Mine alone" in direct.ask("list saved states")["text"]
    public = Conversation(slack)
    assert "Mine alone" not in public.ask("list saved states")["text"]
    unknown = public.ask("resume Mine alone")["text"]
    assert "No saved state" in unknown or "No state is saved" in unknown


def test_there_must_be_something_to_save(slack: SlackServer, bot: BotProcess) -> None:
    assert "nothing to save" in Conversation(slack).ask("save this as Nothing at all")["text"]


def test_every_tool_call_left_a_trace(slack: SlackServer, bot: BotProcess) -> None:
    thread = Conversation(slack)
    thread.ask("how many apps do we have?")
    thread.ask("show me the SQL")
    thread.ask("save this as Traced")
    with closing(sqlite3.connect(bot.data_dir / "state.sqlite")) as state:
        traced = state.execute(
            "SELECT tool, ms >= 0 FROM trace WHERE session = ? ORDER BY id", (thread.root,)
        ).fetchall()
    assert traced == [("get_sql_history_tool", 1), ("createState", 1)]
