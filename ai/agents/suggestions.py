"""Questions worth asking of the data at hand."""

from ai.agents.port import Turn
from ai.agents.question_context import QuestionContext
from ai.answers.phrase import literal
from ai.nl2sql.examples import example_questions


def questions(context: QuestionContext, turn: Turn, count: int = 3) -> tuple[str, ...]:
    """Return questions about the data the asker sees, all of them readable."""
    asked = context.question(turn)
    return example_questions(asked.catalog, asked.today, count, asked.semantics)


def suggestions(context: QuestionContext, turn: Turn) -> str:
    return "\n".join(["You could ask:", *(f"- {literal(question)}" for question in questions(context, turn))])
