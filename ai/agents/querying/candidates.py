"""Several queries for one question, and a vote of their results: what most of them find is taken to be the answer.

Each proposal, each run and the vote are steps, so a resumed turn pays for none of them twice and goes the same way.
"""

from collections import Counter
from collections.abc import Callable, Sequence

from ai.agents.port import Turn
from ai.agents.querying.steps import REPLACED, Attempt, QuerySteps
from ai.analysts.port import Proposal


class Candidates:
    """Has `count` queries written, where it is a model that writes them; rules would write the same again."""

    def __init__(self, steps: QuerySteps, count: int) -> None:
        self._steps = steps
        self._count = count

    def elect(self, turn: Turn, propose: Callable[[], Proposal]) -> Attempt:
        """The attempt to go on with: as it was written when it is the only one, else run, and chosen by the others."""
        first = self._steps.write(turn, "write_sql", propose)
        if self._count == 1 or not first.expects:
            return first
        others = (self._steps.write(turn, f"write_sql:{number}", propose) for number in range(1, self._count))
        tried = [self._ran(turn, number, attempt) for number, attempt in enumerate([first, *others])]
        chosen = tried[turn.step("vote", lambda: self._vote(tried))]
        for attempt in tried:
            if attempt is not chosen and attempt.ran:
                self._steps.set_aside(attempt, REPLACED)
        return chosen

    def _ran(self, turn: Turn, number: int, attempt: Attempt) -> Attempt:
        return self._steps.run(turn, f"candidate:{number}", attempt) if attempt.state == "draft" else attempt

    def _vote(self, tried: Sequence[Attempt]) -> int:
        """The place of the first attempt with the result that most have; of those as expected, else of those that ran."""
        for state in ("ok", "doubtful"):
            found = {
                place: self._steps.fingerprint(attempt) for place, attempt in enumerate(tried) if attempt.state == state
            }
            if found:
                votes = Counter(found.values())
                return max(found, key=lambda place: (votes[found[place]], -place))
        return 0
