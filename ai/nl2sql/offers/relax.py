"""Ways to relax a question: drop words, or read an unknown word as a near one."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ai.language.spelling import near_names
from ai.language.thesaurus import related
from ai.nl2sql.chart.parts import Flag, Part
from ai.nl2sql.grammar import grammar_words, signs
from ai.nl2sql.guesses import is_proper_name
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.words import Word, split

LIKE = 70.0  # likeness of a word that may be misspelt
SHORTEST = 4
GRAMMAR = 0.3  # what a word of grammar weighs beside one that tells something
REPLACED = 0.6
READINGS = 3


@dataclass(frozen=True, slots=True)
class Relaxed:
    """A question with fewer or other words; `lost` is the weight of those that are gone."""

    words: tuple[Word, ...]
    lost: float


def relaxed(words: Sequence[Word], found: Sequence[Sketch], lexicon: Lexicon) -> Iterator[Relaxed]:
    """Yield relaxed questions, the least changed ways first; each once."""
    likeliest = sorted(found, key=lambda sketch: sketch.likely)[:READINGS]
    gaps = list(dict.fromkeys(frozenset(sketch.unread_places()) for sketch in likeliest))
    seen = {_keys(words)}
    for way in (
        *(_replaced(words, gap, lexicon) for gap in gaps),
        _without_gaps(words, gaps),
        _without_part(words, likeliest),
    ):
        for question in way:
            if question.words and _keys(question.words) not in seen:
                seen.add(_keys(question.words))
                yield question


def weight(words: Sequence[Word], places: Iterable[int]) -> float:
    """Return how much of a question lies in some of its words."""
    return sum(GRAMMAR if _is_grammar(words[at]) else 1.0 for at in places)


def _is_grammar(word: Word) -> bool:
    return not word.quoted and bool(signs().get((word.key,)))


def _keys(words: Sequence[Word]) -> tuple[str, ...]:
    return tuple(word.key for word in words)


def _replaced(words: Sequence[Word], gap: frozenset[int], lexicon: Lexicon) -> Iterator[Relaxed]:
    """Read one unknown word as a near one, without the other unknown words."""
    for at in sorted(gap):
        others = gap - {at}
        for near in _near(words[at], lexicon):
            kept = [word for place, word in enumerate(words) if place not in others]
            place = at - sum(other < at for other in others)
            changed = (*kept[:place], *split(near), *kept[place + 1 :])
            yield Relaxed(tuple(changed), REPLACED + weight(words, others))


def _near(word: Word, lexicon: Lexicon) -> list[str]:
    if word.quoted or len(word.key) < SHORTEST or not word.key.isalpha() or word.key in grammar_words():
        return []
    spelt = [name for name, _ in near_names(word.key, lexicon.spellings, LIKE) if name[0] == word.key[0]]
    meant = [
        other
        for other, _ in related(word.key)
        if any(not is_proper_name(sense, lexicon) for sense in lexicon.senses(tuple(other.split())))
    ]
    return list(dict.fromkeys([*spelt[:1], *meant[:2]]))


def _without_gaps(words: Sequence[Word], gaps: Sequence[frozenset[int]]) -> Iterator[Relaxed]:
    for gap in gaps:
        if gap:
            yield _without(words, gap)


def _without_part(words: Sequence[Word], likeliest: Sequence[Sketch]) -> Iterator[Relaxed]:
    """Drop one constituent of the likeliest reading, and what it leaves unread."""
    for sketch in likeliest[:1]:
        gap = sketch.unread_places()
        parts = [part for part in sketch.cover.parts if not set(range(part.start, part.end)) <= gap]
        for part in sorted(parts, key=_dispensable):
            yield _without(words, gap | set(range(part.start, part.end)))


def _dispensable(part: Part) -> int:
    """Rank constituents: a word of grammar goes first, the figure and its rows last."""
    if isinstance(part.data, Flag):
        return 0
    order = ("order", "limit", "ratio", "presence", "having", "group", "rank", "period", "filter", "attribute")
    return 1 + order.index(part.kind) if part.kind in order else len(order) + 1


def _without(words: Sequence[Word], places: Iterable[int]) -> Relaxed:
    gone = set(places)
    return Relaxed(tuple(word for at, word in enumerate(words) if at not in gone), weight(words, gone))
