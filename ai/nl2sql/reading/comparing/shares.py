"""Shares: of the total by group, or of the rows that meet a condition."""

import re
from dataclasses import replace

from ai.nl2sql.chart.figures import additive
from ai.nl2sql.chart.parts import Part
from ai.nl2sql.chart.shape import ADVERBS
from ai.nl2sql.meaning import Field, Filter, Group, Measure, Period, is_part
from ai.nl2sql.reading.sketch import Sketch, counts
from ai.nl2sql.schema import adds_up, always_known, days, display, is_numeric
from ai.nl2sql.words import keys, name_parts, stem, stems

SPREAD = ("distribution", "breakdown", "split", "mix", "the split", "the mix")
LISTING = frozenset({"and", "or", "per", "vs"})  # between things side by side


def _follows_number(sketch: Sketch, start: int) -> bool:
    return start > 0 and sketch.lattice.words[start - 1].number is not None


def _shared_part(sketch: Sketch, parts: list[Part]) -> Part:
    """The condition of a share: the last one, unless it is the whole: “of card payments in paid orders”."""
    before = sketch.lattice.words[parts[-1].start - 1].key if parts[-1].start else ""
    return parts[0] if len(parts) > 1 and before in ("in", "among", "amongst", "within") else parts[-1]


def _parts(sketch: Sketch) -> list[Part]:
    """The conditions that may be the part, but for those side by side: “iOS vs Android”."""
    parts = [part for part in sketch.parts("filter") if not part.either]
    cut = {(group.table, group.column) for group in sketch.meaning.groups}
    alone = {
        at for part in sketch.flags("only") for at in (part.start, part.end)
    }  # “registered ones only” are the whole
    rest = [part for part in parts if not all((t.field.table, t.field.column) in cut for t in part.data)]
    rest = [part for part in rest if not alone & {part.start, part.end}] or rest
    return rest or parts


def _of_whole_column(sketch: Sketch, measure: Measure) -> bool:
    """“% of portions returned”, where `portions_returned` is a part of `portions`."""
    if measure.function != "sum" or measure.column is None or measure.per or measure.where:
        return False
    fields = (Field(measure.table, column.name) for column in sketch.lexicon.table(measure.table).columns)
    numbers = (field for field in fields if is_numeric(sketch.lexicon, field) and adds_up(sketch.lexicon, field))
    wholes = [field.column for field in numbers if is_part(measure.column, field.column)]
    if len(wholes) != 1:
        return False
    part = replace(measure, per=Measure("sum", measure.table, wholes[0]))
    sketch.meaning = sketch.meaning.exchanged(measure, part)
    return True


def _rate_of_kind(sketch: Sketch, measure: Measure) -> bool:
    """“percent of neutered pets per species”: of all rows of the group, where “by species” shares out the total."""
    such = tuple(test for part in sketch.parts("noun") for test in part.such) or _kind_counted(sketch, measure)
    each = [part for part in sketch.parts("group") if not part.said.lower().startswith("by ")]
    rows = Measure("count", measure.table)
    plain = measure.function in ("count", "metric") and not (measure.per or measure.less)
    if not such or not each or not plain or {test.field.table for test in such} != {measure.table}:
        return False
    rest = tuple(test for test in sketch.meaning.filters if test not in such)
    sketch.edit(
        measures=(replace(rows, where=(*measure.where, *such), per=replace(rows, where=measure.where)),),
        filters=rest,
        order=(),
    )
    return True


def _kind_counted(sketch: Sketch, measure: Measure) -> tuple[Filter, ...]:
    """Return the condition of rows that a defined figure counts, where it has a name of its own: “bad reviews”."""
    metric = sketch.lexicon.metric_of(measure) if counts(sketch.lexicon, measure) else None
    condition = metric.condition.strip() if metric else ""
    terms = sketch.lexicon.terms.items()
    alike = [field for field, term in terms if field.table == measure.table and term.condition.strip() == condition]
    return (Filter(alike[0], "=", (True,)),) if condition and alike else ()


