"""The receipts of one store: kept once per turn, sealed, and checked."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, Engine, select

from ai.memory.log import threads
from ai.memory.log.database import reading, writing
from ai.memory.log.tables import MESSAGE, RECEIPT, SEAL
from ai.memory.seals.chain import Chain
from ai.memory.seals.checking import ChainCheck, Problem, any_text, fields_of, problems_of, sealed_row
from ai.memory.seals.keys import FIRST, Seal
from ai.types import Json, ThreadKey


@dataclass(frozen=True, slots=True)
class KeptReceipt:
    """A receipt with what is wrong with it; `fields` is another thing than an object where somebody changed it."""

    turn_id: str
    fields: Json
    seal: str
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Receipts:
    engine: Engine
    chain: Chain

    def keep(self, thread: ThreadKey, turn_id: str, fields: dict[str, Json]) -> None:
        """Keep and seal a receipt, unless the turn has one."""
        with self.sealing(turn_id, fields) as seal, writing(self.engine) as connection:
            seal(connection, threads.claim(connection, thread, versions=0))

    @contextmanager
    def sealing(
        self, turn_id: str, fields: dict[str, Json]
    ) -> Iterator[Callable[[Connection, threads.ThreadRow], None]]:
        """Yield what seals a receipt within a transaction; the transaction is over when the block ends."""
        made: list[Seal | None] = []
        yield lambda connection, thread: made.append(self.chain.append(connection, thread.id, turn_id, fields))
        for seal in filter(None, made):
            self.chain.head.advance(seal)

    def of_turn(self, turn_id: str) -> KeptReceipt | None:
        return self._kept(RECEIPT.c.turn_id == turn_id)

    def words(self, turn_id: str) -> str | None:
        """Return the words of a turn's answer, None where there are none."""
        own = (MESSAGE.c.turn_id == turn_id) & (MESSAGE.c.part == "reply")
        with reading(self.engine) as connection:
            found: str | None = connection.execute(select(MESSAGE.c.content).where(own)).scalar()
        return found

    def numbered(self, number: int) -> KeptReceipt | None:
        """Return the receipt of a seal; its turn is "" where it was forgotten or deleted."""
        return self._kept(SEAL.c.number == number)

    def sealed_before(self, old_seal: str) -> str | None:
        """Return the turn whose receipt has a seal of the time without a key."""
        with self._reading() as connection:
            for turn_id, fields in connection.execute(select(RECEIPT.c.turn_id, RECEIPT.c.fields)):
                if isinstance(fields, dict) and fields.get("seal") == old_seal:
                    return str(turn_id)
        return None

    def turns(self) -> tuple[str, ...]:
        with reading(self.engine) as connection:
            return tuple(connection.execute(select(RECEIPT.c.turn_id).order_by(RECEIPT.c.number)).scalars())

    @contextmanager
    def check(self) -> Iterator[ChainCheck]:
        """Open one pass over the whole chain."""
        with self._reading() as connection:
            yield ChainCheck(self.chain, connection)

    def _kept(self, which: ColumnElement[bool]) -> KeptReceipt | None:
        with self._reading() as connection:
            row = sealed_row(connection, which)
            if row is None:
                return None
            last = FIRST if row.before is None else Seal.stored(row.number - 1, str(row.before))
            wrong: Iterator[Problem] = problems_of(self.chain, row, last if last.number + 1 == row.number else None)
            problems = tuple(problem.said for problem in wrong)
            return KeptReceipt(str(row.turn_id or ""), fields_of(row.fields), str(row.seal), problems)

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with reading(self.engine) as connection, any_text(connection):
            yield connection
