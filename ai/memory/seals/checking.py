"""Check the chain of receipts: what was edited, deleted, moved, forged or cut off is told by number and turn."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, Text, cast, select

from ai.memory.log.database import driver_of
from ai.memory.log.tables import RECEIPT, SEAL
from ai.memory.seals.chain import Chain, canonical
from ai.memory.seals.keys import FIRST, Seal, seal_from
from ai.types import Json

AT_ONCE = 500  # rows read together
# As texts: what somebody wrote there may be of any form.
OWN = (
    RECEIPT.c.turn_id,
    RECEIPT.c.thread_id,
    cast(RECEIPT.c.created_at, Text).label("created_at"),
    cast(RECEIPT.c.fields, Text).label("fields"),
)
SEALED = select(SEAL, *OWN).outerjoin(RECEIPT, RECEIPT.c.number == SEAL.c.number)
BEFORE = SEAL.alias()
PLACED = SEALED.add_columns(BEFORE.c.seal.label("before")).outerjoin(BEFORE, BEFORE.c.number == SEAL.c.number - 1)


class Problem(NamedTuple):
    """What is wrong with a receipt; `turn_id` is "" where nothing tells it."""

    number: int
    turn_id: str
    said: str


@dataclass(slots=True)
class ChainCheck:
    """One pass over the chain; the counts are right once `problems` has ended."""

    chain: Chain
    connection: Connection
    sealed: int = 0
    erased: int = 0

    def problems(self) -> Iterator[Problem]:
        """Yield everything that is wrong, in the order of the chain."""
        before, head = FIRST, self.chain.head.read()
        for row in self.connection.execute(SEALED.order_by(SEAL.c.number).execution_options(yield_per=AT_ONCE)):
            yield from _missing(before.number, row.number)
            follows = before.number + 1 == row.number
            yield from problems_of(self.chain, row, before if follows else None)
            before = Seal.stored(row.number, _text(row.seal))
            self.erased += row.turn_id is None
            self.sealed += row.turn_id is not None
            if before.number == head.number and before != head:
                yield Problem(head.number, _text(row.turn_id), f"Receipt {head.number} was replaced by another one.")
        yield from _missing(before.number, head.number + 1)
        chained = select(SEAL.c.number).where(SEAL.c.number == RECEIPT.c.number).exists()
        for turn_id in self.connection.execute(select(RECEIPT.c.turn_id).where(~chained)).scalars():
            name = _text(turn_id)
            yield Problem(0, name, f"The receipt of turn {name} was never sealed: somebody added it.")


def problems_of(chain: Chain, row: Row[Any], before: Seal | None) -> Iterator[Problem]:
    """Yield the problems of one receipt; `before` is the seal before it, None for an unknown one."""
    turn_id = _text(row.turn_id)
    name = f"Receipt {row.number} (turn {turn_id})" if turn_id else f"Receipt {row.number}"
    if wrong := _wrong(chain, row):
        yield Problem(row.number, turn_id, f"{name} {wrong}.")
    if before is not None and _text(row.previous) != str(before):
        yield Problem(row.number, turn_id, f"{name} does not follow the receipt that stands before it.")


def _wrong(chain: Chain, row: Row[Any]) -> str:
    seal, keys = seal_from(_text(row.seal)), chain.keys
    if seal is None or seal.number != row.number or not keys.is_ours(seal):
        return "has a seal that no key of this bot made: it was forged"
    is_erased = keys.is_erasure(_text(row.erased), seal)
    if row.turn_id is None:
        return "" if is_erased else "was deleted"
    if is_erased:
        return "was forgotten, and somebody put it back"
    told = canonical(_text(row.turn_id), row.thread_id, moment_of(row.created_at), fields_of(row.fields))
    return (
        "was changed after it was sealed" if row.erased or not keys.is_seal_of(seal, _text(row.previous), told) else ""
    )


def _missing(last: int, number: int) -> Iterator[Problem]:
    """Yield the gap between two numbers of the chain, if there is one."""
    first, end = max(last, 0) + 1, number - 1
    if first == end:
        yield Problem(first, "", f"Receipt {first} was deleted with its seal.")
    elif first < end:
        yield Problem(first, "", f"Receipts {first} to {end} were deleted with their seals.")


def sealed_row(connection: Connection, which: ColumnElement[bool]) -> Row[Any] | None:
    """Return a seal with its receipt, and with the seal `before` it."""
    return connection.execute(PLACED.where(which)).first()


@contextmanager
def any_text(connection: Connection) -> Iterator[None]:
    """Read texts that are no UTF-8, too."""
    driver = driver_of(connection)
    if driver is None:
        yield
        return
    before, driver.text_factory = driver.text_factory, _text
    try:
        yield
    finally:
        driver.text_factory = before


def fields_of(text: object) -> Json:
    """Return the fields of a receipt, or the text where somebody made it another thing than JSON."""
    try:
        found: Json = json.loads(_text(text))
    except (ValueError, RecursionError):
        return _text(text)
    return found


def moment_of(text: object) -> object:
    try:
        return datetime.fromisoformat(_text(text)).replace(tzinfo=UTC)
    except ValueError:
        return text


def _text(value: object) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)
