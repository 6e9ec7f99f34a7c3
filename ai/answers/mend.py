"""Take out of a text what is not proved: each sentence with an unbound figure goes; a computed one stands in for it.

Owns no checking (`figures`) and no templates (`phrase`): the caller hands in the computed sentence.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from ai.answers.facts import Facts, facts_of
from ai.answers.figures import check, scenes
from ai.answers.plain_text import plain_text
from ai.results.table import ResultTable


@dataclass(frozen=True, slots=True)
class Mended:
    """A text whose figures are all bound, and the sentences that were taken out, in the Markdown they came in."""

    text: str
    removed: tuple[str, ...] = ()


def mend(text: str, result: ResultTable | Facts, *, computed: str = "", question: str = "") -> Mended:
    """The text without its sentences that are not proved. `computed` stands where the first of them stood.

    Where nothing proved is left, the text is `computed` alone. A text whose figures are bound comes back as it is.
    """
    known = result if isinstance(result, Facts) else facts_of(result)
    removed: list[str] = []
    placed = False
    while wrong := next(_wrong_sentences(text, known, question), None):
        start, end = wrong
        removed.append(text[start:end].strip())
        gap = "" if placed or not computed else computed.strip() + (_ending(text[start:end]) or " ")
        text, placed = _balanced(text[:start] + gap + text[end:]), True
        if gap and not check(gap, known, question=question).ok:
            return Mended(computed.strip(), tuple(removed))
    return Mended(text.strip() or computed.strip() if removed else text, tuple(removed))


def _wrong_sentences(text: str, known: Facts, question: str) -> Iterator[tuple[int, int]]:
    """Where the sentences with unbound figures stand in the Markdown, with the markup around them."""
    unbound = check(text, known, question=question).unbound
    if not unbound:
        return
    plain = plain_text(text)
    ends = [scene.end for scene in scenes(plain.text, known)]
    starts = [0, *(plain.origin[end - 1] + 1 for end in ends[:-1])]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        if any(start <= span.start < end for span in unbound):
            yield start, end


def _ending(sentence: str) -> str:
    """The white space that a sentence ends with."""
    return sentence[len(sentence.rstrip()) :]


def _balanced(text: str) -> str:
    """Without bold marks where the sentence with the other one of a pair is gone."""
    return text if text.count("**") % 2 == 0 else text.replace("**", "")
