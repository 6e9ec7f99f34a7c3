"""Receipts: sealed with an answer, kept once per turn, audited against the stored SQL and rows."""

from collections.abc import Iterator
from dataclasses import dataclass

from ai.agents.port import NoteEvent, ReceiptEvent, ReplyEvent
from ai.answers.receipt import Basis, Receipt, closing_lines, differences, lines, receipt_from, receipt_of
from ai.errors import Corrupt, NoResult, NotFound
from ai.memory_store import MemoryStore
from ai.results.table import ResultTable
from ai.types import AnsweredQuery, Json


@dataclass(frozen=True, slots=True)
class Audit:
    receipt: Receipt
    problems: tuple[str, ...]
    rows_kept: bool


def small_print(memory: MemoryStore, query: AnsweredQuery, table: ResultTable, basis: Basis) -> Iterator[ReplyEvent]:
    yield NoteEvent(
        reading=basis.reading,
        analyst=query.analyst,
        row_count=table.row_count,
        truncated=table.truncated,
        elapsed_ms=query.elapsed_ms or 0,
        query_id=query.id,
    )
    yield sealed(memory, query, table, basis)


def sealed(memory: MemoryStore, query: AnsweredQuery, table: ResultTable, basis: Basis) -> ReceiptEvent:
    """Keep the receipt of an answer. Raises Corrupt."""
    receipt = receipt_of(query, table, _content(memory, query), basis)
    memory.answers.keep_receipt(query.thread, query.turn_id, receipt.as_json())
    first = receipt_from(memory.answers.receipt(query.turn_id))
    if first is None:
        raise Corrupt(f"The receipt of turn {query.turn_id} does not read back; look at the memory's database.")
    return ReceiptEvent(first[0].sql, lines(first[0]), first[1], closing_lines(first[0]))


def fields_of(memory: MemoryStore, turn_id: str) -> dict[str, Json] | None:
    """Return a turn's receipt as JSON with its seal."""
    fields = memory.answers.receipt(turn_id)
    return fields if receipt_from(fields) else None


def audit(memory: MemoryStore, turn_id: str) -> Audit:
    """Hold a turn's receipt against the store. Raises NotFound."""
    kept = receipt_from(memory.answers.receipt(turn_id))
    if kept is None:
        raise NotFound(f"No answer with the turn id {turn_id!r} has a receipt; the id stands in the receipt itself.")
    receipt, seal = kept
    try:
        query = memory.query(receipt.query_id)
    except NoResult:
        return Audit(receipt, differences(receipt, seal, "", ""), rows_kept=False)
    content = _content(memory, query)
    return Audit(receipt, differences(receipt, seal, query.sql, content), bool(content))


def _content(memory: MemoryStore, query: AnsweredQuery) -> str:
    try:
        return memory.parts.results.digest(query.result) if query.result else ""
    except NoResult:
        return ""
