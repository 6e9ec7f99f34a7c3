"""Read a question that names the figure before once more: “how many reviews per app” after those of October."""

import re
from dataclasses import replace
from typing import Literal

from ai.nl2sql.chart.figures import additive
from ai.nl2sql.chart.parts import Flag
from ai.nl2sql.checks import complaint
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Among, Fold, Group, Meaning, Measure
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.threads import signals
from ai.nl2sql.threads.change import edited
from ai.nl2sql.threads.edits import BESIDE, with_groups
from ai.nl2sql.threads.fragments import Sketches, best_of
from ai.nl2sql.threads.referents import referent
from ai.nl2sql.threads.steps import Followed
from ai.nl2sql.totals import averaged, mean_said

SPLITS = frozenset(("measure", "group", "noun", "attribute"))
OF_ALL = frozenset("we our all overall total there".split())
MEAN = re.compile(r"AVG\((\w+)\)", re.IGNORECASE)
THOSE_OR_ALL = "Do you mean of those shown, or of all?"


def figure_again(sketch: Sketch, before: Meaning, lexicon: Lexicon, text: str) -> Followed | None:
    """Split or count the rows before where a message names them and nothing else; their conditions stay.

    A figure of each thing of a list shown is asked back: of those, or of all?
    """
    kinds = {part.kind for part in sketch.cover.parts if not isinstance(part.data, Flag)}
    if sketch.problems or sketch.unread() or not kinds <= SPLITS:
        return None
    if before.fold and not sketch.meaning.fold:
        return None
    if not (before.conditions or before.presences or before.either) or not sketch.meaning.measures:
        return None
    if not before.measures and (shown := _of_list(sketch.meaning, before, lexicon)):
        return Followed(None, problem=THOSE_OR_ALL, choices=(shown, sketch.meaning), asks=True)
    if (sketch.meaning.groups or sketch.meaning.fold) and sketch.meaning.measures == before.measures:
        return edited(sketch, before, lexicon, text, add=False)
    if (moved := _of_same_rows(sketch, before, lexicon, text)) is not None:
        return edited(moved, before, lexicon, text, add=False)
    rows = (Measure("count", before.root),)
    plain = not before.groups and (not before.measures or before.measures == rows) and not before.limit
    own = all(figure.table == before.root for figure in sketch.meaning.measures)
    said = {word.key for word in sketch.lattice.words}
    again = sketch.meaning.measures == rows != before.measures or (plain and own)
    if kinds == {"measure"} and again and not said & OF_ALL:
        return edited(sketch, before, lexicon, text, add=bool(BESIDE.search(text)))
    return None


def _of_same_rows(sketch: Sketch, before: Meaning, lexicon: Lexicon, text: str) -> Sketch | None:
    """Return a figure of no named rows, such as “total amount by method”, as one of the rows before."""
    figures = sketch.meaning.measures
    said = {word.key for word in sketch.lattice.words}
    table = lexicon.table(before.root) if before.root else None
    if (
        table is None
        or sketch.parts("noun")
        or said & OF_ALL - {"total"}
        or not sketch.wanted
        or signals.ASKS.match(text)
    ):
        return None
    if any(figure.function == "metric" or not figure.column or figure.per for figure in figures):
        return None
    if any(table.column(figure.column or "") is None for figure in figures):
        return None
    sketch.wanted = [replace(each, measure=replace(each.measure, table=table.name)) for each in sketch.wanted]
    return sketch


def _of_list(meaning: Meaning, before: Meaning, lexicon: Lexicon) -> Meaning | None:
    """Return a figure by the things of a list, of those shown alone."""
    about = referent(before, lexicon)
    if meaning.groups != (Group(before.subject),) or not isinstance(about, Among) or not before.subject:
        return None
    made = replace(meaning, among=(*meaning.among, about))
    return made if complaint(made, lexicon) is None else None


def mean_per(how: str, what: str, before: Meaning, read: Sketches) -> Followed | None:
    """Turn a total into its mean per row, day or thing, in the same groups: “average per visit” after their cost."""
    total = before.measures[0] if len(before.measures) == 1 else None
    if total is None or total.per or before.series or before.share:
        return None
    found = best_of(read, what)
    tables = {str(part.data) for part in found.parts("noun")} if found and not found.unread() else set()
    if total.function == "sum" and not before.fold and tables == {total.table}:
        return Followed(averaged(before, mean_said(how)))
    split = best_of(read, f"by {what}")
    if split is None or split.unread() or not additive(split.lexicon, total):
        return None
    if split.parts("period") or split.parts("filter"):
        return None  # “average per day last week” has a time of its own
    grain = with_groups(replace(before, groups=(), limit=None, fold=None), split, what).groups
    folds = bool(grain) and all(group.table for group in grain) and not {*grain} & {*before.groups}
    return Followed(replace(before, fold=Fold(mean_said(how), grain), order=(), limit=None)) if folds else None


def mean_instead(before: Meaning) -> Followed | None:
    """“average instead” after the totals of each group: the mean of a row in their place."""
    total = before.measures[0] if len(before.measures) == 1 else None
    if total is None or total.function != "sum" or total.per or before.fold or before.series:
        return None
    return Followed(replace(before.exchanged(total, replace(total, function="avg")), share=False))


def median_of_mean(text: str, before: Meaning, lexicon: Lexicon) -> Followed | None:
    """“and the median?” after an average of the semantics file: of its rows."""
    found, old = signals.AVERAGE.match(text), before.measures[0] if len(before.measures) == 1 else None
    metric = lexicon.metric_of(old) if old and not before.fold else None
    if found is None or mean_said(found["how"]) != "median" or old is None or metric is None or metric.condition:
        return None
    column = MEAN.fullmatch(metric.expression.strip())
    if column is None or lexicon.table(metric.table).column(column[1]) is None:
        return None
    return Followed(averaged(before.exchanged(old, Measure("avg", metric.table, column[1])), "median"))


def extreme_of(text: str, before: Meaning) -> Followed | None:
    """“and the maximum too” after an average: of the same column, beside it or in its place."""
    found, old = signals.EXTREME.match(text), before.measures[-1] if before.measures else None
    if found is None or old is None or old.function not in ("avg", "min", "max", "sum") or old.per:
        return None
    if before.series or before.share:
        return None
    end: Literal["min", "max"] = "max" if found["how"].lower().startswith("max") else "min"
    if before.fold:
        return Followed(replace(before, fold=replace(before.fold, function=end)))
    new = replace(old, function=end)
    if found["beside"]:
        return Followed(replace(before, measures=tuple(dict.fromkeys((*before.measures, new)))))
    return Followed(replace(before.exchanged(old, new), havings=()))


def mean_beside(text: str, before: Meaning) -> Followed | None:
    """“and avg” after the amount by method: the total and the mean of each kind."""
    if not signals.AVERAGE.match(text) or not text.lower().startswith("and "):
        return None
    total = before.measures[0] if len(before.measures) == 1 else None
    timed = any(group.unit for group in before.groups)
    if total is None or timed or total.function != "sum" or not total.column or before.fold or before.within:
        return None
    return Followed(replace(before, measures=(total, replace(total, function="avg"))))
