"""Verdicts on answers: an accepted one answers the same question again until it is rejected."""

from dataclasses import dataclass
from datetime import UTC, date, datetime

from ai.agents.learning.accepted import normal
from ai.agents.question_context import QuestionContext
from ai.errors import NotAllowed
from ai.memory.learned import Verified
from ai.memory_store import MemoryStore
from ai.types import AnsweredQuery, Place

LEANS = "That question leans on what was said before it; ask it as a whole question, and accept the answer to that."
HOW_TO_CORRECT = (
    "Say in this thread what is wrong, for example “by active users we mean users.status = 'A'” or “revenue excludes "
    "refunds”: I propose it as a rule, and an owner decides."
)


@dataclass(frozen=True, slots=True)
class Person:
    user: str
    roles: tuple[str, ...]
    workspace: str


class Verdicts:
    """Each call returns a sentence for the person. Repeating it changes nothing."""

    def __init__(self, memory: MemoryStore, context: QuestionContext) -> None:
        self._memory = memory
        self._context = context

    def accept(self, query_id: int, day: date, person: Person) -> str:
        """Raises NotAllowed if the rows are hidden from the person or the question leans on others."""
        query = self._memory.query(query_id)
        self._context.audience.check_rows(query, person.roles)
        if self._memory.queries(query.thread, 1, before_turn=query.turn_id):
            raise NotAllowed(LEANS)
        self._memory.verified.accept(self._answer(query, day, person))
        return f"Accepted: the same question is answered by this SQL from now on, run anew each time ({query.source})."

    def reject(self, query_id: int, person: Person) -> str:
        """Take back the accepted answer with this SQL. Raises NotAllowed."""
        query = self._memory.query(query_id)
        self._context.audience.check_sql(query, person.roles)
        book = self._memory.verified
        place = Place(query.thread.team, query.thread.channel, person.workspace, query.source)
        known = [book.of_turn(query.turn_id), book.alike(place, normal(query.question))]
        revoked = book.revoke(one.id for one in known if one is not None and one.sql == query.sql)
        return f"It is no longer used as an accepted answer. {HOW_TO_CORRECT}" if revoked else HOW_TO_CORRECT

    def _answer(self, query: AnsweredQuery, day: date, person: Person) -> Verified:
        thread, definitions = query.thread, self._context.definitions
        asked = self._memory.question(query.turn_id)
        return Verified(
            place=Place(thread.team, thread.channel, person.workspace, query.source),
            thread=thread,
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
