"""Receipts: sealed with the answer, the same when the turn runs again, and held against what is stored."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from ai.agents.port import ReceiptEvent
from ai.agents.querying.receipts import audit, sealed
from ai.analysts.port import Draft
from ai.answers.receipt import Basis, differences
from ai.errors import NotFound
from tests.desk import Desk
from tests.fakes import ScriptedAnalyst

DRAFT = Draft("SELECT name FROM apps", "names", {"assumptions": ["apps that are listed"]})


@pytest.fixture
def desk(open_desk: Callable[..., Desk]) -> Desk:
    return open_desk(ScriptedAnalyst([DRAFT]))


def receipt(desk: Desk) -> ReceiptEvent:
    answer = desk.orchestrator.process_message("which apps?", "1.0")
    (found,) = [event for event in answer.events if isinstance(event, ReceiptEvent)]
    return found


def test_an_answer_has_its_receipt(desk: Desk) -> None:
    told = receipt(desk)
    (query,) = desk.memory.queries("1.0")
    found = audit(desk.memory, query.turn_id)
    assert found.problems == ()
    assert found.rows_kept
    assert (found.receipt.seal, found.receipt.sql) == (told.seal, query.sql)
    assert (found.receipt.tables, found.receipt.row_count, found.receipt.reading) == (("apps",), 3, "apps")
    assert found.receipt.assumptions == ("apps that are listed",)
    assert f"Seal: {told.seal}" in told.closing


def test_sealing_again_gives_the_first_receipt(desk: Desk) -> None:
    told = receipt(desk)
    (query,) = desk.memory.queries("1.0")
    assert sealed(desk.memory, query, desk.memory.result(query), Basis(("others",))) == told


def test_definitions_that_the_sql_uses_are_named(desk: Desk) -> None:
    receipt(desk)
    (query,) = desk.memory.queries("1.0")
    again = sealed(
        desk.memory, replace(query, turn_id="another"), desk.memory.result(query), Basis(("apps",), ("reach",), 3)
    )
    assert "Definitions (version 3): reach" in again.closing


def test_rows_that_are_gone_or_changed_are_told(desk: Desk) -> None:
    receipt(desk)
    (query,) = desk.memory.queries("1.0")
    results = desk.memory.parts.results
    stored = results.describe(f"q{query.id}")
    results.write(f"q{query.id}", stored.columns, [[("other",)]], max_rows=9, max_bytes=999)
    changed = audit(desk.memory, query.turn_id)
    assert changed.problems == ("The rows that are stored are not those of the receipt.",)
    results.delete(f"q{query.id}")
    gone = audit(desk.memory, query.turn_id)
    assert (gone.problems, gone.rows_kept) == ((), False)


def test_a_changed_receipt_does_not_fit_its_seal(desk: Desk) -> None:
    receipt(desk)
    (query,) = desk.memory.queries("1.0")
    found = audit(desk.memory, query.turn_id)
    forged = replace(found.receipt, row_count=4)
    assert differences(forged, found.receipt.seal, query.sql, "") == ("The receipt was changed after it was sealed.",)
    assert differences(found.receipt, found.receipt.seal, "SELECT 1", "")[0].startswith("The SQL")


def test_a_turn_without_a_receipt_is_named(desk: Desk) -> None:
    with pytest.raises(NotFound, match="nothing"):
        audit(desk.memory, "nothing")
