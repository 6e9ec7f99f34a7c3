"""Defined names whose words stand apart, with nothing but grammar between them: “MRR did we lose”."""

from collections.abc import Iterator, Sequence

from ai.nl2sql.grammar import kinds_of
from ai.nl2sql.lexicon import Lexicon, Sense
from ai.nl2sql.words import Word, singular, stems

MOST_GAPS, APART = 3, 0.08  # words of grammar within a defined name


def spread_from(words: Sequence[Word], start: int, lexicon: Lexicon) -> Iterator[tuple[Sense, int, float]]:
    """Yield the meanings of a name beginning at `start`, each with its end and its cost."""
    names = {
        name: None for form in (words[start].stem, singular(words[start].key)) for name in lexicon.spread.get(form, ())
    }
    for name in names:
        left, gaps, at = set(name.words), 0, start
        while left and at < len(words) and gaps <= MOST_GAPS:
            form = name.form(words[at])
            if form not in left and not _mere_grammar(words[at]):
                break
            gaps += form not in left
            left.discard(form)
            at += 1
        if not left and name.form(words[start]) in name.words and stems([w.key for w in words[start:at]]) != name.key:
            for sense in lexicon.names.get(name.key, ()):
                yield sense, at, sense.cost + APART * (1 + gaps)


def _mere_grammar(word: Word) -> bool:
    kinds = kinds_of(word.key)
    return (
        not word.quoted and "filler" in kinds and not kinds & {"and", "or", "not", "none", "group", "average", "versus"}
    )
