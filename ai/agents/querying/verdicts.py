"""Verdicts on answers: one person's “Correct” makes an example, an owner's or a second person's the answer for all."""

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime

from ai.agents.learning.accepted import normal
from ai.agents.querying.objections import how_to_correct
from ai.agents.question_context import QuestionContext
from ai.errors import NotAllowed
from ai.memory.learned import Verified
from ai.memory_store import MemoryStore
from ai.types import OUTSIDERS, AnsweredQuery, Place

LEANS = (
    "Thank you. This question leans on what was said before it, so its answer is not kept for others: "
    "ask it as one whole question and press 👍 there."
)
FOR_ALL = "Accepted: the same question is answered by this SQL from now on, run anew each time ({})."
EXAMPLE = (
    "Thank you: it serves as an example for similar questions. When an owner or a second person says “Correct”, too, "
    "it answers this question for everybody."
)
FOR_MEMBERS = "Thank you. Only members of this workspace teach me; ask one of them to press 👍 or 👎."
ELSEWHERE = "This answer was given in another channel; judge it there."
TAKEN_BACK = "Your objection is taken back."
NONE_TO_TAKE_BACK = "You have no objection to this answer; only who objected can take it back."


@dataclass(frozen=True, slots=True)
class Person:
    user: str
    roles: tuple[str, ...]
    workspace: str
    is_owner: bool = False
    channel: str = ""


@dataclass(frozen=True, slots=True)
class Acceptance:
    """What came of a “Correct”, as a sentence for the person."""

    said: str
    is_for_all: bool


class Verdicts:
    """Repeating a call changes nothing."""

    def __init__(self, memory: MemoryStore, context: QuestionContext) -> None:
        self._memory = memory
        self._context = context

    def accept(self, query_id: int, day: date, person: Person) -> Acceptance:
        """Raises NotAllowed if the rows are hidden from the person or the question leans on others."""
        query = self._judged(query_id, person)
        self._context.audience.check_rows(query, person.roles)
        if self._memory.queries(query.thread, 1, before_turn=query.turn_id):
            raise NotAllowed(LEANS)
        kept = self._memory.verified.accept(self._answer(query, day, person), is_final=person.is_owner)
        is_for_all = bool(kept.confirmed_by)
        return Acceptance(FOR_ALL.format(query.source) if is_for_all else EXAMPLE, is_for_all)

    def reject(self, query_id: int, day: date, person: Person, reason: str = "other") -> str:
        """Set aside the answers with this SQL; return how to correct it. Raises NotAllowed."""
        query = self._judged(query_id, person)
        self._context.audience.check_sql(query, person.roles)
        book = self._memory.verified
        known = book.alike(self._place(query, person), normal(query.question))
        objection = replace(self._answer(query, day, person), accepted_by="", objected_by=person.user)
        book.object(objection, [known.id] if known is not None and known.sql == query.sql else [], reason)
        catalog, tables = self._context.described(query, person.roles)
        dropped = "It is no longer used as an accepted answer. " if known else ""
        return f"{dropped}{how_to_correct(reason, catalog, tables)}"

    def take_back(self, query_id: int, person: Person) -> str:
        """Raises NotAllowed if the person did not object."""
        query = self._judged(query_id, person)
        if not self._memory.verified.take_back(self._place(query, person), query.sql, person.user):
            raise NotAllowed(NONE_TO_TAKE_BACK)
        return TAKEN_BACK

    def _judged(self, query_id: int, person: Person) -> AnsweredQuery:
        """Return a query for the person to judge. Raises NotAllowed for outsiders, and for other channels."""
        query = self._memory.query(query_id)
        if not OUTSIDERS.isdisjoint(person.roles):
            raise NotAllowed(FOR_MEMBERS)
        if person.channel and query.thread.channel != person.channel:
            raise NotAllowed(ELSEWHERE)
        return query

    def _place(self, query: AnsweredQuery, person: Person) -> Place:
        return Place(query.thread.team, query.thread.channel, person.workspace, query.source)

    def _answer(self, query: AnsweredQuery, day: date, person: Person) -> Verified:
        definitions = self._context.definitions
        asked = self._memory.question(query.turn_id)
        return Verified(
            place=self._place(query, person),
            thread=query.thread,
            turn_id=query.turn_id,
            question=query.question,
            normal=normal(query.question),
            sql=query.sql,
            reading=query.reading,
            meaning=query.meaning,
            day=day,
            asked_by=asked.author if asked else "",
            accepted_by=person.user,
            accepted_at=datetime.now(UTC),
            version=definitions.of(query.source).version,
            holds_under=(definitions.mark(query.source),),
        )
