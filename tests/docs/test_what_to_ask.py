"""Each question that docs/what-to-say.md shows by kind is answered on the demo data, and so is what follows in its thread."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import config
from ai.agents.port import ChartEvent, FileEvent, NoteEvent, QuestionEvent
from ai.types import ThreadKey
from bot.product import Product, open_product
from tests.paths import ROOT

PAGE = (ROOT / "docs" / "what-to-say.md").read_text("utf-8")
SECTION = PAGE.split("## What can I ask\n")[1].split("\n## ")[0]
LINES = [line for line in SECTION.splitlines() if line.startswith("| ") and "“" in line]
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in LINES]
SAID = re.compile("“([^”]+)”")


def cases() -> Iterator[tuple[str, list[str]]]:
    """Yield each question, with what follows the first of its kind."""
    for _, ask, then in ROWS:
        first, *others = SAID.findall(ask)
        yield first, SAID.findall(then)
        yield from ((other, []) for other in others)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    with open_product(config.load(data_dir=tmp_path_factory.mktemp("demo"))) as product:
        yield product


def test_every_kind_has_an_example() -> None:
    assert len(ROWS) > 12
    assert all(SAID.findall(ask) for _, ask, _ in ROWS)


@pytest.mark.parametrize(("question", "then"), list(cases()), ids=[question for question, _ in cases()])
def test_a_question_that_is_shown_is_answered(demo: Product, question: str, then: list[str]) -> None:
    thread = ThreadKey("", "docs", question)
    answer = demo.orchestrator.process_message(question, thread)
    assert any(isinstance(event, NoteEvent | ChartEvent | FileEvent) for event in answer.events), answer.text
    for message in then:
        answer = demo.orchestrator.process_message(message, thread)
        assert not any(isinstance(event, QuestionEvent) for event in answer.events), answer.text
        assert not re.search("cannot|could not|did not understand", answer.text.split("\n")[0]), answer.text


def test_the_demo_is_not_asked_for_nothing(demo: Product, tmp_path: Path) -> None:
    """What the test above takes for an answer is none where there is none."""
    answer = demo.orchestrator.process_message("how many unicorns do we have?", ThreadKey("", "docs", "unicorns"))
    assert not any(isinstance(event, NoteEvent | ChartEvent | FileEvent) for event in answer.events), answer.text


def test_everybody_owns_the_demo(demo: Product) -> None:
    assert demo.access.is_owner("U0ANYBODY")
