"""Settle the moment of a figure of a state: people per day, stock, balances."""

from ai.nl2sql.additivity import held, settled
from ai.nl2sql.reading.sketch import Sketch

OF_NOW = frozenset({"daily", "dau", "current", "currently", "now"})


def states(sketch: Sketch) -> None:
    """Take one moment or the mean as declared; where neither is, leave a choice."""
    meaning = sketch.meaning
    words = {word.key for word in sketch.lattice.words}
    rules = [rule for measure in meaning.measures if (rule := held(measure, sketch.lexicon))]
    daily = "daily" in words and bool(meaning.groups) and all(group.unit == "day" for group in meaning.groups)
    if rules and daily and not meaning.periods and not meaning.fold:
        sketch.edit(groups=(), order=())
    found = settled(sketch.meaning, sketch.lexicon, sketch.today)
    if found.problem:
        sketch.doubt(found.problem, 1.0)
    latest = found.choices[-1][1] if found.choices else None
    if latest is not None and OF_NOW & words and not meaning.periods:
        sketch.meaning = latest
        sketch.assume("of yesterday, the last whole day" if latest.periods else "of the last day that there is")
        return
    sketch.choices = list(found.choices)
    sketch.meaning = found.meaning
