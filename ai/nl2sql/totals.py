"""What adds up, and one figure over all rows shown: their number, their total, or their mean."""

from dataclasses import replace

from ai.nl2sql.definitions import is_metric
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Fold, Folding, Group, Meaning, Measure
from ai.nl2sql.schema import adds_up, display, is_numeric
from ai.nl2sql.words import name_parts, stems


def is_amount(lexicon: Lexicon, field: Field) -> bool:
    """Whether a column holds numbers that add up, and are sorted highest first: spend, installs."""
    return not is_metric(field) and is_numeric(lexicon, field) and adds_up(lexicon, field)


def frequency(lexicon: Lexicon, table: str) -> Field | None:
    """Return the column that says how often: `event_count`, no `word_count`."""
    own = {*stems(name_parts(table)), "event", "row"}
    parts = {column.name: name_parts(column.name) for column in lexicon.table(table).columns}
    names = [
        name for name, said in parts.items() if said[-1:] in (("count",), ("times",)) and {*stems(said[:-1])} <= own
    ]
    kept = [field for name in names if is_numeric(lexicon, field := Field(table, name))]
    return kept[0] if len(kept) == 1 and not display(lexicon, table) else None


def rows_shown(before: Meaning) -> Meaning:
    """Return the number of rows shown; the same again for one figure or the first few."""
    if before.limit or before.fold or before.distinct or not (before.groups or before.columns):
        return before
    if before.groups:
        return replace(before, measures=before.all_measures[:1], fold=Fold("count", before.groups), groups=(), order=(),
                       columns=(), share=False, series="")  # fmt: skip
    return replace(before, columns=(), measures=(Measure("count", before.subject),), order=())


def totalled(before: Meaning, *, shown: bool = False, added: bool = False) -> Meaning | None:
    """Return one figure over all rows, or of a cut list over those `shown`."""
    if before.limit and not shown:
        before = replace(before, limit=None, order=())
    if added and before.fold and before.fold.function == "count":  # “sum them up” after how many they are
        before = replace(before, groups=before.fold.grain, fold=None)
    measures = before.measures or before.all_measures
    if not measures:
        return replace(before, columns=(), measures=(Measure("count", before.subject),), order=(), distinct=False)
    if before.havings or before.limit:
        if before.groups and (before.limit or added):
            return replace(
                before,
                measures=measures[:1],
                fold=Fold("sum", before.groups),
                groups=(),
                columns=(),
                share=False,
                series="",
            )
        return replace(
            before, measures=measures[:1], fold=Fold("count", before.groups), groups=(), order=(), columns=()
        )
    return replace(
        before, measures=measures, groups=(), order=(), columns=(), within=(), fold=None, share=False, series=""
    )


def mean_said(how: str) -> Folding:
    return "median" if how.lower() == "median" else "avg"


def averaged(before: Meaning, function: Folding) -> Meaning:
    """Return the mean or the median of the rows of the only figure, in the same groups."""
    figure = before.measures[0]
    if function == "avg":
        return replace(before.exchanged(figure, replace(figure, function="avg")), fold=None)
    each = Fold(function, (Group(figure.table),))
    return replace(before.exchanged(figure, replace(figure, function="sum")), fold=each, order=(), limit=None)


def other_mean(before: Meaning, function: Folding) -> Meaning | None:
    """“and the median?” after an average of totals, or of rows."""
    mean = before.measures[0] if len(before.measures) == 1 else None
    if before.fold:
        return replace(before, fold=replace(before.fold, function=function))
    if mean is None or (mean.function, function) != ("avg", "median") or not mean.column or mean.per or mean.where:
        return None
    return averaged(before, function)


def mean_of_one(before: Meaning) -> Meaning | None:
    """Return the mean over the rows of the one group shown: a single total has no average of its own."""
    fields = [(group.table, group.column) for group in before.groups]
    held = {(test.field.table, test.field.column) for test in before.filters if test.operator == "="}
    total = before.measures[0] if len(before.measures) == 1 else None
    if total is None or total.function != "sum" or total.per or not set(fields) <= held:
        return None
    return replace(before.exchanged(total, replace(total, function="avg")), groups=(), order=(), limit=None)
