"""Whatever Slack refuses, an answer ends with its figure shown, once, and without a dead placeholder.

The errors of `refusals.jsonl` are those that Slack's method pages name, and those that any method may give.
"""

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from ai.agents.port import (
    CautionEvent,
    FeedbackEvent,
    NoteEvent,
    QuestionEvent,
    QuoteEvent,
    ReceiptEvent,
    ReplyEvent,
    SqlEvent,
    TableEvent,
    TextEvent,
)
from ai.results.table import ResultColumn, ResultTable
from ai.types import ThreadKey
from bot.contact import posting_client
from bot.delivery import Addressee, RateLimiter, SharedFile, SlackDelivery, TokenRefused
from bot.render.message import SlackMessage, pages
from config import load
from local_slack.testing import ANA, BOT, DM_OF, GENERAL, SlackServer
from tests.cases import cases
from tests.wait import until

FIGURE = "471,123"
SAID = TextEvent(f"There are **{FIGURE}** orders.")
ROWS = tuple((f"shop {n}", n * 1.5, None, n == 3) for n in range(200))
TABLE = ResultTable(tuple(ResultColumn(name) for name in ("shop", "revenue", "closed", "is_new")), ROWS, 200)
WIDE = ResultTable(tuple(ResultColumn(f"c{n}") for n in range(40)), (("x" * 300,) * 40,) * 50, 50)
NOTE = NoteEvent("orders", "built-in", 1, False, 12, 7)
RECEIPT = ReceiptEvent("SELECT count(*) FROM orders -- ```" + "x" * 4_000, ("database demo", "rows 1"), "ab" * 32)
QUOTE = QuoteEvent("Ben said", "it is <!channel> *fine*", "2 May", ThreadKey("T0LOCAL", GENERAL, "1.1"), "1.2")
KINDS: dict[str, list[ReplyEvent]] = {
    "text": [SAID],
    "hostile text": [SAID, TextEvent("<!channel> ``` *bold* \\<@U1\\> & more")],
    "long text": [SAID, TextEvent("\n\n".join(f"Paragraph {n} " + "many words " * 90 for n in range(20)))],
    "table": [SAID, TableEvent(TABLE), NOTE],
    "wide table": [SAID, TableEvent(WIDE)],
    "two tables": [SAID, TableEvent(TABLE), TableEvent(TABLE)],
    "empty table": [SAID, TableEvent(ResultTable(TABLE.columns, (), 0))],
    "sql": [SAID, SqlEvent("SELECT '```' " + "-- x\n" * 900, "how many?")],
    "quotation": [SAID, QUOTE],
    "question back": [QuestionEvent(f"{FIGURE} of which?", ("Orders", "o" * 100))],
    "decision": [QuestionEvent(f"Is {FIGURE} right?", ("Yes", "No"), for_owners=True)],
    "small print": [SAID, CautionEvent("Rows repeat."), NOTE, RECEIPT],
    "feedback": [SAID, FeedbackEvent(7, date(2026, 5, 2))],
    "apology": [TextEvent(f"Something went wrong ({FIGURE}).")],
}


