"""The receipt of an answer, sealed with a hash.

The seal is SHA-256 over all other fields in canonical form, with a hash of the stored rows. It proves SQL and rows.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from datetime import UTC, date, datetime
from typing import Any

from ai.results.table import ResultTable
from ai.types import AnsweredQuery, Json


@dataclass(frozen=True, slots=True)
class Receipt:
    """The proof of an answer. `steps` is the SQL of earlier queries; times are ISO 8601 in UTC.

    `newest` is the latest date in the result, "" if unknown. `definitions` are names from the semantics file of this
    `version`; `content` is the SHA-256 of the stored rows.
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

    @property
    def seal(self) -> str:
        """The SHA-256 of the receipt, in hexadecimal."""
        canonical = json.dumps(self._told(), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()

    def as_json(self) -> dict[str, Json]:
        return {**json.loads(json.dumps(self._told())), "seal": self.seal}

    def _told(self) -> dict[str, Any]:
        """Return the fields, without steps where there are none: older receipts have no such field."""
        return {name: value for name, value in asdict(self).items() if name != "steps" or value}


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


def receipt_from(kept: Json) -> tuple[Receipt, str] | None:
    """Read a kept receipt and its seal; None for anything else."""
    if not isinstance(kept, dict):
        return None
    names = [field.name for field in fields(Receipt) if field.name in kept or field.name != "steps"]
    if not all(name in kept for name in (*names, "seal")):
        return None
    values = {name: tuple(value) if isinstance(value := kept[name], list) else value for name in names}
    return Receipt(**values), str(kept["seal"])  # type: ignore[arg-type]


def differences(receipt: Receipt, seal: str, sql: str, content: str) -> tuple[str, ...]:
    """Return a sentence for each difference: seal, stored SQL, stored rows."""
    found = []
    if receipt.seal != seal:
        found.append("The receipt was changed after it was sealed.")
    if receipt.sql != sql:
        found.append("The SQL that is stored is not the one of the receipt.")
    if content and receipt.content != content:
        found.append("The rows that are stored are not those of the receipt.")
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
    """Say assumptions, definitions, reader, turn and seal."""
    said = [f"Assumed: {'; '.join(receipt.assumptions)}"] if receipt.assumptions else []
    if receipt.definitions:
        said.append(f"Definitions (version {receipt.version}): {', '.join(receipt.definitions)}")
    said += [f"Step {number}: {' '.join(sql.split())}" for number, sql in enumerate(receipt.steps, 1)]
    return *said, f"Reader: {receipt.reader}", f"Turn: {receipt.turn_id}", f"Seal: {receipt.seal}"


def _days(table: ResultTable) -> Iterator[str]:
    """Yield the dates of a whole result."""
    if len(table.rows) == table.row_count:
        for row in table.rows:
            yield from (cell.isoformat()[:10] for cell in row if isinstance(cell, date | datetime))
