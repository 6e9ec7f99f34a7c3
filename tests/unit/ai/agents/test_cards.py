"""Cards: every message finds the agent whose card says so, and a card that would be ignored stops the start."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from ai.agents.cards import AgentCard, Cards
from ai.agents.port import ReplyEvent, TextEvent, Turn
from ai.agents.registry import registered
from ai.agents.router_agent import RouterAgent
from ai.analysts.port import SQL_QUERY, UNSUPPORTED, Intent
from ai.errors import ConfigError
from tests.desk import Desk

REAL = registered().by_rank


class Parrot:
    """Says what it hears."""

    def run(self, turn: Turn) -> Iterator[ReplyEvent]:
        yield TextEvent(turn.request.text)


PARROT = AgentCard(
    intent=Intent("parrot"),
    rank=35,
    gives="an echo",
    patterns=(r"^say\b",),
    build=lambda _: Parrot(),
    examples=("say hi",),
)
WITHOUT = tuple(card for card in REAL if card.intent != UNSUPPORTED)


@pytest.mark.parametrize(
    ("cards", "sentence"),
    [
        ((*REAL, PARROT, replace(PARROT, rank=36)), "have the same intent 'parrot'"),
        ((*REAL, PARROT, replace(PARROT, intent=Intent("cost"))), "have the same intent 'cost'"),
        (
            (*REAL, replace(PARROT, rank=70)),
            "ai.agents.cost_agent and tests.unit.ai.agents.test_cards have the same rank 70",
        ),
        ((*REAL, replace(PARROT, patterns=())), "Nothing leads to the agent 'parrot'"),
        ((*REAL, replace(PARROT, patterns=(r"^plot",), rank=85, examples=("plot it",))), "leads to 'chart'"),
        ((*REAL, replace(PARROT, examples=("tell me",))), "fits no pattern"),
        ((*REAL, replace(PARROT, examples=())), "'parrot' has no example"),
        ((*REAL, replace(PARROT, patterns=(), examples=(), told="an echo")), "'parrot' has no example"),
        (WITHOUT, "No agent has the intent 'unsupported'"),
    ],
)
def test_a_card_that_would_be_ignored_stops_the_start(cards: tuple[AgentCard, ...], sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        Cards(cards)


def test_a_new_card_is_asked_for_by_its_words_and_told_to_a_model() -> None:
    cards = Cards((*REAL, replace(PARROT, told="an echo")))
    assert cards.said("say hello") == "parrot"
    assert cards.said("thanks") == "thanks"
    assert cards.told[Intent("parrot")] == "an echo"


def test_a_model_is_told_of_every_kind_but_those_that_rules_alone_can_tell() -> None:
    assert {card.intent for card in REAL} - registered().told.keys() == {"reshape"}
    assert {SQL_QUERY, UNSUPPORTED} <= registered().told.keys()


def test_the_help_answer_lists_what_the_cards_give(open_desk: Callable[..., Desk]) -> None:
    told = open_desk().orchestrator.process_message("What can you do?", "1.0").text
    listed = [card for card in REAL if card.in_help]
    assert len(listed) > 5
    assert [card.intent for card in listed if f"“{card.examples[0]}”: {card.gives}" not in told] == []


def test_the_examples_of_the_help_answer_are_not_what_was_said(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk()
    desk.orchestrator.process_message("hello", "1.0")
    assert "I found nothing" in desk.orchestrator.process_message("did we talk about Q3 revenue?", "1.0").text


@pytest.mark.parametrize(
    "line", [f"{card.intent}: {text}" for card in REAL if card.intent != "reshape" for text in card.examples]
)
def test_the_router_takes_each_example_to_its_agent(open_desk: Callable[..., Desk], line: str) -> None:
    intent, _, text = line.partition(": ")
    assert RouterAgent(open_desk().services).classify_intent(text, "1.0").intent == intent


def test_the_router_takes_a_follow_up_on_kept_rows_to_their_agent(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk()
    router, (card,) = RouterAgent(desk.services), [card for card in REAL if card.intent == "reshape"]
    assert router.classify_intent(card.examples[0], "1.0").intent != "reshape"
    desk.orchestrator.process_message("list all apps", "1.0")
    assert [router.classify_intent(text, "1.0").intent for text in card.examples] == ["reshape"] * len(card.examples)
