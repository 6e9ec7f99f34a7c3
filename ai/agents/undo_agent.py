"""Goes back to the answer before the last one; the next message goes on from it."""

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace

from ai.agents.actions import actions
from ai.agents.cards import AgentCard, Services
from ai.agents.port import ReplyEvent, StatusEvent, TableEvent, TextEvent, Turn
from ai.agents.querying.attempts import Attempts, failure
from ai.agents.querying.charting import Charting
from ai.agents.querying.exporting import title_of
from ai.agents.querying.receipts import small_print
from ai.agents.wishes.polite import POLITE
from ai.analysts.port import Draft, Intent
from ai.answers.phrase import literal, phrase, tells_all
from ai.answers.view import SHOWN_ROWS, view_of
from ai.errors import NoResult
from ai.types import AnsweredQuery, FailedQuery

NOTHING = "There is no earlier answer to go back to; ask a question in full, and it stands by itself."
BACK = "Back to “{0}”."


class UndoAgent:
    def __init__(self, services: Services) -> None:
        self._memory = services.memory
        self._context = services.context
        self._charting = Charting(services.memory, services.context)
        self._attempts = Attempts(services.memory, services.memory.parts.results, services.context, "")

    def run(self, turn: Turn) -> Iterator[ReplyEvent]:
        before = self._before(turn)
        if before is None:
            raise NoResult(NOTHING)
        self._context.audience.check_sql(before, turn.request.roles)
        said = BACK.format(literal(title_of(self._context, turn, before)))
        asked = replace(turn, request=replace(turn.request, text=before.question, source=before.source))
        yield StatusEvent("Running the query…")
        draft = Draft(before.sql, before.reading, before.meaning, by=before.analyst)
        attempt = self._attempts.run(asked, "undo", self._attempts.write(asked, "undo:write", lambda: draft))
        match self._memory.outcome(attempt.query_id):
            case AnsweredQuery() as query:
                yield from self._shown(asked, query, said)
            case FailedQuery(problem=problem):
                yield TextEvent(literal(failure(problem)))

    def _before(self, turn: Turn) -> AnsweredQuery | None:
        """Return the newest answer with other SQL than the last one."""
        shown = self._context.audience.shown(self._context.past(turn), turn.request.roles)
        recent = self._context.thread_part(turn).recent
        undone = {message.turn_id for message in recent if message.role == "user" and CARD.fits(message.content)}
        left = standing(shown, undone)
        return next((query for query in left[1:] if query.sql != left[0].sql), None)

    def _shown(self, turn: Turn, query: AnsweredQuery, back: str) -> Iterator[ReplyEvent]:
        table = self._memory.result(query)
        view = view_of(self._context.names(turn, query), table)
        said = phrase(view)
        yield TextEvent(f"{back} {said}")
        if not tells_all(view, said):
            yield TableEvent(table, view.headings, view.cells(SHOWN_ROWS))
        if chart := self._charting.by_itself(turn, query, view):
            yield chart
        yield from small_print(self._memory, query, table, self._context.basis(turn, query))
        yield actions(query, table)


def standing(shown: Sequence[AnsweredQuery], undone: Set[str]) -> Sequence[AnsweredQuery]:
    """Return the answers not taken back, newest first; `undone` are the turns that took one back."""
    left: list[AnsweredQuery] = []
    for query in reversed(shown):
        if not left or query.turn_id not in undone:
            left.append(query)
            continue
        taken = left[-1].sql
        while len(left) > 1 and left[-1].sql == taken:
            left.pop()
    return left[::-1]


CARD = AgentCard(
    intent=Intent("undo"),
    rank=24,
    patterns=(
        rf"^{POLITE}(?:undo|revert|scratch|(?:take back|cancel|disregard|ignore)(?= ))"
        r"(?: (?:that|this|it|the last (?:one|step|change|filter|thing)|my last (?:message|question)))?"
        r"(?: please)?\W*$",
        rf"^{POLITE}(?:(?:no,? )?(?:go|let'?s go|take me|step) )?back(?: one(?: step)?"
        r"| to the (?:previous|last)(?: one| answer| result)?| to (?:the one )?before)?(?: please)?\W*$",
    ),
    examples=("undo that", "go back"),
    gives="the answer before the last one again, to go on from",
    told="to take the last question back and go on from the answer before it",
    build=UndoAgent,
)
