"""An unsure reading is asked back with buttons over the wire, and a press answers just what it says."""

import re
from collections.abc import Iterator

import pytest

from local_slack.testing import SlackServer, slack_server
from tests.e2e.bot_process import BotProcess
from tests.e2e.conversation import Conversation, labels, table


@pytest.fixture(scope="module")
def slack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlackServer]:
    with slack_server() as server, BotProcess(server, tmp_path_factory.mktemp("unsure")):
        yield server


def test_a_press_answers_one_of_the_readings_asked_back(slack: SlackServer) -> None:
    thread = Conversation(slack)
    asked = thread.ask("the apps with retired dates")
    assert "I am not sure whether rows without retired on belong here." in asked["text"]
    _, retired, *_ = labels(asked)
    names = [row[0] for row in table(thread.press(asked, retired))[1:]]
    assert names == ["Kiezfunk", "Drumlin", "Snapheron", "Deskmarten"]


def test_an_exact_figure_of_a_time_is_answered(slack: SlackServer) -> None:
    answer = Conversation(slack).ask("how many reviews in October?")["text"]
    assert re.search(r"There were \d+ reviews in October\.", answer), answer


def test_a_follow_up_of_an_open_question_says_what_that_was_taken_for(slack: SlackServer) -> None:
    thread = Conversation(slack)
    thread.ask("the apps with retired dates")
    answer = thread.ask("only ios")["text"]
    assert "I took your question before as: Apps (app, retired on)." in answer
    assert "There are 21 apps on iOS." in answer
    assert "I took" not in thread.ask("newest first")["text"]


def test_a_question_back_is_answered_in_words(slack: SlackServer) -> None:
    thread = Conversation(slack)
    thread.ask("how many apps do we have?")
    thread.ask("the apps with retired dates")
    assert "There are 49 apps" in thread.ask("right")["text"]
    other = Conversation(slack)
    other.ask("the apps with retired dates")
    assert "4 retired apps" in other.ask("2")["text"]
