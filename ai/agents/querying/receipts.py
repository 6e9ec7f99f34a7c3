"""Receipts of answers: one is sealed and kept when an answer is told, and held against what is stored when it is audited.

A receipt stands beside the queries of its turn, so forgetting a thread or a person reaches it. Sealing a turn that is run
again gives the receipt of its first run.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from ai.agents.port import NoteEvent, ReceiptEvent, ReplyEvent
from ai.answers.receipt import Basis, Receipt, differences, lines, receipt_from, receipt_of
from ai.errors import Corrupt, NoResult, NotFound
from ai.memory_store import MemoryStore
from ai.results.table import ResultTable
from ai.types import Json, PastQuery

PART = "receipt"


@dataclass(frozen=True, slots=True)
class Audit:
    """A receipt that was kept, and what speaks against it; `rows_kept` is False when its rows are gone by now."""

    receipt: Receipt
    problems: tuple[str, ...]
    rows_kept: bool


def small_print(memory: MemoryStore, query: PastQuery, table: ResultTable, basis: Basis) -> Iterator[ReplyEvent]:
    """What stands below an answer with the rows of `table`: its note, and the receipt that is kept of it."""
    yield NoteEvent(
        reading=query.reading,
        analyst=query.analyst,
        row_count=table.row_count,
        truncated=table.truncated,
        elapsed_ms=query.elapsed_ms or 0,
        query_id=query.id,
    )
    yield sealed(memory, query, table, basis)


def sealed(memory: MemoryStore, query: PastQuery, table: ResultTable, basis: Basis) -> ReceiptEvent:
    """Keep the receipt of a query that was answered with the rows of `table`, and tell it."""
    receipt = receipt_of(query, table, _content(memory, query), basis)
    kept = memory.save_proposal(
        query.thread,
        query.turn_id,
        PART,
        source=query.source,
        question=query.question,
        sql="",
        reading=receipt.seal,
        meaning=receipt.as_json(),
        analyst=query.analyst,
        status="told",
    )
    first = receipt_from(memory.query(kept).meaning)
    if first is None:
        raise Corrupt(f"The receipt of turn {query.turn_id} does not read back; look at the memory's database.")
    return ReceiptEvent(first[0].sql, lines(first[0]), first[1])


def fields_of(memory: MemoryStore, turn_id: str) -> dict[str, Json] | None:
    """The fields of the receipt of a turn and its seal, as they are kept; None when it has none."""
    written = memory.turn_queries(turn_id)
    return next((row.meaning for row in written if isinstance(row.meaning, dict) and receipt_from(row.meaning)), None)


def audit(memory: MemoryStore, turn_id: str) -> Iterator[Audit]:
    """Each receipt of a turn held against the SQL and the rows that are stored; `NotFound` when it has none."""
    written = memory.turn_queries(turn_id)
    kept = [found for row in written if (found := receipt_from(row.meaning))]
    if not kept:
        raise NotFound(f"No answer with the turn id {turn_id!r} has a receipt; the id stands in the receipt itself.")
    by_id = {row.id: row for row in written}
    for receipt, seal in kept:
        query = by_id.get(receipt.query_id)
        content = _content(memory, query) if query else ""
        problems = differences(receipt, seal, query.sql if query else "", content)
        yield Audit(receipt, problems, bool(content))


def _content(memory: MemoryStore, query: PastQuery) -> str:
    """The hash of the rows of a query, "" when they are no longer kept."""
    try:
        return memory.parts.results.digest(query.result) if query.result else ""
    except NoResult:
        return ""
