"""The state of a reading, and patterns over phrases: a rule is a pattern and what to make of the phrases it finds.

A pattern is a line of names, each a test on one phrase: `column compare number`. A name may be labelled
(`of:table`), have alternatives (`table|column`) or be optional (`direction?`). Between the phrases, phrases that are
already read and silent words are skipped. A phrase is read once; what nothing reads stays unread and is reported.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache
from typing import get_args

from ai.nl2sql.chunks import Chunk
from ai.nl2sql.grammar import SignKind
from ai.nl2sql.lexicon import Lexicon, Sense
from ai.nl2sql.meaning import Field, Meaning


@dataclass(frozen=True, slots=True)
class Doubt:
    """Why a question was not read to its end: `reason` is one sentence; with `options` it is a question back."""

    reason: str
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Parse:
    """A reading in progress. `meaning.subject` is "" until it is known; `rank` is a direction that awaits its key."""

    text: str
    chunks: tuple[Chunk, ...]
    lexicon: Lexicon
    today: date
    meaning: Meaning = field(default_factory=lambda: Meaning(""))
    previous: Meaning | None = None
    read: frozenset[int] = frozenset()
    rank: str | None = None
    notes: tuple[str, ...] = ()
    doubt: Doubt | None = None

    def unread(self) -> list[Chunk]:
        """The phrases that no rule has read and that are not mere grammar; an “or” that joins nothing read is none."""
        left = [c for at, c in enumerate(self.chunks) if at not in self.read]
        return [c for c in left if not c.silent or c.sign("and") == "or"]

    def has(self, kind: SignKind) -> bool:
        return any(c.sign(kind) is not None for c in self.chunks)

    def noted(self, note: str) -> "Parse":
        return replace(self, notes=(*self.notes, note)) if note not in self.notes else self


@dataclass(frozen=True, slots=True)
class Hit:
    """The phrases that a pattern found, by label, and where they stand."""

    chunks: dict[str, Chunk]
    places: tuple[int, ...]

    def __contains__(self, label: str) -> bool:
        return label in self.chunks

    def __getitem__(self, label: str) -> Chunk:
        return self.chunks[label]

    def get(self, label: str) -> Chunk | None:
        return self.chunks.get(label)

    def table(self, label: str = "table") -> str:
        return _sense(self.chunks[label].table).table

    def field(self, label: str = "column") -> Field:
        return _sense(self.chunks[label].column).field

    def sign(self, kind: SignKind) -> str | None:
        """The value of this sign where the pattern found it under its own name."""
        return self.chunks[kind].sign(kind) if kind in self.chunks else None


Action = Callable[[Parse, Hit], Parse | None]


@dataclass(frozen=True, slots=True)
class Rule:
    """What to make of a run of phrases; the action gives None where it does not apply after all."""

    pattern: str
    action: Action


def apply(parse: Parse, rules: Sequence[Rule]) -> Parse:
    """Apply each rule, in order, as often as it finds something unread."""
    for rule in rules:
        start = 0
        while parse.doubt is None and start < len(parse.chunks):
            hit = _match(parse, _compiled(rule.pattern), start)
            after = rule.action(parse, hit) if hit else None
            if hit and after:
                parse = replace(after, read=after.read | frozenset(hit.places))
            else:
                start += 1
    return parse


@dataclass(frozen=True, slots=True)
class _Element:
    label: str
    tests: tuple[str, ...]
    optional: bool


@cache
def _compiled(pattern: str) -> tuple[_Element, ...]:
    elements = []
    for item in pattern.split():
        label, _, names = item.removesuffix("?").rpartition(":")
        elements.append(_Element(label or names, tuple(names.split("|")), item.endswith("?")))
    return tuple(elements)


def _match(parse: Parse, elements: Sequence[_Element], at: int) -> Hit | None:
    """Match from `at` on, where the first element must stand."""
    chunk = parse.chunks[at]
    if at in parse.read or not (elements[0].optional or _is_one_of(chunk, elements[0].tests)):
        return None
    return _rest(parse, elements, at, Hit({}, ()))


def _rest(parse: Parse, elements: Sequence[_Element], at: int, hit: Hit) -> Hit | None:
    if not elements:
        return hit
    element = elements[0]
    place = _next(parse, element, at, first=not hit.places)
    if place is not None:
        taken = Hit({**hit.chunks, element.label: parse.chunks[place]}, (*hit.places, place))
        found = _rest(parse, elements[1:], place + 1, taken)
        if found:
            return found
    return _rest(parse, elements[1:], at, hit) if element.optional else None


def _next(parse: Parse, element: _Element, at: int, *, first: bool) -> int | None:
    for place in range(at, len(parse.chunks)):
        chunk = parse.chunks[place]
        if place not in parse.read and _is_one_of(chunk, element.tests):
            return place
        if first or not (place in parse.read or chunk.silent):
            return None
    return None


_SIGNS = frozenset(get_args(SignKind))


def _is_one_of(chunk: Chunk, tests: Sequence[str]) -> bool:
    return any(chunk.sign(name) is not None if name in _SIGNS else _TESTS[name](chunk) for name in tests)  # type: ignore[arg-type]


def _sense(sense: Sense | None) -> Sense:
    if sense is None:
        raise LookupError("a pattern asked for a sense that its phrase does not have")
    return sense


_TESTS: dict[str, Callable[[Chunk], bool]] = {
    "table": lambda chunk: chunk.table is not None,
    "column": lambda chunk: chunk.column is not None,
    "value": lambda chunk: bool(chunk.values),
    "number": lambda chunk: chunk.number is not None,
    "date": lambda chunk: chunk.span is not None,
    "unknown": lambda chunk: chunk.unknown,
    "literal": lambda chunk: chunk.quoted or (chunk.unknown and chunk.text[:1].isupper()),
}
