"""An edited question is answered again in the place of its answer; a deleted one leaves no words behind."""

from collections.abc import Iterator

import pytest

from local_slack.testing import SlackServer, slack_server
from tests.e2e.bot_process import BotProcess
from tests.e2e.conversation import Conversation, code
from tests.wait import until


@pytest.fixture(scope="module")
def slack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlackServer]:
    with slack_server() as server, BotProcess(server, tmp_path_factory.mktemp("edits")):
        yield server


def edit(thread: Conversation, ts: str, text: str) -> None:
    thread.slack.edit(thread.user, thread.channel, ts, text)


def test_an_edited_question_is_answered_again_in_place(slack: SlackServer) -> None:
    thread = Conversation(slack, direct=True, channel="D0ANA")
    first = thread.ask("how many apps do we have?")
    edit(thread, thread.root, "how many iOS apps do we have?")
    second = until(lambda: [one for one in thread.answers() if one["text"] != first["text"]], what="the new answer")[0]
    assert (second["ts"], len(thread.replies())) == (first["ts"], 1)
    assert "iOS" in second["text"]
    assert "'iOS'" in code(thread.ask("show me the SQL"))


def test_an_edit_that_says_the_same_is_not_answered_again(slack: SlackServer) -> None:
    thread = Conversation(slack)
    thread.ask("how many apps do we have?")
    before = len(slack.calls("chat.update"))
    edit(thread, thread.root, "<@U0BOT>   how many apps do we have?")
    assert thread.ask("what about iOS?")
    assert len(slack.calls("chat.update")) == before


def test_the_last_of_several_edits_is_what_is_answered(slack: SlackServer) -> None:
    thread = Conversation(slack)
    thread.ask("how many apps do we have?")
    for wording in ("how many Android apps are there?", "how many apps are there?", "how many iOS apps are there?"):
        edit(thread, thread.root, f"<@U0BOT> {wording}")
    until(lambda: any("iOS" in answer["text"] for answer in thread.answers()), what="the last wording's answer")
    assert len(thread.replies()) == 1
