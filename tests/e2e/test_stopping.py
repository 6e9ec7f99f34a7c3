"""Stop, said in the thread, pressed, or meant by deleting the question: the turn says so itself, and the next one waits."""

from collections.abc import Callable, Iterator

import pytest

from local_slack.testing import SlackServer, slack_server
from tests.e2e.bot_process import BotProcess
from tests.e2e.conversation import Conversation, Json
from tests.e2e.slow_database import slow_database
from tests.wait import until

SLOW = "how many crawls are there?"
SAFETY_SECONDS = 20.0  # the query takes minutes


@pytest.fixture(scope="module")
def slack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlackServer]:
    """A local Slack with a bot on a small table, and a view that takes minutes to count."""
    folder = tmp_path_factory.mktemp("slow")
    url = slow_database(folder, 2_000_000_000)
    with slack_server() as server, BotProcess(server, folder, url, QUERY_SECONDS="600"):
        yield server


def say(thread: Conversation) -> None:
    thread.slack.say(thread.user, thread.channel, "stop", thread_ts=thread.root)


def press(thread: Conversation) -> None:
    (status,) = thread.replies()
    (button,) = [block for block in status["blocks"] if block["type"] == "actions"]
    pressed = {"block_id": button["block_id"], "action_id": button["elements"][0]["action_id"]}
    place = {"channel": thread.channel, "ts": status["ts"]}
    thread.slack.act("action", thread.user, message=place, action=pressed)


def delete(thread: Conversation) -> None:
    thread.slack.delete(thread.user, thread.channel, thread.root)


@pytest.mark.parametrize("stop", [say, press])
def test_a_running_question_is_stopped_and_the_next_one_answered(
    slack: SlackServer, stop: Callable[[Conversation], None]
) -> None:
    thread = Conversation(slack)
    thread.say(SLOW)
    until(thread.replies, what="the turn to have begun")
    stop(thread)
    stopped: Json = until(thread.answers, SAFETY_SECONDS, "the turn to say that it was stopped")[0]
    assert stopped["text"] == "Stopped."
    assert "3" in thread.ask("how many apps are there?")["text"]


def test_a_running_question_that_is_deleted_leaves_nothing(slack: SlackServer) -> None:
    thread = Conversation(slack)
    thread.say(SLOW)
    until(thread.replies, what="the turn to have begun")
    delete(thread)
    until(lambda: not thread.replies(), SAFETY_SECONDS, "nothing to be left")
    assert "3" in Conversation(slack).ask("how many apps are there?")["text"]


def test_a_waiting_question_is_stopped_as_well(slack: SlackServer) -> None:
    thread = Conversation(slack)
    thread.say(SLOW)
    until(thread.replies, what="the turn to have begun")
    thread.say(SLOW)
    say(thread)
    texts = [answer["text"] for answer in until(lambda: thread.answers()[1:] and thread.answers(), SAFETY_SECONDS)]
    assert texts == ["Stopped.", "Stopped."]


def told_after_stop(thread: Conversation, before: int) -> list[Json]:
    """What was said to people alone, after one more stop: the turn may be ending still when its answer stands there."""
    say(thread)
    thread.slack.wait_until_quiet()
    return thread.slack.calls("chat.postEphemeral")[before:]


def test_where_nothing_runs_a_stop_says_so_to_its_author_alone(slack: SlackServer) -> None:
    thread = Conversation(slack)
    assert "3" in thread.ask("how many apps are there?")["text"]
    before = len(slack.calls("chat.postEphemeral"))
    told = until(lambda: told_after_stop(thread, before), what="a word to the author")
    assert told[0]["args"]["text"] == "Nothing is being answered in this thread now."
    assert len(thread.replies()) == 1
