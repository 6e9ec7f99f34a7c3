"""What was said is quoted; a reply without an answer only repeats its question, and is not."""

from collections.abc import Callable

from ai.agents.port import QuoteEvent
from ai.analysts.port import CannotAnswer
from tests.desk import Desk
from tests.fakes import ScriptedAnalyst


def test_a_refusal_is_not_quoted(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(ScriptedAnalyst([CannotAnswer("Nothing is known about pricing tiers.")]))
    thread = "1.0"
    desk.orchestrator.process_message("how many pricing tiers are there?", thread)
    answer = desk.orchestrator.process_message("what did we say about pricing tiers?", thread)
    quotes = [event.words for event in answer.events if isinstance(event, QuoteEvent)]
    assert not [words for words in quotes if "Nothing is known" in words]
