"""Receipts: proposed by an agent, sealed with the whole answer, audited against everything that is stored."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ai.agents.port import NoteEvent, ProofEvent, ReceiptEvent, ReplyEvent
from ai.answers.receipt import Basis, Receipt, closing_lines, differences, lines, receipt_from, receipt_of, words_hash
from ai.errors import Corrupt, NoResult, NotFound
from ai.memory.seals import KeptReceipt, seal_from
from ai.memory_store import MemoryStore
from ai.results.table import ResultTable
from ai.types import AnsweredQuery, Json, Request

OLD_SEAL = 64  # hexadecimal digits
OLD = "Sealed before seals had a key: what somebody changed until then does not show."
UNREADABLE = "The receipt does not read as one: somebody changed it."
OLD_CHANGED = "The receipt was changed after its first seal."
FORGED = "No key of this bot made this seal: it is forged, or of another bot."
REPLACED = "This bot made the seal, but another receipt has its number now: the one of this seal was deleted."
DELETED = "This bot made the seal, but its receipt was deleted."
FORGOTTEN = "This bot made the seal; its answer was forgotten since, as people and retention ask for."
NO_RECEIPT = "No answer with the turn id {!r} has a receipt; the id stands in the receipt itself."
NO_OLD = "No receipt has this seal, which is of the time before seals had a key."
NO_SEAL = "{!r} is no seal; copy the whole line from the receipt."


@dataclass(frozen=True, slots=True)
class Audit:
    """What an audit of one receipt found; `receipt` is None where nothing of it is left to print."""

    receipt: Receipt | None
    seal: str
    problems: tuple[str, ...]
    notes: tuple[str, ...] = ()
    rows_kept: bool = False


@dataclass(frozen=True, slots=True)
class WholeAudit:
    sealed: int
    erased: int
    problems: tuple[str, ...]


def small_print(memory: MemoryStore, query: AnsweredQuery, table: ResultTable, basis: Basis) -> Iterator[ReplyEvent]:
    yield NoteEvent(
        reading=basis.reading,
        analyst=query.analyst,
        row_count=table.row_count,
        truncated=table.truncated,
        elapsed_ms=query.elapsed_ms or 0,
        query_id=query.id,
    )
    yield ProofEvent(receipt_of(query, table, _content(memory, query), basis), query.thread)


def closed(memory: MemoryStore, request: Request, text: str, held: Sequence[ReplyEvent]) -> Iterator[ReplyEvent]:
    """Log an answer with its sealed receipt; yield `held` with receipts for proofs. Raises Corrupt."""
    proofs = (event.receipt for event in held if isinstance(event, ProofEvent))
    own = next((receipt for receipt in proofs if receipt.turn_id == request.turn_id), None)
    if own is None:
        memory.add_reply(request.thread, request.turn_id, text)
    else:
        fields = replace(own, words=words_hash(text)).as_json()
        memory.add_sealed_reply(request.thread, request.turn_id, text, fields)
    for event in held:
        yield sealed(memory, event) if isinstance(event, ProofEvent) else event


def sealed(memory: MemoryStore, proof: ProofEvent) -> ReceiptEvent:
    """Return the receipt of a turn, the first one kept; keep this one where there is none. Raises Corrupt."""
    turn_id = proof.receipt.turn_id
    if (kept := memory.receipts.of_turn(turn_id)) is None:
        words = memory.receipts.words(turn_id)
        receipt = replace(proof.receipt, words=words_hash(words) if words else "")
        memory.receipts.keep(proof.thread, turn_id, receipt.as_json())
        kept = memory.receipts.of_turn(turn_id)
    receipt_read = receipt_from(kept.fields) if kept else None
    if kept is None or receipt_read is None:
        raise Corrupt(f"The receipt of turn {turn_id} does not read back; look at the memory's database.")
    closing = (*closing_lines(receipt_read), f"Seal: {kept.seal}")
    return ReceiptEvent(receipt_read.sql, lines(receipt_read), kept.seal, closing)


def fields_of(memory: MemoryStore, turn_id: str) -> dict[str, Json] | None:
    """Return a turn's receipt as JSON with its seal."""
    kept = memory.receipts.of_turn(turn_id)
    if kept is None or (receipt := receipt_from(kept.fields)) is None:
        return None
    return {**receipt.as_json(), "seal": kept.seal}


def audit(memory: MemoryStore, turn_id: str) -> Audit:
    """Hold a turn's receipt against its seal and the store. Raises NotFound."""
    kept = memory.receipts.of_turn(turn_id)
    if kept is None:
        raise NotFound(NO_RECEIPT.format(turn_id))
    return _audited(memory, kept)


def audit_seal(memory: MemoryStore, text: str) -> Audit:
    """Hold a kept seal against the chain. Raises NotFound for another text."""
    seal = seal_from(text)
    if seal is None:
        return _audit_old(memory, text.strip())
    kept = memory.receipts.numbered(seal.number)
    if not memory.receipts.chain.keys.is_ours(seal):
        return Audit(None, text, (FORGED,))
    if kept is None:
        return Audit(None, text, (DELETED,))
    if kept.seal != str(seal):
        return Audit(None, text, (REPLACED,))
    if not kept.turn_id:
        return Audit(None, text, kept.problems, () if kept.problems else (FORGOTTEN,))
    return _audited(memory, kept)


def audit_all(memory: MemoryStore) -> WholeAudit:
    """Check the whole chain, and hold each receipt against what is stored."""
    with memory.receipts.check() as check:
        found = list(check.problems())
    named = {problem.turn_id for problem in found}
    problems = [problem.said for problem in found]
    for turn_id in memory.receipts.turns():
        if turn_id not in named and (kept := memory.receipts.of_turn(turn_id)):
            problems += (f"Turn {turn_id}: {problem}" for problem in _audited(memory, kept).problems)
    return WholeAudit(check.sealed, check.erased, tuple(problems))


def _audited(memory: MemoryStore, kept: KeptReceipt) -> Audit:
    receipt = receipt_from(kept.fields)
    if receipt is None:
        return Audit(None, kept.seal, kept.problems or (UNREADABLE,))
    old = kept.fields.get("seal") if isinstance(kept.fields, dict) else None
    problems = (*kept.problems, *((OLD_CHANGED,) if old and old != receipt.old_seal else ()))
    notes = (OLD,) if old else ()
    words = memory.receipts.words(kept.turn_id)
    try:
        query = memory.query(receipt.query_id)
    except NoResult:
        return Audit(receipt, kept.seal, (*problems, *differences(receipt, None, "", words)), notes)
    content = _content(memory, query)
    told = differences(receipt, query.sql, content, words)
    return Audit(receipt, kept.seal, (*problems, *told), notes, rows_kept=bool(content))


def _audit_old(memory: MemoryStore, text: str) -> Audit:
    if len(text) != OLD_SEAL or not all(letter in "0123456789abcdef" for letter in text):
        raise NotFound(NO_SEAL.format(text))
    turn_id = memory.receipts.sealed_before(text)
    return audit(memory, turn_id) if turn_id else Audit(None, text, (NO_OLD,))


def _content(memory: MemoryStore, query: AnsweredQuery) -> str:
    try:
        return memory.parts.results.digest(query.result) if query.result else ""
    except NoResult:
        return ""
