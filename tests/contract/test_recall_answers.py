"""Questions about the conversation, answered without a model: each is a line of data."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from ai.agents.port import Answer, QuoteEvent, run_now
from ai.types import Request, ThreadKey
from bot.render.message import render
from tests.cases import cases
from tests.desk import Desk, open_desk
from tests.memories import NOON, THREAD

CASES = cases(Path(__file__).with_name("recall_answers.jsonl"))
DECISIONS = [json.loads(line) for line in Path(__file__).with_name("decisions.jsonl").read_text("utf-8").splitlines()]
SAID = (
    ("U1", "We decided that pricing stays at 49 dollars"),
    ("U1", "how many apps are there?"),
    ("U2", "which platforms are there?"),
    ("U2", "how many apps are there per platform?"),
    ("U2", "what is the weather in pricing town?"),
    ("U1", "let's use the invoice date"),
    ("U3", "shipping needs a week longer, the vans are late"),
)


def say(desk: Desk, number: int, user: str, text: str, thread: ThreadKey = THREAD) -> Answer:
    at = datetime.now(UTC)
    request = Request(f"{thread.team}:{thread.channel}:{thread.thread_ts}-{number}", thread, text, user, at, "shop")
    desk.memory.receive(thread, request.turn_id, text, user, at)
    return Answer(tuple(desk.orchestrator.answer(request, run_now)))


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    with open_desk(tmp_path_factory.mktemp("talk")) as opened:
        for number, (user, text) in enumerate(SAID):
            say(opened, number, user, text)
        say(opened, 0, "U2", "the zebra budget is 7", replace(THREAD, thread_ts="1764.9"))
        yield opened


@pytest.mark.parametrize("case", CASES)
def test_a_question_about_the_conversation_is_answered(
    desk: Desk, case: dict[str, Any], request: pytest.FixtureRequest
) -> None:
    thread, place = THREAD, 10 + [case.values[0] for case in CASES].index(case)
    del request
    answer = say(desk, place, "U1", case["ask"], thread)
    words = "\n".join([answer.text, str(render(answer.events).blocks)])
    assert [part for part in case.get("says", ()) if part not in words] == [], answer.text
    assert [part for part in case.get("lacks", ()) if part in words] == [], answer.text


def test_decisions_are_recalled(tmp_path: Path) -> None:
    """Of 100 decisions, twenty in a thread with ten times as much data talk, nine in ten are among the first three."""
    missed = []
    with open_desk(tmp_path) as opened:
        for start in range(0, len(DECISIONS), 20):
            thread, lines = replace(THREAD, thread_ts=f"{start}.5"), DECISIONS[start : start + 20]
            for number, line in enumerate(lines):
                for part in range(10):
                    talk = lines[(number + part) % 20]["needed_by"]
                    turn = f"talk:{start}:{number}:{part}"
                    opened.memory.receive(thread, turn, f"{talk} ({part})", "U2", NOON)
                    opened.memory.add_reply(thread, turn, f"{talk} gave {part} rows.")
                opened.memory.receive(thread, f"decision:{start}:{number}", line["said"], "U1", NOON)
            for number, line in enumerate(lines):
                said = say(opened, 1000 + number, "U3", line["recalled_by"], thread)
                quoted = [event.words for event in said.events if isinstance(event, QuoteEvent)]
                missed += [] if line["said"] in quoted[:3] else [(line["recalled_by"], line["said"], quoted)]
    assert len(missed) <= 10, missed


def test_the_first_question_is_the_first_that_was_answered(tmp_path: Path) -> None:
    with open_desk(tmp_path) as opened:
        say(opened, 1, "U1", "number of apps on iOS")
        say(opened, 2, "U1", "how many apps are there?")
        assert "number of apps on iOS" in say(opened, 3, "U1", "what was my first question?").text