def _left_out(sketch: Sketch, measure: Measure, tests: tuple[Filter, ...]) -> bool:
    """Whether the definition of a figure decides about the column of its part."""
    metric = sketch.lexicon.metric_of(measure)
    said = set(re.findall(r"\w+", metric.condition.lower())) if metric else set()
    return any(test.field.table == measure.table and test.field.column.lower() in said for test in tests)


def _spread_out(sketch: Sketch) -> bool:
    """“distribution of stars”: how many rows have each value."""
    meaning = sketch.meaning
    spoken = any(part.said.lower().startswith(SPREAD) for part in sketch.flags("share"))
    counted = all(measure.table == sketch.shown[0].table for measure in meaning.measures) if sketch.shown else False
    if not spoken or len(sketch.shown) != 1 or not counted or meaning.groups or meaning.limit or meaning.fold:
        return False
    value = sketch.shown[0]
    column = sketch.lexicon.column(value)
    if not (column.values or column.kind == "integer") or value in display(sketch.lexicon, value.table):
        return False
    sketch.flag("share")
    rows = Measure("count", value.table)
    sketch.shown.clear()
    sketch.edit(groups=(Group(value.table, value.column),), measures=(rows,), columns=(), subject=value.table)
    return True


def _as_change(sketch: Sketch) -> bool:
    """Whether a change is asked for, told in percent too."""
    return sketch.meaning.series == "change" and sketch.flag("share")


def _rate_of_figure(sketch: Sketch, measure: Measure) -> str:
    """Return “conversion rate”, said of conversions summed."""
    for part in sketch.flags("share") if measure.function == "sum" else ():
        before = sketch.lattice.words[part.start - 1 : part.start]
        if (
            part.said.lower().startswith("rate")
            and before
            and before[0].stem in stems(name_parts(measure.column or ""))
        ):
            return f"{before[0].text} rate"
    return ""


def not_of_itself(sketch: Sketch) -> None:
    """“skip rate, so skipped boxes out of all”: a part said twice leaves the whole alone."""
    own = {test for m in sketch.meaning.measures if m.is_share for test in m.where if m.per and test not in m.per.where}
    if own & {*sketch.meaning.filters}:
        sketch.edit(filters=tuple(test for test in sketch.meaning.filters if test not in own))


def shared(sketch: Sketch) -> None:
    """“share of revenue by category” is of the total; “share of hotfixes among releases” has a condition of its own."""
    if not sketch.flags("share") or _spread_out(sketch) or _as_change(sketch):
        return
    meaning = sketch.meaning
    if not meaning.measures and sketch.target and not meaning.order:
        sketch.edit(measures=(Measure("count", sketch.target.table),))
        meaning = sketch.meaning
    if not meaning.measures or meaning.fold or any(m.less for m in meaning.measures):
        return
    sketch.flag("share")
    adverb = any(part.said.lower() in ADVERBS for part in sketch.parts("group"))
    if meaning.limit or adverb or any(_follows_number(sketch, part.start) for part in sketch.flags("share")):
        sketch.doubt("I cannot compute the share of a part that is ranked or compared; ask for the figures themselves.")
        return
    measure = meaning.measures[0]
    if rate := _rate_of_figure(sketch, measure):
        sketch.doubt(f"I find no “{rate}” in this data; name the two figures that it divides.")
        return
    if measure.is_share and {str(part.data) for part in sketch.parts("noun")} <= {measure.table}:
        return  # “refund rate (share of bookings)”
    if not additive(sketch.lexicon, measure):
        sketch.doubt("A share needs a total, and this figure is none.")
    elif parts := _parts(sketch):
        _of_part(sketch, measure, _shared_part(sketch, parts).data)
    elif not _key_to_other(sketch, measure):  # else by `of_those_with`, as soon as all things are settled
        _of_total(sketch, measure)


def _of_part(sketch: Sketch, measure: Measure, tests: tuple[Filter, ...]) -> None:
    """Divide the figure of the rows that meet these conditions by that of all."""
    meaning = sketch.meaning
    if _left_out(sketch, measure, tests):
        sketch.doubt("By its definition this figure leaves some of these out, so I cannot tell their share.")
        return
    rest = tuple(f for f in meaning.filters if f not in tests)
    part = replace(measure, where=tuple(tests), per=measure)
    own = tuple(g for g in meaning.groups if not (sketch.target == g and g.column is None))
    sketch.edit(measures=(part,), filters=rest, groups=own, order=(), periods=_of_all(sketch, tests))


