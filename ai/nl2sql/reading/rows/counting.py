"""Rows counted where no figure is named: “avg tickets per day”."""

from ai.nl2sql.chart.parts import Wanted
from ai.nl2sql.deeds import rows_counted
from ai.nl2sql.definitions import counts_rows
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Group, Measure
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.schema import adds_up, averaged, days, display, is_numeric
from ai.nl2sql.vocabulary import MEASURED_IN
from ai.nl2sql.words import name_parts, singular, stem

IN_ALL = frozenset({"total", "in total", "overall", "all in all"})


def number_or_amount(lexicon: Lexicon, table: str) -> Measure:
    """Return the number of rows, or what rows are called by: “shop takings” are the total of their `takings`."""
    called = stem(name_parts(table)[-1])
    own = [
        field
        for column in lexicon.table(table).columns
        if tuple(map(stem, name_parts(column.name))) == (called,)
        if is_numeric(lexicon, field := Field(table, column.name)) and not averaged(field)
    ]
    return Measure("sum", table, own[0].column) if len(own) == 1 else Measure("count", table)


def measured(lexicon: Lexicon, table: str) -> Field | None:
    """Return the one column measuring the rows: `wait_minutes` of security waits."""
    called = {stem(part) for part in name_parts(table)}
    fields = [Field(table, c.name) for c in lexicon.table(table).columns if c.kind in ("integer", "number")]
    own = [f for f in fields if len(name_parts(f.column)) > 1 and name_parts(f.column)[-1] in MEASURED_IN
           if {stem(part) for part in name_parts(f.column)[:-1]} <= called]  # fmt: skip
    return own[0] if len(own) == 1 else None


def counted_alone(sketch: Sketch) -> None:
    """“how many?” and “count” count the thing named beside them."""
    if _fresh(sketch):
        sketch.wanted.append(Wanted(Measure("count", sketch.target.table if sketch.target else "")))
        sketch.shown.clear()
    if _in_all(sketch) and sketch.target:
        sketch.flag("aggregate")
        sketch.wanted.append(Wanted(Measure("count", sketch.target.table)))
    _total_of_shown(sketch)
    _counted_first(sketch)
    _averaged_rows(sketch)
    if not sketch.flags("count") or sketch.data("rank"):
        _counted_such(sketch)
        return
    if sketch.wanted:
        _counted_too(sketch)
        return
    tables = {table for part in sketch.parts("filter") for table in part.tables}
    tables = {rows_counted(table, sketch.lexicon) for table in tables}
    target = sketch.target or (Group(next(iter(tables))) if len(tables) == 1 else None)
    if target:
        sketch.flag("count")
        sketch.wanted.append(Wanted(Measure("count", target.table, target.column)))
        sketch.cost += 0.3


def _in_all(sketch: Sketch) -> bool:
    """“total subjects”, “orders in total”: their number."""
    said = [part.said.lower() for part in (*sketch.flags("all"), *sketch.flags("aggregate"))]
    others = sketch.wanted or sketch.shown or sketch.data("rank") or sketch.context or sketch.flags("list")
    thing = sketch.target is not None and sketch.target.column is None
    worth = any(sketch.lattice.at(at, "worth") for at in range(len(sketch.lattice.words)))
    return bool(thing and not others and not worth and IN_ALL & {*said})


def _total_of_shown(sketch: Sketch) -> None:
    """“total of overdue invoices gross”: of the one amount named beside the rows."""
    said = {part.said.lower() for part in (*sketch.flags("all"), *sketch.flags("aggregate"))}
    others = sketch.wanted or sketch.data("rank") or sketch.context or sketch.flags("list")
    if others or len(sketch.shown) != 1 or (sketch.data("group") and not IN_ALL & said):
        return
    amount = sketch.shown[0]
    many = name_parts(amount.column)[-1]
    counted = singular(many) != many and sketch.parts("period") and not sketch.parts("noun")  # “logins in october”
    if not (IN_ALL & said or (counted and not display(sketch.lexicon, amount.table))):
        return
    if is_numeric(sketch.lexicon, amount) and adds_up(sketch.lexicon, amount):
        sketch.flag("aggregate")
        sketch.shown.clear()
        sketch.wanted.append(Wanted(Measure("sum", amount.table, amount.column)))


