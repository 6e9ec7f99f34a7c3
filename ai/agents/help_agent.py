"""Greets, helps, takes thanks, and says plainly what cannot be done. Its examples are questions that work on this data."""

from collections.abc import Iterator

from ai.agents.port import ReplyEvent, TextEvent, Turn
from ai.agents.question_context import QuestionContext
from ai.agents.wishes.wording import explicit_intent
from ai.analysts.port import Intent
from ai.answers.phrase import literal
from ai.nl2sql.examples import example_questions

NOT_YET = {
    "chart": "I cannot draw charts yet. I can show the numbers as a table, or export them as CSV.",
    "unsupported": "I answer questions about the data, and this does not look like one.",
}


class HelpAgent:
    """Answers what is about the bot rather than about the data."""

    intents: tuple[Intent, ...] = ("help", "thanks", "chart", "unsupported")

    def __init__(self, context: QuestionContext) -> None:
        self._context = context

    def run(self, turn: Turn) -> Iterator[ReplyEvent]:
        """Answer by the kind of message; a message that no rule knows is one that the analyst could not place."""
        intent = explicit_intent(turn.request.text) or "unsupported"
        if intent == "thanks":
            yield TextEvent("You are welcome.")
        elif intent == "help":
            yield TextEvent(self._introduction(turn))
        else:
            yield TextEvent(f"{NOT_YET[intent]}\n\n{self._examples(turn)}")

    def _introduction(self, turn: Turn) -> str:
        catalog = self._context.question(turn).catalog
        tables = ", ".join(literal(table.name) for table in catalog.tables[:10])
        more = f" and {len(catalog.tables) - 10} more" if len(catalog.tables) > 10 else ""
        return (
            f"Hello! I answer questions about the data in **{literal(catalog.source)}** with SQL that is checked before "
            f"it runs. It has {len(catalog.tables)} tables: {tables}{more}.\n\n{self._examples(turn)}\n\n"
            "Follow up in the thread, say “show me the SQL”, or “export this as csv”."
        )

    def _examples(self, turn: Turn) -> str:
        asked = self._context.question(turn)
        questions = example_questions(asked.catalog, asked.today, semantics=asked.semantics)
        return "\n".join(["You could ask:", *(f"- {literal(question)}" for question in questions)])
