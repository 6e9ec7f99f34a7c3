"""Times that are ranked: “the best month”, “the busiest hour of the day”."""

from collections.abc import Sequence
from dataclasses import replace

from ai.nl2sql.chart.parts import Flag, Rank, Wanted
from ai.nl2sql.meaning import Field, Group, Measure
from ai.nl2sql.reading.ordering.implied import is_last
from ai.nl2sql.reading.shape import timed
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.spans import DATED

ASKING = frozenset({"which", "what"})
IN_TIME = frozenset({"last", "first", "latest", "newest", "earliest"})
UNITS = frozenset({"day", "week", "month", "quarter", "year", "hour"})


def events_ranked(sketch: Sketch, rank: Rank) -> Rank:
    """“last 5 signups”: the rows that a day belongs to, the latest first."""
    target = sketch.target
    said = Field(target.table, target.column) if target and target.column and not target.unit else None
    in_time = any(IN_TIME & {*part.said.lower().split()} for part in sketch.parts("rank"))
    if said and in_time and rank.key is None and rank.limit and sketch.lexicon.column(said).kind in DATED:
        sketch.target = Group(said.table)
        return replace(rank, key=said, descending=is_last(sketch))
    first = sketch.wanted[0] if len(sketch.wanted) == 1 and target is None else None
    dated = isinstance(rank.key, Field) and sketch.lexicon.column(rank.key).kind in DATED
    if not (first and first.day and dated and rank.limit) or first.measure != Measure("count", first.measure.table):
        return rank
    sketch.target = Group(first.measure.table)
    sketch.wanted.clear()
    return replace(rank, key=first.day)


def rank_times(sketch: Sketch, rank: Rank) -> None:
    """“the best month”: time is ranked; “the busiest month for orders”: by how many rows it has."""
    units = [part.data.value for part in sketch.flags("unit") if isinstance(part.data, Flag)]
    units += [said for part in sketch.flags("when") if (said := part.said.lower().split()[-1]) in UNITS]
    if rank.common and sketch.target and not sketch.target.column and not sketch.target.unit:
        _busiest(sketch, sketch.target.table, units)
        return
    if sketch.target is None and not sketch.meaning.groups and units:
        group = timed(sketch, Group("", unit=units[0]))  # type: ignore[arg-type]
        sketch.flag("unit")
        if group:
            sketch.target = group
            sketch.edit(groups=(group,))


def _busiest(sketch: Sketch, rows: str, units: Sequence[str]) -> None:
    """Rank times by the rows in them, where the time is said right behind the rank."""
    end = max(part.end for part in sketch.parts("rank"))
    said = [*sketch.flags("unit"), *(part for part in sketch.parts("group") if any(g.unit for g in part.data))]
    asked = {at + 1 for at, word in enumerate(sketch.lattice.words) if word.key in ASKING}
    behind = len(said) == 1 and (0 <= said[0].start - end <= 1 or said[0].start in asked)
    times = [group for group in sketch.meaning.groups if group.unit]
    if not behind or sketch.wanted or len(times) < len(sketch.meaning.groups):
        return
    group = times[0] if times else timed(sketch, Group("", unit=units[0])) if units else None  # type: ignore[arg-type]
    if group:
        sketch.flag("unit")
        sketch.target = group
        sketch.wanted.append(Wanted(Measure("count", rows)))
        sketch.edit(groups=(group,))
