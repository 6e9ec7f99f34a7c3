"""Charts in a thread, over the wire: the press, changes without a mention, and what stands in for a refused block."""

from collections.abc import Iterator
from typing import Any

import pytest

from local_slack.testing import SlackServer, slack_server
from tests.days import last_month
from tests.e2e.bot_process import BotProcess
from tests.e2e.conversation import Conversation, Json
from tests.wait import until


@pytest.fixture(scope="module")
def slack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlackServer]:
    with slack_server() as server, BotProcess(server, tmp_path_factory.mktemp("charts")):
        yield server


def block(message: Json) -> dict[str, Any]:
    chart: dict[str, Any] = next(b for b in message["blocks"] if b["type"] == "data_visualization")["chart"]
    return chart


def pictures(thread: Conversation) -> list[Json]:
    return [file for reply in thread.replies() for file in reply.get("files", ()) if file["name"].endswith(".png")]


def test_one_press_draws_an_answer_and_words_change_it(slack: SlackServer) -> None:
    thread = Conversation(slack)
    answer = thread.ask("revenue by platform")
    thread.ask("how many apps do we have?")  # the press is about its own answer
    assert block(thread.press(answer, "Chart"))["type"] == "bar"
    thread.ask("revenue by platform")
    assert block(thread.ask("as a pie"))["type"] == "pie"
    assert [part["label"] for part in block(thread.ask("without Web"))["segments"]] == ["iOS", "Android"]
    assert f"in {last_month('%B')}" in thread.ask("and last month?")["text"]  # a change of a chart is no open question


@pytest.mark.parametrize("again", ["as a line", "show me the SQL"])
def test_what_shows_an_answer_again_is_no_open_question(slack: SlackServer, again: str) -> None:
    thread = Conversation(slack)
    thread.ask("what was revenue in October?")
    thread.ask(again)
    assert "in October" in thread.ask("by country")["text"]


def test_a_question_and_a_chart_in_one_message(slack: SlackServer) -> None:
    thread = Conversation(slack)
    answer = thread.ask("show me a bar chart of revenue by platform")
    assert len(block(answer)["series"][0]["data"]) == 3
    assert "Read as: revenue by platform" in str(answer["blocks"])


def test_a_time_series_comes_with_its_chart(slack: SlackServer) -> None:
    chart = block(Conversation(slack).ask("installs by month in 2026"))
    assert chart["type"] == "line"
    assert chart["axis_config"]["categories"][0] == "Jan 2026"


def test_a_large_chart_is_a_picture_with_words_for_those_who_hear_it(slack: SlackServer) -> None:
    thread = Conversation(slack)
    thread.ask("installs by month and country")
    thread.ask("plot it")
    (picture,) = until(lambda: pictures(thread), 60, "the picture")
    assert picture["alt_txt"].startswith("Small line charts: ")


def test_a_refused_block_becomes_a_picture(slack: SlackServer) -> None:
    thread = Conversation(slack)
    thread.ask("revenue by platform")
    slack.fault("chat.postMessage", "error", 1, error="invalid_blocks")
    assert "iOS has the most revenue" in thread.ask("plot it")["text"]
    assert until(lambda: pictures(thread), 60, "the picture")
