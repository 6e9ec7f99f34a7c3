"""The search for offers: relaxed questions are read, and sound readings ranked by the words they keep."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from ai.nl2sql.checks import complaint, ways
from ai.nl2sql.contradictions import in_columns
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Meaning
from ai.nl2sql.offers.relax import relaxed, weight
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.words import Word

OFFERED = 4
READS = 8  # relaxed questions that are read at most
WIDE = 60  # tables; beyond, none is: it would take too long
OF_EACH = 2  # readings of one relaxed question
PROBLEM = 0.8  # what a problem of a reading weighs against a lost word
COST = 0.5  # likewise, of what the reading costs
UNNAMED = 0.3  # likewise, of each table that no word names
LEAST_KEPT = 0.34  # of the telling words
BEHIND = 2.0  # how far an offer may lie behind the best

Read = Callable[[tuple[Word, ...]], list[Sketch]]


@dataclass(frozen=True, slots=True)
class Offer:
    """A meaning to offer; the one with the least distance is nearest."""

    meaning: Meaning
    distance: float


def nearest(words: Sequence[Word], found: Sequence[Sketch], lexicon: Lexicon, read: Read) -> tuple[Meaning, ...]:
    """Return the answerable meanings nearest to a question, at most four."""
    offers = sorted(
        (*_as_read(words, found, lexicon), *_relaxed(words, found, lexicon, read)), key=lambda o: o.distance
    )
    kept: list[Meaning] = []
    seen: list[Meaning] = []
    for offer in offers:
        form = _form(offer.meaning, lexicon)
        if form not in seen and offer.distance <= offers[0].distance + BEHIND:
            seen.append(form)
            kept.append(offer.meaning)
    return tuple(kept[:OFFERED])


def _as_read(words: Sequence[Word], found: Sequence[Sketch], lexicon: Lexicon) -> Iterator[Offer]:
    """Yield the readings of the question itself, those with problems too where their meaning stands."""
    for sketch in found:
        yield from _offers(sketch, weight(words, sketch.unread_places()), words, lexicon)


def _relaxed(words: Sequence[Word], found: Sequence[Sketch], lexicon: Lexicon, read: Read) -> Iterator[Offer]:
    most = READS if len(lexicon.tables) <= WIDE else 0
    for question in islice(relaxed(words, found, lexicon), most):
        readings = [sketch for sketch in read(question.words) if not sketch.unread_places()]
        for sketch in readings[:OF_EACH]:
            yield from _offers(sketch, question.lost, words, lexicon)


def _offers(sketch: Sketch, lost: float, words: Sequence[Word], lexicon: Lexicon) -> Iterator[Offer]:
    if lost > (1 - LEAST_KEPT) * weight(words, range(len(words))):
        return
    distance = lost + PROBLEM * len(sketch.problems) + COST * sketch.likely
    distance += UNNAMED * len(sketch.meaning.tables - sketch.lattice.named)
    for meaning in [choice for _, choice in sketch.choices] or ways(sketch.meaning, lexicon) or [sketch.meaning]:
        if meaning.subject and complaint(meaning, lexicon) is None:
            yield Offer(meaning, distance)


def _form(meaning: Meaning, lexicon: Lexicon) -> Meaning:
    """A meaning without what only changes how its rows are shown."""
    columns = () if meaning.all_measures else meaning.columns
    order = meaning.order if meaning.limit else ()
    return replace(in_columns(meaning, lexicon), subject="", distinct=False, columns=columns, order=order)