class Clock:
    """Time that passes when somebody waits."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def pause(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture(scope="module")
def slack(local_slack_server: SlackServer) -> SlackServer:
    return local_slack_server


def new_delivery(slack: SlackServer, fresh_seconds: float = 60) -> SlackDelivery:
    settings = load(slack_api_url=slack.api_url, slack_bot_token=slack.bot_token, slack_app_token=slack.app_token)
    clock = Clock()
    limiter = RateLimiter({}, clock=clock, pause=clock.pause)
    return SlackDelivery(
        posting_client(settings), (0.001,) * 3, limiter, placeholder_seconds=0.001, fresh_seconds=fresh_seconds
    )


def with_placeholder(slack: SlackServer, delivery: SlackDelivery) -> tuple[Addressee, str]:
    """A question with the placeholder of a turn that takes long."""
    ts = slack.say(ANA, GENERAL, "how many orders?")
    to = Addressee(ThreadKey("T0LOCAL", GENERAL, ts), f"T0LOCAL:{GENERAL}:{ts}", ANA)
    with delivery.working(to.thread, to.turn_id) as working:
        working.begin()
        until(lambda: working.placeholder, what="a placeholder")
    assert working.placeholder
    return to, working.placeholder


def answer(
    slack: SlackServer, delivery: SlackDelivery, to: Addressee, messages: tuple[SlackMessage, ...], **how: Any
) -> None:
    """Deliver as a turn does: a turn that is put off runs again, with a new token where the old one was refused."""
    try:
        delivery.answer(to, messages, **{"look_first": False, **how})
    except TokenRefused:
        new_delivery(slack).answer(to, messages, **{**how, "look_first": True})


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner)


def said(slack: SlackServer, to: Addressee) -> list[Any]:
    """What the bot said in the thread, and directly."""
    direct = [message for message in slack.messages(DM_OF[ANA]) if message["user"] == BOT]
    return [*slack.replies(GENERAL, to.thread.thread_ts), *direct]


def is_shown(slack: SlackServer, to: Addressee, messages: tuple[SlackMessage, ...]) -> bool:
    """Whether the figure stands in one message, every message of the answer is there once, and no placeholder is."""
    answers = [message for message in said(slack, to) if not message.get("files")]
    with_figure = [
        message for message in answers if FIGURE in " ".join(texts(message.get("blocks") or message["text"]))
    ]
    dead = [message for message in answers if "Reading the question" in message["text"]]
    return len(with_figure) == 1 and len(answers) == len(messages) and not dead


REFUSALS = cases(Path(__file__).with_name("refusals.jsonl"))
OF_MESSAGES = [case for case in REFUSALS if case.values[0]["method"].startswith("chat.")]
OF_FILES = [case for case in REFUSALS if case.values[0]["method"].startswith("files.")]


def shows(slack: SlackServer, events: list[ReplyEvent], method: str, error: str) -> bool:
    """Whether an answer is shown as it should be though Slack refuses one call."""
    slack.reset()
    delivery, messages = new_delivery(slack), pages(events)
    to, placeholder = with_placeholder(slack, delivery)
    how: dict[str, Any] = {"placeholder": placeholder}
    if method == "chat.update":  # an edited question: the answer is put in the place of an earlier one
        delivery.answer(to, pages([TextEvent("There were 12.")]), **how, look_first=False)
        how = {"look_first": True}
    slack.fault(method, "error", error=error)
    answer(slack, delivery, to, messages, **how)
    return is_shown(slack, to, messages)


@pytest.mark.parametrize("case", OF_MESSAGES)
def test_the_figure_is_shown_once_and_no_placeholder_stays(slack: SlackServer, case: dict[str, str]) -> None:
    assert shows(slack, [*KINDS["table"], *KINDS["small print"][1:]], case["method"], case["error"])


@pytest.mark.slow
@pytest.mark.parametrize("case", OF_MESSAGES)
def test_the_same_of_every_kind_of_answer(slack: SlackServer, case: dict[str, str]) -> None:
    kinds = {kind: shows(slack, events, case["method"], case["error"]) for kind, events in KINDS.items()}
    assert all(kinds.values()), kinds


@pytest.mark.parametrize("times", [1, 2, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_each_step_of_the_ladder_holds(slack: SlackServer, kind: str, times: int) -> None:
    """Blocks, old blocks and text are refused one after the other; then the answer stands in the placeholder."""
    slack.reset()
    delivery, messages = new_delivery(slack, fresh_seconds=0), pages(KINDS[kind])[:1]
    to, placeholder = with_placeholder(slack, delivery)
    slack.fault("chat.postMessage", "error", times, error="invalid_blocks")
    before = slack.calls()[-1]["number"]
    delivery.answer(to, messages, placeholder=placeholder, look_first=False)
    assert is_shown(slack, to, messages)
    steps = [call for call in slack.calls(since=before) if call["method"] in ("chat.postMessage", "chat.update")]
    assert len(steps) == times + 1


@pytest.mark.parametrize("case", OF_FILES)
def test_a_file_is_shared_once_or_its_lines_are_shown(slack: SlackServer, case: dict[str, str], tmp_path: Path) -> None:
    slack.reset()
    delivery, path = new_delivery(slack), tmp_path / "orders.csv"
    path.write_text(f"orders\r\n{FIGURE}\r\n", "utf-8")
    to, placeholder = with_placeholder(slack, delivery)
    slack.fault("files.completeUploadExternal", "error", error=case["error"])
    delivery.answer(to, pages([TextEvent("Here is the file.")]), placeholder=placeholder, look_first=False)
    file_id = delivery.upload(path, to.turn_id)
    for carrier in (delivery, new_delivery(slack)):  # a turn that is put off runs again with a new token
        try:
            carrier.share(to, file_id, path, "Orders", look_first=carrier is not delivery)
            break
        except TokenRefused:
            continue
    shared = slack.files(GENERAL, to.thread.thread_ts)
    lines = [message for message in said(slack, to) if FIGURE in " ".join(texts(message.get("blocks")))]
    assert len(shared) + len(lines) == 1


@pytest.mark.parametrize("case", OF_FILES)
def test_an_answer_with_a_file_is_one_message_or_shown_without(
    slack: SlackServer, case: dict[str, str], tmp_path: Path
) -> None:
    slack.reset()
    delivery, path = new_delivery(slack), tmp_path / "orders.csv"
    path.write_text("orders\r\n12\r\n", "utf-8")
    to, placeholder = with_placeholder(slack, delivery)
    file = SharedFile(delivery.upload(path, to.turn_id), path, "Orders")
    (message,) = pages([SAID])
    slack.fault("files.completeUploadExternal", "error", error=case["error"])
    for carrier in (delivery, new_delivery(slack)):  # a turn that is put off runs again with a new token
        try:
            carrier.share_answer(to, file, message, placeholder, look_first=carrier is not delivery)
            break
        except TokenRefused:
            continue
    with_figure = [one for one in said(slack, to) if FIGURE in " ".join(texts(one.get("blocks") or one["text"]))]
    assert len(with_figure) == 1
    assert not [one for one in said(slack, to) if "Reading the question" in one["text"]]
    assert slack.state()["statuses"] == []


def test_a_slack_without_tables_to_sort_is_tried_once(slack: SlackServer) -> None:
    slack.reset()
    delivery, messages = new_delivery(slack), pages(KINDS["table"])
    slack.fault("chat.postMessage", "error", error="invalid_blocks")
    for number in range(2):
        ts = slack.say(ANA, GENERAL, "orders?")
        to = Addressee(ThreadKey("T0LOCAL", GENERAL, ts), f"T0LOCAL:{GENERAL}:{ts}", ANA)
        answer(slack, delivery, to, messages)
        (shown,) = slack.replies(GENERAL, ts)
        assert "table" in [block["type"] for block in shown["blocks"]], number
    assert len(slack.calls("chat.postMessage")) == 3
