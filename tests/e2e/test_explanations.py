"""An explanation in its thread: pressed for, under the rights of the asker, with every query in the receipt."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ai.agents.cards import Services
from ai.agents.orchestrator import Orchestrator
from ai.agents.port import ActionsEvent, Answer, CauseEvent, NoteEvent, QuestionEvent, ReceiptEvent, TableEvent
from ai.agents.querying.receipts import audit
from ai.agents.question_context import QuestionContext
from ai.agents.registry import registered
from ai.agents.tools import Exports
from ai.analysts.built_in import BuiltInAnalyst
from ai.memory.limits import MemoryLimits
from ai.memory_store import open_memory
from ai.results.store import ResultStore
from ai.sql.database import Database
from ai.sql.rights import EVERYTHING, Rights
from tests.causes.planted import COMPANIES, LAST_WEEK, Effect, Planted, build

FREIGHT = COMPANIES[0]
PLAN = Planted(FREIGHT, "segment", "shipments", "week", "", (Effect({"carrier": "Nordline"}, LAST_WEEK, volume=0.3),))
WHY = "why did shipments drop in the week of November 9 2026?"
MOST_QUERIES = 12


@contextmanager
def opened(folder: Path, rights: Rights = EVERYTHING) -> Iterator[Services]:
    build(PLAN, folder / "freight.sqlite", 5)
    database = Database("freight", f"sqlite:///{folder / 'freight.sqlite'}", rights=rights)
    memory = open_memory(f"sqlite:///{folder / 'state.sqlite'}", ResultStore(folder / "results"), MemoryLimits())
    context = QuestionContext(memory, {"freight": database})
    yield Services(memory, BuiltInAnalyst(), context, Exports(folder / "exports"), registered())
    memory.close()
    database.close()


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    with opened(tmp_path) as services:
        yield services


def asked(services: Services, *texts: str) -> Answer:
    """Say the texts in one thread; return the last answer."""
    orchestrator = Orchestrator(services)
    return [orchestrator.process_message(text, "1.0") for text in texts][-1]


def cause(answer: Answer) -> CauseEvent:
    (found,) = [event for event in answer.events if isinstance(event, CauseEvent)]
    return found


def test_the_parts_in_the_table_add_up_to_the_change(services: Services) -> None:
    (table,) = [event.table for event in asked(services, WHY).events if isinstance(event, TableEvent)]
    *parts, whole = [row[3] for row in table.rows]
    assert sum(parts) == whole


def test_a_press_explains_the_answer_above_it(services: Services) -> None:
    answer = asked(services, "shipments in the week of November 9 2026")
    (row,) = [event.row for event in answer.events if isinstance(event, ActionsEvent)]
    says = dict(row)["Why?"]
    assert cause(asked(services, "shipments in October 2026", says)).drivers[0][:2] == ("shipments.carrier", "Nordline")


def test_why_alone_is_about_the_answer_before(services: Services) -> None:
    texts = ("shipments in the week of November 9 2026", "why?")
    assert cause(asked(services, *texts)).drivers[0][1] == "Nordline"


def test_why_after_the_first_of_many_is_about_that_one(services: Services) -> None:
    answer = asked(services, "which carrier had the most shipments in October 2026?", "why?")
    (note,) = [event for event in answer.events if isinstance(event, NoteEvent)]
    assert note.reading == "shipments (Nordline), October beside September"


def test_without_a_figure_it_asks_which(services: Services) -> None:
    (question,) = [event for event in asked(services, "why?").events if isinstance(event, QuestionEvent)]
    assert "Why did shipments change last week?" in question.options


def test_each_query_stands_in_the_receipt(services: Services) -> None:
    answer = asked(services, WHY)
    (receipt,) = [event for event in answer.events if isinstance(event, ReceiptEvent)]
    steps = [line for line in receipt.closing if line.startswith("Step ")]
    assert 2 <= len(steps) < MOST_QUERIES
    assert all("SELECT" in step for step in steps)
    (note,) = [event for event in answer.events if isinstance(event, NoteEvent)]
    assert not audit(services.memory, services.memory.query(note.query_id).turn_id).problems


@pytest.mark.parametrize(
    "rights",
    [Rights(denied={"shipments": frozenset({"carrier"})}), Rights(masks={"shipments": {"carrier": "stars"}})],
    ids=["denied", "masked"],
)
def test_a_hidden_column_explains_nothing(rights: Rights, tmp_path: Path) -> None:
    with opened(tmp_path, rights) as services:
        answer = asked(services, WHY)
        said = "\n".join([answer.text, *map(repr, answer.events)])
        assert cause(answer)
        assert "Nordline" not in said
        assert "carrier" not in said


def test_hidden_rows_count_for_nothing(tmp_path: Path) -> None:
    """Only the others are left, and they did not move."""
    with opened(tmp_path, Rights(rows={"shipments": "carrier <> 'Nordline'"})) as services:
        answer = asked(services, WHY)
        assert cause(answer).cause == "no change"
        assert "Nordline" not in answer.text
