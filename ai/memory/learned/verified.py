"""Answers people judged, per workspace and source. Questions of one `normal` form count as the same.

One person's “Correct” makes an example. Confirmed by an owner or a second person, it answers for everybody. An answer
that somebody objects to is neither, until the objection is taken back.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
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
from ai.memory.log.tables import place, texts
from ai.types import Json, Place, ThreadKey

VERIFIED = Table(
    "verified",
    METADATA,
    Column("id", Integer, primary_key=True),
    *place(),
    Column("turn_id", String, nullable=False, unique=True),
    *texts("workspace", "source", "asked_by", "accepted_by"),
    Column("question", AnyText, nullable=False),
    Column("normal", AnyText, nullable=False),  # the question as others are compared with it
    Column("sql", AnyText, nullable=False),
    Column("reading", AnyText, nullable=False),
    Column("meaning", JSON(none_as_null=True)),
    Column("day", Date, nullable=False),  # on which it was asked, where the asker was
    Column("accepted_at", Utc, nullable=False),
    Column("version", Integer, nullable=False),  # of the definitions by which it was answered
    Column("confirmed_by", String, nullable=False, server_default=""),  # an owner or a second person, "" for an example
    Column("objected_by", String, nullable=False, server_default=""),
    Column("objection", String, nullable=False, server_default=""),
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
    "turn_id question normal sql reading meaning day asked_by accepted_by accepted_at version confirmed_by objected_by "
    "objection id"
).split()
WHERE = (OWN.team, OWN.channel, OWN.thread_ts, OWN.workspace, OWN.source)
NEWEST_FIRST = (
    select(*WHERE, OWN.holds_under, *(OWN[name] for name in NAMES)).order_by(OWN.id.desc()).limit(bindparam("most"))
)
STANDS = (OWN.objected_by == "") & (OWN.accepted_by != "")
OF_WORKSPACE = Prepared(NEWEST_FIRST.where(IN_WORKSPACE, STANDS))
ALIKE = Prepared(NEWEST_FIRST.where(IN_WORKSPACE, OWN.normal == bindparam("in_normal_form"), STANDS))
MOST_ALIKE = 100


@dataclass(frozen=True, slots=True)
class Verified:
    """A judged answer. `holds_under` are marks of definitions; `accepted_by` is "" where somebody only objected."""

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
    confirmed_by: str = ""
    objected_by: str = ""
    objection: str = ""
    id: int = 0


@dataclass(frozen=True, slots=True)
class VerifiedAnswers:
    engine: Engine

    def accept(self, answer: Verified, *, is_final: bool = False) -> Verified:
        """Keep an answer; return it confirmed if `is_final`, or if another person accepted the same SQL before."""
        alike = self._alike(answer.place, answer.normal)
        others = [one for one in alike if one.sql == answer.sql and one.accepted_by != answer.accepted_by]
        known = next((one for one in alike if one.confirmed_by and one.sql == answer.sql), None)
        confirmed = known.confirmed_by if known else answer.accepted_by if is_final or others else ""
        first = known or (others[-1] if others else answer)
        kept = replace(answer, accepted_by=first.accepted_by, confirmed_by=confirmed)
        same = [one.id for one in alike if confirmed or one.sql == answer.sql]
        with writing(self.engine) as connection:
            connection.execute(delete(VERIFIED).where((OWN.turn_id == answer.turn_id) | OWN.id.in_(same)))
            connection.execute(insert(VERIFIED).values(_row(kept)))
        return kept

    def object(self, answer: Verified, which: Iterable[int], reason: str) -> None:
        """Keep that `answer.objected_by` objects to an answer, and to those of `which`."""
        said = {"objected_by": answer.objected_by, "objection": reason}
        with writing(self.engine) as connection:
            if connection.execute(select(OWN.id).where(OWN.turn_id == answer.turn_id)).first() is None:
                connection.execute(insert(VERIFIED).values({**_row(answer), **said}))
            wanted = (OWN.turn_id == answer.turn_id) | OWN.id.in_(tuple(which))
            connection.execute(update(VERIFIED).where(wanted).values(said))

    def take_back(self, place: Place, sql: str, user: str) -> int:
        """Drop a person's objections to a query; return how many there were."""
        mine = IN_WORKSPACE & (OWN.sql == sql) & (OWN.objected_by == user)
        with writing(self.engine) as connection:
            dropped = connection.execute(delete(VERIFIED).where(mine, OWN.accepted_by == ""), _at(place)).rowcount
            lifted = update(VERIFIED).where(mine).values(objected_by="", objection="")
            return dropped + connection.execute(lifted, _at(place)).rowcount

    def alike(self, place: Place, normal: str) -> Verified | None:
        """Return the answer for everybody to a question."""
        return next((one for one in self._alike(place, normal) if one.confirmed_by), None)

    def _alike(self, place: Place, normal: str) -> tuple[Verified, ...]:
        return self._read(ALIKE, {**_at(place), "in_normal_form": normal, "most": MOST_ALIKE})

    def newest(self, place: Place, limit: int) -> tuple[Verified, ...]:
        return self._read(OF_WORKSPACE, {**_at(place), "most": limit})

    def of_source(self, source: str, limit: int) -> tuple[Verified, ...]:
        return self._found((OWN.source == source) & STANDS, limit)

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
    return {
        **{name: getattr(answer, name) for name in NAMES if name != "id"},
        **asdict(answer.thread),
        "workspace": answer.place.workspace,
        "source": answer.place.source,
        "holds_under": list(answer.holds_under),
    }
