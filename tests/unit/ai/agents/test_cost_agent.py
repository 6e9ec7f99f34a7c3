"""What did that cost? Told from the book of model calls."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from ai.agents.port import TextEvent
from ai.ledger import Prices, Spender, TokenUsage
from ai.types import ThreadKey
from tests.desk import Desk

THREAD = ThreadKey.of("1.0")


@pytest.fixture
def desk(open_desk: Callable[..., Desk]) -> Desk:
    desk = open_desk()
    said(desk, "how many apps?")
    return desk


def said(desk: Desk, words: str) -> str:
    events = desk.orchestrator.process_message(words, "1.0").events
    return " ".join(event.markdown for event in events if isinstance(event, TextEvent))


def spent(desk: Desk, turn_id: str, usage: TokenUsage, outcome: str = "ok", prices: Prices | None = None) -> None:
    """Enter a call as if a model had been asked in a turn."""
    book = replace(desk.memory.spending, prices=prices or Prices(prompt=2, completion=8, cached=0.5))
    book.settle(book.enter(Spender(turn_id, THREAD, "U1"), "write_sql", "gpt-x", TokenUsage()), usage, 1500, outcome)


def newest(desk: Desk) -> str:
    return desk.memory.queries(THREAD, 1)[0].turn_id


def test_an_answer_by_rules_cost_nothing(desk: Desk) -> None:
    assert said(desk, "what did that cost?") == "No language model was used for that answer, so it cost nothing."
    assert said(desk, "what did this thread cost?") == "No language model was used for this thread, so it cost nothing."


def test_calls_tokens_money_and_time_of_the_last_answer(desk: Desk) -> None:
    spent(desk, "another turn", TokenUsage(100, 0, 10))
    spent(desk, newest(desk), TokenUsage(1200, 1000, 40))
    assert said(desk, "what did that cost?") == (
        "That answer took 1 call of gpt-x: 1,200 tokens sent (1,000 of them cached) and 40 answered; "
        "0.0012 USD; 1.5 s. "
        "The whole thread took 2 calls of gpt-x: 1,300 tokens sent (1,000 of them cached) and 50 answered; "
        "0.0015 USD; 3.0 s."
    )


def test_who_thanks_first_still_means_the_answer(desk: Desk) -> None:
    spent(desk, newest(desk), TokenUsage(10, 0, 1))
    said(desk, "thanks!")
    assert said(desk, "what did that cost?").startswith("That answer took 1 call")


def test_an_answer_by_rules_after_one_by_a_model_cost_nothing(desk: Desk) -> None:
    spent(desk, newest(desk), TokenUsage(10, 0, 1))
    said(desk, "list the apps")
    assert said(desk, "what did that cost?").startswith(
        "No language model was used for that answer, so it cost nothing."
    )


def test_failures_estimates_and_missing_prices_are_told(desk: Desk) -> None:
    spent(desk, newest(desk), TokenUsage(10, 0, 0, reported=False), "slow", Prices())
    assert said(desk, "how much did that cost us?") == (
        "That answer took 1 call of gpt-x (1 failed): 10 tokens sent and 0 answered, partly estimated; "
        "no prices are set; 1.5 s."
    )
