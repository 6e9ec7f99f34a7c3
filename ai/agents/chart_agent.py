"""Says that charts are not drawn yet."""

from collections.abc import Iterator

from ai.agents.cards import AgentCard, Services
from ai.agents.port import ReplyEvent, TextEvent, Turn
from ai.agents.suggestions import suggestions
from ai.agents.wishes.polite import POLITE
from ai.analysts.port import Intent

NOT_YET = "I cannot draw charts yet. I can show the numbers as a table, or export them as CSV."


class ChartAgent:
    def __init__(self, services: Services) -> None:
        self._context = services.context

    def run(self, turn: Turn) -> Iterator[ReplyEvent]:
        yield TextEvent(f"{NOT_YET}\n\n{suggestions(self._context, turn)}")


CARD = AgentCard(
    intent=Intent("chart"),
    rank=80,
    patterns=(
        rf"^{POLITE}(?:plot|chart|graph|draw|visuali[sz]e)\b",
        r"\b(?:as|in|with|make|give me|show me) an? (?:\w+ )?(?:chart|graph|plot|diagram)\b",
    ),
    examples=("plot it", "show me a bar chart"),
    gives="no chart yet; the answer says so",
    told="a chart of a result",
    in_help=False,
    build=ChartAgent,
)
