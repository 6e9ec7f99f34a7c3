"""Receipts of answers: sealed with the answer, kept by the memory, and audited against the stored SQL and rows.

A turn that runs again gives the receipt of its first run. Forgetting a thread or a person reaches its receipts.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from ai.agents.port import NoteEvent, ReceiptEvent, ReplyEvent
from ai.answers.receipt import Basis, Receipt, differences, lines, receipt_from, receipt_of
from ai.errors import Corrupt, NoResult, NotFound
from ai.memory_store import MemoryStore
from ai.results.table import ResultTable
from ai.types import AnsweredQuery, Json


@dataclass(frozen=True, slots=True)
class Audit:
    """A receipt and the problems found; `rows_kept` is False once its rows are dropped."""

    receipt: Receipt
    problems: tuple[str, ...]
    rows_kept: bool


def small_print(memory: MemoryStore, query: AnsweredQuery, table: ResultTable, basis: Basis) -> Iterator[ReplyEvent]:
    """Yield the note and the receipt below an answer with the rows of `table`."""
    yield NoteEvent(
        reading=query.reading,
        analyst=query.analyst,
        row_count=table.row_count,
        truncated=table.truncated,
        elapsed_ms=query.elapsed_ms or 0,
        query_id=query.id,
    )
    yield sealed(memory, query, table, basis)


def sealed(memory: MemoryStore, query: AnsweredQuery, table: ResultTable, basis: Basis) -> ReceiptEvent:
    """Keep the receipt of an answer and return it. Raises Corrupt if it does not read back."""
    receipt = receipt_of(query, table, _content(memory, query), basis)
    memory.answers.keep_receipt(query.thread, query.turn_id, receipt.as_json())
    first = receipt_from(memory.answers.receipt(query.turn_id))
    if first is None:
        raise Corrupt(f"The receipt of turn {query.turn_id} does not read back; look at the memory's database.")
    return ReceiptEvent(first[0].sql, lines(first[0]), first[1])


def fields_of(memory: MemoryStore, turn_id: str) -> dict[str, Json] | None:
    """Return the fields of a turn's receipt with its seal, None without one."""
    fields = memory.answers.receipt(turn_id)
    return fields if receipt_from(fields) else None


def audit(memory: MemoryStore, turn_id: str) -> Audit:
    """Hold the receipt of a turn against the stored SQL and rows. Raises NotFound if it has none."""
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
    """Return the hash of a query's rows, "" once they are dropped."""
    try:
        return memory.parts.results.digest(query.result) if query.result else ""
    except NoResult:
        return ""
