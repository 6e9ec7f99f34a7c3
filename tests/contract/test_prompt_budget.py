"""What questions cost in tokens (o200k, schemas included): one question, a long thread, and schemas of any size."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from ai.agents.port import NoteEvent, run_now
from ai.analysts.language_model import LanguageModelAnalyst
from ai.analysts.port import Question
from ai.memory.limits import MemoryLimits
from ai.sql.catalog import Catalog, Column, ForeignKey, Table
from ai.sql.database import Database
from ai.types import Request, ThreadKey
from bot.demo.database import ensure
from tests.desk import open_desk
from tests.models import Model, model_analyst
from tests.openai_server import Script

TODAY = date(2026, 11, 22)
COUNT = {"kind": "sql", "sql": "SELECT COUNT(*) AS app_count FROM apps", "text": "number of apps", "expects": "value"}
ASKED = (
    "how many apps do we have?",
    "how many apps can people install?",
    "and how many of these apps have a name?",
    "please count the apps whose name starts with A",
)
THINGS = "customer order invoice product store user visit shipment payment refund".split()
PARTS = "header line status history note tag rate limit".split()


@pytest.fixture(scope="module")
def asks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[LanguageModelAnalyst, Model]]:
    script = Script([{"reply": {"data": COUNT}}])
    with model_analyst(tmp_path_factory.mktemp("model"), script) as opened:
        yield opened


def paid(asks: tuple[LanguageModelAnalyst, Model], question: Question) -> int:
    """The tokens of the one call that writes the SQL for a question."""
    analyst, model = asks
    model.server.journal.clear()
    analyst.write_sql(question)
    (served,) = model.server.journal
    return served.prompt_tokens


def schema(tables: int) -> Catalog:
    """So many tables of five columns, no two with the same ones."""
    names = [f"{thing}_{part}" for part in PARTS for thing in THINGS]
    names += [f"{name}_{shop}" for shop in "abcdefghijklmnopqrstuvwxyz" for name in names]

    def table(name: str) -> Table:
        columns = (
            Column(f"{name}_id", "INTEGER", "integer"),
            Column("customer_id", "INTEGER", "integer"),
            Column(f"{name}_text", "TEXT", "text"),
            Column("amount", "NUMERIC", "number"),
            Column("created_at", "DATE", "date"),
        )
        return Table(name, columns, (f"{name}_id",), (ForeignKey(("customer_id",), "customer_header", ("id",)),))

    return Catalog("large", "sqlite", tuple(map(table, names[:tables])))


def test_the_canonical_question(asks: tuple[LanguageModelAnalyst, Model], tmp_path: Path) -> None:
    """At most 2 calls and 1,400 tokens; here it is one call."""
    ensure(tmp_path / "demo.sqlite", TODAY)
    database = Database("demo", f"sqlite:///{tmp_path / 'demo.sqlite'}")
    assert paid(asks, Question(ASKED[0], database.catalog(), TODAY)) <= 1_000
    database.close()


@pytest.mark.parametrize("tables", [200, pytest.param(2_000, marks=pytest.mark.slow)])
def test_a_large_schema_costs_little_more_than_a_small_one(
    asks: tuple[LanguageModelAnalyst, Model], tables: int
) -> None:
    text = "how much did customers pay by invoice last month?"
    small = paid(asks, Question(text, schema(8), TODAY))
    assert paid(asks, Question(text, schema(tables), TODAY)) <= 1.3 * small


def test_the_stable_part_comes_first_and_stays_the_same(asks: tuple[LanguageModelAnalyst, Model]) -> None:
    analyst, model = asks
    model.server.journal.clear()
    for text in ("how many orders?", "and payments, by month?"):
        analyst.write_sql(Question(text, schema(8), TODAY))
    first, second = (served.asked.messages for served in model.server.journal)
    assert first[:-1] == second[:-1]
    assert "customer_header(" in first[1]


def test_turn_30_of_a_thread_costs_little_more_than_turn_1(
    asks: tuple[LanguageModelAnalyst, Model], tmp_path: Path
) -> None:
    analyst, model = asks
    model.server.journal.clear()
    thread = ThreadKey("T", "C", "1.0")
    with open_desk(tmp_path, analyst) as desk:
        for turn in range(30):
            text, at = ASKED[turn % len(ASKED)], datetime.now(UTC)
            desk.memory.receive(thread, f"T:C:{turn}", text, "U1", at)
            request = Request(f"T:C:{turn}", thread, text, "U1", at, "shop")
            events = list(desk.orchestrator.answer(request, run_now))
            assert any(isinstance(event, NoteEvent) for event in events)
    costs = [served.prompt_tokens for served in model.server.journal]
    assert len(costs) == 30
    assert max(costs) <= costs[0] + MemoryLimits().prompt
