"""A server of models that stopped answering: left out, asked in the background, taken back."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import monotonic

import pytest

from ai.agents.port import Answer, NoteEvent, run_now
from ai.errors import ModelUnavailable
from ai.types import Request, ThreadKey
from tests.desk import open_desk
from tests.memories import NOON
from tests.models import ENDPOINT, MESSAGES, Model, model_analyst, scripted_model, spender
from tests.openai_server import Script
from tests.wait import until

HASTY = replace(ENDPOINT, seconds=0.4, pauses=(0.05, 0.05), probe_pauses=(0.05,))
FINE = Script([{"reply": {"data": {"language": "English", "sql": "SELECT 1"}}}])
BOUND = 1.0  # seconds that a dead server may add to a question


@pytest.fixture(params=["silence", "reset", "error", "gone"])
def dead(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Model]:
    """A server that says nothing, breaks off, fails, or is not there."""
    script = Script([{"reply": {"fault": "silence" if request.param == "gone" else request.param}}])
    with scripted_model(tmp_path, script, HASTY, probed=True) as model:
        if request.param == "gone":
            model.server.close()
        yield model


def fault(model: Model, turn: str) -> str:
    try:
        return "" if model.client.complete(MESSAGES, spender(turn), "phrase").text else "nothing"
    except ModelUnavailable as gone:
        return gone.kind


def test_from_the_third_question_on_a_dead_server_adds_at_most_a_second(dead: Model) -> None:
    kinds = [fault(dead, turn) for turn in "12"]
    assert set(kinds) <= {"slow", "down"}
    assert median(left_out(dead, turn) for turn in "34567") < BOUND


def left_out(model: Model, turn: str) -> float:
    """Return how long a question takes that goes without the model."""
    started = monotonic()
    assert fault(model, turn) == "out"
    return monotonic() - started


def test_it_is_taken_back_when_it_answers_again(tmp_path: Path) -> None:
    with scripted_model(tmp_path, Script([{"reply": {"fault": "silence"}}]), HASTY, probed=True) as model:
        assert [fault(model, turn) for turn in "123"] == ["slow", "slow", "out"]
        model.server.answer = FINE
        until(lambda: fault(model, "") == "", what="an answer in time")


def test_one_that_only_was_slow_twice_is_still_asked(tmp_path: Path) -> None:
    script = Script([{"reply": {"fault": "silence"}, "times": 2}, {"reply": {"text": "fine"}}])
    with scripted_model(tmp_path, script, HASTY) as model:
        assert [fault(model, turn) for turn in "12"] == ["slow", "slow"]
        until(lambda: fault(model, "") == "", what="an answer in time")
        assert len(model.server.journal) >= 3


def test_replies_say_that_the_model_is_left_out(tmp_path: Path) -> None:
    script = Script([{"reply": {"fault": "silence"}}])
    with model_analyst(tmp_path, script, HASTY, probed=True) as (analyst, _), open_desk(tmp_path, analyst) as desk:

        def ask(turn: int) -> Answer:
            thread = ThreadKey("T", "C", str(turn))
            text = "how many apps do we have?"
            desk.memory.receive(thread, f"T/{turn}", text, "U1", NOON)
            return Answer(
                tuple(desk.orchestrator.answer(Request(f"T/{turn}", thread, text, "U1", NOON, "shop"), run_now))
            )

        answers = [ask(turn) for turn in range(4)]
        notes = [event.analyst for answer in answers for event in answer.events if isinstance(event, NoteEvent)]
    assert all("There are 3 apps" in answer.text for answer in answers)
    assert notes[2:] == ["built-in reader, because the language model does not answer at the moment"] * 2
