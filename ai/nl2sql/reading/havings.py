"""Conditions on figures: of each thing asked about, or of each group."""

from dataclasses import replace

from ai.nl2sql.chart.parts import Part
from ai.nl2sql.definitions import is_term
from ai.nl2sql.lexicon import PARTIAL
from ai.nl2sql.meaning import Field, Filter, Fold, Group, Having, Measure, Presence
from ai.nl2sql.reading.shape import timed
from ai.nl2sql.reading.sketch import Sketch, many_between
from ai.nl2sql.schema import averaged, main_amount, noun, title

MORE_OR_LESS = (">", ">=", "<", "<=")
CALENDAR = frozenset({"day", "week", "month", "quarter", "year"})


def group_conditions(sketch: Sketch) -> None:
    """Conditions on figures: of each thing asked about, or of each group."""
    _means_compared(sketch)
    if _times_compared(sketch):
        return
    for part in sketch.parts("having"):
        having = part.data
        if not isinstance(having, Having):
            continue
        if not having.measure.table:
            if not _counts_next(sketch, part) and _on_only_number(sketch, having):
                continue
            if child := counted_beside(sketch):
                _conditioned(sketch, replace(having, measure=Measure("count", child)))
                continue
            if len(sketch.wanted) != 1 or not sketch.meaning.groups:
                sketch.doubt(f"I cannot tell what “{part.said}” is compared with.", 4.0)
                continue
            having = replace(having, measure=sketch.wanted[0].measure)
        _conditioned(sketch, having)


def _times_compared(sketch: Sketch) -> bool:
    """“which days had more than 20 tickets”: times by the rows in them; “on how many days” counts the times."""
    units = [part for part in sketch.flags("unit") if part.data.value in CALENDAR]
    parts, rows = sketch.parts("having"), sketch.parts("noun")
    if len(units) != 1 or len(parts) != 1 or not isinstance(parts[0].data, Having) or sketch.meaning.groups:
        return False
    having, unit = parts[0].data, units[0]
    named = having.measure.table or (str(rows[0].data) if len(rows) == 1 and rows[0].start >= parts[0].end else "")
    if not named or unit.start > parts[0].start or any(row.start < unit.start for row in rows):
        return False
    measure = having.measure if having.measure.table else Measure("count", named)
    group = timed(sketch, Group("", unit=unit.data.value))
    if group is None:
        return True
    sketch.used |= {unit.start}
    counted = any(part.end == unit.start for part in sketch.flags("count"))
    sketch.flag("count")
    sketch.wanted.clear()
    sketch.target = group
    times = {"fold": Fold("count", (group,))} if counted else {"groups": (group,)}
    sketch.edit(havings=(replace(having, measure=measure),), measures=(measure,), subject=measure.table, **times)
    if having.operator in ("<", "<="):
        sketch.assume(f"{group.unit}s without any {noun(sketch.lexicon, measure.table)} are not counted")
    return True


def _means_compared(sketch: Sketch) -> None:
    """“apps with a rating under 3”: the mean of each, where they have many and none is named."""
    target = sketch.target
    named = {str(part.data) for part in sketch.parts("noun")} | {p.table for p in sketch.data("presence")}
    for test in sketch.meaning.filters if target and not target.column else ():
        table = test.field.table
        compared = test.operator in MORE_OR_LESS and len(test.values) == 1 and not (test.other or test.than)
        if not target or not compared or table in named or is_term(test.field) or not averaged(test.field):
            continue
        if many_between(sketch.lexicon, target.table, table) and isinstance(test.values[0], int | float):
            sketch.edit(filters=tuple(other for other in sketch.meaning.filters if other != test))
            mean = Measure("avg", table, test.field.column)
            _conditioned(sketch, Having(mean, test.operator, test.values[0]))
            sketch.assume(f"the average {title(test.field)} of each is compared")


def counted_beside(sketch: Sketch) -> str:
    """The other things named, where each one asked about may have many: “visited at least twice”."""
    if sketch.target is None or sketch.target.column or sketch.wanted:
        return ""
    table = sketch.target.table
    others = {str(part.data) for part in sketch.parts("noun")} - {table}
    many = sorted(other for other in others if many_between(sketch.lexicon, table, other))
    return many[0] if len(many) == 1 else ""


def _counts_next(sketch: Sketch, part: Part) -> bool:
    """Whether the number counts the thing right behind it: “more than 3 no-shows”."""
    return any(
        item.kind in ("table", "term") and item.cost < PARTIAL for item in sketch.lattice.items.get(part.end, ())
    )


def _on_only_number(sketch: Sketch, having: Having) -> bool:
    """“invoices above 20”: by the column of their size."""
    if sketch.target is None or sketch.target.column or sketch.wanted:
        return False
    field = main_amount(sketch.lexicon, sketch.target.table)
    if field is None:
        return False
    sketch.assume(f"{title(field)} is compared")
    sketch.edit(filters=(*sketch.meaning.filters, Filter(field, having.operator, (having.value,))))
    return True


def _conditioned(sketch: Sketch, having: Having) -> None:
    meaning, table = sketch.meaning, having.measure.table
    target = sketch.target = sketch.target or (None if meaning.groups else _kind_with_many(sketch, table))
    if target is None and not meaning.groups:
        sketch.doubt("I cannot tell whose figure is compared.")
        return
    if not meaning.groups and target and target.table == table and target.column is None:
        sketch.doubt("I cannot tell whose figure is compared.", 2.0)
        return
    counts_rows = having.measure.function == "count" and having.measure.column is None
    if counts_rows and _some(having) and target and target.table != table and not meaning.groups:
        there = Presence(table, having.operator in (">", ">="), having.measure.where)
        sketch.edit(presences=(*meaning.presences, there))
        return
    sketch.edit(havings=(*meaning.havings, having))
    if not meaning.groups and target:
        sketch.edit(groups=(target,), filters=(*sketch.meaning.filters, *_known(sketch, target)))
    counted = [w for w in sketch.wanted if w.measure.function == "count" and target and w.measure.table == target.table]
    if counted:
        sketch.wanted.clear()
        sketch.edit(fold=Fold("count", sketch.meaning.groups), groups=(), measures=(having.measure,))


def _known(sketch: Sketch, target: Group) -> tuple[Filter, ...]:
    field = Field(target.table, target.column or "")
    empty = bool(target.column) and not field.column.startswith("=") and sketch.lexicon.column(field).nullable
    return (Filter(field, "not null"),) if empty else ()


def _kind_with_many(sketch: Sketch, table: str) -> Group | None:
    """“guests with more than one booking”: things called by their kind."""
    tests = [test for part in sketch.parts("filter")[:1] for test in part.data]
    owners = {test.field.table for test in tests if many_between(sketch.lexicon, test.field.table, table)}
    return Group(owners.pop()) if len(owners) == 1 else None


def _some(having: Having) -> bool:
    return (having.operator, having.value) in ((">", 0), (">=", 1), ("<", 1), ("=", 0))
