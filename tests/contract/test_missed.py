"""Looking for missed messages in a local Slack: what is for us and unanswered is taken in, in order, and nothing else."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from time import time

import pytest

from ai.agents.port import TextEvent
from ai.errors import SourceUnavailable
from ai.types import ThreadKey
from bot.contact import Missed, posting_client
from bot.delivery import Addressee, Calls, RateLimiter, SlackDelivery
from bot.listeners import Intake, Notes
from bot.people import Home, People, SlackProfiles
from bot.render.message import pages
from config import load
from local_slack.testing import ANA, BEN, DM_OF, EXTERNAL, GENERAL, MENTION, PRODUCT, SlackServer
from tests.desk import open_desk
from tests.fakes import KeptQueue
from tests.intakes import intake_of

TEAM = "T0LOCAL"
LONG_AGO = 3 * 86_400.0


@dataclass(frozen=True)
class Office:
    """A desk that hears of nothing by itself, and who looks for what it missed."""

    slack: SlackServer
    desk: Intake
    queue: KeptQueue
    missed: Missed
    delivery: SlackDelivery

    def hear(self, ts: str, channel: str = GENERAL) -> None:
        """Take in a message as if it had been delivered."""
        (event,) = [message for message in self.slack.messages(channel) if message["ts"] == ts]
        inbound = self.desk.read({**event, "channel": channel}, {})
        assert inbound is not None
        self.desk.take(inbound)

    def caught(self, until: float) -> list[str]:
        """Catch up; what waits in the queue then."""
        self.missed.catch_up(until)
        return self.queue.waiting


@pytest.fixture(scope="module")
def slack(slack_here: SlackServer) -> SlackServer:
    return slack_here


@pytest.fixture
def office(slack: SlackServer, tmp_path: Path) -> Iterator[Office]:
    slack.reset()
    client = posting_client(load(slack_api_url=slack.api_url, slack_bot_token=slack.bot_token, slack_app_token="xapp-"))
    with open_desk(tmp_path) as product:
        queue = KeptQueue()
        people, notes = People(Home(TEAM), SlackProfiles(client)), Notes(client)
        desk = intake_of(product.memory, queue, context=product.context, people=people, told=notes.say)
        missed = Missed(desk, client, Calls(RateLimiter({}), (0.01,)), (PRODUCT, "C0NOWHERE"), 24)
        yield Office(slack, desk, queue, missed, SlackDelivery(client, (0.01,), RateLimiter({})))
        notes.close()


def turn(ts: str, channel: str = GENERAL) -> str:
    return f"{TEAM}:{channel}:{ts}"


def logged(ts: str, channel: str) -> tuple[ThreadKey, str, str, str, datetime]:
    """What the memory is told of a question that begins a thread."""
    return ThreadKey(TEAM, channel, ts), turn(ts, channel), "how many apps?", ANA, datetime.now(UTC)


def test_mentions_and_what_follows_in_our_threads_are_found_in_order(office: Office) -> None:
    slack = office.slack
    root = slack.say(ANA, GENERAL, f"{MENTION} how many apps?")
    office.hear(root)
    first = slack.say(ANA, GENERAL, "what about iOS?", thread_ts=root)
    slack.say(BEN, GENERAL, f"<@{ANA}> is that so?", thread_ts=root)
    mention = slack.say(BEN, PRODUCT, f"{MENTION} how many users?")
    second = slack.say(BEN, PRODUCT, "and how many of them pay?", thread_ts=mention)
    slack.say(BEN, PRODUCT, "lunch?")
    expected = [turn(root), turn(first), turn(mention, PRODUCT), turn(second, PRODUCT)]
    assert [office.missed.catch_up(time() - 30) for _ in range(2)] == [3, 0]  # the first was heard before
    assert office.queue.waiting == expected


def test_a_direct_message_needs_no_mention(office: Office) -> None:
    root = office.slack.say(ANA, DM_OF[ANA], "how many apps?")
    office.desk.memory.receive(*logged(root, DM_OF[ANA]))
    next_one = office.slack.say(ANA, DM_OF[ANA], "how many users?")
    assert office.caught(time() - 30) == [turn(root, DM_OF[ANA]), turn(next_one, DM_OF[ANA])]


def test_what_has_its_answer_in_slack_is_not_asked_again_even_when_it_is_forgotten(office: Office) -> None:
    root = office.slack.say(ANA, PRODUCT, f"{MENTION} how many apps?")
    key = logged(root, PRODUCT)[0]
    office.delivery.answer(Addressee(key, turn(root, PRODUCT), ANA), pages([TextEvent("3")]), look_first=False)
    assert office.caught(time() - 30) == []


def test_what_was_said_before_is_let_be_unless_it_was_edited_since(office: Office) -> None:
    slack, early = office.slack, f"{time() - 3600:.6f}"
    office.desk.memory.receive(*logged(early, PRODUCT))
    slack.say(ANA, PRODUCT, f"{MENTION} how many apps?", ts=early)
    assert office.caught(time() - 30) == []
    slack.edit(ANA, PRODUCT, early, f"{MENTION} how many iOS apps?")
    (revised,) = office.caught(time() - 30)
    assert revised.startswith(f"{turn(early, PRODUCT)}~")
    question = office.desk.memory.question(turn(early, PRODUCT))
    assert question is not None
    assert question.content == "how many iOS apps?"
    office.queue.waiting.clear()
    assert office.caught(time() - 30) == []


def test_a_stop_stops_and_is_not_spoken_of(office: Office) -> None:
    root = office.slack.say(ANA, PRODUCT, f"{MENTION} how many apps?")
    office.slack.say(ANA, PRODUCT, "stop", thread_ts=root)
    assert office.caught(time() - 30) == [turn(root, PRODUCT)]
    assert [key.thread_ts for key in office.queue.stopped] == [root]
    told = [call["args"]["text"] for call in office.slack.calls("chat.postEphemeral")]
    assert [text for text in told if not text.startswith("I answer questions about")] == []


def test_whoever_may_not_ask_is_told(office: Office) -> None:
    office.slack.say(EXTERNAL, "C0PARTNERS", f"{MENTION} how many apps?")
    found = replace(office.missed, channels=("C0PARTNERS",))
    for _ in range(2):  # said once, however often it is found
        assert found.catch_up(time() - 30) == 0
    assert office.queue.waiting == []
    told = office.slack.wait_for_ephemeral(EXTERNAL)
    assert "I only answer people of this workspace" in told["text"]
    assert len(office.slack.calls("chat.postEphemeral")) == 1


def test_days_old_questions_are_let_go(office: Office) -> None:
    old = f"{time() - LONG_AGO:.6f}"
    office.slack.say(ANA, PRODUCT, f"{MENTION} how many apps?", ts=old)
    assert office.caught(time() - 2 * LONG_AGO) == []


def test_who_may_not_look_asks_slack_nothing(office: Office) -> None:
    office.slack.say(ANA, PRODUCT, f"{MENTION} how many apps?")
    blind = replace(office.missed, hours=0)
    assert blind.catch_up(time() - 30) == 0
    office.desk.memory.receive(*logged("1.000001", PRODUCT))
    assert blind.look_through(ThreadKey(TEAM, PRODUCT, "1.000001"), time() - 30)
    assert office.slack.calls("conversations.history") + office.slack.calls("conversations.replies") == []


def test_it_looks_from_the_oldest_mark_else_from_what_is_known(office: Office) -> None:
    assert office.missed.since([]) is None
    root = office.slack.say(ANA, PRODUCT, f"{MENTION} how many apps?")
    office.hear(root, PRODUCT)
    assert office.missed.since([]) == pytest.approx(float(root), abs=0.01)
    assert office.missed.since([5.0, 3.0]) == 3.0


def test_one_thread_is_looked_through_for_itself(office: Office) -> None:
    slack = office.slack
    root = slack.say(ANA, PRODUCT, f"{MENTION} how many apps?")
    thread = ThreadKey(TEAM, PRODUCT, root)
    assert not office.missed.look_through(thread, time() - 30)  # unknown as yet: only the whole look may tell
    office.hear(root, PRODUCT)
    replies = [slack.say(ANA, PRODUCT, words, thread_ts=root) for words in ("what about iOS?", "and Android?")]
    elsewhere = slack.say(BEN, GENERAL, f"{MENTION} how many users?")
    assert office.missed.look_through(thread, time() - 30)
    assert office.queue.waiting == [turn(ts, PRODUCT) for ts in (root, *replies)]
    assert turn(elsewhere) not in office.queue.waiting


def test_slack_away_is_raised_so_that_it_is_tried_again(office: Office) -> None:
    office.slack.fault("conversations.history", "server_error", times=9)
    with pytest.raises(SourceUnavailable):
        office.missed.catch_up(time())
