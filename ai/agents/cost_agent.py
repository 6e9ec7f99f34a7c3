"""Says what answers cost: the calls of the language model that stand in the book, and plainly when there were none."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from ai.agents.asking import Asking, SeedCalls
from ai.agents.port import ReplyEvent, TextEvent, Turn
from ai.agents.wishes.wording import means_whole_thread
from ai.analysts.port import Intent
from ai.answers.phrase import literal
from ai.ledger import LedgerEntry, TokenUsage
from ai.memory_store import MemoryStore

FREE = "No language model was used for {}, so it cost nothing."


class CostAgent(SeedCalls):
    """Tells the cost of the last answer or of the thread. Reads only."""

    intents: tuple[Intent, ...] = ("cost",)
    tell = SeedCalls.whole

    def __init__(self, memory: MemoryStore, asking: Asking) -> None:
        super().__init__(asking)
        self._memory = memory

    def run(self, turn: Turn) -> Iterator[ReplyEvent]:
        """What the last answer took, and the thread as a whole."""
        whole = self._memory.spending.of_thread(turn.request.thread)
        if means_whole_thread(turn.request.text):
            yield TextEvent(_told("This thread", whole) if whole else FREE.format("this thread"))
            return
        last = self._last_answer(turn)
        parts = [_told("That answer", last) if last else FREE.format("that answer")]
        if len(whole) > len(last):
            parts.append(_told("The whole thread", whole))
        yield TextEvent(" ".join(parts))

    def _last_answer(self, turn: Turn) -> tuple[LedgerEntry, ...]:
        """The calls for what was said last, or else for the last query: who thanks first still means the answer."""
        request = turn.request
        turns = [message.turn_id for message in turn.history[-1:]]
        turns += [query.turn_id for query in self._memory.queries(request.thread, 1, before_turn=request.turn_id)]
        calls = (self._memory.spending.of_turn(turn_id) for turn_id in turns)
        return next((entries for entries in calls if entries), ())


def _told(what: str, entries: Sequence[LedgerEntry]) -> str:
    """Calls, tokens, money where prices are set, and time, in one sentence."""
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
        f"; {_money(entries)}; {sum(entry.ms for entry in entries) / 1000:.1f} s.",
    )
    return "".join(parts)


def _money(entries: Sequence[LedgerEntry]) -> str:
    """The cost by currency."""
    sums: dict[str, float] = defaultdict(float)
    for entry in entries:
        sums[entry.currency] += entry.cost
    return " and ".join(f"{cost:.4f} {currency}" for currency, cost in sums.items() if cost) or "no prices are set"
