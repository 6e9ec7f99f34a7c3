"""Tells the cost of an answer or a thread, from the ledger."""

import re
from collections.abc import Iterator, Sequence

from ai.agents.cards import AgentCard, Services, always
from ai.agents.port import ReplyEvent, TextEvent, Turn
from ai.agents.wishes.polite import POLITE
from ai.analysts.port import Intent
from ai.answers.phrase import literal
from ai.ledger import LedgerEntry, TokenUsage, money

FREE = "No language model was used for {}, so it cost nothing."


ANSWERED = (
    r"(?:that|this|the|your|our|my)(?: whole| entire| last| previous)?"
    r" (?:answer|question|query|reply|thread|conversation|discussion)"
)
SPENT = (
    rf"^{POLITE}(?:(?:what|how much) (?:did|does|has|have) (?:that|this|{ANSWERED}) costs?"
    rf"|how many (?:tokens|calls) (?:did|has|have) (?:that|this|{ANSWERED}) (?:use|used|take|taken|cost|need|needed)"
    rf"|(?:what (?:was|is)|show(?: me)?) the cost of {ANSWERED}|how expensive (?:was|is) (?:that|this|{ANSWERED}))"
    r"(?: (?:us|me|you))?(?: (?:so far|in total|altogether))?[?.! ]*$"
)


class CostAgent:
    def __init__(self, services: Services) -> None:
        self._memory = services.memory

    def run(self, turn: Turn) -> Iterator[ReplyEvent]:
        whole = self._memory.spending.of_thread(turn.request.thread)
        if _means_whole_thread(turn.request.text):
            yield TextEvent(_told("This thread", whole) if whole else FREE.format("this thread"))
            return
        last = self._last_answer(turn)
        parts = [_told("That answer", last) if last else FREE.format("that answer")]
        if len(whole) > len(last):
            parts.append(_told("The whole thread", whole))
        yield TextEvent(" ".join(parts))

    def _last_answer(self, turn: Turn) -> tuple[LedgerEntry, ...]:
        """Return the calls for the last message, else for the last query: thanks may come between."""
        request = turn.request
        turns = [
            message.turn_id
            for message in self._memory.windows.read(request.thread, before_turn=request.turn_id).messages[-1:]
        ]
        turns += [query.turn_id for query in self._memory.queries(request.thread, 1, before_turn=request.turn_id)]
        calls = (self._memory.spending.of_turn(turn_id) for turn_id in turns)
        return next((entries for entries in calls if entries), ())


def _told(what: str, entries: Sequence[LedgerEntry]) -> str:
    used = sum((entry.usage for entry in entries), TokenUsage())
    models = " and ".join(literal(model) for model in sorted({entry.model for entry in entries}))
    failed = sum(entry.failed for entry in entries)
    parts = (
        f"{what} took {len(entries)} call{'s' * (len(entries) != 1)} of {models}",
        f" ({failed} failed)" if failed else "",
        f": {used.prompt:,} tokens sent",
        f" ({used.cached:,} of them cached)" if used.cached else "",
        f" and {used.completion:,} answered",
        "" if used.reported else ", partly estimated",
        f"; {money(entries)}; {sum(entry.ms for entry in entries) / 1000:.1f} s.",
    )
    return "".join(parts)


def _means_whole_thread(text: str) -> bool:
    return re.search(r"\b(?:thread|conversation|discussion|so far|in total|altogether)\b", text.lower()) is not None


CARD = AgentCard(
    intent=Intent("cost"),
    rank=70,
    quick=always,
    patterns=(SPENT,),
    examples=("what did that cost?", "how much did this thread cost so far?"),
    gives="the tokens and the money a language model took",
    told="what an answer or the thread cost",
    build=CostAgent,
)
