"""The ledger of model calls in the database. Calls enter one by one, so concurrent turns cannot pass the same gap."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import (
    Boolean,
    Column,
    ColumnElement,
    Connection,
    Engine,
    Float,
    Index,
    Integer,
    Row,
    String,
    Table,
    UniqueConstraint,
    bindparam,
    func,
    insert,
    select,
    true,
    update,
)

from ai.errors import BudgetSpent
from ai.ledger import Budgets, LedgerEntry, Prices, Purpose, Spender, TokenUsage
from ai.memory.log.database import METADATA, Lock, Prepared, Utc, alone, reading, writing
from ai.memory.log.tables import in_thread, place, texts
from ai.types import ThreadKey

MODEL_CALL = Table(
    "model_call",
    METADATA,
    Column("id", Integer, primary_key=True),
    *place(),
    *texts("turn_id", "user", "purpose"),
    Column("n", Integer, nullable=False),  # of this purpose in its turn, from 1
    Column("model", String, nullable=False),
    Column("prompt", Integer, nullable=False),
    Column("cached", Integer, nullable=False),  # of these
    Column("completion", Integer, nullable=False),
    Column("reported", Boolean, nullable=False),  # by the server; else counted by us
    Column("cost", Float, nullable=False),
    Column("currency", String, nullable=False),
    Column("ms", Integer, nullable=False),
    Column("outcome", String, nullable=False),
    Column("at", Utc, nullable=False),
    UniqueConstraint("turn_id", "purpose", "n", name="each_call_once"),
    Index("model_call_of_a_thread", "team", "channel", "thread_ts"),
    Index("model_call_by_time", "at"),
)
CALL = MODEL_CALL.c
TAKEN = CALL.prompt + CALL.completion
IS_OWN = (CALL.turn_id == bindparam("of_turn")) & (CALL.purpose == bindparam("of_purpose"))
LAST = Prepared(select(func.max(CALL.n)).where(IS_OWN))
GIVEN = tuple(column.name for column in CALL if not column.primary_key)
ENTER = Prepared(insert(MODEL_CALL).values({name: bindparam(name, type_=CALL[name].type) for name in GIVEN}))
USED = ("prompt", "cached", "completion", "reported")  # columns of a `TokenUsage`
PLAIN = ("purpose", "n", "model", "cost", "currency", "ms", "outcome", "at")  # columns of a `LedgerEntry`
OVER = ("prompt", "cached", "completion", "reported", "cost", "ms", "outcome")  # what is known when a call is over
SETTLE = Prepared(
    update(MODEL_CALL)
    .where(IS_OWN, CALL.n == bindparam("of_n"), CALL.outcome == "open")
    .values({name: bindparam(f"own_{name}", type_=CALL[name].type) for name in OVER})
)


@dataclass(frozen=True, slots=True)
class Spending:
    """The ledger of one store (`ai.ledger.Ledger`)."""

    engine: Engine
    prices: Prices = field(default_factory=Prices)
    budgets: Budgets = field(default_factory=Budgets)
    clock: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))

    def enter(self, spender: Spender, purpose: Purpose, model: str, expected: TokenUsage) -> LedgerEntry:
        now = self.clock()
        with writing(self.engine) as connection:
            alone(connection, Lock.SPENDING)
            self._check(connection, spender, expected.total, now)
            ((last,),) = LAST.all(connection, {"of_turn": spender.turn_id, "of_purpose": purpose})
            cost, currency = self.prices.cost(expected), self.prices.currency
            entry = LedgerEntry(spender, purpose, (last or 0) + 1, model, now, expected, cost, currency)
            ENTER.do(connection, _row(entry))
        return entry

    def settle(self, entry: LedgerEntry, usage: TokenUsage, ms: int, outcome: str) -> None:
        row = _row(replace(entry, usage=usage, cost=self.prices.cost(usage), ms=ms, outcome=outcome))
        own = {"of_turn": entry.spender.turn_id, "of_purpose": entry.purpose, "of_n": entry.n}
        with writing(self.engine) as connection:
            SETTLE.do(connection, {**own, **{f"own_{name}": row[name] for name in OVER}})

    def of_turn(self, turn_id: str) -> tuple[LedgerEntry, ...]:
        return self._entries(CALL.turn_id == turn_id)

    def of_thread(self, thread: ThreadKey) -> tuple[LedgerEntry, ...]:
        return self._entries(in_thread(MODEL_CALL, thread))

    def since(self, moment: datetime) -> tuple[LedgerEntry, ...]:
        return self._entries(CALL.at >= moment)

    def _entries(self, which: ColumnElement[bool]) -> tuple[LedgerEntry, ...]:
        with reading(self.engine) as connection:
            return tuple(map(_entry, connection.execute(select(MODEL_CALL).where(which).order_by(CALL.id))))

    def _check(self, connection: Connection, spender: Spender, more: int, now: datetime) -> None:
        bounds = tuple(self._bounds(spender))
        if not bounds:
            return
        midnight = now.astimezone(ZoneInfo(self.budgets.timezone)).replace(hour=0, minute=0, second=0, microsecond=0)
        sums = (func.coalesce(func.sum(TAKEN).filter(own), 0) for _, _, own in bounds)
        taken = connection.execute(select(*sums).where(CALL.at >= midnight.astimezone(UTC))).one()
        for (whose, limit, _), today in zip(bounds, taken, strict=True):
            if today + more > limit:
                raise BudgetSpent(
                    f"{whose} budget of {limit:,} tokens a day for the language model has no room for this; "
                    f"it begins anew at midnight ({self.budgets.timezone}), and an owner of the bot can raise it."
                )

    def _bounds(self, spender: Spender) -> Iterator[tuple[str, int, ColumnElement[bool]]]:
        budgets, team = self.budgets, CALL.team == spender.thread.team
        bounds = (
            ("Your", budgets.user, team & (CALL.user == spender.user)),
            ("This channel's", budgets.channel, team & (CALL.channel == spender.thread.channel)),
            ("The bot's", budgets.total, true()),
        )
        return ((whose, limit, own) for whose, limit, own in bounds if limit is not None)


def _entry(row: Row[Any]) -> LedgerEntry:
    spender = Spender(row.turn_id, ThreadKey(row.team, row.channel, row.thread_ts), row.user)
    usage = TokenUsage(*(getattr(row, name) for name in USED))
    return LedgerEntry(spender=spender, usage=usage, **{name: getattr(row, name) for name in PLAIN})


def _row(entry: LedgerEntry) -> dict[str, object]:
    spender = entry.spender
    return {
        **asdict(spender.thread),
        "turn_id": spender.turn_id,
        "user": spender.user,
        **{name: getattr(entry.usage, name) for name in USED},
        **{name: getattr(entry, name) for name in PLAIN},
    }
