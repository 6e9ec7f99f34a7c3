"""Edit a meaning by the constituents of a follow-up: replace, add, take away."""

import re
from collections.abc import Sequence
from dataclasses import replace

from ai.nl2sql.carried import alike_field, moved_group, moved_period, moved_test
from ai.nl2sql.comparison import Comparison, Sides, comparison_of, side_by_side
from ai.nl2sql.contradictions import conditions_of
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Among, Field, Filter, Fold, Group, Having, Meaning, Measure, Order, Period
from ai.nl2sql.reading.sketch import Sketch, counts
from ai.nl2sql.schema import display, is_numeric, telling
from ai.nl2sql.threads.referents import referent, same_moment

CHANGE = 2  # the place of the change in a comparison
THEIRS = frozenset(("their", "its", "those", "these"))  # a time of what is counted stays one of theirs
BOUNDS = frozenset(("<", "<=", ">", ">="))
ADDED = re.compile(r"\b(?:also|too|as well|add|include|plus)\b", re.IGNORECASE)
BESIDE = re.compile(rf"^(?:and |but |ok |now )*(?:along |together )?with\b|{ADDED.pattern}", re.IGNORECASE)


def with_measures(before: Meaning, sketch: Sketch, *, add: bool) -> Meaning | None:
    """Another figure takes the place of the first one, or stands beside it."""
    new = tuple(w.measure for w in sketch.wanted)
    if not new:
        return before
    old = before.measures or before.all_measures[:1]
    if not old or not (before.measures or before.order):
        return _listed_with(before, new, sketch.lexicon)
    if add:
        kept = before.measures or (() if before.havings else old)
        return replace(before, measures=tuple(dict.fromkeys((*kept, *new))))
    fold = before.fold
    if fold and any(w.mean or w.measure.function in ("avg", "min", "max") for w in sketch.wanted):
        fold = None
    first = new[0]
    if len(new) == 1 and (found := comparison_of(old)):
        return _with_sides(before, found, first, sketch.lexicon)
    if len(old) > 1 and len(new) == 1 and len({replace(m, where=()) for m in old}) == 1:
        return _compared_anew(before, old, first, sketch.lexicon)
    if fold and first.function == "avg":
        first = replace(first, function="sum")
    if asked := _fold_asked(sketch):
        first, fold = sketch.meaning.measures[0], asked
        before = replace(before, groups=tuple(g for g in before.groups if g not in asked.grain), order=(), limit=None)
    order = tuple(replace(o, key=first) if o.key in old else o for o in before.order)
    havings = tuple(h for h in before.havings if h.measure not in before.measures)
    groups = tuple(moved_group(group, old[0], first, sketch.lexicon) for group in before.groups)
    of_those = old[0] == Measure("count", old[0].table) and bool(THEIRS & {w.key for w in sketch.lattice.words})
    periods = tuple(p if of_those else moved_period(p, old[0], first, sketch.lexicon) for p in before.periods)
    measures = (first, *new[1:]) if before.measures else ()
    shown = tuple(replace(one, field=alike_field(one.field, old[0], first, sketch.lexicon)) for one in before.among)
    filters = tuple(replace(one, field=alike_field(one.field, old[0], first, sketch.lexicon)) for one in before.filters)
    if fold and not asked:
        fold = Fold(fold.function, tuple(moved_group(g, old[0], first, sketch.lexicon) for g in fold.grain))
    subject = first.table if before.subject == old[0].table and not before.groups else before.subject
    return replace(
        before,
        subject=subject,
        measures=measures,
        order=order,
        havings=havings,
        groups=groups,
        periods=periods,
        among=shown,
        filters=filters,
        fold=fold,
    )


def _fold_asked(sketch: Sketch) -> Fold | None:
    """Return the average a message asks for: “average daily revenue” after revenue."""
    return sketch.meaning.fold if len(sketch.wanted) == len(sketch.meaning.measures) == 1 else None


def _with_sides(before: Meaning, found: Comparison, new: Measure, lexicon: Lexicon) -> Meaning:
    measures = (found.now, found.base, *([found.whole] if found.whole else []))
    sides = [moved_test(measure.where[-1], measure, new, lexicon) for measure in measures]
    times = [side for side in sides if isinstance(side, Period)]
    values = [side for side in sides if isinstance(side, Filter)]
    both = (values[0], values[1]) if len(values) > 1 else Sides(times[0], times[1], times[2] if times[2:] else None)
    each = side_by_side(new, both, lexicon)
    order = tuple(replace(o, key=_same_side(o.key, before.measures, each)) for o in before.order)
    ranked = (order or (Order(each[0], True),)) if before.groups else ()
    return replace(before, measures=each, order=ranked, havings=())


def _same_side(key: Measure | Field, old: tuple[Measure, ...], new: tuple[Measure, ...]) -> Measure | Field:
    """Return the new figure in the place of an old one: the change for the change."""
    place = old.index(key) if isinstance(key, Measure) and key in old else None
    return key if place is None else new[min(place, CHANGE) if len(new) != len(old) else place]


