"""The first by a key: rows by a column of their own, things by a figure over their rows."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from ai.nl2sql.chart.figures import total_of
from ai.nl2sql.chart.parts import Rank, Sorting, Wanted
from ai.nl2sql.echo import figure
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Filter, Group, Measure, Order, Period
from ai.nl2sql.reading.ordering.implied import implied_key, is_last, keep_known
from ai.nl2sql.reading.ordering.priced import priced
from ai.nl2sql.reading.ordering.ranked_means import ranked_means
from ai.nl2sql.reading.ordering.ranked_times import events_ranked, rank_times
from ai.nl2sql.reading.sketch import Sketch, is_fact, many_between
from ai.nl2sql.schema import averaged, display, noun, referred_table, title
from ai.nl2sql.spans import DATED
from ai.nl2sql.vocabulary import is_bad_name
from ai.nl2sql.words import keys, stem

BESIDE_FIGURE = 0.8  # “longest open ticket” asks for no number of tickets beside a length
JUDGED = frozenset({"best", "worst"})
EACH = frozenset({"each", "every", "per", "by"})
LOW_IS_GOOD = re.compile(
    r"\b(?:lower is better|low is good|higher is worse|[01] (?:is|=) (?:the )?best)\b", re.IGNORECASE
)


def ranked(sketch: Sketch) -> None:
    """The first by a key: rows by a column of their own, things by a figure over their rows."""
    ranks = [rank for rank in sketch.data("rank") if isinstance(rank, Rank)]
    loose = [s for s in sketch.data("order") if isinstance(s, Sorting) and s.loose]
    if not ranks:
        return
    rank = next((r for r in ranks if r.key is not None), None) or next((r for r in ranks if r.asked), ranks[0])
    others = [r for r in ranks if r is not rank]
    limit = max((r.limit for r in ranks if r.limit), default=None)  # a number that was said goes before “the most”
    if len(others) > 1 or any(o.key is not None for o in others):
        sketch.doubt("I cannot rank by several things at once.")
        return
    rank = events_ranked(sketch, rank)
    key = priced(sketch, rank.key)
    if rank.ahead and isinstance(key, Field):
        sketch.edit(periods=(*sketch.meaning.periods, Period(key, sketch.today, None)))
    rank_times(sketch, rank)
    if (key is None or _is_meant_by(key, loose)) and loose:
        key = _of_each_row(sketch, loose[0].key) if isinstance(loose[0].key, Measure | Field) else None
        sketch.used |= {part.start for part in sketch.parts("order")}
    if isinstance(key, Field) and sketch.target and key.table != sketch.target.table:
        sketch.cost += 0.3
    _kind_target(sketch, key)
    place(sketch, key, rank, limit)
    if rank.after and (sketch.meaning.limit == 1 and not sketch.meaning.within):
        sketch.edit(offset=rank.after)
    elif rank.after:
        sketch.doubt("I cannot tell which place this asks for.")


def _is_meant_by(key: Measure | Field, loose: Sequence[Sorting]) -> bool:
    """“most expensive product by purchase price”: the words go before the usual sense of an adjective."""
    said = loose[0].key if len(loose) == 1 else None
    own = isinstance(key, Field) and isinstance(said, Field | Measure) and said.table == key.table
    return own and isinstance(said, Field | Measure) and (said.column is not None)


def _of_each_row(sketch: Sketch, key: Measure | Field) -> Measure | Field:
    """Return the column of a total or an average of the very rows ranked."""
    if isinstance(key, Field) or not key.column or sketch.target != Group(key.table) or sketch.meaning.groups:
        return key
    plain = key.function in ("sum", "avg") and key == Measure(key.function, key.table, key.column)
    return Field(key.table, key.column) if plain else key


def _kind_target(sketch: Sketch, key: Measure | Field | None) -> None:
    """“cheapest main per restaurant”: rows called by a kind of theirs."""
    if (
        not isinstance(key, Field)
        or sketch.target
        or not sketch.meaning.groups
        or not display(sketch.lexicon, key.table)
    ):
        return
    ends = {part.end for part in sketch.parts("rank")}
    kinds = [test.field.table for part in sketch.parts("filter") if part.start in ends for test in part.data]
    if key.table in kinds:
        sketch.target = Group(key.table)


def place(sketch: Sketch, key: Measure | Field | None, rank: Rank, limit: int | None) -> None:
    """Order the things asked about by the key, and keep the first."""
    if key is None:
        key = implied_key(sketch, rank)
        if isinstance(key, Field) and sketch.lexicon.column(key).kind in DATED:
            rank = replace(rank, descending=is_last(sketch))  # the last three orders are the latest, not the lowest
    if key is None:
        if rank.limit and not rank.asked and not is_last(sketch) and not (rank.common and sketch.target is None):
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
    measure = _figure_of(sketch, key, rank)
    if not ranked_means(sketch, measure, rank, limit):
        _order_groups(sketch, measure, rank, limit)


def _figure_of(sketch: Sketch, key: Measure | Field, rank: Rank) -> Measure:
    """Return what things are ranked by: the total of a column of events, else its end or its mean."""
    if isinstance(key, Measure) or averaged(key):
        return key if isinstance(key, Measure) else total_of(key)
    if not is_fact(sketch.lexicon, key.table) or sketch.lexicon.column(key).kind in DATED:
        return Measure("max" if rank.descending else "min", key.table, key.column)
    return total_of(key)


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


def _who(sketch: Sketch) -> bool:
    """“who has the highest rate” asks for a person, not for the rate."""
    return bool(sketch.flags("who")) or any(part.said.lower().startswith("who ") for part in sketch.flags("have"))


def _order_rows(sketch: Sketch, key: Field, rank: Rank, limit: int | None) -> None:
    called = any(test.field.table == key.table for test in sketch.meaning.filters) or _who(sketch)
    called = called or _kind_follows(sketch, key)
    if sketch.target is None and called and display(sketch.lexicon, key.table):
        sketch.target = Group(key.table)  # “the heaviest dog”: rows that are called by what they are
    if sketch.target is None and any(wanted.measure.table == key.table for wanted in sketch.wanted):
        sketch.cost += BESIDE_FIGURE
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
    keep_known(sketch, (target, *groups) if target else groups)
    if target is None and limit is None and measure.function in ("min", "max") and _of_each(sketch):
        sketch.edit(measures=(measure,))
        return
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
        _several_in_each(sketch, target, groups)
        sketch.edit(groups=(*groups, target), within=groups, measures=(measure,), order=order, limit=limit or 1)
        return
    if not groups and target is not None:
        groups = (target,)
    sketch.edit(groups=groups, order=order, limit=limit or _one(rank), measures=(measure,) if same else ())


def _of_each(sketch: Sketch) -> bool:
    """“the lowest salary for each department”: every group has one."""
    return any(EACH & set(part.said.lower().split()[:2]) for part in sketch.parts("group"))


def _several_in_each(sketch: Sketch, target: Group, groups: Sequence[Group]) -> None:
    """Doubt the first of only one: “which team ships the most releases per app”."""
    lexicon = sketch.lexicon
    for group in groups if target.column is None else ():
        key = Field(group.table, group.column or "")
        own = lexicon.table(group.table)
        whose = own if group.column is None or own.primary_key == (group.column,) else referred_table(lexicon, key)
        path = lexicon.links.path(whose.name, target.table) if whose else None
        if whose and path and not any(link.many for link in path):
            each, one = (noun(lexicon, table, many=False) for table in (whose.name, target.table))
            sketch.doubt(f"Each {each} has only one {one}, so none is the first; ask for the average per {each}.")


def _ranks_groups(sketch: Sketch, measure: Measure) -> bool:
    """“users of travel apps per country, top 3” ranks countries."""
    split, ranks = next(iter(sketch.parts("group")), None), sketch.parts("rank")
    named = [part for part in sketch.parts("noun") if sketch.target == Group(str(part.data))]
    if split is None or not ranks or not named or all(wanted.measure != measure for wanted in sketch.wanted):
        return False
    return max(part.end for part in named) <= split.start < min(part.start for part in ranks)


def judged(sketch: Sketch, key: Measure | Field, rank: Rank) -> Rank:
    """Turn “worst” and “best” round for a bad figure."""
    said = {word for part in sketch.parts("rank") for word in keys(part.said)}
    if rank.descending == ("best" in said) and said & JUDGED and is_bad(sketch.lexicon, key):
        return replace(rank, descending=not rank.descending)
    return rank


def is_bad(lexicon: Lexicon, key: Measure | Field) -> bool:
    if isinstance(key, Field):
        return is_bad_name({stem(word) for word in title(key).split()})
    metric = lexicon.metric_of(key)
    said = keys(figure(key, lexicon).removesuffix("in percent"))
    words = {stem(word) for word in (*said, *map("-".join, pairwise(said)))}  # “no show rate” is of no-shows
    return is_bad_name(words) or bool(metric and LOW_IS_GOOD.search(metric.description))
