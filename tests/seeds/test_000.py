"""Every example of seed 000: a window over a permanent log, and tools that look further back."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ai.agents import memory_agent
from ai.agents.port import QuoteEvent, Turn
from ai.agents.toolbox.history import MEMORY_TOOLS, HistoryTools
from ai.types import Request
from bot.render.message import render
from tests.desk import Desk, open_desk
from tests.memories import THREAD

SEED = Path(__file__).parents[3] / "shared" / "seeds" / "000_3e619b8691bab6d4.txt"
NOVEMBER_28 = datetime(2025, 11, 28, 15, tzinfo=UTC)
NOW = datetime(2025, 12, 4, 10, tzinfo=UTC)  # a Thursday
QUESTION = "What did we decide about pricing last week?"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with open_desk(tmp_path) as opened:
        said = ("How many apps do we have?", "We decide that pricing stays at 49 dollars", "Thanks, and good night")
        for number, text in enumerate(said):
            opened.memory.receive(THREAD, f"T1:C1:{number}", text, "U1", NOVEMBER_28 + timedelta(minutes=number))
        opened.memory.receive(THREAD, "T1:C1:3", "Yesterday's word", "U2", NOW - timedelta(days=1))
        yield opened


def asked(desk: Desk, text: str, zone: str = "UTC") -> Turn:
    request = Request("T1:C1:9", THREAD, text, "U1", NOW, "shop", zone)
    desk.memory.receive(THREAD, request.turn_id, text, "U1", NOW)
    return Turn(request)


def answer(desk: Desk, turn: Turn) -> str:
    events = list(desk.orchestrator.run(turn))
    assert any(isinstance(event, QuoteEvent) for event in events) or "found nothing" in render(events).text
    return render(events).text


@pytest.mark.skipif(not SEED.exists(), reason="the seeds are not here")
def test_the_tools_are_those_of_the_seed() -> None:
    written = SEED.read_text("utf-8").partition("MEMORY_TOOLS = ")[2].partition("\n```")[0]
    assert json.loads(written) == MEMORY_TOOLS


def test_search_history(desk: Desk) -> None:
    told = HistoryTools(desk.memory, asked(desk, QUESTION)).call("search_history", {"query": "pricing"})
    assert told == {
        "messages": [
            {
                "date": "2025-11-28T15:01:00+00:00",
                "role": "user",
                "author": "U1",
                "content": "We decide that pricing stays at 49 dollars",
            }
        ],
        "more": 0,
        "partial": False,
    }


@pytest.mark.parametrize(
    ("date", "numbers"),
    [("2025-11-28", [0, 1]), ("yesterday", [3]), ("last week", [0, 1]), ("november 28th", [0, 1]), ("2024", [])],
)
def test_get_messages_by_date(desk: Desk, date: str, numbers: list[int]) -> None:
    recalled = HistoryTools(desk.memory, asked(desk, QUESTION)).get_messages_by_date(date, limit=2)
    assert [message.turn_id for message in recalled.messages] == [f"T1:C1:{number}" for number in numbers]
    assert recalled.more == (1 if len(numbers) == 2 else 0)


def test_a_day_is_the_asker_s_day(desk: Desk) -> None:
    tools = HistoryTools(desk.memory, asked(desk, QUESTION, "Asia/Tokyo"))  # where it was past midnight already
    assert not tools.get_messages_by_date("2025-11-28").messages
    assert len(tools.get_messages_by_date("2025-11-29").messages) == 3


def test_what_is_no_date_is_told(desk: Desk) -> None:
    told = HistoryTools(desk.memory, asked(desk, QUESTION)).call("get_messages_by_date", {"date": "pricing"})
    assert "is not a date" in str(told)


def test_get_extended_context(desk: Desk) -> None:
    tools = HistoryTools(desk.memory, asked(desk, QUESTION))
    assert [message.turn_id for message in tools.get_extended_context(2).messages] == ["T1:C1:2", "T1:C1:3"]
    assert tools.get_extended_context(2).more == 2
    assert len(tools.get_extended_context().messages) == 4


def test_a_call_that_is_wrong_says_how_to_go_on(desk: Desk) -> None:
    tools = HistoryTools(desk.memory, asked(desk, QUESTION))
    assert "search_history" in str(tools.call("find", {}))
    assert "schema" in str(tools.call("search_history", {"words": "x"}))


def test_the_flow_of_the_seed(desk: Desk) -> None:
    told = answer(desk, asked(desk, QUESTION))
    assert "On November 28th, you discussed: “We decide that pricing stays at 49 dollars” (15:01)" in told
    assert "apps" not in told


def test_a_quotation_has_a_link_and_mentions_nobody(desk: Desk) -> None:
    desk.memory.receive(THREAD, "T1:C1:1764.5", "<!channel> *zebras* are bold", "U1", NOVEMBER_28)
    (intro, quotation) = render(
        desk.orchestrator.run(asked(desk, "What did we say about zebras?")), "https://acme.slack.com"
    ).blocks
    section, quote = quotation["elements"]
    assert "one message" in str(intro)
    assert section["elements"][0]["text"] == "On November 28th, you discussed:"
    words, _, link = quote["elements"]
    assert words == {"type": "text", "text": "<!channel> *zebras* are bold"}
    assert link["url"].startswith("https://acme.slack.com/archives/C1/p17645?thread_ts=")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What was my first question?", "How many apps do we have?"),
        ("What did we discuss yesterday?", "Yesterday's word"),
        ("What did we say about hippopotamuses?", "found nothing that was said about “hippopotamuses”"),
        ("Did we talk about pricing yesterday?", "found nothing"),
    ],
)
def test_recall_in_plain_words(desk: Desk, question: str, told: str) -> None:
    assert told in answer(desk, asked(desk, question))


def test_other_channels_stay_closed_and_other_threads_of_the_channel_open(desk: Desk) -> None:
    secret, open_thread = replace(THREAD, channel="C2"), replace(THREAD, thread_ts="1764.9")
    desk.memory.receive(secret, "T1:C2:1", "The zebra budget is 5", "U2", NOVEMBER_28)
    question = asked(desk, "What did we say about the zebra budget?")
    assert "found nothing" in answer(desk, question)
    desk.memory.receive(open_thread, "T1:C1:1764.9", "The zebra budget is 7", "U2", NOVEMBER_28)
    again = replace(question.request, turn_id="T1:C1:10")
    assert "Look there" in answer(desk, replace(question, request=again))
    wider = replace(again, text="What did we say about the zebra budget in this channel?")
    assert "budget is 7" in answer(desk, replace(question, request=wider))


def test_an_earlier_question_of_this_kind_is_no_answer(desk: Desk) -> None:
    answer(desk, asked(desk, "What did we say about hippopotamuses?"))
    again = Turn(Request("T1:C1:10", THREAD, "What did we say about hippopotamuses?", "U1", NOW, "shop"))
    assert "found nothing" in answer(desk, again)
    assert memory_agent.CARD.intent == "memory"
