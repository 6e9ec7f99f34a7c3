"""Answers people confirmed, per workspace and source. Questions of one `normal` form count as the same."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    Column,
    ColumnElement,
    Date,
    Engine,
    Index,
    Integer,
    String,
    Table,
    bindparam,
    delete,
    insert,
    select,
    update,
)

from ai.memory.log.database import METADATA, AnyText, Prepared, Utc, Values, reading, writing
from ai.types import Json, Place, ThreadKey

VERIFIED = Table(
    "verified",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("team", String, nullable=False),
    Column("channel", String, nullable=False),
    Column("thread_ts", String, nullable=False),
    Column("turn_id", String, nullable=False, unique=True),
    Column("workspace", String, nullable=False),
    Column("source", String, nullable=False),
    Column("question", AnyText, nullable=False),
    Column("normal", AnyText, nullable=False),  # the question as others are compared with it
    Column("sql", AnyText, nullable=False),
    Column("reading", AnyText, nullable=False),
    Column("meaning", JSON(none_as_null=True)),
    Column("day", Date, nullable=False),  # on which it was asked, where the asker was
    Column("asked_by", String, nullable=False),
    Column("accepted_by", String, nullable=False),
    Column("accepted_at", Utc, nullable=False),
    Column("version", Integer, nullable=False),  # of the definitions by which it was answered
    Column("holds_under", JSON, nullable=False),  # the marks of the definitions under which it was found right
    Index("verified_of_a_workspace", "team", "workspace", "source"),
)
OWN = VERIFIED.c
IN_WORKSPACE = (
    (OWN.team == bindparam("in_team"))
    & (OWN.workspace == bindparam("in_workspace"))
    & (OWN.source == bindparam("of_source"))
)
NAMES = (  # fields a column holds as they are
    "turn_id question normal sql reading meaning day asked_by accepted_by accepted_at version id"
).split()
WHERE = (OWN.team, OWN.channel, OWN.thread_ts, OWN.workspace, OWN.source)
NEWEST_FIRST = (
    select(*WHERE, OWN.holds_under, *(OWN[name] for name in NAMES)).order_by(OWN.id.desc()).limit(bindparam("most"))
)
OF_WORKSPACE = Prepared(NEWEST_FIRST.where(IN_WORKSPACE))
ALIKE = Prepared(NEWEST_FIRST.where(IN_WORKSPACE, OWN.normal == bindparam("in_normal_form")))


@dataclass(frozen=True, slots=True)
class Verified:
    """A confirmed answer. `holds_under` are marks of definitions."""

    place: Place
    thread: ThreadKey
    turn_id: str
    question: str
    normal: str
    sql: str
    reading: str
    meaning: Json
    day: date
    asked_by: str
    accepted_by: str
    accepted_at: datetime
    version: int
    holds_under: tuple[str, ...]
    id: int = 0


@dataclass(frozen=True, slots=True)
class VerifiedAnswers:
    engine: Engine

    def accept(self, answer: Verified) -> bool:
        """Keep an answer in place of older ones; return False when its turn has one."""
        with writing(self.engine) as connection:
            if connection.execute(select(OWN.id).where(OWN.turn_id == answer.turn_id)).first() is not None:
                return False
            alike = {**_at(answer.place), "in_normal_form": answer.normal}
            connection.execute(delete(VERIFIED).where(IN_WORKSPACE, OWN.normal == bindparam("in_normal_form")), alike)
            connection.execute(insert(VERIFIED).values(_row(answer)))
        return True

    def revoke(self, which: Iterable[int]) -> int:
        with writing(self.engine) as connection:
            return connection.execute(delete(VERIFIED).where(OWN.id.in_(tuple(which)))).rowcount

    def of_turn(self, turn_id: str) -> Verified | None:
        return next(iter(self._found(OWN.turn_id == turn_id, 1)), None)

    def alike(self, place: Place, normal: str) -> Verified | None:
        return next(iter(self._read(ALIKE, {**_at(place), "in_normal_form": normal, "most": 1})), None)

    def newest(self, place: Place, limit: int) -> tuple[Verified, ...]:
        return self._read(OF_WORKSPACE, {**_at(place), "most": limit})

    def of_source(self, source: str, limit: int) -> tuple[Verified, ...]:
        return self._found(OWN.source == source, limit)

    def holds(self, which: Iterable[int], mark: str) -> None:
        """Record a mark of definitions these answers hold under, too."""
        with writing(self.engine) as connection:
            rows = connection.execute(select(OWN.id, OWN.holds_under).where(OWN.id.in_(tuple(which)))).all()
            for row in rows:
                marks = sorted({*row.holds_under, mark})
                connection.execute(update(VERIFIED).where(OWN.id == row.id).values(holds_under=marks))

    def _found(self, which: ColumnElement[bool], limit: int) -> tuple[Verified, ...]:
        with reading(self.engine) as connection:
            return tuple(map(_answer, connection.execute(NEWEST_FIRST.where(which), {"most": limit})))

    def _read(self, answers: Prepared, values: Values) -> tuple[Verified, ...]:
        with reading(self.engine) as connection:
            return tuple(map(_answer, answers.read(connection, values)))


def _answer(row: Sequence[Any]) -> Verified:
    team, channel, thread_ts, workspace, source, holds_under, *values = row
    return Verified(
        place=Place(team, channel, workspace, source),
        thread=ThreadKey(team, channel, thread_ts),
        holds_under=tuple(holds_under),
        **dict(zip(NAMES, values, strict=True)),
    )


def _at(place: Place) -> dict[str, str]:
    return {"in_team": place.team, "in_workspace": place.workspace, "of_source": place.source}


def _row(answer: Verified) -> dict[str, object]:
    thread, place = answer.thread, answer.place
    return {
        **{name: getattr(answer, name) for name in NAMES if name != "id"},
        "team": thread.team,
        "channel": thread.channel,
        "thread_ts": thread.thread_ts,
        "workspace": place.workspace,
        "source": place.source,
        "holds_under": list(answer.holds_under),
    }
