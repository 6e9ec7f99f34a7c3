"""The shape of the answer: groups, ranks, folds over days or things, comparisons, shares."""

from dataclasses import replace

from ai.nl2sql.additivity import held, settled
from ai.nl2sql.chart.figures import additive
from ai.nl2sql.chart.parts import Sorting, Wanted
from ai.nl2sql.meaning import Field, Filter, Fold, Group, Measure
from ai.nl2sql.reading.rows.which_day import begun_days, days_of_whole, figures_of
from ai.nl2sql.reading.sketch import Sketch, counts, is_fact, many_between
from ai.nl2sql.schema import adds_up, always_known, days, display, figure_days, referred_table, title
from ai.nl2sql.spans import BORN, DATED, first_of, verb_of
from ai.nl2sql.words import name_parts, stem, stems

OF_NOW = frozenset({"daily", "dau", "current", "currently", "now"})


def grouped(sketch: Sketch) -> None:
    """Take the groups; a unit of time goes on the days of the figure."""
    found: list[Group] = []
    for part in sketch.parts("group"):
        for group in part.data:
            kept = timed(sketch, group)
            if kept and kept not in found:
                found.append(kept)
    sketch.edit(groups=(*sketch.meaning.groups, *found))


def timed(sketch: Sketch, group: Group) -> Group | None:
    """Return a group by time on the days of the figure; hours need a time of day."""
    found = _on_days(sketch, group)
    if found and found.unit and sketch.lexicon.column(Field(found.table, found.column or "")).has_months:
        if found.unit == "month":
            return replace(found, unit=None)
        sketch.doubt(f"{title(Field(found.table, found.column or ''))} holds months only; ask by month.")
        return None
    if (
        found
        and found.unit == "hour"
        and sketch.lexicon.column(Field(found.table, found.column or "")).kind != "datetime"
    ):
        sketch.doubt(f"{title(Field(found.table, found.column or ''))} holds no time of day.")
        return None
    return found


def _on_days(sketch: Sketch, group: Group) -> Group | None:
    if group.table:
        if group.column and sketch.lexicon.column(Field(group.table, group.column)).kind in DATED:
            return replace(group, unit=group.unit or "day")
        if group.column and Field(group.table, group.column) in display(sketch.lexicon, group.table)[:1]:
            return Group(group.table)
        return referred(sketch, group)
    figures = [w.measure.table for w in sketch.wanted] + [r.key.table for r in sketch.data("rank") if r.key]
    loose = [s.key.table for s in sketch.data("order") if isinstance(s, Sorting) and isinstance(s.key, Field | Measure)]
    before = sketch.context.all_measures if sketch.context else ()
    if day := next((wanted.day for wanted in sketch.wanted if wanted.day), None):
        return Group(day.table, day.column, group.unit)
    if own := _own_day(sketch, (*figures_of(sketch),) or before):
        return Group(own.table, own.column, group.unit)
    tables = [*figures, *loose, *(str(part.data) for part in sketch.parts("noun"))]
    tables += [measure.table for measure in before]
    for table in tables:
        if fields := _with_hours(sketch, group, days(sketch.lexicon, table) or days_of_whole(sketch, table)):
            day = _day_said(sketch, fields)
            return Group(day.table, day.column, group.unit)
        for column in sketch.lexicon.table(table).columns:
            if group.unit in column.name.lower().split("_") and group.unit in ("year", "month", "day"):
                return Group(table, column.name)
    sketch.doubt(f"I find no date here to group by {group.unit}.")
    return None


def _with_hours(sketch: Sketch, group: Group, fields: list[Field]) -> list[Field]:
    """Keep the days with a time of day for a group by hour, where there are some."""
    timed = [field for field in fields if sketch.lexicon.column(field).kind == "datetime"]
    return timed or fields if group.unit == "hour" else fields


def _day_said(sketch: Sketch, fields: list[Field]) -> Field:
    """Return the day of a spoken verb, “joined each year”, else the first but a birthday."""
    said = {word.stem for word in sketch.lattice.words}
    rate = any(wanted.measure.is_share for wanted in sketch.wanted)  # of all rows, on whatever day of theirs
    done = [field for field in fields if not rate and said & {stem(part) for part in verb_of(field.column)}]
    alive = [field for field in fields if not BORN & set(name_parts(field.column))]
    named = [
        field
        for field in alive
        if {stem(part) for part in name_parts(field.table)} & {*map(stem, verb_of(field.column))}
    ]
    if not (done or named) and (begun := begun_days(alive)):
        return begun[0]
    known = named or always_known(sketch.lexicon, alive)
    if len(known) > 1 and not done and not first_of(fields) and not sketch.parts("period"):
        sketch.rival_days = tuple(known)
        sketch.doubt(f"By which day: {' or '.join(title(field) for field in known)}?")
        return known[0]
    return (done or alive or fields)[0]