def _of_all(sketch: Sketch, tests: tuple[Filter, ...]) -> tuple[Period, ...]:
    """Move a time from the day of the part alone: a refund rate is of what was paid then."""
    said = {stem(word) for test in tests for value in test.values for word in keys(str(value))}
    return tuple(
        replace(period, field=other) if said & set(stems(name_parts(period.field.column))) and other else period
        for period in sketch.meaning.periods
        for other in [_day_of_all(sketch, period.field)]
    )


def _day_of_all(sketch: Sketch, day: Field) -> Field | None:
    others = always_known(sketch.lexicon, [other for other in days(sketch.lexicon, day.table) if other != day])
    return others[0] if others and sketch.lexicon.column(day).may_miss else None


def _of_total(sketch: Sketch, measure: Measure) -> None:
    """Add each group's part of the total, where no condition tells another part."""
    groups = sketch.meaning.groups
    if (groups and _rate_of_kind(sketch, measure)) or _of_whole_column(sketch, measure):
        return
    if sketch.parts("presence") and measure.function == "count":
        sketch.doubt("I cannot compute the share of those with or without other rows; ask for their number.")
    elif groups:
        sketch.edit(share=True)
    else:
        sketch.doubt("Say what the share is of.")


def _key_to_other(sketch: Sketch, measure: Measure) -> tuple[str, Field] | None:
    """Return the one other thing named, and the optional key of each row to it."""
    others = {part.data.table for part in sketch.parts("presence") if not part.data.where}
    others |= {str(part.data) for part in sketch.parts("noun")} - {measure.table}
    table, nouns = sketch.lexicon.table(measure.table), sketch.parts("noun")
    keys = [key.columns[0] for key in table.foreign_keys if {key.target_table} == others and len(key.columns) == 1]
    listed = (
        any(word.key in LISTING for word in sketch.lattice.words[nouns[0].end : nouns[-1].start]) if nouns else True
    )
    if len(keys) != 1 or listed or measure.column or measure.per:
        return None
    field = Field(measure.table, keys[0])
    return (others.pop(), field) if sketch.lexicon.column(field).nullable else None


def of_those_with(sketch: Sketch) -> None:
    """“share of orders with a voucher”: of rows with a key to the other."""
    measures, presences = sketch.meaning.measures, sketch.meaning.presences
    waiting = sketch.flags("share") and len(measures) == 1 and not sketch.meaning.share and not _parts(sketch)
    key = _key_to_other(sketch, measures[0]) if waiting else None
    if key is None:
        _rate_in_time(sketch)
        return
    times = [period for period in sketch.meaning.periods if period.field.table == key[0]]
    own = days(sketch.lexicon, measures[0].table)
    if [presence.table for presence in presences] != [key[0]] or (times and len(own) != 1):
        sketch.doubt("Say what the share is of.")
        return
    test = Filter(key[1], "not null" if presences[0].present else "null")
    periods = tuple(replace(p, field=own[0]) if p in times else p for p in sketch.meaning.periods)
    sketch.again |= {at for part in sketch.flags("verb") for at in range(part.start, part.end)}
    share = replace(measures[0], where=(test,), per=measures[0])
    sketch.edit(measures=(share,), periods=periods, presences=(), order=())


def _rate_in_time(sketch: Sketch) -> None:
    """“cancellation rate in May”, known by a day alone, may be of those that began then or of all there were."""
    timed = sketch.meaning.periods or any(group.unit for group in sketch.meaning.groups)
    for wanted in sketch.wanted if timed else ():
        tests = wanted.measure.where if wanted.measure.is_share else ()
        if any(isinstance(test, Filter) and test.operator == "not null" for test in tests):
            sketch.doubt("I cannot tell of which rows that rate is at that time; ask for the two numbers.")
