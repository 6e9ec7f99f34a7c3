"""Two more choices for an answer, each made by one press: the shares of its total, and the time before beside it."""

from collections.abc import Collection
from datetime import date

from ai.nl2sql.additivity import held
from ai.nl2sql.chart.figures import additive
from ai.nl2sql.choices import MeaningPart, Option
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Group, Meaning
from ai.nl2sql.threads.compared import beside_time_before

SHARE, BESIDE = "share", "beside"
OF_TOTAL, TIME_BEFORE = "of the total", "the time before"


def further(
    meaning: Meaning, lexicon: Lexicon, today: date, wanted: Collection[str] = (SHARE, BESIDE)
) -> list[MeaningPart]:
    """Return what an answer can be turned into as a whole."""
    if not {SHARE, BESIDE} & set(wanted):
        return []
    if meaning.fold or meaning.stands_apart or meaning.series or meaning.last or meaning.havings or meaning.among:
        return []
    if len(meaning.measures) != 1 or meaning.measures[0].less:
        return []
    found = (*_share(meaning, lexicon), *_beside(meaning, lexicon, today))
    return [part for part in found if part.name in wanted]


def _share(meaning: Meaning, lexicon: Lexicon) -> list[MeaningPart]:
    """Return the shares of a figure that adds up over groups without a row in two of them."""
    (measure,) = meaning.measures
    fits = meaning.groups and not (meaning.share or meaning.within or meaning.distinct) and additive(lexicon, measure)
    if not fits or held(measure, lexicon) or not all(_parts_rows(group, meaning, lexicon) for group in meaning.groups):
        return []
    return [MeaningPart(SHARE, (Option(OF_TOTAL, lambda before: before.changed(share=True)),), ())]


def _parts_rows(group: Group, meaning: Meaning, lexicon: Lexicon) -> bool:
    path = lexicon.links.path(meaning.root, group.table)
    return path is not None and not any(link.many for link in path)


def _beside(meaning: Meaning, lexicon: Lexicon, today: date) -> list[MeaningPart]:
    both = None if meaning.share or meaning.limit else beside_time_before(meaning, today, lexicon)
    return [MeaningPart(BESIDE, (Option(TIME_BEFORE, lambda _: both),), ())] if both else []
