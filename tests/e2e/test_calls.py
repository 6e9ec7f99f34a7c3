"""How many calls to Slack an answer costs, counted over the wire."""

from collections.abc import Iterator

import pytest

from local_slack.testing import SlackServer, slack_server
from tests.e2e.bot_process import BotProcess
from tests.e2e.conversation import Conversation
from tests.wait import until

ONCE = ("users.info",)  # each process that answers looks a person up once


@pytest.fixture(scope="module")
def slack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlackServer]:
    with slack_server() as server, BotProcess(server, tmp_path_factory.mktemp("calls")):
        Conversation(server).ask("how many apps do we have?")  # what is looked up once is looked up now
        yield server


def cost(slack: SlackServer, thread: Conversation, text: str, *, files: int = 0) -> list[str]:
    """Ask and return the methods called until the answer, and its files, stand in the thread."""
    before = len(slack.calls())
    if files:
        thread.say(text)
        until(lambda: slack.files(thread.channel, thread.root), 60, "the file")
    else:
        thread.ask(text)
    slack.wait_until_quiet()
    return [call["method"] for call in slack.calls()[before:] if call["method"] not in ONCE]


@pytest.mark.parametrize("text", ["how many teams are there?", "revenue by country in October 2026", "help"])
def test_an_ordinary_answer_costs_three_calls_at_most(slack: SlackServer, text: str) -> None:
    methods = cost(slack, Conversation(slack), text)
    assert methods.count("chat.postMessage") == 1
    assert len(methods) <= 3


def test_an_answer_with_a_file_costs_four_calls(slack: SlackServer) -> None:
    thread = Conversation(slack)
    thread.ask("revenue by country in October 2026")
    assert len(cost(slack, thread, "export this as csv", files=1)) <= 4