def _own_day(sketch: Sketch, measures: tuple[Measure, ...]) -> Field | None:
    """The day of a metric's own; rows without it are in no group."""
    for measure in measures:
        metric = sketch.lexicon.metric_of(measure)
        if metric and metric.date:
            day = figure_days(sketch.lexicon, measure)[0]
            if sketch.lexicon.column(day).nullable:
                undated = Filter(day, "not null")
                sketch.edit(filters=tuple(dict.fromkeys((*sketch.meaning.filters, undated))))
            return day
    return None


def referred(sketch: Sketch, group: Group) -> Group:
    """A key groups by the row it refers to, shown by name."""
    key = Field(group.table, group.column or "")
    target = referred_table(sketch.lexicon, key)
    if target is None or target.name == group.table or not display(sketch.lexicon, target.name):
        return group
    sketch.edit(keys=(*sketch.meaning.keys, key))
    return Group(target.name)


def figures(sketch: Sketch) -> None:
    """Take the figures; an average of totals is folded over days or over the things named."""
    if sketch.meaning.fold:
        return
    means = [w for w in sketch.wanted if is_of_totals(sketch, w)]
    spoken = [part for part in sketch.flags("aggregate") if part.data.value in ("avg", "median")]
    if not means and spoken and sketch.wanted and sketch.meaning.groups:
        wanted = sketch.wanted[0]
        if additive(sketch.lexicon, wanted.measure):
            sketch.flag("aggregate")
            means = [replace(wanted, mean=spoken[0].data.value)]
            sketch.wanted = [means[0], *sketch.wanted[1:]]
    if not means and len(sketch.wanted) == 1 and _per_own_row(sketch, sketch.wanted[0].measure):
        means = sketch.wanted = [replace(sketch.wanted[0], mean="avg")]
    if means:
        folded(sketch, means[0])
        return
    measures = tuple(dict.fromkeys(w.measure for w in sketch.wanted))
    sketch.edit(measures=tuple(dict.fromkeys((*measures, *sketch.meaning.measures))))
    _mean_of_rows(sketch)


def _per_own_row(sketch: Sketch, figure: Measure) -> bool:
    """“revenue per session”, summed over the sessions: what one brings on average."""
    own = [part for part in sketch.parts("group") if part.data and part.data[0] == Group(figure.table)]
    named = display(sketch.lexicon, figure.table)
    added = figure.function in ("sum", "metric") and not figure.per and additive(sketch.lexicon, figure)
    return added and not named and any(part.said.lower().startswith("per ") for part in own)


def _mean_of_rows(sketch: Sketch) -> None:
    """“average seats per customer by plan”: an average is one of rows already."""
    measures = sketch.meaning.measures
    means = {measure.table for measure in measures if measure.function == "avg"}
    if len(means) != 1 or any(measure.function != "avg" for measure in measures) or sketch.data("rank"):
        return
    each = Group(next(iter(means)))
    said = [part.said.lower() for part in sketch.parts("group") if part.data and part.data[0] == each]
    if any(words.startswith("per ") for words in said):
        sketch.edit(groups=tuple(group for group in sketch.meaning.groups if group != each))


def is_of_totals(sketch: Sketch, wanted: Wanted) -> bool:
    """Whether an average is of what days or things add up to."""
    if wanted.mean:
        return True
    measure = wanted.measure
    if measure.function != "avg" or not measure.column:
        return False
    field = Field(measure.table, measure.column)
    named = any(part.data == measure.table for part in sketch.parts("noun")) or _says_rows(sketch, measure)
    timed = any(group.unit for group in sketch.meaning.groups)
    if not timed and len(sketch.lexicon.table(measure.table).primary_key) == 1:
        return False  # each row is an event of its own
    return is_fact(sketch.lexicon, measure.table) and adds_up(sketch.lexicon, field) and not named


def _says_rows(sketch: Sketch, measure: Measure) -> bool:
    """Whether the words of a figure name its rows: the orders of “average order value”."""
    table = set(stems(name_parts(measure.table)))
    said = [part.said for part in sketch.parts("measure") if part.data.measure == measure]
    return any(table <= set(stems(words.lower().split())) for words in said)


