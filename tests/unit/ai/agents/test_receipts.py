"""Receipts: sealed with the answer, the same when the turn runs again, and held against what is stored."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from ai.agents.port import ProofEvent, ReceiptEvent
from ai.agents.querying.receipts import FORGED, FORGOTTEN, NO_OLD, WholeAudit, audit, audit_all, audit_seal, sealed
from ai.analysts.port import Draft
from ai.answers.receipt import Basis, differences, receipt_of
from ai.errors import NotFound
from ai.types import AnsweredQuery
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


def proof(desk: Desk, query: AnsweredQuery, basis: Basis) -> ProofEvent:
    table = desk.memory.result(query)
    return ProofEvent(receipt_of(query, table, "", basis), query.thread)


def test_an_answer_has_its_receipt(desk: Desk) -> None:
    told = receipt(desk)
    (query,) = desk.memory.queries("1.0")
    found = audit(desk.memory, query.turn_id)
    assert found.problems == ()
    assert found.rows_kept
    assert found.receipt is not None
    assert (found.seal, found.receipt.sql) == (told.seal, query.sql)
    assert (found.receipt.tables, found.receipt.row_count, found.receipt.reading) == (("apps",), 3, "apps")
    assert found.receipt.assumptions == ("apps that are listed",)
    assert f"Seal: {told.seal}" in told.closing


def test_sealing_again_gives_the_first_receipt(desk: Desk) -> None:
    told = receipt(desk)
    (query,) = desk.memory.queries("1.0")
    assert sealed(desk.memory, proof(desk, query, Basis(("others",)))) == told


def test_definitions_that_the_sql_uses_are_named(desk: Desk) -> None:
    receipt(desk)
    (query,) = desk.memory.queries("1.0")
    again = sealed(desk.memory, proof(desk, replace(query, turn_id="another"), Basis(("apps",), ("reach",), 3)))
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


def test_what_is_stored_is_held_against_the_receipt(desk: Desk) -> None:
    receipt(desk)
    (query,) = desk.memory.queries("1.0")
    kept = audit(desk.memory, query.turn_id).receipt
    assert kept is not None
    words = desk.memory.transcripts.reply(query.turn_id)
    assert differences(kept, query.sql, kept.content, words) == ()
    assert [told.split(" are ")[0] for told in differences(kept, "SELECT 1", "abc", "No apps.")] == [
        "The SQL that is stored is not the one of the receipt.",
        "The rows that",
        "The words of the answer that",
    ]
    assert differences(kept, None, "", None) == ("The words of the answer were deleted.",)


def test_a_seal_that_somebody_kept_is_looked_up(desk: Desk) -> None:
    told = receipt(desk)
    (query,) = desk.memory.queries("1.0")
    assert audit_seal(desk.memory, f" {told.seal} ") == audit(desk.memory, query.turn_id)
    forged = told.seal[:-1] + ("1" if told.seal.endswith("0") else "0")
    assert audit_seal(desk.memory, forged).problems == (FORGED,)
    assert audit_seal(desk.memory, f"2{told.seal[1:]}").problems == (FORGED,)
    desk.memory.lifecycle.forget_thread(query.thread)
    gone = audit_seal(desk.memory, told.seal)
    assert (gone.receipt, gone.problems, gone.notes) == (None, (), (FORGOTTEN,))
    for text in ("", "hello", "-1", "1-", "1-" + "a" * 63, "\u0661-" + "a" * 64):
        with pytest.raises(NotFound, match="no seal"):
            audit_seal(desk.memory, text)
    assert audit_seal(desk.memory, "a" * 64).problems == (NO_OLD,)


def test_the_receipt_of_an_edited_question_is_made_anew(desk: Desk) -> None:
    first = receipt(desk)
    (query,) = desk.memory.queries("1.0")
    desk.memory.lifecycle.withdraw_answer(query.turn_id)
    assert audit_seal(desk.memory, first.seal).notes == (FORGOTTEN,)
    assert audit_all(desk.memory) == WholeAudit(0, 1, ())


def test_a_turn_without_a_receipt_is_named(desk: Desk) -> None:
    with pytest.raises(NotFound, match="nothing"):
        audit(desk.memory, "nothing")


@pytest.mark.parametrize(
    ("sql", "problem"),
    [
        ("UPDATE query SET sql = 'SELECT 1'", "The SQL that is stored"),
        ("UPDATE message SET content = 'other' WHERE part = 'reply'", "The words of the answer that are stored"),
        ("DELETE FROM message WHERE part = 'reply'", "The words of the answer were deleted."),
        ("UPDATE receipt SET fields = json_set(fields, '$.row_count', 4)", "was changed after it was sealed."),
        ("UPDATE receipt SET fields = '[]'", "was changed after it was sealed."),
        ("UPDATE receipt SET fields = '{'", "was changed after it was sealed."),
        ("DELETE FROM receipt", "Receipt 1 was deleted."),
    ],
)
def test_what_somebody_changed_is_named_with_its_receipt(desk: Desk, sql: str, problem: str) -> None:
    told = receipt(desk)
    assert audit_all(desk.memory) == WholeAudit(1, 0, ())
    with desk.memory.parts.engine.connect() as connection:
        connection.execution_options(writes=True)
        connection.exec_driver_sql(sql)
        connection.commit()
    (found,) = audit_all(desk.memory).problems
    assert problem in found
    assert any(problem in said for said in audit_seal(desk.memory, told.seal).problems)
