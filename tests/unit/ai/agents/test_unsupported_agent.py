"""What is said to messages about nothing in the data."""

from collections.abc import Callable

import pytest

from ai.types import Declined
from tests.desk import Desk


@pytest.mark.parametrize(
    ("before", "text", "said"),
    [
        ((), "how many flurbs are there?", "I find nothing in the data for “flurbs”; it is about apps."),
        ((), "how many flurbs last week?", "for “flurbs”; it"),
        ((), "what is the weather in Bonn", "for “weather” or “Bonn”;"),
        ((), "tell me a joke", "I answer questions about the data (apps), and this does not look like one."),
        ((), "how are you?", "this does not look like one"),
        (("how many apps do we have?",), "hm the other thing", "“other”"),
    ],
)
def test_the_cause_is_named(open_desk: Callable[..., Desk], before: tuple[str, ...], text: str, said: str) -> None:
    desk = open_desk()
    for question in before:
        desk.orchestrator.process_message(question, "1.0")
    assert said in desk.orchestrator.process_message(text, "1.0").text


def test_a_question_is_kept_as_refused(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk()
    turn = desk.context.lone_turn("how many flurbs are there?", "1.0")
    desk.memory.receive(turn.request.thread, turn.request.turn_id, turn.request.text, "U1", turn.request.asked_at)
    list(desk.orchestrator.run(turn))
    (kept,) = desk.memory.turn_queries(turn.request.turn_id)
    assert isinstance(kept, Declined)