def folded(sketch: Sketch, wanted: Wanted) -> None:
    """Compute totals of each day or thing, then their average."""
    measure = wanted.measure
    mean = wanted.mean or "avg"
    if measure.function == "avg":
        measure = replace(measure, function="sum")
    groups = sketch.meaning.groups
    rule = held(measure, sketch.lexicon) if mean == "avg" and len(groups) == 1 else None
    if rule and groups[0].unit != rule.over:
        sketch.edit(measures=(measure,))  # “average daily active users per app”: each app has its mean already
        return
    if any(group.unit == "hour" for group in groups):
        if wanted.measure.column and measure.function == "sum" and not wanted.mean:
            sketch.edit(measures=(replace(measure, function="avg"),))
            return
        sketch.doubt("I cannot average numbers of rows over hours of the day; ask for the number in each hour.")
    if sketch.meaning.limit or sketch.meaning.havings:
        sketch.doubt("I cannot rank and average at once; ask for one at a time.")
    grain, kept = _grain(sketch, groups)
    column = Field(measure.table, measure.column) if measure.column and measure.function == "sum" else None
    each = Group(measure.table)
    if column and _is_of_rows(sketch, measure.table, mean, grain):
        grain, kept = (each,), tuple(group for group in groups if group != each)
    if not grain:
        fields = days(sketch.lexicon, measure.table)
        whole = _whole_named(sketch, measure)
        if measure.function == "count" or not (fields or whole):
            sketch.doubt("Say what the average is per, such as “per day”.")
            return
        if len(fields) > 1 and len(sketch.lexicon.table(measure.table).primary_key) == 1 and not whole:
            whole = measure.table  # contracts with a first and a last day
        grain = (Group(whole) if whole else Group(fields[0].table, fields[0].column, "day"),)
        sketch.assume("" if whole else "averaged over the days")
    sketch.edit(measures=(measure,), groups=kept, fold=Fold(mean, grain), order=(), limit=None)


def _whole_named(sketch: Sketch, measure: Measure) -> str:
    """Return the things named that rows of a figure are parts of: the quantity of an order is that of its lines."""
    named = {str(part.data) for part in sketch.parts("noun")} - {measure.table}
    wholes = [table for table in sorted(named) if many_between(sketch.lexicon, table, measure.table)]
    return wholes[0] if len(wholes) == 1 and days(sketch.lexicon, wholes[0]) else ""


def _is_of_rows(sketch: Sketch, table: str, mean: str, grain: tuple[Group, ...]) -> bool:
    """Whether each row counts, not each total: the median price by category, not that of a day's revenue."""
    if is_fact(sketch.lexicon, table):
        single = len(sketch.lexicon.table(table).primary_key) == 1
        return mean == "median" and single and not any(group.unit for group in grain)
    return mean == "median" or not grain


def _grain(sketch: Sketch, groups: tuple[Group, ...]) -> tuple[tuple[Group, ...], tuple[Group, ...]]:
    """Return the groups averaged over, and those kept: “per” goes before “by”."""
    if len(groups) < 2:
        by = [part for part in sketch.parts("group") if part.said.lower().startswith("by ")]
        adverb = bool(groups and groups[0].unit)
        return ((), groups) if by and not adverb else (groups, ())
    timed = tuple(group for group in groups if group.unit)
    dated = tuple(g for g in groups if g.column is None and any(g.table == time.table for time in timed))  # of one time
    grain = dated[:1] or timed[:1] or groups[:1]
    return grain, tuple(group for group in groups if group not in grain)


def _at_last_count(sketch: Sketch) -> None:
    """“at the last count”: only the rows of the last day of the only table of counts."""
    lexicon = sketch.lexicon
    tables = list(dict.fromkeys(m.table for m in sketch.meaning.all_measures if not counts(lexicon, m)))
    if len(tables) == 1 and len(days(lexicon, tables[0])) == 1:
        sketch.flag("counted_last")
        sketch.edit(last=days(lexicon, tables[0])[0])


def states(sketch: Sketch) -> None:
    """Settle the moment of a figure of a state (stock, balances): one moment or the mean as declared, else a choice."""
    meaning = sketch.meaning
    words = {word.key for word in sketch.lattice.words}
    rules = [rule for measure in meaning.measures if (rule := held(measure, sketch.lexicon))]
    daily = "daily" in words and bool(meaning.groups) and all(group.unit == "day" for group in meaning.groups)
    if rules and daily and not meaning.periods and not meaning.fold:
        sketch.edit(groups=(), order=())
    if sketch.flags("counted_last") and not sketch.meaning.fold:
        _at_last_count(sketch)
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
