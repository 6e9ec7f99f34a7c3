"""Everything that the README and the pages quote as words to say works, each asked in a thread of its own on the demo.

`phrases.jsonl` names the page of a phrase and what is said before it; the examples of the cards are those of
docs/what-to-say.md.
"""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import pytest

from ai.agents.port import Answer, run_now
from ai.agents.registry import registered
from ai.types import Request, ThreadKey
from bot.product import open_product
from config import load
from tests.cases import cases
from tests.paths import ROOT

pytestmark = pytest.mark.slow
REVENUE = "revenue by country in October 2026"
REFUSED = re.compile(
    r"^(?:Nor this one|I cannot|I could not|I find nothing|There is no kept|Something went wrong|Please)", re.IGNORECASE
)
# What needs more before it than one answer, and what these words alone rightly come to.
BEFORE = {
    "restore the second one": ["how many apps do we have?", "archive everything before this", REVENUE],
    "resume Q3 revenue": [REVENUE, "save this as Q3 revenue"],
    "compare with the saved Q3 revenue": [REVENUE, "save this as Q3 revenue"],
    "both results in one workbook": ["installs by platform", REVENUE],
    "as a line": ["revenue by month this year", "plot it"],
    "log scale": ["revenue by month this year", "plot it"],
    "stacked": ["revenue by month and platform this year", "plot it"],
    "what did we decide about pricing last week?": ["we decided that pricing stays"],
    "how many did you say for web?": ["how many apps per platform?"],
    "sort it by name": ["list all apps"],
    "forget that": ["my week starts on Sunday"],
    "what changed?": ["revenue in October 2026"],
    "show me the SQL for all the apps": ["list all the apps"],
}
ELSEWHERE = {  # what the demo without a language model cannot hold
    "by active users we mean users.status = 'A'": "it has no such table",
    "revenue excludes refunds": "sentences are followed by a model alone",
}
EXAMPLES = [text for card in registered().listed for text in card.examples if text not in ELSEWHERE]
PHRASES = cases(Path(__file__).with_name("phrases.jsonl"))
Say = Callable[..., str]


@pytest.fixture(scope="module")
def say(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Say]:
    """Say something after other words in a new thread; return the answer's words."""
    folder = tmp_path_factory.mktemp("phrases")
    with open_product(load(data_dir=folder)) as product:

        def said(*words: str) -> str:
            thread, user, answer = ThreadKey("T", "C", uuid4().hex), f"U{uuid4().hex[:8].upper()}", Answer(())
            for number, text in enumerate(words):
                turn, at = f"{thread}:{number}", datetime.now(UTC)
                product.memory.receive(thread, turn, text, user, at)
                request = Request(turn, thread, text, user, at, "demo")
                answer = Answer(tuple(product.orchestrator.answer(request, run_now)))
            return answer.text

        yield said


@pytest.mark.parametrize("line", PHRASES)
def test_what_a_page_quotes_works(say: Say, line: dict[str, str]) -> None:
    page = " ".join((ROOT / line["in"]).read_text("utf-8").split())  # a quotation may be broken over lines
    assert line["say"] in page, "the page no longer says it"
    assert_answered(say(*line.get("after", [REVENUE]), line["say"]))


@pytest.mark.parametrize("text", EXAMPLES)
def test_what_the_table_of_words_lists_works(say: Say, text: str) -> None:
    assert_answered(say(*BEFORE.get(text, [REVENUE]), text))


def test_every_phrase_of_the_readme_is_asked() -> None:
    quoted = re.findall(r'"([a-z][^"\n]{5,}(?:\?|csv|used))"', (ROOT / "README.md").read_text("utf-8"))
    asked = {line["say"] for (line,) in (case.values for case in PHRASES)}
    assert quoted
    assert {text for text in quoted if "$(" not in text} <= asked


def assert_answered(words: str) -> None:
    assert words
    assert not REFUSED.match(words.replace("\\", "")), words
