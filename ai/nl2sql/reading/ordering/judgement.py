"""What is best and worst: where the figure is a bad one, most is worst."""

import re
from dataclasses import replace

from ai.nl2sql.chart.parts import Rank
from ai.nl2sql.echo import figure
from ai.nl2sql.meaning import Field, Measure
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.schema import title
from ai.nl2sql.vocabulary import bad_stems
from ai.nl2sql.words import keys, stem

JUDGED = frozenset({"best", "worst"})
LOW_IS_GOOD = re.compile(
    r"\b(?:lower is better|low is good|higher is worse|[01] (?:is|=) (?:the )?best)\b", re.IGNORECASE
)


def judged(sketch: Sketch, key: Measure | Field, rank: Rank) -> Rank:
    """Turn “worst” and “best” round for a bad figure."""
    said = {word for part in sketch.parts("rank") for word in keys(part.said)}
    if rank.descending == ("best" in said) and said & JUDGED and _is_bad(sketch, key):
        return replace(rank, descending=not rank.descending)
    return rank


def _is_bad(sketch: Sketch, key: Measure | Field) -> bool:
    if isinstance(key, Field):
        return bool(bad_stems() & {stem(word) for word in title(key).split()})
    metric = sketch.lexicon.metrics.get(Field(key.table, key.column or ""))
    words = {stem(word) for word in keys(figure(key, sketch.lexicon).removesuffix("in percent"))}
    return bool(bad_stems() & words) or bool(metric and LOW_IS_GOOD.search(metric.description))
