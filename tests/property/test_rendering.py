"""Whatever a result holds, Slack takes every form of its message, and reads nothing in it as its own syntax."""

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai.agents.port import (
    ActionsEvent,
    Answer,
    CautionEvent,
    FeedbackEvent,
    NoteEvent,
    QuestionEvent,
    ReceiptEvent,
    ReplyEvent,
    SqlEvent,
    TableEvent,
    TextEvent,
)
from ai.agents.querying.refinements import ChoiceOfPart, Refinable
from ai.answers.phrase import literal
from ai.results.table import ResultColumn, ResultTable
from bot.render.feedback import accepted, pressed, rejected, reopened
from bot.render.message import pages
from bot.render.refine_view import Refining, refine_view
from bot.render.terminal import as_text
from local_slack.block_kit import check_view
from local_slack.block_kit.message import problems_of, total_text
from local_slack.limits import strict

HOSTILE = [json.loads(line)["text"] for line in Path(__file__).with_name("hostile.jsonl").read_text().splitlines()]
LIVE = {"user", "usergroup", "broadcast", "channel", "team", "link", "mrkdwn", "image", "emoji", "date"}
TEXTS = st.text(max_size=300) | st.sampled_from(HOSTILE)
CELLS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.decimals(), st.dates(), st.binary(max_size=9), TEXTS
)
PLACE = Refining(7, "C1", "1.1", "1.2")


@st.composite
def tables(draw: st.DrawFn) -> ResultTable:
    columns = draw(st.lists(TEXTS, min_size=1, max_size=30))
    pattern = draw(st.lists(st.tuples(*[CELLS] * len(columns)), max_size=6))
    rows = tuple(pattern * draw(st.integers(1, 40)))
    return ResultTable(tuple(ResultColumn(name) for name in columns), rows, len(rows) + draw(st.sampled_from([0, 9])))


def answer_about(table: ResultTable, text: str) -> list[ReplyEvent]:
    """An answer with everything that may stand in one, data values escaped as the agents escape them."""
    return [
        TextEvent(f"The first is **{literal(text)}**."),
        TableEvent(table),
        CautionEvent(text),
        NoteEvent(text, "reader", table.row_count, True, 12, 7),
        ReceiptEvent(f"SELECT '{text}'", (text,), "ab" * 32, (text,)),
        SqlEvent(f"SELECT '{text}'", text),
        QuestionEvent(text, (text, "b"), (text, "b")),
        ActionsEvent(
            (("CSV", "export query 7"),), ((text, "export query 7"),), refines=7, asks=((text, text), ("b", "b"))
        ),
        FeedbackEvent(7, date(2026, 11, 22)),
    ]


def is_taken(events: list[ReplyEvent]) -> None:
    for message in pages(events):
        for form in message.forms():
            assert list(problems_of(form.blocks)) == []
            assert total_text(form.blocks) <= strict()["message.block_text"]
            assert form.text
            assert "<" not in form.text
            assert not set(live(list(form.blocks)))


def live(value: Any) -> Iterator[str]:
    """Yield the types of elements that do something: mentions, links, pictures; code in mrkdwn is escaped."""
    if isinstance(value, dict):
        if value.get("type") == "mrkdwn":
            assert "<" not in value["text"]
            assert value["text"].startswith("```")
            assert "```" not in value["text"][3:-3]
        elif value.get("type") in LIVE:
            yield str(value["type"])
        for inner in value.values():
            yield from live(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from live(inner)


@pytest.mark.slow
@settings(max_examples=500, deadline=None)
@given(table=tables(), text=TEXTS)
def test_slack_takes_every_result(table: ResultTable, text: str) -> None:
    is_taken(answer_about(table, text))


@settings(max_examples=15, deadline=None)
@given(table=tables(), text=TEXTS)
def test_slack_takes_some_results(table: ResultTable, text: str) -> None:
    is_taken(answer_about(table, text))
    assert as_text(Answer(tuple(answer_about(table, text))))


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_value_does_nothing(text: str) -> None:
    is_taken(answer_about(ResultTable((ResultColumn(text),), ((text,),), 1), text))


@settings(max_examples=40, deadline=None)
@given(names=st.lists(TEXTS, unique=True, min_size=1, max_size=150), many=st.booleans(), text=TEXTS)
def test_slack_takes_every_modal_of_parts(names: list[str], many: bool, text: str) -> None:
    part = ChoiceOfPart("only" if many else "figure", tuple(names), tuple(names[:1]), many, "")
    view = refine_view(PLACE, Refinable(text, (part,), text))
    check_view(view, "modal")
    assert not set(live([view]))


def test_what_stands_under_an_answer_after_a_verdict_is_taken() -> None:
    (message,) = pages([TextEvent("49"), FeedbackEvent(7, date(2026, 11, 22))])
    (block,) = [block for block in message.blocks if block.get("block_id") == "feedback"]
    answer = pressed(block["elements"][0]["positive_button"]["value"])
    after = (
        accepted(message.blocks, answer, "U0ANA", is_for_all=False),
        rejected(message.blocks, answer, "U0ANA", "Wrong filter"),
        reopened(rejected(message.blocks, answer, "U0ANA", "Wrong filter"), answer),
    )
    assert [list(problems_of(blocks)) for blocks in after] == [[], [], []]


def test_numbers_sort_as_numbers_and_more_rows_than_a_page_can_be_paged() -> None:
    rows = tuple((f"shop {n}", Decimal(n), datetime(2026, 1, 1, tzinfo=UTC)) for n in range(11))
    table = ResultTable(tuple(ResultColumn(name) for name in ("shop", "sales", "at")), rows, 11)
    (message,) = pages([TableEvent(table)])
    (block,) = message.blocks
    assert (block["type"], block["page_size"], len(block["rows"])) == ("data_table", 10, 12)
    assert block["rows"][3][1] == {"type": "raw_number", "value": 2.0, "text": "2"}
    assert [form.name for form in message.forms()] == ["blocks", "plain tables", "plain blocks", "text"]
    assert [form.blocks[0]["type"] for form in list(message.forms())[:3]] == ["data_table", "table", "section"]
