"""A file dropped in a thread beside connected data: what fits one is answered from it, what fits both asks back."""

from collections.abc import Iterator

import pytest

from local_slack.testing import ANA, SALES, SlackServer, slack_server
from tests.e2e.bot_process import BotProcess
from tests.e2e.conversation import Conversation, Json, answer_to, labels

APPS = b"name,platform,seats\nInkwell,iOS,10\nPaper,Web,20\nQuill,iOS,30\n"


@pytest.fixture(scope="module")
def slack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlackServer]:
    with slack_server() as server, BotProcess(server, tmp_path_factory.mktemp("files")):
        yield server


def dropped(slack: SlackServer, question: str) -> tuple[Conversation, Json]:
    """Drop the file with a question; return the thread and the answer."""
    ts = slack.share_file(ANA, SALES, "apps.csv", APPS, f"<@U0BOT> {question}")
    thread = Conversation(slack, SALES, ANA, root=ts, _asked=1)
    return thread, answer_to(slack, SALES, ts)


def test_what_both_could_answer_asks_back_and_the_press_decides(slack: SlackServer) -> None:
    thread, asked = dropped(slack, "how many apps do we have?")
    assert "The file and the connected data both answer this. Which do you mean?" in str(asked["text"])
    assert labels(asked)[:2] == ["The file", "The connected data"]
    answer = thread.press(asked, "The file")
    assert "From the file “apps”:" in answer["text"]
    assert "There are 3 apps." in answer["text"]
    assert "There are 49 apps." in thread.ask("how many apps do we have in the connected data?")["text"]
    assert "From the connected data (demo):" in thread.ask("how many of them are on iOS?")["text"]


def test_what_one_of_them_holds_is_answered_from_it(slack: SlackServer) -> None:
    thread, answer = dropped(slack, "total seats by platform")
    assert "From the file “apps”:" in str(answer["text"])
    answer = thread.ask("revenue in October 2026")
    assert "From the connected data (demo):" in answer["text"]
    assert "Revenue was $" in answer["text"]
    assert "Inkwell" in thread.ask("which apps are on iOS in the file?")["text"]
