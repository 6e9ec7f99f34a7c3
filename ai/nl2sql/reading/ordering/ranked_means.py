"""Things ranked by an average of totals: “which team had the highest average daily revenue”."""

from ai.nl2sql.chart.figures import additive
from ai.nl2sql.chart.parts import Rank, Wanted
from ai.nl2sql.meaning import Measure, Order
from ai.nl2sql.reading.ordering.implied import keep_known
from ai.nl2sql.reading.shape import folded, is_of_totals
from ai.nl2sql.reading.sketch import Sketch

WITHIN = frozenset({"of", "for", "in", "from", "among", "across"})  # “of the top 5 apps” ranks before it averages
ARTICLES = frozenset({"the", "our", "all"})


def ranked_means(sketch: Sketch, measure: Measure, rank: Rank, limit: int | None) -> bool:
    """Rank the things asked about by the average of what each day, or each of their parts, adds up to."""
    mean = _mean(sketch, measure)
    target, groups = sketch.target, sketch.meaning.groups
    groups = groups if target is None or target in groups else (*groups, target)
    if mean is None or len(groups) < 2 or all(group.unit for group in groups) or _ranks_first(sketch):
        return False
    sketch.flag("aggregate")
    sketch.target = None
    sketch.wanted = []
    sketch.edit(groups=groups)
    folded(sketch, mean)
    keep_known(sketch, sketch.meaning.groups)
    order = (Order(sketch.meaning.measures[0], rank.descending),)
    sketch.edit(order=order, limit=limit or (None if rank.every else 1))
    return True


def _mean(sketch: Sketch, measure: Measure) -> Wanted | None:
    """Return the average of totals that is asked for."""
    asked = [wanted for wanted in sketch.wanted if wanted.mean or is_of_totals(sketch, wanted)]
    if len(sketch.wanted) == len(asked) == 1:
        return asked[0]
    spoken = [part.data.value for part in sketch.flags("aggregate") if part.data.value in ("avg", "median")]
    others = [wanted for wanted in sketch.wanted if wanted.measure != measure]
    if others or len(spoken) != 1 or not additive(sketch.lexicon, measure):
        return None
    return Wanted(measure, spoken[0])


def _ranks_first(sketch: Sketch) -> bool:
    """Whether the average is of those in front: “average daily revenue of the top 5 apps”."""
    words = sketch.lattice.words
    for part in sketch.parts("rank"):
        at = part.start - 1
        at -= at >= 0 and words[at].key in ARTICLES
        if at >= 0 and words[at].key in WITHIN:
            return True
    return False
