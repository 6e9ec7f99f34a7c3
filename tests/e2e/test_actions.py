"""What one press under an answer does, over the wire."""

from collections.abc import Iterator

import pytest

from local_slack.testing import SlackServer, slack_server
from tests.e2e.bot_process import BotProcess
from tests.e2e.conversation import Conversation, Json, actions, code
from tests.wait import until

REVENUE = "revenue by country in October 2026"


@pytest.fixture(scope="module")
def slack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlackServer]:
    with slack_server() as server, BotProcess(server, tmp_path_factory.mktemp("actions")):
        yield server


@pytest.fixture(scope="module")
def answered(slack: SlackServer) -> tuple[Conversation, Json]:
    thread = Conversation(slack)
    return thread, thread.ask(REVENUE)


def test_an_answer_offers_its_actions_and_a_single_figure_no_table(
    slack: SlackServer, answered: tuple[Conversation, Json]
) -> None:
    assert actions(answered[1]) == ["CSV", "Chart", "SQL", "Refine", "Excel", "Rows behind it", "Run again"]
    assert actions(Conversation(slack).ask("how many apps do we have?")) == [
        "SQL",
        "Refine",
        "Rows behind it",
        "Run again",
    ]


@pytest.mark.parametrize(
    ("label", "said", "file"),
    [
        ("CSV", f"“{REVENUE}” as CSV: 16 rows.", ".csv"),
        ("Excel", f"“{REVENUE}” as an Excel workbook: 16 rows.", ".xlsx"),
        ("Rows behind it", "as CSV: 17,577 rows.", ".csv"),
    ],
)
def test_a_press_sends_the_file_of_its_answer(
    answered: tuple[Conversation, Json], label: str, said: str, file: str
) -> None:
    thread, answer = answered
    thread.ask("how many apps do we have?")  # a press is about its own answer, not about the last one
    reply = thread.press(answer, label)
    assert said in reply["text"]
    names = until(lambda: [one["name"] for reply in thread.replies() for one in reply.get("files", ())], 30, "the file")
    assert names[-1].endswith(file)


def test_a_press_shows_the_sql_or_runs_it_again(answered: tuple[Conversation, Json]) -> None:
    thread, answer = answered
    assert "SUM(" in code(thread.press(answer, "SQL"))
    assert thread.press(answer, "Run again")["text"] == answer["text"]
