"""The rules from corrections: proposed, tested, approved and ended. A source's version counts approvals and ends."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Literal

from sqlalchemy import (
    JSON,
    Column,
    ColumnElement,
    Connection,
    Engine,
    Integer,
    Select,
    String,
    Table,
    bindparam,
    delete,
    func,
    insert,
    select,
    update,
)

from ai.errors import NotFound
from ai.memory.learned.verified import VERIFIED
from ai.memory.log.database import METADATA, AnyText, Lock, Prepared, Utc, alone, reading, writing
from ai.memory.log.tables import place
from ai.types import Json, Request

Status = Literal["proposed", "approved", "rejected", "reverted", "forgotten"]
RULE = Table(
    "rule",
    METADATA,
    Column("id", Integer, primary_key=True),
    *place(),
    Column("turn_id", String, nullable=False, unique=True),
    Column("source", String, nullable=False, index=True),
    Column("author", String, nullable=False),
    Column("said", AnyText, nullable=False),  # the correction, word for word
    Column("change", JSON, nullable=False),  # what it does to the definitions
    Column("status", String, nullable=False),
    Column("trial", JSON(none_as_null=True)),  # what came of testing it
    Column("decided_by", String, nullable=False),
    Column("approved_as", Integer),  # the change of the definitions that its approval was, counted per source from 1
    Column("ended_as", Integer),  # and the one that its end was
    Column("created_at", Utc, nullable=False),
)
OWN = RULE.c
NAMES = "id source author said change status trial decided_by approved_as".split()
RULES = select(*(OWN[name] for name in NAMES))
IN_FORCE = Prepared(
    RULES.where(OWN.source == bindparam("of_source"), OWN.status == "approved").order_by(OWN.approved_as)
)
COUNTED = Prepared(
    select(func.coalesce(func.max(OWN.approved_as), 0), func.coalesce(func.max(OWN.ended_as), 0)).where(
        OWN.source == bindparam("of_source")
    )
)


@dataclass(frozen=True, slots=True)
class LearnedRule:
    """A rule. `change` and `trial` are its author's JSON; `decided_by` is "" while open."""

    id: int
    source: str
    author: str
    said: str
    change: Json
    status: Status
    trial: Json
    decided_by: str
    approved_as: int | None


@dataclass(frozen=True, slots=True)
class Rulebook:
    engine: Engine

    def propose(self, request: Request, change: Json) -> int:
        """Write down a correction's change, once per turn; return its number."""
        with writing(self.engine) as connection:
            mine = OWN.turn_id == request.turn_id
            known: int | None = connection.execute(select(OWN.id).where(mine)).scalar()
            if known is not None:
                return known
            row = insert(RULE).values(
                **asdict(request.thread),
                turn_id=request.turn_id,
                source=request.source,
                author=request.user,
                said=request.text,
                change=change,
                status="proposed",
                decided_by="",
                created_at=datetime.now(UTC),
            )
            number: int = connection.execute(row.returning(OWN.id)).scalar_one()
            return number

    def one(self, source: str, number: int) -> LearnedRule:
        found = self._found(RULES.where(OWN.id == number, OWN.source == source, OWN.status != "forgotten"))
        if not found:
            raise NotFound(f"There is no rule {number} here; say “show the rules” for those that there are.")
        return found[0]

    def newest(self, source: str, limit: int) -> tuple[LearnedRule, ...]:
        those = RULES.where(OWN.source == source, OWN.status != "forgotten")
        return self._found(those.order_by(OWN.id.desc()).limit(limit))

    def in_force(self, source: str) -> tuple[LearnedRule, ...]:
        with reading(self.engine) as connection:
            return tuple(map(_rule, IN_FORCE.read(connection, {"of_source": source})))

    def version(self, source: str) -> int:
        with reading(self.engine) as connection:
            return _version(connection, source)

    def tested(self, number: int, trial: Json) -> None:
        with writing(self.engine) as connection:
            connection.execute(update(RULE).where(OWN.id == number).values(trial=trial))

    def approve(self, rule: LearnedRule, by: str) -> bool:
        """Put the rule in force. Decisions return False when it was decided before."""
        return self._decide(rule, by, "proposed", "approved", "approved_as")

    def reject(self, rule: LearnedRule, by: str) -> bool:
        return self._decide(rule, by, "proposed", "rejected")

    def revert(self, rule: LearnedRule, by: str) -> bool:
        return self._decide(rule, by, "approved", "reverted", "ended_as")

    def _decide(self, rule: LearnedRule, by: str, before: Status, after: Status, counted: str = "") -> bool:
        with writing(self.engine) as connection:
            alone(connection, Lock.DECIDING)
            values = {"status": after, "decided_by": by}
            numbers = {counted: _version(connection, rule.source) + 1} if counted else {}
            own = update(RULE).where(OWN.id == rule.id, OWN.status == before)
            return connection.execute(own.values(**values, **numbers)).rowcount == 1

    def _found(self, rows: Select[Any]) -> tuple[LearnedRule, ...]:
        with reading(self.engine) as connection:
            return tuple(map(_rule, connection.execute(rows)))


def erase(
    connection: Connection, answers: ColumnElement[bool], rules: ColumnElement[bool], *, rules_stay: bool = False
) -> None:
    """Delete accepted answers and rules by condition.

    A rule in force ends and keeps an empty row; `rules_stay` spares it.
    """
    connection.execute(delete(VERIFIED).where(answers))
    counted = OWN.approved_as.is_not(None)
    connection.execute(delete(RULE).where(rules, ~counted))
    if rules_stay:
        return
    alone(connection, Lock.DECIDING)
    those = select(OWN.id, OWN.source, OWN.ended_as).where(rules, counted)
    for row in connection.execute(those).all():
        ended = row.ended_as or _version(connection, row.source) + 1
        gone: dict[str, object] = dict.fromkeys(("team", "channel", "thread_ts", "author", "said", "decided_by"), "")
        gone |= {
            "turn_id": f"forgotten:{row.id}",
            "change": {},
            "trial": None,
            "status": "forgotten",
            "ended_as": ended,
        }
        connection.execute(update(RULE).where(OWN.id == row.id).values(**gone))


def erase_decider(connection: Connection, person: str) -> None:
    connection.execute(update(RULE).where(OWN.decided_by == person).values(decided_by=""))


def _version(connection: Connection, source: str) -> int:
    ((approved, ended),) = COUNTED.all(connection, {"of_source": source})
    return int(max(approved, ended))


def _rule(row: Sequence[Any]) -> LearnedRule:
    return LearnedRule(**dict(zip(NAMES, row, strict=True)))
