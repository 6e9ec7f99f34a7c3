"""Senses of words that the database spells otherwise: written apart, shortened, or said with a related word."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ai.language.thesaurus import DERIVED, NEAR, SAME, is_word, related
from ai.nl2sql.grammar import signs
from ai.nl2sql.items import Item
from ai.nl2sql.lexicon import PARTIAL, Lexicon, Sense
from ai.nl2sql.wording import kind_of
from ai.nl2sql.words import Word, singular, stem, stems

LONGEST = 3
JOINED, RELATED, SHORTENED = 0.05, 0.45, 0.6
FARTHEST = {SAME: 0.5, DERIVED: 0.5, NEAR: 0.15}  # how far a related word may be from the whole name
HEADS = frozenset(
    "score point size type amount number value count level title code percentage status figure rating total name "
    "date kind medal field"
    " information detail data".split()
)
HEADED = 0.1
FEW_VALUES = 40
OF_THEIR_OWN = frozenset({"app", "api", "sku", "url", "vat", "web"})  # short forms that are words by now
Guess = tuple[int, Sense, float, str]  # where it ends, the sense, its cost, what it was read as


def guesses(words: Sequence[Word], start: int, lexicon: Lexicon) -> Iterator[Guess]:
    """Yield what the words from `start` may name, where they are not spelt so."""
    for end in range(min(len(words), start + LONGEST), start, -1):
        said = words[start:end]
        if all(word.key.isalpha() and not word.quoted for word in said) and not _known(said, lexicon):
            yield from ((end, sense, cost, name) for sense, cost, name in _guessed(said, lexicon))


def guessed_from(words: Sequence[Word], start: int, lexicon: Lexicon) -> Iterator[Item]:
    """What words name that the database spells otherwise."""
    for end, sense, cost, name in guesses(words, start, lexicon):
        said = " ".join(word.text for word in words[start:end])
        note = f"“{said}” was read as {name}" if name else ""
        yield Item(kind_of(sense), start, end, cost, sense=sense, note=note)


def with_heads(items: Sequence[Item], words: Sequence[Word], lexicon: Lexicon) -> Iterator[Item]:
    """The names of columns with a word behind them that says nothing more."""
    for item in items:
        if item.kind == "column" and item.end < len(words) and is_mere_head(words[item.end], lexicon):
            yield replace(item, end=item.end + 1, cost=item.cost + HEADED)


def is_mere_head(word: Word, lexicon: Lexicon) -> bool:
    """Whether a word after the name of a column says nothing more: “total score”, “memory size”."""
    return not word.quoted and singular(word.key) in HEADS and not lexicon.senses((word.key,))


def _known(said: Sequence[Word], lexicon: Lexicon) -> bool:
    keys = tuple(word.key for word in said)
    closed = {sign.kind for sign in signs().get(keys, ())} - {"verb", "worth"}
    if bool(closed) or _in_definition(keys, lexicon):
        return True
    return any(s.cost < PARTIAL or s.value is not None for s in lexicon.senses(keys))


def _in_definition(keys: tuple[str, ...], lexicon: Lexicon) -> bool:
    """Whether a word is one of the semantics file's: what it means there is no matter of guessing."""
    said = set(keys) | {stem(key) for key in keys}
    return any(said & set(phrase) for phrase in lexicon.defined)


def _guessed(said: Sequence[Word], lexicon: Lexicon) -> Iterator[tuple[Sense, float, str]]:
    keys = tuple(word.key for word in said)
    if len(said) > 1:
        yield from (
            (sense, sense.cost + JOINED, "") for sense in lexicon.senses(("".join(keys),)) if sense.cost < PARTIAL
        )
    if len(said) < LONGEST:
        yield from _related(" ".join(keys), lexicon)
    if len(said) == 1:
        yield from _shortened(keys[0], lexicon)


def _related(phrase: str, lexicon: Lexicon) -> Iterator[tuple[Sense, float, str]]:
    for word, distance in related(phrase):
        if set(stems(word.split())) <= set(stems(phrase.split())):
            continue
        for sense in lexicon.senses(tuple(word.split())):
            if sense.value is not None:
                few = distance == SAME and len(lexicon.column(sense.field).values) <= FEW_VALUES
                if few:
                    yield sense, RELATED + 0.3, str(sense.value)
            elif sense.cost <= FARTHEST[distance]:
                yield sense, RELATED + sense.cost + 2 * distance, word


def _shortened(word: str, lexicon: Lexicon) -> Iterator[tuple[Sense, float, str]]:
    """“enrollment” for a column `enr`: a part of a name that is no word, and begins this one."""
    for length in range(3, len(word) - 2):
        if not (is_word(word[:length]) or word[:length] in OF_THEIR_OWN):
            for sense in lexicon.senses((word[:length],)):
                if sense.value is None and sense.cost <= PARTIAL:
                    yield sense, SHORTENED + sense.cost, word[:length]
