"""SlackDelivery against the local Slack: one message per turn and one file per share, whatever the network does."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from slack_sdk import WebClient

from ai.agents.port import TextEvent
from ai.errors import SourceUnavailable
from ai.types import ThreadKey
from bot.contact import posting_client
from bot.delivery import Addressee, RateLimit, RateLimiter, SharedFile, SlackDelivery, TokenRefused, seen
from bot.render.message import pages
from config import load
from local_slack.testing import ANA, DM_OF, GENERAL, SlackServer
from tests.wait import until

TURN = "T0LOCAL:C0GENERAL:1.1"
FAULTS = ["drop_after", "server_error"]
SHORT = pages([TextEvent("There are **49**.")])


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
def delivery(slack: SlackServer) -> SlackDelivery:
    return SlackDelivery(client(slack), pauses=(0.01,) * 4, limiter=RateLimiter({}))


def to(thread: ThreadKey, turn_id: str = TURN) -> Addressee:
    return Addressee(thread, turn_id, ANA)


def shown(slack: SlackServer, thread: ThreadKey) -> list[str]:
    return [reply["text"] for reply in slack.replies(GENERAL, thread.thread_ts)]


@pytest.mark.parametrize("fault", FAULTS)
def test_an_answer_that_never_came_gives_no_second_message(
    slack: SlackServer, thread: ThreadKey, delivery: SlackDelivery, fault: str
) -> None:
    slack.fault("chat.postMessage", fault)
    delivery.answer(to(thread), SHORT, look_first=False)
    assert shown(slack, thread) == ["There are 49."]


def test_a_second_run_finds_the_answer_of_the_first(
    slack: SlackServer, thread: ThreadKey, delivery: SlackDelivery
) -> None:
    delivery.answer(to(thread), SHORT, look_first=False)
    delivery.answer(to(thread, "T0LOCAL:C0GENERAL:2.2"), SHORT, look_first=False)
    delivery.answer(to(thread), SHORT, look_first=True)
    assert len(shown(slack, thread)) == 2


def test_the_search_reads_every_page(slack: SlackServer, thread: ThreadKey, delivery: SlackDelivery) -> None:
    for number in range(205):
        delivery.answer(to(thread, f"turn {number}"), SHORT, look_first=False)
    delivery.answer(to(thread, "turn 204"), SHORT, look_first=True)
    assert len(shown(slack, thread)) == 205


@pytest.mark.parametrize("fault", [*FAULTS, "ratelimited"])
def test_an_update_is_repeated_until_it_works(
    slack: SlackServer, thread: ThreadKey, delivery: SlackDelivery, fault: str
) -> None:
    delivery.answer(to(thread), pages([TextEvent("There were 12.")]), look_first=False)
    (before,) = slack.replies(GENERAL, thread.thread_ts)
    slack.fault("chat.update", fault, times=2)
    delivery.answer(to(thread), SHORT, look_first=True)
    (reply,) = slack.replies(GENERAL, thread.thread_ts)
    assert (reply["text"], reply["ts"]) == ("There are 49.", before["ts"])


@pytest.mark.parametrize("fault", FAULTS)
def test_a_file_is_shared_once(
    slack: SlackServer, thread: ThreadKey, delivery: SlackDelivery, tmp_path: Path, fault: str
) -> None:
    path = tmp_path / "apps.csv"
    path.write_bytes("name\r\n口袋菜谱\r\n".encode())
    slack.fault("files.completeUploadExternal", fault)
    delivery.share(to(thread), delivery.upload(path, TURN), path, "All apps", look_first=False)
    (file,) = slack.files(GENERAL, thread.thread_ts)
    assert (file["name"], file["title"]) == ("apps.csv", "All apps")
    assert slack.download(file) == path.read_bytes()


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "apps.csv"
    path.write_bytes(b"name\r\nGabbro\r\n")
    return path


@pytest.mark.parametrize(
    ("method", "error"),
    [
        ("files.getUploadURLExternal", "not_allowed_token_scope"),
        ("files.completeUploadExternal", "posting_to_general_channel_denied"),
    ],
)
def test_a_file_that_slack_refuses_is_shown_in_words(
    method: str, error: str, slack: SlackServer, thread: ThreadKey, delivery: SlackDelivery, table: Path
) -> None:
    slack.fault(method, "error", error=error)
    delivery.share(to(thread), delivery.upload(table, TURN), table, "All apps", look_first=False)
    assert "It begins with" in shown(slack, thread)[0]


def test_a_file_goes_with_the_answer_it_belongs_to(
    slack: SlackServer, thread: ThreadKey, delivery: SlackDelivery, table: Path
) -> None:
    file = SharedFile(delivery.upload(table, TURN), table, "All apps")
    delivery.share_answer(to(thread), file, SHORT[0], None, look_first=False)
    delivery.retract(thread, "another turn")
    assert len(slack.files(GENERAL, thread.thread_ts)) == 1
    slack.fault("files.delete", "error", error="file_not_found")
    delivery.retract(thread, to(thread).turn_id)
    assert (slack.files(GENERAL, thread.thread_ts), slack.replies(GENERAL, thread.thread_ts)) == ([], [])


def test_a_file_on_its_way_is_found_by_who_sends_it_again(
    slack: SlackServer, thread: ThreadKey, delivery: SlackDelivery, table: Path
) -> None:
    first = delivery.upload(table, TURN)
    delivery.share(to(thread), first, table, "All apps", look_first=False)
    assert delivery.upload(table, TURN) == first
    assert delivery.upload(table.rename(table.with_name("other.csv")), TURN) != first
    assert len(slack.files(GENERAL, thread.thread_ts)) == 1


@pytest.mark.parametrize(("error", "uploads"), [("file_not_found", 1), ("file_deleted", 1), ("missing_scope", 0)])
def test_a_file_that_is_gone_is_sent_again_and_one_that_nobody_may_look_at_is_not(
    slack: SlackServer, thread: ThreadKey, delivery: SlackDelivery, table: Path, error: str, uploads: int
) -> None:
    delivery.share(to(thread), delivery.upload(table, TURN), table, "All apps", look_first=False)
    slack.fault("files.info", "error", error=error)
    assert bool(delivery.upload(table, TURN)) is bool(uploads)
    assert len(slack.calls("files.getUploadURLExternal")) == 1 + uploads


@pytest.mark.parametrize("look_first", [False, True])
def test_an_answer_of_one_file_is_one_message(
    slack: SlackServer, thread: ThreadKey, delivery: SlackDelivery, table: Path, *, look_first: bool
) -> None:
    if look_first:
        delivery.answer(to(thread), SHORT, look_first=False)
    file = SharedFile(delivery.upload(table, TURN), table, "All apps")
    slack.calls()
    delivery.share_answer(to(thread), file, SHORT[0], None, look_first=look_first)
    assert len(slack.replies(GENERAL, thread.thread_ts)) == 1
    assert len(slack.files(GENERAL, thread.thread_ts)) == 1
    assert bool(slack.calls("conversations.replies")) is look_first


def test_an_answer_of_one_file_that_slack_refuses_is_an_answer_and_words(
    slack: SlackServer, thread: ThreadKey, delivery: SlackDelivery, table: Path
) -> None:
    delivery.share_answer(to(thread), SharedFile("", table, "All apps"), SHORT[0], None, look_first=False)
    answer, words = shown(slack, thread)
    assert (answer, "It begins with" in words) == ("There are 49.", True)
    assert slack.calls("files.completeUploadExternal") == []


def test_a_thread_that_cannot_be_searched_holds_no_answer(
    slack: SlackServer, thread: ThreadKey, delivery: SlackDelivery
) -> None:
    slack.fault("conversations.replies", "error", error="missing_scope", times=2)
    delivery.answer(to(thread), SHORT, look_first=True)
    assert shown(slack, thread) == ["There are 49."]


def test_a_direct_answer_is_given_once(slack: SlackServer, thread: ThreadKey, delivery: SlackDelivery) -> None:
    gone = to(ThreadKey(thread.team, "C0NOWHERE", "1.1"))
    for look_first in (False, True):
        delivery.answer(gone, SHORT, look_first=look_first)
    assert len(slack.messages(DM_OF[ANA])) == 1


def test_what_no_repetition_mends_is_answered_directly(
    slack: SlackServer, thread: ThreadKey, delivery: SlackDelivery
) -> None:
    delivery.answer(to(ThreadKey(thread.team, "C0NOWHERE", "1.1")), SHORT, look_first=False)
    (direct,) = slack.messages(DM_OF[ANA])
    assert direct["text"] == (
        "I am no longer in that channel, so here is the answer to your question.\n\nThere are 49."
    )
    assert len(slack.calls("chat.postMessage")) == 2
    assert {call["method"] for call in slack.calls()} == {"chat.postMessage", "conversations.open"}


def test_a_placeholder_that_cannot_be_changed_is_answered_directly(
    slack: SlackServer, thread: ThreadKey, delivery: SlackDelivery
) -> None:
    gone = to(ThreadKey(thread.team, "C0NOWHERE", "1.1"))
    delivery.answer(gone, SHORT, placeholder="1.000002", look_first=False)
    (direct,) = slack.messages(DM_OF[ANA])
    assert direct["text"].endswith("There are 49.")


def test_a_refusal_that_slack_has_no_word_for_has_one_of_ours(
    slack: SlackServer, thread: ThreadKey, delivery: SlackDelivery
) -> None:
    slack.fault("chat.postMessage", "error", error="no_word_for_it", times=3)
    delivery.answer(to(thread), SHORT, look_first=False)
    (direct,) = slack.messages(DM_OF[ANA])
    assert direct["text"].startswith("I cannot answer there, so here is the answer to your question.")


def test_a_message_that_slack_does_not_show_is_none(slack: SlackServer, thread: ThreadKey) -> None:
    asked = client(slack)
    assert seen(asked, thread, thread.thread_ts)
    slack.fault("conversations.replies", "error", error="missing_scope")
    assert seen(asked, thread, thread.thread_ts) is None


def test_a_slack_that_stays_away_is_told(slack: SlackServer, thread: ThreadKey, delivery: SlackDelivery) -> None:
    slack.fault("chat.postMessage", "unavailable", times=9)
    with pytest.raises(SourceUnavailable, match="cannot be reached"):
        delivery.answer(to(thread), SHORT, look_first=False)


def test_a_refused_token_is_not_tried_again_at_once(
    slack: SlackServer, thread: ThreadKey, delivery: SlackDelivery, caplog: pytest.LogCaptureFixture
) -> None:
    slack.fault("chat.postMessage", "error", error="token_revoked")
    for _ in range(3):
        with pytest.raises(TokenRefused, match="install the app again and set SLACK_BOT_TOKEN"):
            delivery.answer(to(thread), SHORT, look_first=False)
    assert len(slack.calls("chat.postMessage")) == 1
    assert caplog.text.count("Accepted questions wait for it.") == 1


LONG = "\n\n".join(f"Paragraph {number}: " + "so many words " * 60 for number in range(40))
LONG_PAGES = pages([TextEvent(LONG)])


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
    slack: SlackServer, thread: ThreadKey, delivery: SlackDelivery
) -> None:
    slack.fault("chat.postMessage", "drop_after")
    delivery.answer(to(thread), LONG_PAGES, look_first=False)
    assert said(slack, thread) == " ".join(LONG.split())
    assert len(shown(slack, thread)) == len(LONG_PAGES) > 2


def test_a_second_run_goes_on_where_the_first_was_cut_off(
    slack: SlackServer, thread: ThreadKey, delivery: SlackDelivery
) -> None:
    delivery.answer(to(thread), LONG_PAGES[:1], look_first=False)
    for _ in range(2):
        delivery.answer(to(thread), LONG_PAGES, look_first=True)
    assert said(slack, thread) == " ".join(LONG.split())


def test_a_shorter_answer_in_place_leaves_nothing_of_the_longer_one(
    slack: SlackServer, thread: ThreadKey, delivery: SlackDelivery
) -> None:
    delivery.answer(to(thread), LONG_PAGES, look_first=False)
    slack.fault("chat.delete", "drop_after")
    delivery.answer(to(thread), SHORT, look_first=True)
    assert shown(slack, thread) == ["There are 49."]


def test_what_slack_will_not_delete_points_to_the_answer(
    slack: SlackServer, thread: ThreadKey, delivery: SlackDelivery, caplog: pytest.LogCaptureFixture
) -> None:
    delivery.answer(to(thread), LONG_PAGES[:2], look_first=False)
    slack.fault("chat.delete", "error", error="cant_delete_message")
    delivery.answer(to(thread), SHORT, look_first=True)
    assert shown(slack, thread) == ["There are 49.", "The answer is below."]
    assert "cannot be deleted: cant_delete_message" in caplog.text


def test_when_slack_wants_less_nobody_asks_more(slack: SlackServer, thread: ThreadKey, delivery: SlackDelivery) -> None:
    """Eight turns post in one channel at once; one of them is told to wait, and that holds for all."""
    turns = [to(thread, f"turn {number}") for number in range(8)]
    slack.fault("chat.postMessage", "ratelimited", retry_after=1)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda turn: delivery.answer(turn, SHORT, look_first=False), turns))
    posts = slack.calls("chat.postMessage")
    refused = [call for call in posts if call["status"] == 429]
    assert (len(refused), len(posts)) == (1, 9)
    assert slack.calls("conversations.replies") == []


def test_an_answer_soon_is_one_post_after_a_status(
    slack: SlackServer, thread: ThreadKey, delivery: SlackDelivery
) -> None:
    with delivery.working(thread, TURN) as working:
        working.begin()
        (line,) = slack.state()["statuses"]
    delivery.answer(to(thread), SHORT, placeholder=working.placeholder, look_first=False)
    assert line["status"] == "is reading the question…"
    assert slack.state()["statuses"] == []
    assert [call["method"] for call in slack.calls()] == ["assistant.threads.setStatus", "chat.postMessage"]


def test_what_takes_long_gets_a_placeholder_with_stop_that_the_answer_replaces(
    slack: SlackServer, thread: ThreadKey
) -> None:
    slow = SlackDelivery(client(slack), limiter=RateLimiter({}), placeholder_seconds=0.01, step_seconds=0)
    with slow.working(thread, TURN) as working:
        working.begin()
        until(lambda: working.placeholder, what="a placeholder")
        working.say("Running the query…")
        (placeholder,) = slack.replies(GENERAL, thread.thread_ts)
    slow.answer(to(thread), SHORT, placeholder=working.placeholder, look_first=False)
    assert placeholder["text"] == "Running the query…"
    assert [(task["title"], task["status"]) for task in placeholder["blocks"][0]["tasks"]] == [
        ("Reading the question…", "complete"),
        ("Running the query…", "in_progress"),
    ]
    assert placeholder["blocks"][1]["elements"][0]["value"] == TURN
    (reply,) = slack.replies(GENERAL, thread.thread_ts)
    assert (reply["text"], reply["ts"]) == ("There are 49.", placeholder["ts"])


@pytest.mark.parametrize(
    ("fresh_seconds", "methods"),
    [
        (60, ["assistant.threads.setStatus", "chat.postMessage", "chat.update"]),
        (0, ["assistant.threads.setStatus", "chat.postMessage", "chat.postMessage", "chat.delete"]),
    ],
)
def test_a_slow_answer_costs_three_calls_and_a_late_one_notifies(
    slack: SlackServer, thread: ThreadKey, fresh_seconds: float, methods: list[str]
) -> None:
    """Steps within ten seconds of the plan cost none."""
    slow = SlackDelivery(client(slack), limiter=RateLimiter({}), placeholder_seconds=0.01, fresh_seconds=fresh_seconds)
    with slow.working(thread, TURN) as working:
        working.begin()
        until(lambda: working.placeholder, what="a placeholder")
        for step in ("Running the query…", "Drawing the chart…"):
            working.say(step)
    slow.answer(to(thread), SHORT, placeholder=working.placeholder, look_first=False)
    assert shown(slack, thread) == ["There are 49."]
    assert [call["method"] for call in slack.calls()] == methods


@pytest.mark.parametrize("fresh_seconds", [60, 0])
def test_an_answer_that_looks_first_stays_where_its_plan_was(
    slack: SlackServer, thread: ThreadKey, fresh_seconds: float
) -> None:
    slow = SlackDelivery(client(slack), limiter=RateLimiter({}), placeholder_seconds=0.01, fresh_seconds=fresh_seconds)
    with slow.working(thread, TURN) as working:
        working.begin()
        until(lambda: working.placeholder, what="a placeholder")
    slow.answer(to(thread), SHORT, placeholder=working.placeholder, look_first=True)
    assert shown(slack, thread) == ["There are 49."]


def test_a_placeholder_of_a_lost_process_is_found_and_replaced(slack: SlackServer, thread: ThreadKey) -> None:
    lost = SlackDelivery(client(slack), limiter=RateLimiter({}), placeholder_seconds=0.01)
    with lost.working(thread, TURN) as working:
        working.begin()
        until(lambda: working.placeholder, what="a placeholder")
    lost.answer(to(thread), SHORT, look_first=True)
    assert shown(slack, thread) == ["There are 49."]


def test_a_status_is_left_out_when_there_is_no_room_for_it(slack: SlackServer, thread: ThreadKey) -> None:
    limits = {"assistant.threads.setStatus": (RateLimit(60.0, 2),)}
    with SlackDelivery(client(slack), limiter=RateLimiter(limits)).working(thread, TURN) as working:
        working.begin()
        for text in ("one", "two", "three"):
            working.say(text)
    assert len(slack.calls("assistant.threads.setStatus")) == 1


@pytest.mark.parametrize("fault", [*FAULTS, "ratelimited", "error"])
def test_a_status_that_fails_is_not_repeated(
    slack: SlackServer, thread: ThreadKey, delivery: SlackDelivery, fault: str
) -> None:
    slack.fault("assistant.threads.setStatus", fault)
    with delivery.working(thread, TURN) as working:
        working.begin()
    assert len(slack.calls("assistant.threads.setStatus")) == 1
