"""Delivery against the local Slack: one message per turn and one file per share, whatever the network does."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from slack_sdk.errors import SlackApiError

from ai.agents.port import TextEvent
from ai.errors import SourceUnavailable
from ai.types import ThreadKey
from bot.app import slack_client
from bot.delivery import Delivery
from bot.render.message import render, status
from config import load
from tests.slack_server import ANA, GENERAL, SlackServer, slack_server

TURN = "T0LOCAL:C0GENERAL:1.1"
OPENING = status("Reading the question…", TURN)
FAULTS = ["drop_after", "server_error"]


@pytest.fixture(scope="module")
def slack() -> Iterator[SlackServer]:
    with slack_server() as server:
        yield server


@pytest.fixture
def thread(slack: SlackServer) -> ThreadKey:
    slack.reset()
    return ThreadKey("T0LOCAL", GENERAL, slack.say(ANA, GENERAL, "how many?"))


@pytest.fixture
def delivery(slack: SlackServer) -> Delivery:
    settings = load(slack_api_url=slack.api_url, slack_bot_token=slack.bot_token, slack_app_token=slack.app_token)
    return Delivery(slack_client(settings), pauses=(0.01,) * 4)


@pytest.mark.parametrize("fault", FAULTS)
def test_an_answer_that_never_came_gives_no_second_message(
    slack: SlackServer, thread: ThreadKey, delivery: Delivery, fault: str
) -> None:
    slack.fault("chat.postMessage", fault)
    ts = delivery.open(thread, TURN, OPENING, look_first=False)
    assert [reply["ts"] for reply in slack.replies(GENERAL, thread.thread_ts)] == [ts]


def test_a_second_run_finds_the_message_of_the_first(slack: SlackServer, thread: ThreadKey, delivery: Delivery) -> None:
    ts = delivery.open(thread, TURN, OPENING, look_first=False)
    delivery.open(thread, "T0LOCAL:C0GENERAL:2.2", OPENING, look_first=False)
    assert delivery.open(thread, TURN, OPENING, look_first=True) == ts
    assert len(slack.replies(GENERAL, thread.thread_ts)) == 2


def test_the_search_reads_every_page(slack: SlackServer, thread: ThreadKey, delivery: Delivery) -> None:
    ts = ""
    for number in range(205):
        ts = delivery.open(thread, f"turn {number}", OPENING, look_first=False)
    assert delivery.find(thread, "turn 204") == ts
    assert delivery.find(thread, "turn 205") is None


@pytest.mark.parametrize("fault", [*FAULTS, "ratelimited"])
def test_an_update_is_repeated_until_it_works(
    slack: SlackServer, thread: ThreadKey, delivery: Delivery, fault: str
) -> None:
    ts = delivery.open(thread, TURN, OPENING, look_first=False)
    slack.fault("chat.update", fault, times=2)
    delivery.update(thread, TURN, ts, render([TextEvent("There are **49**.")]))
    (reply,) = slack.replies(GENERAL, thread.thread_ts)
    assert reply["text"] == "There are 49."
    assert delivery.find(thread, TURN) == ts


@pytest.mark.parametrize("fault", FAULTS)
def test_a_file_is_shared_once(
    slack: SlackServer, thread: ThreadKey, delivery: Delivery, tmp_path: Path, fault: str
) -> None:
    path = tmp_path / "apps.csv"
    path.write_bytes("name\r\n口袋菜谱\r\n".encode())
    slack.fault("files.completeUploadExternal", fault)
    delivery.share(thread, delivery.upload(path), "All apps", look_first=False)
    (file,) = slack.files(GENERAL, thread.thread_ts)
    assert (file["name"], file["title"]) == ("apps.csv", "All apps")
    assert slack.download(file) == path.read_bytes()


def test_what_no_repetition_mends_is_raised_at_once(slack: SlackServer, delivery: Delivery) -> None:
    with pytest.raises(SlackApiError, match="channel_not_found"):
        delivery.open(ThreadKey("T0LOCAL", "C0NOWHERE", "1.1"), TURN, OPENING, look_first=False)
    assert len(slack.calls("chat.postMessage")) == 1


def test_a_slack_that_stays_away_is_told(slack: SlackServer, thread: ThreadKey, delivery: Delivery) -> None:
    slack.fault("chat.update", "server_error", times=9)
    with pytest.raises(SourceUnavailable, match="cannot be reached"):
        delivery.update(thread, TURN, "1.1", OPENING)