def _counted_first(sketch: Sketch) -> None:
    """“reviews per app and the average rating”: their number too."""
    first, split = next(iter(sketch.parts("noun")), None), next(iter(sketch.parts("group")), None)
    figures = sketch.parts("measure")
    if first is None or split is None or len(figures) != 1 or len(sketch.wanted) != 1 or sketch.data("rank"):
        return
    before = {word.key for word in sketch.lattice.words[max(0, figures[0].start - 2) : figures[0].start]}
    measure = sketch.wanted[0].measure
    if first.end == split.start < figures[0].start and "and" in before and first.data == measure.table:
        sketch.wanted.insert(0, Wanted(Measure("count", measure.table)))


def _averaged_rows(sketch: Sketch) -> None:
    """“avg tickets per day”: of their numbers; “avg wait per terminal”: of what each wait measures."""
    means = [part for part in sketch.flags("aggregate") if part.data.value in ("avg", "median")]
    rows = [part for part in sketch.parts("noun") if means and part.start == means[0].end]
    if rows and sketch.data("group") and not sketch.wanted and not sketch.shown and not sketch.data("rank"):
        sketch.flag("aggregate")
        table, how = str(rows[0].data), means[0].data.value
        if (own := measured(sketch.lexicon, table)) and how == "avg":
            sketch.wanted.append(Wanted(Measure("avg", table, own.column)))
            return
        sketch.wanted.append(Wanted(Measure("count", table), how))


def _counted_such(sketch: Sketch) -> None:
    """“upcoming surgeries per clinic”: rows called by a quality of theirs; not rows of totals."""
    others = sketch.wanted or sketch.target or sketch.shown or sketch.data("rank") or sketch.data("having")
    tables = {table for part in sketch.parts("filter") for table in part.tables}
    if others or not sketch.data("group") or len(tables) != 1:
        return
    table = next(iter(tables))
    fields = [Field(table, column.name) for column in sketch.lexicon.table(table).columns]
    totals = any(is_numeric(sketch.lexicon, field) and not averaged(field) for field in fields)
    if days(sketch.lexicon, table) and not display(sketch.lexicon, table) and not totals:
        sketch.wanted.append(Wanted(Measure("count", table)))
        sketch.cost += 0.4


def _fresh(sketch: Sketch) -> bool:
    """“new accounts this year” asks how many; “list new accounts” does not."""
    timed = sketch.parts("period") or any(group.unit for found in sketch.data("group") for group in found)
    listing = sketch.flags("list") or sketch.flags("who") or sketch.data("rank") or sketch.context
    shown = len(sketch.shown) > 1 or bool(sketch.shown and sketch.parts("noun"))
    return bool(sketch.flags("new") and timed and not shown and sketch.target and not sketch.wanted and not listing)


def _counted_too(sketch: Sketch) -> None:
    """“uncollectible invoices by segment (count and net amount)”: rows beside their total."""
    tables = {wanted.measure.table for wanted in sketch.wanted}
    nouns = {str(part.data) for part in sketch.parts("noun")}
    if len(tables) == 1 and any(_counts_rows(sketch, wanted.measure) for wanted in sketch.wanted):
        sketch.flag("count")
    elif len(tables) == 1 and tables <= nouns:
        sketch.flag("count")
        sketch.wanted.insert(0, Wanted(Measure("count", next(iter(tables)))))
        sketch.cost += 0.3


def _counts_rows(sketch: Sketch, measure: Measure) -> bool:
    """Whether a figure counts rows: beside “bookings”, “how many” asks for nothing more."""
    metric = sketch.lexicon.metric_of(measure)
    return (metric is not None and counts_rows(metric)) or (measure.function == "count" and measure.column is None)
