"""The chain of sealed receipts: each seal covers its receipt and the seal before it.

A forgotten receipt leaves its seal and a mark that only the key makes. A file beside the key has the newest seal: what
was cut from the end of the chain shows.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from fcntl import LOCK_EX, flock
from hashlib import sha256
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, Connection, bindparam, delete, insert, select, update

from ai.memory.log.database import Lock, Prepared, alone
from ai.memory.log.tables import RECEIPT, SEAL
from ai.memory.seals.keys import FIRST, Seal, SealKeys, keys_in, seal_from
from ai.types import Json

NEWEST = Prepared(select(SEAL.c.number, SEAL.c.seal).order_by(SEAL.c.number.desc()).limit(1))
KNOWN = Prepared(select(RECEIPT.c.turn_id).where(RECEIPT.c.turn_id == bindparam("of_turn")))
LENGTH = 128  # bytes: one write that a power cut leaves whole


@dataclass(frozen=True, slots=True)
class HeadFile:
    """The file of the newest seal. Without a path nothing is kept."""

    path: Path | None = None

    def read(self) -> Seal:
        """Return the newest seal that was made here, FIRST where none is known."""
        try:
            text = self.path.read_bytes()[:LENGTH].decode("ascii", "replace") if self.path else ""
        except FileNotFoundError:
            text = ""
        return seal_from(text) or FIRST

    def advance(self, seal: Seal) -> None:
        """Write a seal, once its receipt is stored; an older one changes nothing."""
        if self.path is None:
            return
        with _locked(self.path) as descriptor:
            known = seal_from(os.pread(descriptor, LENGTH, 0).decode("ascii", "replace"))
            if known is None or known.number < seal.number:
                os.pwrite(descriptor, f"{seal}".ljust(LENGTH - 1).encode() + b"\n", 0)


NO_FILE = HeadFile()


@dataclass(frozen=True, slots=True)
class Chain:
    """The chain of one store: its keys, and the file of its newest seal."""

    keys: SealKeys
    head: HeadFile = NO_FILE

    def append(self, connection: Connection, thread_id: int, turn_id: str, fields: dict[str, Json]) -> Seal | None:
        """Keep and seal a receipt; None where the turn has one. `head.advance` follows the commit."""
        alone(connection, Lock.SEALING)
        if KNOWN.all(connection, {"of_turn": turn_id}):
            return None
        row = {"turn_id": turn_id, "thread_id": thread_id, "fields": fields, "created_at": datetime.now(UTC)}
        seal = self._link(connection, row)
        connection.execute(insert(RECEIPT).values(**row, number=seal.number))
        return seal

    def adopt(self, connection: Connection) -> None:
        """Seal the receipts of a time before seals had a key, while there is no chain; the caller holds the store."""
        if NEWEST.all(connection, {}) or self.head.read() != FIRST:
            return
        for row in connection.execute(select(RECEIPT).where(RECEIPT.c.number.is_(None)).order_by(RECEIPT.c.created_at)):
            seal = self._link(connection, {name: value for name, value in row._asdict().items() if name != "number"})
            own = RECEIPT.c.turn_id == row.turn_id
            connection.execute(update(RECEIPT).where(own).values(number=seal.number))

    def erase(self, connection: Connection, which: ColumnElement[bool]) -> None:
        """Delete receipts and mark their seals."""
        gone = select(SEAL.c.number, SEAL.c.seal).join(RECEIPT, RECEIPT.c.number == SEAL.c.number).where(which)
        for number, text in connection.execute(gone).all():
            mark = self.keys.erasure(seal_from(text) or FIRST)
            connection.execute(update(SEAL).where(SEAL.c.number == number).values(erased=mark))
        connection.execute(delete(RECEIPT).where(which))

    def _link(self, connection: Connection, row: dict[str, Any]) -> Seal:
        """Seal a row after the newest seal known. A gap stays where newer ones were cut off."""
        newest = next((Seal.stored(number, text) for number, text in NEWEST.all(connection, {})), FIRST)
        before = max(newest, self.head.read())
        seal = self.keys.seal(before.number + 1, str(before), canonical(**row))
        connection.execute(insert(SEAL).values(number=seal.number, previous=str(before), seal=str(seal)))
        return seal


def chain_at(key_file: Path | None, folder: Path, store: str) -> Chain:
    """Return the chain of the store at this URL; `folder` has its newest seal, and the key by itself.

    Raises ConfigError.
    """
    store_id = sha256(store.encode()).hexdigest()[:8]
    return Chain(keys_in(key_file or folder / "receipt.key"), HeadFile(folder / f"receipts-{store_id}.head"))


def chain_keys(key_file: Path, chain: Chain) -> Chain:
    """Return a chain with the keys of another file. Raises ConfigError."""
    return Chain(keys_in(key_file), chain.head)


def canonical(turn_id: object, thread_id: object, created_at: object, fields: object) -> str:
    """Return everything that a seal covers of a receipt as one text."""
    moment = created_at.astimezone(UTC).isoformat() if isinstance(created_at, datetime) else created_at
    told = [turn_id, thread_id, moment, fields]
    return json.dumps(told, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=repr)


@contextmanager
def _locked(path: Path) -> Iterator[int]:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        flock(descriptor, LOCK_EX)
        yield descriptor
    finally:
        os.close(descriptor)
