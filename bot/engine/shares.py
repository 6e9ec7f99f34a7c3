"""Choose whose question is begun next: equal shares for workspaces, in them for channels, in them for people.

Pure. Running turns count, so whoever has fewest is served first.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

Party = tuple[str, str, str]  # team, channel, person
OF_ONE_PERSON = 4  # turns that compute at once: more of them only make the others wait for the processor


@dataclass(frozen=True, slots=True)
class WaitingTurn:
    """A turn first in its thread. `nth` counts from 1 among those of its person."""

    turn_id: str
    party: Party
    nth: int
    arrived: float


@dataclass(frozen=True, slots=True)
class Load:
    """Whose turns run, and which of them compute rather than wait for a database."""

    running: Sequence[Party] = ()
    computing: Sequence[Party] = ()


def chosen(waiting: Sequence[WaitingTurn], load: Load, free: int, is_held: Callable[[str], bool]) -> list[WaitingTurn]:
    """Return up to `free` turns to begin now, fairest first; none in a channel that `is_held`."""
    served = Counter(level for party in load.running for level in _levels(party))
    computing = Counter(load.computing)
    left = [turn for turn in waiting if not is_held(turn.party[1])]
    picked = list[WaitingTurn]()
    while len(picked) < free:
        ready = [turn for turn in left if computing[turn.party] < OF_ONE_PERSON]
        if not ready:
            break
        best = min(ready, key=lambda turn: ([served[level] for level in _levels(turn.party)], turn.arrived))
        left.remove(best)
        picked.append(best)
        computing[best.party] += 1
        served.update(_levels(best.party))
    return picked


def ahead(nth: int, of_others: Iterable[int]) -> int:
    """Return how many turns come before the `nth` of one person, when each other person has so many waiting."""
    return nth - 1 + sum(min(count, nth) for count in of_others)


def _levels(party: Party) -> tuple[tuple[str, ...], ...]:
    return party[:1], party[:2], party
