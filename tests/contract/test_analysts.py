"""What every analyst does alike: the built-in reader, and a language model behind a real socket."""

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from ai.analysts.built_in import BuiltInAnalyst
from ai.analysts.language_model import LanguageModelAnalyst
from ai.analysts.port import Analyst, CannotAnswer, Draft, Question
from ai.results.table import ResultColumn, ResultTable
from ai.sql.database import Database
from tests.cases import cases
from tests.desk import shop
from tests.models import Model, model_analyst
from tests.openai_server import Script

CASES = cases(Path(__file__).with_name("analysts.jsonl"))
Opened = Callable[[list[dict[str, Any]]], Analyst]


@pytest.fixture(scope="module")
def asks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[LanguageModelAnalyst, Model]]:
    """An analyst that asks a model; making one takes long."""
    with model_analyst(tmp_path_factory.mktemp("model"), Script([])) as opened:
        yield opened


@pytest.fixture(params=["built_in", "language_model"])
def analyst(request: pytest.FixtureRequest, asks: tuple[LanguageModelAnalyst, Model]) -> Opened:
    """An analyst; the model of the second kind answers by a script."""

    def begin(script: list[dict[str, Any]]) -> Analyst:
        asks[1].play(Script(script))
        return BuiltInAnalyst() if request.param == "built_in" else asks[0]

    return begin


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = Database("shop", f"sqlite:///{shop(tmp_path)}")
    yield database
    database.close()


def ask(database: Database, text: str) -> Question:
    return Question(text, database.catalog(), date(2026, 11, 22))


def ran(database: Database, sql: str) -> ResultTable:
    with database.run(database.check(sql)) as stream:
        rows = tuple(row for batch in stream.batches for row in batch)
        return ResultTable(stream.columns, rows, len(rows))


@pytest.mark.parametrize("case", CASES)
def test_a_question_is_answered_or_refused(analyst: Opened, database: Database, case: dict[str, Any]) -> None:
    thinking, question = analyst([{"reply": {"data": case["reply"]}}]), ask(database, case["question"])
    proposal = thinking.write_sql(question)
    if case.get("proposal"):
        assert type(proposal).__name__ == case["proposal"]
        assert isinstance(proposal, CannotAnswer)
        assert proposal.reason.endswith(".")
        return
    assert isinstance(proposal, Draft)
    assert proposal.reading
    table = ran(database, proposal.sql)
    assert case.get("rows") in (None, [list(row) for row in table.rows])
    assert case["says"] in "".join(thinking.phrase(question, proposal, table))


def test_a_question_about_the_data_is_routed_without_a_call(analyst: Opened, database: Database) -> None:
    assert analyst([]).route(ask(database, "how many apps are on Android?")).intent == "sql_query"


def test_what_no_one_knows_is_routed_somewhere(analyst: Opened, database: Database) -> None:
    script = [{"when": {"schema": "route"}, "reply": {"data": {"intent": "unsupported"}}}]
    assert analyst(script).route(ask(database, "wie geht es dir heute?")).intent == "unsupported"


@pytest.mark.parametrize("cell", ["<!channel>", "*bold*", "[here](https://example.invalid)", "a\nb"])
def test_a_cell_is_shown_as_it_is(analyst: Opened, database: Database, cell: str) -> None:
    table = ResultTable((ResultColumn("name"),), ((cell,), ("other",)), 2)
    draft = Draft("SELECT name FROM apps", "names", expects="rows")
    said = "".join(analyst([]).phrase(ask(database, "names?"), draft, table))
    assert "<!" not in said
    assert "](" not in said
    assert "\n" not in said
    assert "*bold*" not in said


def test_a_repair_is_a_proposal(analyst: Opened, database: Database) -> None:
    reply = {"kind": "sql", "sql": "SELECT name FROM apps", "text": "names", "expects": "rows"}
    script = [{"when": {"last": "no such column"}, "reply": {"data": reply}}]
    draft = Draft("SELECT nam FROM apps", "names")
    proposal = analyst(script).repair_sql(ask(database, "list the apps"), draft, "no such column: nam")
    assert isinstance(proposal, CannotAnswer) or (isinstance(proposal, Draft) and proposal.sql != draft.sql)
