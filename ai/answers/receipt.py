"""The receipt of an answer: SQL, rows and words, as the memory seals them."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from datetime import UTC, date, datetime

from ai.results.table import ResultTable
from ai.types import AnsweredQuery, Json

LATER = ("steps", "words")  # fields that older receipts do not have


@dataclass(frozen=True, slots=True)
class Receipt:
    """The proof of an answer. `steps` is the SQL of earlier queries; times are ISO 8601 in UTC.

    `newest` is the latest date in the result, "" if unknown. `definitions` are names from the semantics file of this
    `version`; `content` is the SHA-256 of the stored rows, `words` that of the answer.
    """

    turn_id: str
    query_id: int
    source: str
    tables: tuple[str, ...]
    sql: str
    row_count: int
    truncated: bool
    ran_at: str
    newest: str
    reading: str
    assumptions: tuple[str, ...]
    definitions: tuple[str, ...]
    version: int
    reader: str
    content: str
    steps: tuple[str, ...] = ()
    words: str = ""

    def as_json(self) -> dict[str, Json]:
        """Return the fields, without those of LATER that are empty: older receipts have no such field."""
        fields: dict[str, Json] = json.loads(json.dumps(asdict(self)))
        return {name: value for name, value in fields.items() if name not in LATER or value}

    @property
    def old_seal(self) -> str:
        """The SHA-256 that sealed receipts before there was a key."""
        canonical = json.dumps(self.as_json(), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Basis:
    """Tables, used definitions with their version, the reading of a query, and the SQL that led to it."""

    tables: tuple[str, ...] = ()
    definitions: tuple[str, ...] = ()
    version: int = 0
    reading: str = ""
    steps: tuple[str, ...] = ()


def receipt_of(query: AnsweredQuery, table: ResultTable, content: str, basis: Basis) -> Receipt:
    """Build a receipt from the head of a result and the hash of its stored rows."""
    meaning = query.meaning if isinstance(query.meaning, dict) else {}
    assumed = meaning.get("assumptions")
    return Receipt(
        turn_id=query.turn_id,
        query_id=query.id,
        source=query.source,
        tables=basis.tables,
        sql=query.sql,
        row_count=table.row_count,
        truncated=table.truncated,
        ran_at=query.created_at.astimezone(UTC).isoformat(timespec="seconds"),
        newest=max(_days(table), default=""),
        reading=basis.reading,
        assumptions=tuple(map(str, assumed)) if isinstance(assumed, list) else (),
        definitions=basis.definitions,
        version=basis.version,
        reader=query.analyst,
        content=content,
        steps=basis.steps,
    )


def receipt_from(kept: Json) -> Receipt | None:
    """Read a kept receipt; None for anything else."""
    if not isinstance(kept, dict):
        return None
    names = [field.name for field in fields(Receipt) if field.name in kept or field.name not in LATER]
    if not all(name in kept for name in names):
        return None
    values = {name: tuple(value) if isinstance(value := kept[name], list) else value for name in names}
    return Receipt(**values)  # type: ignore[arg-type]


def words_hash(text: str) -> str:
    """Return the SHA-256 of an answer's words, as the memory keeps them."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def differences(receipt: Receipt, sql: str | None, content: str, words: str | None) -> tuple[str, ...]:
    """Return a sentence for each difference to the stored SQL, rows and words; None and "" where there are none."""
    found = []
    if sql is not None and receipt.sql != sql:
        found.append("The SQL that is stored is not the one of the receipt.")
    if content and receipt.content != content:
        found.append("The rows that are stored are not those of the receipt.")
    if receipt.words and words is None:
        found.append("The words of the answer were deleted.")
    elif receipt.words and words_hash(words or "") != receipt.words:
        found.append("The words of the answer that are stored are not those of the receipt.")
    return tuple(found)


def lines(receipt: Receipt) -> tuple[str, ...]:
    """Say source, rows, time and reading."""
    more = " (cut: there are more)" if receipt.truncated else ""
    said = [
        f"Source: {receipt.source} ({', '.join(receipt.tables) or 'no tables'})",
        f"Rows: {receipt.row_count:,}{more}",
        f"Ran: {receipt.ran_at}" + (f", newest date in the result {receipt.newest}" if receipt.newest else ""),
    ]
    return (*said, f"Read as: {receipt.reading}") if receipt.reading else tuple(said)


def closing_lines(receipt: Receipt) -> tuple[str, ...]:
    """Say assumptions, definitions, reader and turn."""
    said = [f"Assumed: {'; '.join(receipt.assumptions)}"] if receipt.assumptions else []
    if receipt.definitions:
        said.append(f"Definitions (version {receipt.version}): {', '.join(receipt.definitions)}")
    said += [f"Step {number}: {' '.join(sql.split())}" for number, sql in enumerate(receipt.steps, 1)]
    return *said, f"Reader: {receipt.reader}", f"Turn: {receipt.turn_id}"


def _days(table: ResultTable) -> Iterator[str]:
    if len(table.rows) == table.row_count:
        for row in table.rows:
            yield from (cell.isoformat()[:10] for cell in row if isinstance(cell, date | datetime))
