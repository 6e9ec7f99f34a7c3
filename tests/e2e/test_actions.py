"""What one press under an answer does, over the wire."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.demo import database
from local_slack.testing import BEN, SlackServer, slack_server
from tests.e2e.bot_process import BotProcess
from tests.e2e.conversation import Conversation, Json, actions, code, next_questions, table
from tests.wait import until

FOLDED = ["Excel", "Rows behind it", "Run again"]
REVENUE = "revenue by country in October 2026"


@pytest.fixture(scope="module")
def rows_of_october(tmp_path_factory: pytest.TempPathFactory) -> int:
    """Count the rows behind October in the demo of today: what it holds of a month changes with the day it is made on."""
    path = tmp_path_factory.mktemp("demo") / "demo.sqlite"
    database.build(path, datetime.now(UTC).date())
    with closing(sqlite3.connect(path)) as connection:
        counted = "SELECT COUNT(*) FROM daily_metrics WHERE day >= '2026-10-01' AND day < '2026-11-01'"
        return int(connection.execute(counted).fetchone()[0])


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
    row, more = ["CSV", "Chart", "SQL", "Refine"], ["Share of total", "Previous period", *FOLDED]
    assert actions(answered[1]) == [*row, *more]
    assert actions(Conversation(slack).ask("how many apps do we have?")) == ["SQL", "Refine", *FOLDED[1:]]


@pytest.mark.parametrize(
    ("label", "said", "file"),
    [
        ("CSV", f"“{REVENUE}” as CSV: 16 rows.", ".csv"),
        ("Excel", f"“{REVENUE}” as an Excel workbook: 16 rows.", ".xlsx"),
        ("Rows behind it", "as CSV: {rows:,} rows.", ".csv"),
    ],
)
def test_a_press_sends_the_file_of_its_answer(
    answered: tuple[Conversation, Json], rows_of_october: int, label: str, said: str, file: str
) -> None:
    thread, answer = answered
    thread.ask("how many apps do we have?")  # a press is about its own answer, not about the last one
    reply = thread.press(answer, label)
    assert said.format(rows=rows_of_october) in reply["text"]
    names = until(lambda: [one["name"] for reply in thread.replies() for one in reply.get("files", ())], 30, "the file")
    assert names[-1].endswith(file)


def test_a_press_shows_the_sql_or_runs_it_again(answered: tuple[Conversation, Json]) -> None:
    thread, answer = answered
    assert "SUM(" in code(thread.press(answer, "SQL"))
    assert thread.press(answer, "Run again")["text"] == answer["text"]


def test_a_press_shows_shares_or_the_time_before(answered: tuple[Conversation, Json]) -> None:
    thread, answer = answered
    shares = [row[-1] for row in table(thread.press(answer, "Share of total"))[1:]]
    assert sum(float(share.rstrip("%")) for share in shares) == pytest.approx(100, abs=1)
    heads = table(thread.press(answer, "Previous period"))[0]
    assert heads == ["Country", "Revenue, October 2026", "Revenue, September 2026", "Change", "Change in %"]


def test_an_answer_leads_to_questions_that_the_presser_asks_and_that_come_once(slack: SlackServer) -> None:
    thread = Conversation(slack)
    answer = thread.ask("revenue in October 2026")
    first = next_questions(answer)
    assert first == ["By country?", "By day?"]
    thread.user = BEN
    by_country = thread.press(answer, first[0])
    assert len(table(by_country)) == 17
    assert [{"type": "text", "text": "By country · "}, {"type": "user", "user_id": BEN}] in [
        element["elements"]
        for block in by_country["blocks"]
        for element in block.get("elements", ())
        if "elements" in element
    ]
    assert by_country["text"].startswith("United States")  # what is notified is the answer
    then = next_questions(by_country)
    assert then
    assert not set(then) & set(first)


def test_nothing_is_suggested_where_that_is_switched_off(tmp_path: Path) -> None:
    with slack_server() as slack, BotProcess(slack, tmp_path, SUGGEST_QUESTIONS="false"):
        answer = Conversation(slack).ask("revenue in October 2026")
        assert not next_questions(answer)
        assert "Previous period" in actions(answer)
