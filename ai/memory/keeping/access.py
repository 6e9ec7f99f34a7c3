"""The log of access: replies and refusals with person, time, tables and right. Rows are added, never changed.

It holds ids, names of tables and rights, no words and no rows. Only `forget` and the end of their time touch its rows.
"""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import uuid4

from sqlalchemy import JSON, Column, Connection, Engine, Index, Integer, Table, delete, insert, select, update
from sqlalchemy.sql.elements import ColumnElement

from ai.memory.log.database import METADATA, Utc, reading, writing
from ai.memory.log.tables import in_thread, place, texts
from ai.memory.workspaces.tables import past_the_triggers
from ai.types import ThreadKey

Outcome = Literal["told", "told privately", "refused", "shared"]
ACCESS = Table(
    "access",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("at", Utc, nullable=False),
    *place(),
    *texts("turn_id", "person", "outcome", "surface", "source", "held_right"),
    Column("tables", JSON, nullable=False),
    Column("readers", Integer, nullable=False),  # others who could read it
    Column("hidden_from", Integer, nullable=False),  # of them, those who may not see all of it
    Index("access_of_a_person", "person", "at"),
    Index("access_of_a_turn", "turn_id"),
)
OWN = ACCESS.c
SAME = ("person", "outcome", "surface", "held_right", "hidden_from")
REPLY = "reply"  # the surface of answers to a message
FORGOTTEN = "forgotten-"  # how the pseudonym of a forgotten person begins


@dataclass(frozen=True, slots=True)
class AccessEntry:
    """`person` was told or refused something of `tables`; `right` is their role, or "everybody"."""

    at: datetime
    thread: ThreadKey
    turn_id: str
    person: str
    outcome: Outcome
    surface: str
    source: str
    right: str
    tables: tuple[str, ...] = ()
    readers: int = 0
    hidden_from: int = 0


@dataclass(frozen=True, slots=True)
class AccessLog:
    engine: Engine

    def add(self, entry: AccessEntry) -> None:
        """Add an entry, unless the last one of its turn says the same."""
        row, told = _row(entry), [OWN[name] for name in SAME]
        with writing(self.engine) as connection:
            of_turn = select(*told).where(OWN.turn_id == entry.turn_id, OWN.turn_id != "").order_by(OWN.id.desc())
            last = connection.execute(of_turn.limit(1)).one_or_none()
            if last is None or tuple(last) != tuple(row[name] for name in SAME):
                connection.execute(insert(ACCESS).values(row))

    def of(self, person: str = "", since: datetime | None = None) -> tuple[AccessEntry, ...]:
        """Return the entries of a person, or of everybody, oldest first."""
        which = [*([OWN.person == person] if person else []), *([OWN.at >= since] if since else [])]
        with reading(self.engine) as connection:
            return tuple(map(_entry, connection.execute(select(ACCESS).where(*which).order_by(OWN.id))))

    def is_private(self, turn_id: str) -> bool:
        """Whether a reply was told privately, and not shared since."""
        wanted = select(OWN.outcome).where(
            OWN.turn_id == turn_id, OWN.outcome.in_(("told privately", "told")), OWN.surface == REPLY
        )
        with reading(self.engine) as connection:
            last = connection.execute(wanted.order_by(OWN.id.desc()).limit(1)).scalar()
        return last == "told privately"

    def has_private(self, thread: ThreadKey) -> bool:
        """Whether any reply of a thread was told privately."""
        wanted = select(OWN.id).where(in_thread(ACCESS, thread), OWN.outcome == "told privately").limit(1)
        with reading(self.engine) as connection:
            return connection.execute(wanted).first() is not None

    def shared(self, turn_id: str) -> AccessEntry | None:
        """Return the latest decision to share a reply with its channel."""
        wanted = select(ACCESS).where(OWN.turn_id == turn_id, OWN.outcome == "shared").order_by(OWN.id.desc()).limit(1)
        with reading(self.engine) as connection:
            row = connection.execute(wanted).one_or_none()
        return None if row is None else _entry(row)


def disguise(connection: Connection, person: str) -> None:
    """Put a pseudonym in the place of a person, and drop their channels and turns."""
    gone = {"person": f"{FORGOTTEN}{uuid4().hex[:12]}", "turn_id": "", "channel": "", "thread_ts": ""}
    past_the_triggers(connection, update(ACCESS).where(OWN.person == person).values(gone))


def erase(connection: Connection, which: ColumnElement[bool]) -> None:
    """Delete entries whose time is over, or all."""
    past_the_triggers(connection, delete(ACCESS).where(which))


def _row(entry: AccessEntry) -> dict[str, Any]:
    return {**_facts(entry), **asdict(entry.thread), "held_right": entry.right, "tables": list(entry.tables)}


def _entry(row: Any) -> AccessEntry:
    thread = ThreadKey(row.team, row.channel, row.thread_ts)
    return AccessEntry(thread=thread, right=row.held_right, tables=tuple(row.tables), **_facts(row))


def _facts(item: Any) -> dict[str, Any]:
    """Return what an entry and its row hold under the same names."""
    return {name: getattr(item, name) for name in AccessEntry.__slots__ if name not in ("thread", "right", "tables")}
