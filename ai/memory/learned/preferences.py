"""What people say of themselves ("by app I mean iOS apps"): few for each person, used in their turns alone."""

from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Literal

from sqlalchemy import Column, ColumnElement, Engine, Index, Integer, String, Table, delete, insert, select

from ai.errors import UserError
from ai.memory.log.database import METADATA, AnyText, Utc, reading, writing
from ai.memory.log.tables import place, texts
from ai.types import Request

PreferenceKind = Literal["wording", "week", "table"]
MOST = 20  # for one person
PREFERENCE = Table(
    "preference",
    METADATA,
    Column("id", Integer, primary_key=True),
    *place(),  # where it was said
    *texts("user", "kind"),
    Column("said", AnyText, nullable=False),
    Column("word", AnyText, nullable=False),  # of a wording; else empty
    Column("means", AnyText, nullable=False),
    Column("turn_id", String, nullable=False, unique=True),
    Column("created_at", Utc, nullable=False),
    Index("preference_of_a_person", "team", "user", "id"),
)
OWN = PREFERENCE.c


@dataclass(frozen=True, slots=True)
class Preference:
    id: int
    kind: PreferenceKind
    said: str
    word: str
    means: str
    turn_id: str


@dataclass(frozen=True, slots=True)
class Preferences:
    engine: Engine

    def add(self, request: Request, kind: PreferenceKind, said: str, word: str, means: str) -> int:
        """Keep a preference in place of one on the same subject; return its number. Raises UserError."""
        subject = _of(request) & (OWN.kind == kind) & (OWN.word == word)
        with writing(self.engine) as connection:
            kept = connection.execute(select(OWN.id).where(OWN.turn_id == request.turn_id)).scalar()
            if kept is not None:
                return int(kept)
            connection.execute(delete(PREFERENCE).where(subject))
            if len(connection.execute(select(OWN.id).where(_of(request))).all()) >= MOST:
                raise UserError(f"I remember {MOST} things for you already; say “forget that …” about one of them.")
            row = {
                **asdict(request.thread),
                "user": request.user,
                "kind": kind,
                "said": said,
                "word": word,
                "means": means,
                "turn_id": request.turn_id,
                "created_at": datetime.now(UTC),
            }
            return int(connection.execute(insert(PREFERENCE).values(row).returning(OWN.id)).scalar_one())

    def of(self, request: Request) -> tuple[Preference, ...]:
        """Return what the author of a request said of themselves, oldest first."""
        own = select(OWN.id, OWN.kind, OWN.said, OWN.word, OWN.means, OWN.turn_id).where(_of(request)).order_by(OWN.id)
        with reading(self.engine) as connection:
            return tuple(Preference(*row) for row in connection.execute(own))

    def drop(self, request: Request, number: int) -> None:
        with writing(self.engine) as connection:
            connection.execute(delete(PREFERENCE).where(_of(request), OWN.id == number))


def _of(request: Request) -> ColumnElement[bool]:
    return (OWN.team == request.thread.team) & (OWN.user == request.user)
