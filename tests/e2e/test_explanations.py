"""An explanation in its thread: pressed for, under the rights of the asker, with every query in the receipt."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from ai.agents.cards import Services
from ai.agents.orchestrator import Orchestrator
from ai.agents.port import ActionsEvent, Answer, CauseEvent, NoteEvent, QuestionEvent, ReceiptEvent, TableEvent
from ai.agents.querying.receipts import audit
from ai.agents.question_context import QuestionContext
from ai.agents.registry import registered
from ai.agents.tools import Exports
from ai.analysts.built_in import BuiltInAnalyst
from ai.analysts.port import Analyst
from ai.memory.limits import MemoryLimits
from ai.memory_store import open_memory
from ai.results.store import ResultStore
from ai.sql.database import Database
from ai.sql.rights import EVERYTHING, Rights
from tests.causes.planted import COMPANIES, LAST_WEEK, Effect, Planted, build
from tests.memories import store_in
from tests.models import model_analyst
from tests.openai_server import Script

FREIGHT = COMPANIES[0]
PLAN = Planted(FREIGHT, "segment", "shipments", "week", "", (Effect({"carrier": "Nordline"}, LAST_WEEK, volume=0.3),))
WHY = "why did shipments drop in the week of November 9 2026?"
MOST_QUERIES = 12


@contextmanager
def opened(folder: Path, analyst: Analyst | None = None, rights: Rights = EVERYTHING) -> Iterator[Services]:
    if not (folder / "freight.sqlite").exists():
        build(PLAN, folder / "freight.sqlite", 5)
    database = Database("freight", f"sqlite:///{folder / 'freight.sqlite'}", rights=rights)
    memory = open_memory(store_in(folder), ResultStore(folder / "results"), MemoryLimits())
    context = QuestionContext(memory, {"freight": database})
    yield Services(memory, analyst or BuiltInAnalyst(), context, Exports(folder / "exports"), registered())
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


@pytest.mark.parametrize("between", [(), ("plot it",)], ids=["at once", "after a chart"])
def test_why_alone_is_about_the_answer_before(between: tuple[str, ...], services: Services) -> None:
    texts = ("shipments in the week of November 9 2026", *between, "why?")
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
    with opened(tmp_path, rights=rights) as services:
        answer = asked(services, WHY)
        said = "\n".join([answer.text, *map(repr, answer.events)])
        assert cause(answer)
        assert "Nordline" not in said
        assert "carrier" not in said


def test_hidden_rows_count_for_nothing(tmp_path: Path) -> None:
    """Only the others are left, and they did not move."""
    with opened(tmp_path, rights=Rights(rows={"shipments": "carrier <> 'Nordline'"})) as services:
        answer = asked(services, WHY)
        assert cause(answer).cause == "no change"
        assert "Nordline" not in answer.text


OPPOSED = (
    Effect({"carrier": "Nordline"}, LAST_WEEK, volume=0.7),
    Effect({"carrier": "Pelican"}, LAST_WEEK, volume=1.75),
)
SILENT = Effect({"depot": "Cardiff"}, LAST_WEEK + timedelta(2), LAST_WEEK + timedelta(6), drop=True)
MADE_UP = Effect({"depot": "Leeds"}, LAST_WEEK, volume=1.4)


def told(folder: Path, *effects: Effect) -> Answer:
    build(replace(PLAN, effects=effects), folder / "freight.sqlite", 5)
    with opened(folder) as services:
        return asked(services, WHY)


def test_parts_against_each_other_are_told(tmp_path: Path) -> None:
    answer = told(tmp_path, *OPPOSED)
    assert cause(answer).cause == "no change"
    assert "carrier Pelican rose to" in answer.text
    assert "carrier Nordline fell to" in answer.text
    assert "needs explaining" not in answer.text


def test_a_missing_load_is_blamed_though_others_made_up_for_it(tmp_path: Path) -> None:
    answer = told(tmp_path, SILENT, MADE_UP)
    assert cause(answer).cause == "data gap"
    assert "depot Cardiff has no rows from November 11 to November 15" in answer.text
    assert "usually hold about" in answer.text


def test_a_value_that_another_took_over_is_no_missing_load(tmp_path: Path) -> None:
    taken_over = Effect({"depot": "Cardiff"}, LAST_WEEK + timedelta(2), rename=("depot", "Newport"))
    assert cause(told(tmp_path, taken_over)).cause == "no change"


WIDE = ("region", "lane", "dock", "shift", "crew", "truck", "route", "priority")


def widened(path: Path) -> None:
    """Add columns, more than are looked at; the last one takes what the carrier told."""
    with closing(sqlite3.connect(path)) as database, database:
        for at, name in enumerate(WIDE):
            database.execute(f"ALTER TABLE shipments ADD COLUMN {name} TEXT NOT NULL DEFAULT 'a'")
            database.execute(f"UPDATE shipments SET {name} = 'b' WHERE (row_id / {2**at}) % 2")
        database.execute("UPDATE shipments SET priority = carrier")
        database.execute("UPDATE shipments SET carrier = CASE row_id % 3 WHEN 0 THEN 'Pelican' ELSE 'Quickbox' END")


@pytest.mark.parametrize(
    ("reply", "is_found"),
    [
        ({"data": {"columns": ["shipments.secret", "shipments.priority", "shipments.truck"]}}, True),
        ({"data": {"columns": "shipments.priority"}}, False),
        ({"text": "I would look at the weather."}, False),
        ({"status": 500}, False),
    ],
)
def test_a_model_says_where_to_look_first_and_no_figure(reply: dict[str, Any], is_found: bool, tmp_path: Path) -> None:
    build(PLAN, tmp_path / "freight.sqlite", 5)
    widened(tmp_path / "freight.sqlite")
    with model_analyst(tmp_path, Script([{"reply": reply}])) as (analyst, model), opened(tmp_path, analyst) as services:
        answer = asked(services, WHY)
        assert any("shipments.priority" in str(served.asked) for served in model.server.journal)
    found = cause(answer).drivers
    assert (found[0][:2] == ("shipments.priority", "Nordline")) == is_found
    assert all(name.startswith(("shipments.", "depots.", "volume")) for name, _, _ in found)


def test_few_columns_cost_no_call(tmp_path: Path) -> None:
    build(PLAN, tmp_path / "freight.sqlite", 5)
    with model_analyst(tmp_path, Script([])) as (analyst, model), opened(tmp_path, analyst) as services:
        assert cause(asked(services, WHY)).drivers[0][1] == "Nordline"
        assert not model.server.journal


def test_a_distinct_count_moves_by_who_comes_and_goes(services: Services) -> None:
    answer = asked(services, "why did the number of different carriers change in the week of November 9 2026?")
    assert cause(answer).cause == "members"
    assert "0 came and 0 went; 3 were there both times" in str(answer.events)


@pytest.mark.parametrize("what", ["median fee", "highest fee", "lowest fee"])
def test_what_is_no_sum_is_asked_back_with_the_average_and_the_sum(what: str, services: Services) -> None:
    answer = asked(services, f"why did the {what} change in the week of November 9 2026?")
    (question,) = [event for event in answer.events if isinstance(event, QuestionEvent)]
    assert "no sum of its parts" in question.text
    assert "Why did average fee change in the week of November 9 2026?" in question.options


def test_why_after_the_first_three_is_about_all_and_says_so(services: Services) -> None:
    answer = asked(services, "top 2 carriers by shipments in the week of November 9 2026", "why?")
    assert "all carriers together; name one of them to explain it alone" in str(answer.events)


@pytest.mark.parametrize(("place", "at"), [("first", 0), ("second", 1), ("last", -1)])
def test_why_of_one_in_a_list_is_about_it_alone(place: str, at: int, services: Services) -> None:
    top = asked(services, "top 3 carriers by shipments in the week of November 9 2026")
    (table,) = [event.table for event in top.events if isinstance(event, TableEvent)]
    answer = asked(services, f"why did the {place} one change?")
    (note,) = [event for event in answer.events if isinstance(event, NoteEvent)]
    assert f"({table.rows[at][0]})" in note.reading


def test_why_of_a_place_that_no_row_has(services: Services) -> None:
    answer = asked(
        services, "top 3 carriers by shipments in the week of November 9 2026", "why did the fifth one drop?"
    )
    assert "no such row" in answer.text


def test_a_year_of_days_is_told_by_its_lowest_and_highest(tmp_path: Path) -> None:
    build(PLAN, tmp_path / "freight.sqlite", 5)
    with closing(sqlite3.connect(tmp_path / "freight.sqlite")) as freight, freight:
        freight.execute("CREATE TABLE visits (visit_id INTEGER PRIMARY KEY, day DATE)")
        days = "WITH RECURSIVE d(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM d WHERE n < 400) SELECT n FROM d"
        freight.execute(f"INSERT INTO visits (day) SELECT date('2026-11-20', '-' || (n / 2) || ' days') FROM ({days})")
        freight.execute("INSERT INTO visits (day) SELECT date(day, '-250 days') FROM visits")
    with opened(tmp_path) as services:
        answer = asked(services, "visits by day")
    (table,) = [event.table for event in answer.events if isinstance(event, TableEvent)]
    assert table.row_count > 400
    assert "Visits were between 1 " in answer.text
