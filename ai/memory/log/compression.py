"""Chooses the turns to fold and writes their lines. Pure, without a model.

Lines are made from the log only. The first tells how the thread began and counts untold turns. Compressing leaves room,
so the view stays stable.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from ai.memory.limits import MemoryLimits
from ai.memory.log.segments import SegmentLine, Summary
from ai.types import LoggedMessage

ASKED = "User asked: "
CUT = 100  # characters of a question, and of a response, in a line
Turn = tuple[LoggedMessage, ...]


@dataclass(frozen=True, slots=True)
class Folds:
    """The input: the newest turns, the oldest turn, and figures by turn.

    `messages` counts the whole thread. `handle` names the folded turns when so many are kept. A `summary` replaces the
    turns it tells.
    """

    turns: Sequence[Turn]
    oldest: Turn
    messages: int
    facts: Mapping[str, str]
    handle: Callable[[int], str]
    summary: Summary | None = None


@dataclass(frozen=True, slots=True)
class Compressed:
    """The lines of the folded turns and the kept turns; `folded` counts messages."""

    lines: tuple[SegmentLine, ...]
    kept: Sequence[Turn]
    folded: int


def compress(folds: Folds, limits: MemoryLimits, count: Callable[[str], int]) -> Compressed | None:
    """Return the most telling view within the limits, else the smallest; None for a single turn."""
    smallest = None
    for keep, lines in _choices(folds.turns, limits):
        smallest = _view(folds, keep, lines, count)
        if _tokens(smallest) <= limits.trigger:
            break
    return smallest


def recent(sizes: Sequence[int], keep_recent: int) -> int:
    """Count the newest turns with at least `keep_recent` messages."""
    grown = accumulate(reversed(sizes))
    return next((turns for turns, messages in enumerate(grown, 1) if messages >= keep_recent), len(sizes))


def summary(question: str, response: str, facts: str = "") -> str:
    parts = [f"{ASKED}{question[:CUT]}..."] if question else []
    parts += [f"Response: {response[:CUT]}..."] if response else []
    return " ".join([*parts, facts] if facts else parts)


def _choices(turns: Sequence[Turn], limits: MemoryLimits) -> Iterator[tuple[int, int]]:
    sizes = [len(turn) for turn in turns]
    for keep in range(min(recent(sizes, limits.keep_recent), len(turns) - 1), 0, -1):
        room = limits.max_messages - sum(sizes[-keep:])
        if room >= 1 or keep == 1:
            yield from ((keep, lines) for lines in range(max(1, room // 2), 0, -1))


def _view(folds: Folds, keep: int, lines: int, count: Callable[[str], int]) -> Compressed:
    old, kept = folds.turns[:-keep], folds.turns[-keep:]
    folded = folds.messages - sum(map(len, kept))
    if sum(map(len, old)) == folded and len(old) <= lines and folds.summary is None:
        begins, told = _line(old[0], folds.facts), old[1:]
        untold = 0
    else:
        begins = _line(folds.oldest, folds.facts) if folds.summary is None else _summed_up(folds.summary)
        since = folds.oldest[0].seq if folds.summary is None else folds.summary.to
        told = [turn for turn in old if turn[0].seq > since][1 - lines :] if lines > 1 else []
        untold = max(0, folded - (len(folds.oldest) if folds.summary is None else 0) - sum(map(len, told)))
    if untold:
        size = f"then {untold} more messages" if folds.summary is None else f"{untold} messages"
        begins = replace(begins, text=f"{begins.text} ({size}, kept as {folds.handle(keep)})")
    shown = (begins, *(_line(turn, folds.facts) for turn in told))
    return Compressed(tuple(replace(line, tokens=count(line.text)) for line in shown), kept, folded)


def _line(turn: Turn, facts: Mapping[str, str]) -> SegmentLine:
    asked = " ".join(message.content for message in turn if message.role == "user")
    told = " ".join(message.content for message in turn if message.role == "assistant")
    return SegmentLine(summary(asked, told, facts.get(turn[0].turn_id, "")), 0, turn[-1].seq, turn[-1].created_at)


def _summed_up(told: Summary) -> SegmentLine:
    return SegmentLine(" ".join([told.words, *told.facts]), 0, told.to, told.at, told)


def _tokens(view: Compressed) -> int:
    return sum(line.tokens for line in view.lines) + sum(message.tokens for turn in view.kept for message in turn)