def _compared_anew(before: Meaning, old: tuple[Measure, ...], new: Measure, lexicon: Lexicon) -> Meaning:
    """Compare another figure over the same conditions: “vs last quarter”, then “what about revenue?”."""
    moved = (tuple(moved_test(test, measure, new, lexicon) for test in measure.where) for measure in old)
    return replace(
        before, measures=tuple(replace(new, where=(*new.where, *where)) for where in moved), order=(), havings=()
    )


def _listed_with(before: Meaning, new: tuple[Measure, ...], lexicon: Lexicon) -> Meaning | None:
    """A list of things gets a figure of each; the average of their own column is one of all."""
    if (
        all(each.table == before.subject and each.function in ("avg", "min", "max") for each in new)
        and not before.limit
    ):
        return replace(before, columns=(), measures=new, distinct=False)
    if not display(lexicon, before.subject):
        return None
    return replace(
        before, columns=(), measures=new, groups=(Group(before.subject),), distinct=False, order=(Order(new[0], True),)
    )


def with_groups(before: Meaning, sketch: Sketch, text: str, asked: Sequence[Period] = ()) -> Meaning:
    """Replace the groups; folded figures keep their own grain. `asked` are the times before the message."""
    new = _on_day_before(sketch.meaning.groups, asked or before.periods, sketch)
    if not new:
        return before
    if not before.measures and not before.all_measures:
        measures: tuple[Measure, ...] = (Measure("count", before.subject),)
        return replace(
            before, measures=measures, groups=new, columns=(), distinct=False, order=_usual(measures, new), limit=None
        )
    measures = before.measures or before.all_measures[:1]
    if parts := _parts_of_whole(measures, new):
        return replace(before, measures=parts, groups=new, share=True, order=_usual(parts, new), limit=None)
    # The best of October stays that one where its figure is split over all months.
    picked = replace(before, periods=tuple(asked)) if asked and not sketch.data("period") else before
    along = all(group.unit for group in (*before.groups, *new))  # “quarterly” after the best month is of the series
    if before.limit == 1 and before.groups and not along and "instead" not in text.lower():
        return _split_first(before, new, measures, picked, sketch.lexicon)
    kept = _groups_kept(before, new, text.lower())
    if kept and before.limit and isinstance(shown := referent(picked, sketch.lexicon), Among):
        before = replace(before, among=(*before.among, shown), limit=None, order=())
    groups = tuple(dict.fromkeys((*kept, *new)))
    if before.fold and {*new} & {*before.fold.grain}:
        before = replace(before, fold=None)  # “daily” after an average per day
    order = _usual(measures, groups) if not before.fold else ()
    columns = tuple(f for f in before.columns if f.table in {g.table for g in groups if g.column is None})
    return replace(before, measures=measures, groups=groups, order=order, columns=columns, within=(), offset=0,
                   limit=before.limit if before.limit and before.groups and len(groups) > 9 else None)  # fmt: skip


def _parts_of_whole(measures: tuple[Measure, ...], groups: tuple[Group, ...]) -> tuple[Measure, ...]:
    """Return the whole of a share that is split by what it tests: “by country” after Peru's."""
    share = measures[0]
    if len(measures) != 1 or share.per is None or share.less or share.function != share.per.function:
        return ()
    tested = [Group(test.field.table, test.field.column) for test in share.where if test not in share.per.where]
    return (share.per,) if tested and {*tested} <= {*groups} else ()


def _on_day_before(groups: tuple[Group, ...], asked: Sequence[Period], sketch: Sketch) -> tuple[Group, ...]:
    """Split by the day of the time before where a message names none: “monthly” after pledges that ended this year."""
    units = {group.unit for found in sketch.data("group") for group in found if group.unit and not group.table}
    held = {period.field for period in asked}
    if len(held) != 1 or sketch.parts("period"):
        return groups
    day = next(iter(held))
    return tuple(
        replace(group, column=day.column) if group.unit in units and group.table == day.table else group
        for group in groups
    )


def _groups_kept(before: Meaning, new: tuple[Group, ...], said: str) -> tuple[Group, ...]:
    """Return the groups beside a new one: “and by”; weeks replace months, not platforms."""
    others = tuple(group for group in before.groups if bool(group.unit) != bool(new[0].unit))
    if 0 < len(others) < len(before.groups) and (new[0].unit or "instead" in said):
        return others
    if new[0].unit and _are_compared(before):
        return before.groups
    if "instead" in said:
        return ()
    if any(word in said for word in ("also by", "and by", "and per")):
        return before.groups
    timed = tuple(group for group in before.groups if group.unit)
    return (before.groups if len(before.groups) == 1 else timed[:1]) if said.startswith("split by ") else ()


def _are_compared(before: Meaning) -> bool:
    """Whether values said side by side were shown: “Germany and France”."""
    fields = {Field(group.table, group.column or "") for group in before.groups}
    sides = {test.field for test in before.filters if test.operator == "in" and len(test.values) > 1}
    return len(before.groups) == 1 and not before.limit and fields <= sides


