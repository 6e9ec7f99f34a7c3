"""Somebody whose Slack is German reads German words, figures, dates and buttons; colleagues in the thread ask in theirs."""

from collections.abc import Iterator

import pytest

from local_slack.testing import ANA, BEN, SlackServer, slack_server
from tests.e2e.bot_process import BotProcess
from tests.e2e.conversation import Conversation
from tests.wait import until


@pytest.fixture(scope="module")
def slack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlackServer]:
    with slack_server("--manifest", "manifest.yml") as server:
        server.control("user", {"user": ANA, "locale": "de-DE"})
        with BotProcess(server, tmp_path_factory.mktemp("german")):
            yield server


def test_answers_are_german_in_words_figures_and_buttons(slack: SlackServer) -> None:
    answer = Conversation(slack).ask("revenue by country in October 2026")
    assert answer["text"].startswith("Revenue je country im Oktober 2026: am höchsten bei United States (")
    shown = str(answer["blocks"])
    for label in (
        " Zeilen · ",
        "Diagramm",
        "Anpassen",
        "Woher das kommt",
        "Richtig",
        "Gelesen als: revenue je country",
    ):
        assert label in shown, label
    assert "Refine" not in shown
    assert "Read as" not in shown


def test_dates_in_cells_are_german(slack: SlackServer) -> None:
    answer = Conversation(slack).ask("revenue per day in the last 3 days")
    assert "je Tag vom " in answer["text"]


def test_refusals_and_help_are_german(slack: SlackServer) -> None:
    refused = Conversation(slack).ask("how is the weather?")
    assert "In den Daten finde ich nichts zu „weather“" in refused["text"]
    assert Conversation(slack).ask("help")["text"].startswith("Hallo! Ich beantworte Fragen")


def test_a_file_keeps_its_cells(slack: SlackServer) -> None:
    thread = Conversation(slack)
    thread.ask("revenue by platform in October 2026")
    thread.say("export this as csv")
    (file,) = until(lambda: slack.files(thread.channel, thread.root), 60, "the file")
    rows = slack.download(file).decode("utf-8-sig").splitlines()
    assert all(float(row.split(",")[1]) > 1000 for row in rows[1:]), rows


def test_a_colleague_reads_english(slack: SlackServer) -> None:
    answer = Conversation(slack, user=BEN).ask("how many apps do we have?")
    assert answer["text"].startswith("There are ")


def test_the_home_is_german(slack: SlackServer) -> None:
    slack.open_home(ANA)
    views = until(lambda: slack.calls("views.publish"), 30, "the Home")
    assert "Frag deine Daten" in str(views[-1])
