"""The first by a key: rows by a column of their own, things by a figure over their rows."""

import re
from collections.abc import Sequence
from dataclasses import replace

from ai.nl2sql.chart.figures import total_of
from ai.nl2sql.chart.parts import Flag, Rank, Sorting, Wanted
from ai.nl2sql.echo import figure
from ai.nl2sql.meaning import Field, Filter, Group, Measure, Order, Period
from ai.nl2sql.reading.havings import counted_beside
from ai.nl2sql.reading.shape import timed
from ai.nl2sql.reading.sketch import Sketch, is_fact, many_between
from ai.nl2sql.schema import averaged, days, display, main_amount, title
from ai.nl2sql.spans import DATED
from ai.nl2sql.vocabulary import bad_stems
from ai.nl2sql.words import keys, stem

JUDGED = frozenset({"best", "worst"})
LOW_IS_GOOD = re.compile(
    r"\b(?:lower is better|low is good|higher is worse|[01] (?:is|=) (?:the )?best)\b", re.IGNORECASE
)
SIZES = frozenset({"highest", "largest", "biggest", "lowest", "smallest"})


def ranked(sketch: Sketch) -> None:
    """The first by a key: rows by a column of their own, things by a figure over their rows."""
    ranks = [rank for rank in sketch.data("rank") if isinstance(rank, Rank)]
    loose = [s for s in sketch.data("order") if isinstance(s, Sorting) and s.loose]
    if not ranks:
        return
    rank = next((r for r in ranks if r.key is not None), ranks[0])
    others = [r for r in ranks if r is not rank]
    limit = next((r.limit for r in (*others, rank) if r.limit), None)
    if len(others) > 1 or any(o.key is not None for o in others):
        sketch.doubt("I cannot rank by several things at once.")
        return
    key: Measure | Field | None = rank.key
    if rank.ahead and isinstance(key, Field):
        sketch.edit(periods=(*sketch.meaning.periods, Period(key, sketch.today, None)))
    if isinstance(key, Field) and sketch.target and key.table != sketch.target.table:
        sketch.cost += 0.3
    _unit_target(sketch)
    if key is None and loose:
        key = loose[0].key if isinstance(loose[0].key, Measure | Field) else None
        sketch.used |= {part.start for part in sketch.parts("order")}
    place(sketch, key, rank, limit)


def _unit_target(sketch: Sketch) -> None:
    """“the best month”: time is ranked."""
    flags = sketch.flags("unit")
    if sketch.target is None and not sketch.meaning.groups and flags and isinstance(flags[0].data, Flag):
        group = timed(sketch, Group("", unit=flags[0].data.value))  # type: ignore[arg-type]
        sketch.flag("unit")
        if group:
            sketch.target = group
            sketch.edit(groups=(group,))


def place(sketch: Sketch, key: Measure | Field | None, rank: Rank, limit: int | None) -> None:
    """Order the things asked about by the key, and keep the first."""
    if key is None:
        key = _implied_key(sketch, rank)
        if isinstance(key, Field) and sketch.lexicon.column(key).kind in DATED:
            rank = replace(rank, descending=_is_last(sketch))  # the last three orders are the latest, not the lowest
    if key is None:
        if rank.limit and not rank.asked and not _is_last(sketch) and not (rank.common and sketch.target is None):
            sketch.edit(limit=rank.limit)
        else:
            sketch.doubt("I cannot tell by what to rank these; say it, such as “by revenue”.")
        return
    rank = judged(sketch, key, rank)
    target, groups = sketch.target, sketch.meaning.groups
    if isinstance(key, Field) and not groups and _of_extreme(sketch, key, rank, limit):
        return
    own = isinstance(key, Field) and target is not None and target.column is None and target.table == key.table
    if isinstance(key, Field) and not groups and (own or (target is None and not is_fact(sketch.lexicon, key.table))):
        _order_rows(sketch, key, rank, limit)
        return
    if isinstance(key, Field) and own and groups:
        _best_of_group(sketch, key, rank, limit)
        return
    measure = key if isinstance(key, Measure) else total_of(key)
    if isinstance(key, Field) and averaged(key):
        measure = total_of(key)
    elif isinstance(key, Field) and (
        not is_fact(sketch.lexicon, key.table) or sketch.lexicon.column(key).kind in DATED
    ):
        measure = Measure("max" if rank.descending else "min", key.table, key.column)
    _order_groups(sketch, measure, rank, limit)


