"""A long answer in several messages: all of it is said, each is within Slack's limits, and code stays code."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ai.agents.port import QuoteEvent, ReceiptEvent, ReplyEvent, SqlEvent, TableEvent, TextEvent
from ai.results.table import ResultColumn, ResultTable
from ai.types import ThreadKey
from bot.render.message import PIECE, cut, pages
from bot.render.text import FENCE, preformatted
from local_slack.block_kit.message import problems_of, total_text
from local_slack.limits import strict

TABLE = TableEvent(ResultTable((ResultColumn("x"),), (("y",),), 1))
LONG_SQL = "SELECT\n" + ",\n".join(f"  column_{number} AS c{number}" for number in range(900)) + "\nFROM t"
QUOTE = QuoteEvent("You said", "a word " * 2000, "today", ThreadKey("T1", "C1", "1.1"), "1.1")


@pytest.mark.parametrize(
    ("events", "count"),
    [
        ([], 1),
        ([TextEvent("short"), TABLE], 1),
        ([TextEvent("short")] * 120, 3),
        ([TABLE, TABLE], 2),
        ([TextEvent("one paragraph. " * 700)], 1),
        ([TextEvent("one paragraph. " * 1700)], 3),
        ([SqlEvent(LONG_SQL, "q")], 2),
        ([QUOTE], 2),
        ([TextEvent("word " * 1900), ReceiptEvent("SELECT 1\n" * 900, ("line",) * 50, "a" * 64)], 2),
    ],
)
def test_every_message_is_one_that_slack_takes(events: list[ReplyEvent], count: int) -> None:
    said = pages(events)
    assert len(said) == count
    for message in said:
        assert list(problems_of(message.blocks)) == []
        assert total_text(message.blocks) <= strict()["message.block_text"]
        assert message.text


def test_long_sql_is_whole_and_cut_between_lines() -> None:
    shown = [
        element["elements"][0]["text"]
        for message in pages([SqlEvent(LONG_SQL, "q")])
        for block in message.blocks
        for element in block["elements"]
    ]
    assert "\n".join(shown) == LONG_SQL


def test_a_long_quotation_is_whole() -> None:
    blocks = [block for message in pages([QUOTE]) for block in message.blocks]
    shown = [block["elements"][1]["elements"][0]["text"] for block in blocks]
    assert "".join("".join(shown).split()) == "".join(QUOTE.words.split())


@given(
    st.lists(st.sampled_from(["word ", "\n", "\n\n", "```sql\n", "\n```\n", "- point\n", "\\*", "x" * 40]), max_size=60)
)
def test_pieces_say_the_whole_text(parts: list[str]) -> None:
    text, most = "".join(parts), 100
    pieces = list(cut(text, most))
    assert all(len(piece) <= most for piece in pieces)
    assert words("".join(pieces)) == words(text)


def test_a_code_block_that_is_cut_is_code_in_each_piece() -> None:
    code = "\n".join(f"line {number} of the code" for number in range(600))
    pieces = list(cut(f"Before.\n\n```sql\n{code}\n```\n\nAfter."))
    inside = [found for piece in pieces for found in FENCE.findall(piece)]
    assert "\n".join(inside) == code
    assert all(len(block) <= PIECE and preformatted(block)["elements"][0]["text"] == block for block in inside)


def words(text: str) -> str:
    return "".join(text.replace("```sql", "").replace("```", "").split())
