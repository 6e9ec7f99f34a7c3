"""A model behind the bot as people run it: over Slack's wire and OpenAI's, with every fault, a power cut, and what it cost."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from ai.analysts.summaries import SUMMARISE
from bot.demo.database import ensure
from config import load
from local_slack.testing import SlackServer, slack_server
from tests.cases import cases
from tests.e2e.bot_process import BotProcess
from tests.e2e.conversation import Conversation
from tests.openai_server import ModelServer, Script
from tests.openai_server.chat import TOKENS
from tests.wait import until

QUESTION = "how many apps do we have?"
COUNT = {
    "kind": "sql",
    "sql": "SELECT COUNT(*) AS app_count FROM app_portfolio",
    "text": "number of apps",
    "expects": "value",
}
WIDE = {
    "kind": "sql",
    "sql": "SELECT name, platform FROM app_portfolio ORDER BY name",
    "text": "apps with their platform",
    "expects": "rows",
}
SECONDS = 8.0  # MODEL_SECONDS
SAFETY_SECONDS = 20.0  # for everything around the calls, on a busy machine
COUNTED = Script([{"reply": {"data": COUNT}}])


@dataclass(frozen=True)
class Place:
    """A local Slack, a bot in it, and the model that it asks."""

    slack: SlackServer
    model: ModelServer
    bot: BotProcess

    def play(self, script: Script) -> None:
        self.model.answer = script
        self.model.journal.clear()

    def tokens(self) -> list[int]:
        return [served.prompt_tokens for served in self.model.journal]


@contextmanager
def open_place(folder: Path, **settings: str) -> Iterator[Place]:
    TOKENS(QUESTION)  # the server counts with it, and it takes long to load
    known = {"MODEL_SECONDS": str(SECONDS), **settings}
    with (
        ModelServer(COUNTED) as model,
        slack_server() as slack,
        BotProcess(slack, folder, OPENAI_BASE_URL=model.url, **known) as bot,
    ):
        yield Place(slack, model, bot)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with open_place(tmp_path_factory.mktemp("model"), MODEL_PROMPT_PRICE="2", MODEL_COMPLETION_PRICE="8") as opened:
        yield opened


def test_a_question_is_one_cheap_call_and_says_what_it_cost(place: Place) -> None:
    place.play(COUNTED)
    thread = Conversation(place.slack)
    assert "49" in thread.ask(QUESTION)["text"]
    assert len(place.model.journal) <= 2
    assert sum(place.tokens()) <= 1_400
    cost = thread.ask("what did that cost?")["text"]
    assert "1 call" in cost
    assert f"{sum(place.tokens()):,} tokens sent" in cost
    assert "USD" in cost


def test_turn_30_costs_little_more_than_turn_1(place: Place) -> None:
    place.play(COUNTED)
    thread = Conversation(place.slack)
    for turn in range(30):
        thread.ask(("how many apps do we have?", "how many apps are there?", "count the apps")[turn % 3])
    costs = [served.prompt_tokens for served in place.model.journal if SUMMARISE not in served.asked.messages]
    assert len(costs) == 30
    assert max(costs) <= costs[0] + load().thread_prompt_tokens


@pytest.mark.parametrize("case", cases(Path(__file__).parent / "model_faults.jsonl"))
def test_whatever_befalls_the_model_the_rules_answer_and_say_so(place: Place, case: dict[str, Any]) -> None:
    place.play(Script([{"reply": case["reply"]}]))
    started = monotonic()
    answer = str(Conversation(place.slack).ask(QUESTION))
    assert monotonic() - started < SECONDS + SAFETY_SECONDS
    assert "There are 49 apps" in answer
    assert "built-in reader, because" in answer
    assert case["says"] in answer
    assert place.model.journal


def test_after_a_power_cut_no_call_is_paid_for_twice(tmp_path: Path) -> None:
    """Killed while the second call hangs; the first one was answered and is not asked again."""
    asked = [{"when": {"schema": "answer"}, "reply": {"data": WIDE}}]
    hangs = [{"when": {"stream": True}, "times": 1, "reply": {"fault": "silence"}}]
    words = [{"when": {"stream": True}, "reply": {"text": "The apps are listed with their platforms."}}]
    with open_place(tmp_path) as place:
        place.play(Script([*hangs, *words, *asked]))
        thread = Conversation(place.slack)
        thread.say("show all apps with their platform")
        until(lambda: len(place.model.journal) == 2, 30, "the second call to hang")
        place.bot.kill()
        place.bot.start()
        (answer,) = until(thread.answers, 60, "the answer after the power cut")
        assert "listed" in answer["text"]
        assert [served.asked.stream for served in place.model.journal] == [False, True, True]


def test_a_spent_budget_is_said_and_nothing_more_is_asked(tmp_path: Path) -> None:
    with open_place(tmp_path, MODEL_USER_TOKENS="1500") as place:
        answers = [str(Conversation(place.slack).ask(QUESTION)) for _ in range(3)]
        assert "language model" in answers[0]
        assert "the budget for the language model is spent" in answers[-1]
        assert all("49" in answer for answer in answers)
        assert sum(place.tokens()) <= 1_500


def test_with_privacy_no_value_of_the_data_is_sent(tmp_path: Path) -> None:
    database = tmp_path / "demo.sqlite"
    ensure(database, date(2026, 11, 22))
    failing = {**WIDE, "sql": "SELECT name, platfrm FROM app_portfolio"}
    misspelt = {**WIDE, "sql": "SELECT name, platform FROM app_portfolio WHERE platform = 'IOS'"}
    script: list[dict[str, Any]] = [
        {"times": 1, "reply": {"data": failing}},
        {"times": 1, "reply": {"data": misspelt}},
        {"reply": {"data": WIDE}},
    ]
    with open_place(tmp_path, MODEL_PRIVACY="true", DATABASE_URL=f"sqlite:///{database}") as place:
        place.play(Script(script))
        thread = Conversation(place.slack)
        for text in (
            "show all apps with their platform",
            "which of these apps come first by name?",
            "and their categories?",
        ):
            thread.ask(text)
        prompts = "\n".join(served.asked.prompt for served in place.model.journal)
        assert len(place.model.journal) >= 4
    cells = cells_of(database)
    assert len(cells) > 100
    assert [cell for cell in cells if cell in prompts] == []


def cells_of(database: Path) -> set[str]:
    """The texts and long numbers of a database that are no name of a table or column."""
    found: set[str] = set()
    with closing(sqlite3.connect(database)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        schema = str(list(connection.execute("SELECT sql FROM sqlite_master"))).lower()
        for table in tables:
            for row in connection.execute(f'SELECT * FROM "{table}" LIMIT 500'):
                found.update(str(cell) for cell in row if len(str(cell)) > 4)
    return {cell for cell in found if cell.lower() not in schema and not cell.startswith("202")}
