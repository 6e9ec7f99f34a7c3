"""Delivery against the local Slack: one message per turn and one file per share, whatever the network does."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from ai.agents.port import TextEvent
from ai.errors import SourceUnavailable
from ai.types import ThreadKey
from bot.contact.connecting import posting_client
from bot.delivery import Delivery, Pace, Part
from bot.delivery.pace import Rule
from bot.render.message import status
from bot.render.pages import pages
from config import load
from local_slack.testing import ANA, GENERAL, SlackServer

TURN = "T0LOCAL:C0GENERAL:1.1"
OPENING = status("Reading the question…", TURN)
FAULTS = ["drop_after", "server_error"]


@pytest.fixture(scope="module")
def slack(local_slack_server: SlackServer) -> SlackServer:
    return local_slack_server


@pytest.fixture
def thread(slack: SlackServer) -> ThreadKey:
    slack.reset()
    return ThreadKey("T0LOCAL", GENERAL, slack.say(ANA, GENERAL, "how many?"))


def client(slack: SlackServer) -> WebClient:
    return posting_client(
        load(slack_api_url=slack.api_url, slack_bot_token=slack.bot_token, slack_app_token=slack.app_token)
    )


@pytest.fixture
def delivery(slack: SlackServer) -> Delivery:
    return Delivery(client(slack), pauses=(0.01,) * 4, pace=Pace({}))


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
    assert delivery.find(thread, Part("turn 204")) == ts
    assert delivery.find(thread, Part("turn 205")) is None


@pytest.mark.parametrize("fault", [*FAULTS, "ratelimited"])
def test_an_update_is_repeated_until_it_works(
    slack: SlackServer, thread: ThreadKey, delivery: Delivery, fault: str
) -> None:
    ts = delivery.open(thread, TURN, OPENING, look_first=False)
    slack.fault("chat.update", fault, times=2)
    delivery.update(thread, TURN, ts, pages([TextEvent("There are **49**.")]), look_first=False)
    (reply,) = slack.replies(GENERAL, thread.thread_ts)
    assert reply["text"] == "There are 49."
    assert delivery.find(thread, Part(TURN)) == ts


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
        delivery.update(thread, TURN, "1.1", (OPENING,), look_first=False)


LONG = "\n\n".join(f"Paragraph {number}: " + "so many words " * 60 for number in range(40))
SHORT = "There are **49**."


def said(slack: SlackServer, thread: ThreadKey) -> str:
    shown = [
        text["text"]
        for reply in slack.replies(GENERAL, thread.thread_ts)
        for block in reply["blocks"]
        for section in block["elements"]
        for text in section["elements"]
    ]
    return " ".join(" ".join(shown).split())


def test_a_long_answer_is_several_messages_that_say_all_of_it(
    slack: SlackServer, thread: ThreadKey, delivery: Delivery
) -> None:
    ts = delivery.open(thread, TURN, OPENING, look_first=False)
    slack.fault("chat.postMessage", "drop_after")
    delivery.update(thread, TURN, ts, pages([TextEvent(LONG)]), look_first=False)
    assert said(slack, thread) == " ".join(LONG.split())
    assert len(slack.replies(GENERAL, thread.thread_ts)) == len(pages([TextEvent(LONG)])) > 2


def test_a_second_run_goes_on_where_the_first_was_cut_off(
    slack: SlackServer, thread: ThreadKey, delivery: Delivery
) -> None:
    ts = delivery.open(thread, TURN, OPENING, look_first=False)
    slack.fault("chat.postMessage", "error", error="fatal_error")
    with pytest.raises(SlackApiError):
        delivery.update(thread, TURN, ts, pages([TextEvent(LONG)]), look_first=False)
    for _ in range(2):
        delivery.update(thread, TURN, ts, pages([TextEvent(LONG)]), look_first=True)
    assert said(slack, thread) == " ".join(LONG.split())


def test_a_shorter_answer_in_place_leaves_nothing_of_the_longer_one(
    slack: SlackServer, thread: ThreadKey, delivery: Delivery
) -> None:
    ts = delivery.open(thread, TURN, OPENING, look_first=False)
    delivery.update(thread, TURN, ts, pages([TextEvent(LONG)]), look_first=False)
    slack.fault("chat.delete", "drop_after")
    delivery.update(thread, TURN, ts, pages([TextEvent(SHORT)]), look_first=True)
    assert [reply["text"] for reply in slack.replies(GENERAL, thread.thread_ts)] == ["There are 49."]


def test_when_slack_wants_less_nobody_asks_more(slack: SlackServer, thread: ThreadKey, delivery: Delivery) -> None:
    """Eight turns post in one channel at once; one of them is told to wait, and that holds for all."""
    turns = [f"turn {number}" for number in range(8)]
    slack.fault("chat.postMessage", "ratelimited", retry_after=1)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda turn: delivery.open(thread, turn, OPENING, look_first=False), turns))
    posts = slack.calls("chat.postMessage")
    refused = [call for call in posts if call["status"] == 429]
    assert (len(refused), len(posts)) == (1, 9)
    assert slack.calls("conversations.replies") == []


def test_a_status_is_left_out_when_there_is_no_room_for_it(slack: SlackServer, thread: ThreadKey) -> None:
    busy = Delivery(client(slack), pauses=(0.01,), pace=Pace({"chat.update": (Rule(60.0, 2),)}))
    ts = busy.open(thread, TURN, OPENING, look_first=False)
    for text in ("one", "two", "three"):
        busy.status(thread, TURN, ts, text)
    busy.update(thread, TURN, ts, pages([TextEvent(SHORT)]), look_first=False)
    assert [call["args"]["text"] for call in slack.calls("chat.update")] == ["one", "There are 49."]


@pytest.mark.parametrize("fault", [*FAULTS, "ratelimited", "error"])
def test_a_status_that_fails_is_not_repeated(
    slack: SlackServer, thread: ThreadKey, delivery: Delivery, fault: str
) -> None:
    ts = delivery.open(thread, TURN, OPENING, look_first=False)
    slack.fault("chat.update", fault)
    delivery.status(thread, TURN, ts, "Running the query…")
    assert len(slack.calls("chat.update")) == 1
