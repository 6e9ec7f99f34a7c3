"""Names an earlier answer in a title: by its question, or by its reading where the question leans on another."""

from ai.agents.port import Turn
from ai.agents.querying.reshaping import ANALYST
from ai.agents.question_context import QuestionContext
from ai.language.words import described
from ai.types import AnsweredQuery

ENOUGH = 3  # telling words of a question that stands alone


def title_of(context: QuestionContext, turn: Turn, query: AnsweredQuery) -> str:
    stands_alone = len(described(query.question).terms) >= ENOUGH and query.analyst != ANALYST
    if stands_alone or query.turn_id == turn.request.turn_id:
        return query.question
    before = any(past.id < query.id for past in context.past(turn))
    return (context.basis(turn, query).reading if before else "") or query.question