def _split_first(
    before: Meaning, groups: tuple[Group, ...], measures: tuple[Measure, ...], picked: Meaning, lexicon: Lexicon
) -> Meaning:
    """Split the figure of the first thing, day or month; `picked` found it."""
    group = before.groups[0]
    own = Field(group.table, group.column or "")
    about = same_moment(before, own) if group.unit else referent(picked, lexicon)
    if not isinstance(about, Among):
        return replace(
            before, measures=measures, groups=groups, order=_usual(measures, groups), columns=(), limit=None, offset=0
        )
    kept = Meaning(before.subject, measures=measures, groups=groups, order=_usual(measures, groups), among=(about,))
    return replace(kept, filters=before.filters, periods=before.periods, either=before.either, keys=before.keys)


def _usual(measures: tuple[Measure, ...], groups: tuple[Group, ...]) -> tuple[Order, ...]:
    return () if any(group.unit for group in groups) else (Order(measures[0], descending=True),)


def _are_ends(one: Having, other: Having) -> bool:
    """Whether two bounds of a figure leave what lies between them: at least 10, at most 50."""
    low, high = sorted((one, other), key=lambda bound: bound.operator[0], reverse=True)
    plain = not (one.than or other.than or one.mean or other.mean)
    return plain and low.operator[0] == ">" and high.operator[0] == "<" and low.value < high.value


def with_havings(before: Meaning, sketch: Sketch) -> Meaning | None:
    """“only those above 1000”: bound the figure at hand."""
    havings = [h for h in sketch.data("having") if isinstance(h, Having)]
    for having in havings:
        if not having.measure.table:
            if not before.groups:
                bounded = _bounded(before, having, sketch.lexicon)
                if bounded is None:
                    return None
                before = bounded
                continue
            figure = next(iter(before.measures or before.all_measures), None)
            if figure is None:
                return None
            having = replace(having, measure=figure)
        if not before.groups:
            return None
        others = tuple(h for h in before.havings if h.measure != having.measure or _are_ends(h, having))
        before = replace(before, havings=(*others, having))
    return before


def _bounded(before: Meaning, having: Having, lexicon: Lexicon) -> Meaning | None:
    """Bound the one column with a bound, else the one number shown: “and less than 3?”."""
    bound = [f.field for f in before.filters if f.operator in BOUNDS and is_numeric(lexicon, f.field)]
    fields = list(dict.fromkeys(bound))
    if not fields and not before.measures:
        fields = [f for f in before.columns if is_numeric(lexicon, f)]
    if len(fields) != 1:
        return None
    kept = tuple(f for f in before.filters if f.field != fields[0])
    return replace(before, filters=(*kept, Filter(fields[0], having.operator, (having.value,))))


def listed(before: Meaning, lexicon: Lexicon, columns: tuple[Field, ...] = ()) -> Meaning:
    """The things themselves instead of a figure of them."""
    if before.fold and before.fold.function == "count":
        before = replace(before, groups=before.fold.grain, fold=None, measures=())
        return replace(before, order=(Order(before.havings[0].measure, True),) if before.havings else ())
    if before.groups:
        return before
    shown = columns or display(lexicon, before.subject) or telling(lexicon, before.subject)
    filters = tuple(dict.fromkeys((*before.filters, *(defining(before, lexicon) or ()))))
    order = before.order if not before.measures else ()
    return replace(before, measures=(), order=order, columns=shown, fold=None, share=False, filters=filters)


def rows_counted(before: Meaning, lexicon: Lexicon) -> Meaning | None:
    """The rows behind their numbers by group, each with its group: “list them” after “apps by category”."""
    names = display(lexicon, before.subject)
    whole = before.fold or before.share or before.within or before.havings or before.limit is not None
    if whole or not names or not before.groups or before.measures != (Measure("count", before.subject),):
        return None
    if any(group.unit for group in before.groups):
        return None
    fixed = {test.field for test in before.filters if test.operator == "="}
    kinds = (
        field
        for group in before.groups
        for field in ((Field(group.table, group.column),) if group.column else display(lexicon, group.table))
    )
    columns = tuple(dict.fromkeys((*names, *(field for field in kinds if field not in fixed))))
    return replace(before, measures=(), groups=(), order=(), columns=columns)


def is_count_of_rows(before: Meaning, lexicon: Lexicon) -> bool:
    """Whether one count is shown whose rows can be listed: all of a table, or those of a definition."""
    figure = before.measures[0] if len(before.measures) == 1 else None
    plain = before.measures == (Measure("count", before.subject),)
    return plain or (figure is not None and counts(lexicon, figure) and bool(defining(before, lexicon)))


def defining(before: Meaning, lexicon: Lexicon) -> tuple[Filter, ...] | None:
    """Return the conditions that the one defined figure sets on its rows; None where they are not simple."""
    figure = before.measures[0] if len(before.measures) == 1 else None
    metric = lexicon.metric_of(figure) if figure else None
    if figure is None or metric is None or figure.function != "metric" or figure.table != before.root:
        return ()
    named = (f for f, term in lexicon.terms.items() if f.table == metric.table and term.condition == metric.condition)
    term = next(named, None) if metric.condition else None
    return (Filter(term, "=", (True,)),) if term else conditions_of(metric.condition, metric.table)
