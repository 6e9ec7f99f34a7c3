"""Fits the newest whole turns of a conversation into a budget of tokens. Pure.

Tool calls keep their results. Of an oversized newest turn the question and the end stay, cut in the middle; a window is
never empty.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")
Atom = Sequence[T]
"""Messages that are of no use without each other: a tool call and its results, or a message by itself."""


@dataclass(frozen=True, slots=True)
class ContextWindow(Generic[T]):
    """The messages that fit, oldest first; `truncated` when any is missing or shortened."""

    messages: tuple[T, ...]
    total_tokens: int
    truncated: bool


@dataclass(frozen=True, slots=True)
class MessageKind(Generic[T]):
    """A kind of message: its size, its atoms in a turn, and a way to shorten it (None when impossible)."""

    size: Callable[[T], int]
    atoms: Callable[[Sequence[T]], list[Atom[T]]]
    shorten: Callable[[T, int], T | None]


def fit(newest_first: Iterable[Sequence[T]], budget: int, kind: MessageKind[T]) -> ContextWindow[T]:
    chosen: list[Sequence[T]] = []
    total = 0
    for turn in newest_first:
        size = sum(map(kind.size, turn))
        if total + size > budget:
            squeezed = [] if chosen else [_squeezed(turn, budget, kind)]
            return _window([*chosen, *squeezed], kind, truncated=True)
        chosen.append(turn)
        total += size
    return _window(chosen, kind, truncated=False)


def _window(newest_first: Sequence[Sequence[T]], kind: MessageKind[T], *, truncated: bool) -> ContextWindow[T]:
    messages = tuple(message for turn in reversed(newest_first) for message in turn)
    return ContextWindow(messages, sum(map(kind.size, messages)), truncated)


def _squeezed(turn: Sequence[T], budget: int, kind: MessageKind[T]) -> list[T]:
    question, *rest = kind.atoms(turn)
    end = rest.pop() if rest else ()
    least = max(budget // 4, budget - _size(end, kind))
    head = _shortened(question, min(least, budget), kind)
    tail = _shortened(end, budget - _size(head, kind), kind)
    left = budget - _size(head, kind) - _size(tail, kind)
    between: list[T] = []
    for atom in reversed(rest):
        left -= _size(atom, kind)
        if left < 0:
            break
        between[:0] = atom
    return [*head, *between, *tail]


def _shortened(atom: Atom[T], budget: int, kind: MessageKind[T]) -> Atom[T]:
    shortened = list(atom)
    for place in sorted(range(len(atom)), key=lambda place: kind.size(atom[place]), reverse=True):
        over = _size(shortened, kind) - budget
        if over <= 0:
            break
        smaller = kind.shorten(atom[place], max(0, kind.size(atom[place]) - over))
        if smaller is not None:
            shortened[place] = smaller
    return shortened if _size(shortened, kind) <= budget else ()


def _size(messages: Iterable[T], kind: MessageKind[T]) -> int:
    return sum(map(kind.size, messages))