def _of_extreme(sketch: Sketch, key: Field, rank: Rank, limit: int | None) -> bool:
    """“concerts in the largest stadium”: a condition on the thing the rows refer to."""
    if limit not in (None, 1) or is_fact(sketch.lexicon, key.table):
        return False
    counted = [w.measure.table for w in sketch.wanted]
    listed = [sketch.target.table] if sketch.target and not counted else []
    for table in (counted or listed)[:1]:
        path = sketch.lexicon.links.path(table, key.table)
        if (
            path
            and not any(link.many for link in path)
            and any(part.data == key.table for part in sketch.parts("noun"))
        ):
            test = Filter(key, "=", than="max" if rank.descending else "min")
            sketch.edit(filters=(*sketch.meaning.filters, test))
            return True
    return False


def _implied_key(sketch: Sketch, rank: Rank) -> Measure | Field | None:
    """“top 5 apps revenue”: the figure asked for; “most common category”: the number of rows."""
    if sketch.wanted:
        return sketch.wanted[0].measure
    if rank.limit and sketch.meaning.groups and sketch.target and sketch.target not in sketch.meaning.groups:
        return _number_of_each(sketch, sketch.target)
    largest = any(SIZES & set(part.said.lower().split()) for part in sketch.parts("rank"))
    target = sketch.target
    if largest and target and not target.column and not sketch.meaning.groups and is_fact(sketch.lexicon, target.table):
        return main_amount(sketch.lexicon, target.table)
    if not rank.asked and rank.limit and sketch.target:
        common = not any(
            part.said.split()[0].lower() in ("first", "last") for part in sketch.parts("rank") if part.said
        )
        if common:
            return Measure("count", counted_beside(sketch) or _occurring(sketch, sketch.target))
        columns = days(sketch.lexicon, sketch.target.table)
        always = [field for field in columns if not sketch.lexicon.column(field).nullable]
        sure = columns if len(columns) == 1 else always
        if _is_last(sketch) and len(sure) == 1:
            return sure[0]
        done = [field for field in sketch.shown if field in columns]
        if not _is_last(sketch) and len(done) == 1:
            sketch.edit(filters=(*sketch.meaning.filters, Filter(done[0], "not null")))
            return done[0]  # “the first 3 apps launched”
    return None


def _is_last(sketch: Sketch) -> bool:
    """“the last 3 orders”, “the 3 last orders”."""
    return any("last" in part.said.lower().split() for part in sketch.parts("rank"))


def _number_of_each(sketch: Sketch, target: Group) -> Measure | None:
    """“supporters per country, top 3”: the groups are ranked by how many there are."""
    first = next(iter(sketch.parts("group")), None)
    if target.column or first is None or any(part.start < first.start for part in sketch.parts("rank")):
        return None
    sketch.target = None
    sketch.wanted.append(Wanted(Measure("count", target.table)))
    return sketch.wanted[0].measure


def _occurring(sketch: Sketch, target: Group) -> str:
    """The rows counted for the most common thing: those of the only table with a key to it; of a value, its own."""
    children = {link.target for link in sketch.lexicon.links.steps.get(target.table, ()) if link.many}
    return children.pop() if len(children) == 1 and not target.column else target.table


def _who(sketch: Sketch) -> bool:
    """“who has the highest rate” asks for a person, not for the rate."""
    return bool(sketch.flags("who")) or any(part.said.lower().startswith("who ") for part in sketch.flags("have"))


def _order_rows(sketch: Sketch, key: Field, rank: Rank, limit: int | None) -> None:
    called = any(test.field.table == key.table for test in sketch.meaning.filters) or _who(sketch)
    called = called or _kind_follows(sketch, key)
    if sketch.target is None and called and display(sketch.lexicon, key.table):
        sketch.target = Group(key.table)  # “the heaviest dog”: rows that are called by what they are
    if sketch.target is None:
        value = Measure("max" if rank.descending else "min", key.table, key.column)
        sketch.wanted.append(Wanted(value))
        return
    sketch.edit(order=(Order(key, rank.descending),), limit=limit or _one(rank))


def _kind_follows(sketch: Sketch, key: Field) -> bool:
    """“most expensive jacket”: a kind of the ranked rows stands right behind."""
    ends = {part.end for part in sketch.parts("rank")}
    kinds = [test.field.table for part in sketch.parts("filter") if part.start in ends for test in part.data]
    return any(
        sketch.lexicon.links.path(key.table, table) and not many_between(sketch.lexicon, key.table, table)
        for table in kinds
    )


def _one(rank: Rank) -> int | None:
    return None if rank.every else 1


