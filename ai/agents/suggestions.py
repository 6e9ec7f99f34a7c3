"""Questions worth asking of the data at hand."""

from ai.agents.port import Turn
from ai.agents.question_context import QuestionContext
from ai.answers.phrase import literal
from ai.nl2sql.examples import example_questions


def suggestions(context: QuestionContext, turn: Turn) -> str:
    asked = context.question(turn)
    questions = example_questions(asked.catalog, asked.today, semantics=asked.semantics)
    return "\n".join(["You could ask:", *(f"- {literal(question)}" for question in questions)])
