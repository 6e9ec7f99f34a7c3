"""Choose whose question is begun next: shares for workspaces, in them for channels, in them for people.

Pure. Running turns count: the party with fewest for its weight is served first. Quick turns have places of their own.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

Party = tuple[str, str, str]  # team, channel, person
OF_ONE_PERSON = 3  # turns that compute at once: of all places, so that another's question finds one
EQUAL = 1.0


@dataclass(frozen=True, slots=True)
class WaitingTurn:
    """A turn first in its thread. `nth` counts from 1 among those of its person and lane."""

    turn_id: str
    party: Party
    nth: int
    arrived: float
    is_quick: bool = False


@dataclass(frozen=True, slots=True)
class Places:
    """How many turns may begin: of any kind, and more that are quick."""

    any: int
    quick: int = 0

    def __bool__(self) -> bool:
        return self.any + self.quick > 0

    def less(self, turn: WaitingTurn) -> "Places":
        return Places(self.any, self.quick - 1) if turn.is_quick and self.quick else Places(self.any - 1, self.quick)

    def fit(self, turn: WaitingTurn) -> bool:
        return self.any > 0 or (turn.is_quick and self.quick > 0)


@dataclass(frozen=True, slots=True)
class Load:
    """Whose turns run, and which of them compute here rather than wait for a database."""

    running: Sequence[Party] = ()
    computing: Sequence[Party] = ()


@dataclass(frozen=True, slots=True)
class Rules:
    """`weights` by the id of a workspace, channel or person; nothing begins in a channel that `is_held`."""

    is_held: Callable[[str], bool]
    weights: Mapping[str, float] = field(default_factory=dict)

    def standing(self, party: Party, served: Counter[tuple[str, ...]]) -> list[float]:
        """Return how much each level of a party would have for its weight; the lowest goes first."""
        return [(served[level] + 1) / self.weights.get(level[-1], EQUAL) for level in _levels(party)]


def chosen(waiting: Sequence[WaitingTurn], load: Load, free: Places, rules: Rules) -> list[WaitingTurn]:
    """Return turns to begin now, as many as fit, fairest first."""
    served = Counter(level for party in load.running for level in _levels(party))
    computing = Counter(load.computing)
    left = [turn for turn in waiting if not rules.is_held(turn.party[1])]
    picked = list[WaitingTurn]()
    while ready := [
        turn for turn in left if free.fit(turn) and (turn.is_quick or computing[turn.party] < OF_ONE_PERSON)
    ]:
        best = min(ready, key=lambda turn: (rules.standing(turn.party, served), turn.arrived))
        left.remove(best)
        picked.append(best)
        free = free.less(best)
        computing[best.party] += 1
        served.update(_levels(best.party))
    return picked


def ahead(nth: int, of_others: Iterable[int]) -> int:
    """Return how many turns come before the `nth` of one person, when each other person has so many waiting."""
    return nth - 1 + sum(min(count, nth) for count in of_others)


def _levels(party: Party) -> tuple[tuple[str, ...], ...]:
    return party[:1], party[:2], party