def _best_of_group(sketch: Sketch, key: Field, rank: Rank, limit: int | None) -> None:
    """“the oldest app of each platform”."""
    measure = Measure("max" if rank.descending else "min", key.table, key.column)
    target = sketch.target or Group(key.table)
    groups = sketch.meaning.groups
    if any(group.table == target.table and group.column is None for group in groups):
        sketch.edit(measures=(measure,))
        return
    sketch.edit(groups=(*groups, target), within=groups, measures=(measure,), limit=limit or 1,
                order=(Order(measure, rank.descending),))  # fmt: skip


def _called_by_kind(sketch: Sketch, measure: Measure) -> Group | None:
    """“which technician has the most tickets”: things called by their kind."""
    filters = sketch.parts("filter")
    before = (*sketch.flags("list"), *sketch.flags("who"), *sketch.flags("verb"), *sketch.parts("rank"))
    asked = {part.end for part in before} | {0, 1}
    tables = {test.field.table for part in filters[:1] for test in part.data if part.start in asked}
    table = tables.pop() if len(tables) == 1 else ""
    linked = table and table != measure.table and not many_between(sketch.lexicon, measure.table, table)
    if not linked or not display(sketch.lexicon, table) or sketch.lexicon.links.path(measure.table, table) is None:
        return None
    sketch.target = Group(table)
    return sketch.target


def _order_groups(sketch: Sketch, measure: Measure, rank: Rank, limit: int | None) -> None:
    groups = sketch.meaning.groups
    if _ranks_groups(sketch, measure):
        sketch.target = None
    target = sketch.target or (None if groups else _called_by_kind(sketch, measure))
    order = (Order(measure, rank.descending),)
    _only_known(sketch, (target, *groups) if target else groups)
    if target is None and not groups:
        if measure.column and measure.function in ("sum", "avg") and limit is None:
            function = "max" if rank.descending else "min"
            sketch.wanted.append(Wanted(Measure(function, measure.table, measure.column)))  # type: ignore[arg-type]
            sketch.cost += 0.8
        else:
            sketch.doubt("I cannot tell what is ranked.")
        return
    if target is not None and target.table == measure.table and target.column is None and measure.column is None:
        sketch.doubt("I cannot tell by what to rank these.", 1.0)
    same = [w for w in sketch.wanted if w.measure == measure]
    if same:
        sketch.wanted = [w for w in sketch.wanted if w.measure != measure]
    counted = [w for w in sketch.wanted if w.measure.function == "count" and target and w.measure.table == target.table]
    if counted:
        sketch.doubt("I cannot count the first of several.", 1.5)
    if target is not None and target not in groups and groups:
        sketch.edit(groups=(*groups, target), within=groups, measures=(measure,), order=order, limit=limit or 1)
        return
    if not groups and target is not None:
        groups = (target,)
    sketch.edit(groups=groups, order=order, limit=limit or _one(rank), measures=(measure,) if same else ())


def _ranks_groups(sketch: Sketch, measure: Measure) -> bool:
    """“users of travel apps per country, top 3” ranks countries."""
    split, ranks = next(iter(sketch.parts("group")), None), sketch.parts("rank")
    named = [part for part in sketch.parts("noun") if sketch.target == Group(str(part.data))]
    if split is None or not ranks or not named or all(wanted.measure != measure for wanted in sketch.wanted):
        return False
    return max(part.end for part in named) <= split.start < min(part.start for part in ranks)


def _only_known(sketch: Sketch, groups: Sequence[Group]) -> None:
    """Rank no rows without a value: the most customers were not referred by nobody."""
    fields = [Field(g.table, g.column) for g in groups if g.column and not g.unit and not g.column.startswith("=")]
    known = [Filter(field, "not null") for field in fields if sketch.lexicon.column(field).nullable]
    sketch.edit(filters=tuple(dict.fromkeys((*sketch.meaning.filters, *known))))


def judged(sketch: Sketch, key: Measure | Field, rank: Rank) -> Rank:
    """Turn “worst” and “best” round for a bad figure."""
    said = {word for part in sketch.parts("rank") for word in keys(part.said)}
    if rank.descending == ("best" in said) and said & JUDGED and is_bad(sketch, key):
        return replace(rank, descending=not rank.descending)
    return rank


def is_bad(sketch: Sketch, key: Measure | Field) -> bool:
    if isinstance(key, Field):
        return bool(bad_stems() & {stem(word) for word in title(key).split()})
    metric = sketch.lexicon.metrics.get(Field(key.table, key.column or ""))
    words = {stem(word) for word in keys(figure(key, sketch.lexicon).removesuffix("in percent"))}
    return bool(bad_stems() & words) or bool(metric and LOW_IS_GOOD.search(metric.description))
