"""Questions without a figure, a group or a time, asked back with the choices of the data."""

import re
from dataclasses import replace

from ai.nl2sql.chart.parts import Rank
from ai.nl2sql.definitions import metric_field
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.line_values import QUANTITIES
from ai.nl2sql.meaning import Field, Group, Meaning, Measure, Order
from ai.nl2sql.reading.accounts.elsewhere import of_events
from ai.nl2sql.reading.accounts.mistaken import MONEY_NAMES, RATED, how_much_of_things
from ai.nl2sql.reading.rows.everything import went_through
from ai.nl2sql.reading.sketch import Sketch, is_fact, many_between
from ai.nl2sql.schema import (
    adds_up,
    averaged,
    days,
    display,
    figure_days,
    is_numeric,
    main_amount,
    noun,
    numbered_by,
    title,
)
from ai.nl2sql.spans import dates
from ai.nl2sql.words import keys, name_parts, plural, stem

MOST = 4
MONEY_UNIT = re.compile(r"[A-Z]{3}")  # of a currency
MANY = 60
PRICES = frozenset({"price", "cost", "fee"})
AVERAGES = frozenset({"average", "avg", "mean", "typical"})
MONEY_MOVED = frozenset("received collected taken spent earned made billed refunded donated".split())
TRADED = frozenset("sold bought ordered purchased used consumed shipped sell buy order purchase use ship".split())
PAYING = frozenset({"pay", "pays", "paid"})
SOLD = frozenset(map(stem, ("sales", "expenses", "costs", "spending", "earnings")))
IN_ALL = frozenset(("total", "overall"))
LEVELS = frozenset("quantity qty menge bestand stock level balance units".split())
BARE_VERBS = frozenset({"show", "me", "give", "display", "list", "get", "the", "our", "please", "see", "us"})


def figures_about(lexicon: Lexicon, table: str, most: int = MOST) -> list[Measure]:
    """Return the figures about the things of a table: those defined first, then totals of events."""
    found = [Measure("metric", m.table, metric_field(m).column) for m in lexicon.metrics.values()]
    for event in lexicon.catalog.tables:
        if is_fact(lexicon, event.name):
            fields = (Field(event.name, column.name) for column in event.columns)
            found += [
                Measure("avg" if averaged(f) else "sum", f.table, f.column) for f in fields if is_numeric(lexicon, f)
            ]
    reached = [
        m
        for m in found
        if not table
        or (m.table != table and lexicon.links.path(m.table, table) and not many_between(lexicon, m.table, table))
    ]
    plain = sorted(
        reached,
        key=lambda m: m.function == "metric" and m.table not in {o.table for o in reached if o.function != "metric"},
    )
    return plain[:most]


def vague(sketch: Sketch) -> None:
    """Ask back where a message is not wrong, but says too little."""
    _of_either_day(sketch)
    _how_many_or_much(sketch)
    how_much_of_things(sketch)
    _rows_or_pieces(sketch)
    _paid_or_tried(sketch)
    _at_events(sketch)
    _ranked_by_nothing(sketch)
    _about_one(sketch)
    _bare_figure(sketch)
    _ranked_by_price(sketch)
    _kinds_by_rows(sketch)


def _of_either_day(sketch: Sketch) -> None:
    """“orders in October”: by any of the days that an order has."""
    days_meant, meaning = sketch.rival_days, sketch.meaning
    if len(days_meant) < 2 or len(sketch.problems) > 1 or sketch.choices or sketch.unread():
        return
    if {period.field for period in meaning.periods} - {days_meant[0]} or len(days_meant) > MOST:
        return
    meanings = [_by_day(meaning, days_meant[0], day) for day in days_meant]
    sketch.ask_back(sketch.problems[0], meanings)


def _by_day(meaning: Meaning, taken: Field, day: Field) -> Meaning:
    """Move the times and the groups of time from one day to another."""
    cut = Group(taken.table, taken.column)
    groups = (
        replace(group, column=day.column) if group.unit and replace(group, unit=None) == cut else group
        for group in meaning.groups
    )
    periods = (replace(period, field=day) for period in meaning.periods)
    return replace(meaning, periods=tuple(periods), groups=tuple(groups))


def _at_events(sketch: Sketch) -> None:
    """“how many X-rays in October”: by what was done with them then."""
    dateless = len(sketch.problems) == 1 and "needs a date" in sketch.problems[0]
    if dateless and not sketch.choices and not sketch.unread() and (meanings := of_events(sketch)):
        sketch.ask_back(f"{sketch.problems[0]} Which of these do you mean?", list(meanings))


def _how_many_or_much(sketch: Sketch) -> None:
    """“payments received last month”: their number or their amount."""
    meaning, said = sketch.meaning, {word.key for word in sketch.lattice.words}
    defined = sketch.lexicon.metric_of(meaning.measures[0]) if len(meaning.measures) == 1 else None
    if (
        defined
        and MONEY_UNIT.fullmatch(defined.unit)
        and said & {"many", "often"}
        and not sketch.problems
        and not meaning.fold
    ):
        rows = meaning.exchanged(meaning.measures[0], Measure("count", defined.table))
        sketch.ask_back("How many or how much?", [rows, meaning])
        return
    counted = meaning.measures == (Measure("count", meaning.root),) and not sketch.flags("count")
    spoken = any(part.said.lower().startswith(("how", "number", "count", "#")) for part in sketch.parts("measure"))
    if not counted or spoken or sketch.problems or sketch.choices or meaning.fold:
        return
    amount, named = main_amount(sketch.lexicon, meaning.root), set(map(stem, name_parts(meaning.root)))
    values = {stem(word) for test in meaning.filters for value in test.values for word in keys(str(value))}
    spent = values & MONEY_NAMES and not meaning.groups  # “surveyor expenses 2025”
    moved = spent or (said & MONEY_MOVED and named & MONEY_NAMES)
    whole = meaning.groups == () or named & MONEY_NAMES
    in_all = said & IN_ALL and whole and amount and adds_up(sketch.lexicon, amount)
    sold = stem(name_parts(meaning.root)[-1]) in SOLD  # not the sales reps
    if amount and (moved or in_all or sold or _is_snapshot(sketch.lexicon, amount)):
        total = Measure("sum", amount.table, amount.column)
        sketch.ask_back("How many or how much?", [meaning.exchanged(meaning.measures[0], total), meaning])


def _is_snapshot(lexicon: Lexicon, amount: Field) -> bool:
    """Whether a table has an amount of each thing on each day, such as stock: nobody counts its rows."""
    table = lexicon.table(amount.table)
    level = bool(LEVELS & set(name_parts(amount.column)))
    return level and len(table.primary_key) > 1 and any(day.name in table.primary_key for day in dates(table))


def _rows_or_pieces(sketch: Sketch) -> None:
    """“tickets sold last month”: the sales, or the pieces sold in them."""
    meaning, said = sketch.meaning, {word.key for word in sketch.lattice.words}
    counted = meaning.measures == (Measure("count", meaning.root),)
    if not counted or not said & TRADED or sketch.problems or sketch.choices or meaning.fold:
        return
    columns = sketch.lexicon.table(meaning.root).columns
    rows = set(name_parts(meaning.root)[-1:])
    if {plural(part) for part in rows} & said or (rows & said and not rows & TRADED):
        return  # “sales” and “orders” are rows
    pieces = [column.name for column in columns if name_parts(column.name)[-1] in QUANTITIES]
    if len(pieces) == 1:
        total = Measure("sum", meaning.root, pieces[0])
        sketch.ask_back("How many pieces, or how many rows?", [meaning.exchanged(meaning.measures[0], total), meaning])


def _paid_or_tried(sketch: Sketch) -> None:
    """“who has paid”: by payments of any state, or by good ones."""
    meaning, lexicon = sketch.meaning, sketch.lexicon
    said = {word.key for word in sketch.lattice.words}
    if sketch.problems or sketch.choices or not said & PAYING or not meaning.subject:
        return
    tables = {there.table for there in meaning.presences} or {test.field.table for test in meaning.conditions}
    table = next((table for table in sorted(tables) if many_between(lexicon, meaning.root, table)), "")
    done = went_through(lexicon, table) if table else None
    tests = (*meaning.conditions, *(test for there in meaning.presences for test in there.where))
    if done and all(test.field != done.field for test in tests):
        told = replace(meaning, presences=tuple(replace(p, where=(*p.where, done)) for p in meaning.presences))
        told = told if meaning.presences else replace(meaning, filters=(*meaning.filters, done))
        sketch.ask_back(f"Any of the {noun(lexicon, table)}, or only those that went through?", [told, meaning])


def _kinds_by_rows(sketch: Sketch) -> None:
    """“the cheapest category”: by the average of its things, or by a single one of them."""
    meaning, lexicon = sketch.meaning, sketch.lexicon
    key = meaning.order[0].key if meaning.order and meaning.limit else None
    kinds = [field for field in sketch.shown if len(lexicon.column(field).values) > 1]
    if not isinstance(key, Field) or not is_numeric(lexicon, key) or len(kinds) != 1 or len(sketch.shown) > 1:
        return
    kind = kinds[0]
    called = (*display(lexicon, kind.table), *numbered_by(lexicon.table(kind.table)))
    rows = meaning.groups or meaning.measures or any(part.data == kind.table for part in sketch.parts("noun"))
    named = stem(name_parts(key.column)[0]) in {stem(word) for part in sketch.parts("rank") for word in keys(part.said)}
    if rows or named or kind.table != key.table or kind in called or sketch.problems or sketch.choices:
        return
    first = meaning.order[0]
    one = Measure("max" if first.descending else "min", key.table, key.column)
    base = replace(meaning, columns=(), distinct=False, groups=(Group(kind.table, kind.column),))
    ways = (Measure("avg", key.table, key.column), one)
    if RATED & set(name_parts(key.column)):  # the worst rating of a country is that of many reviews
        sketch.flag("aggregate")  # “on average”
        sketch.meaning = replace(base, order=(replace(first, key=ways[0]),))
        return
    end = "highest" if first.descending else "lowest"
    sketch.ask_back(f"By the average or by the {end} {title(key)}?",
         [replace(base, order=(replace(first, key=way),)) for way in ways])  # fmt: skip


def _ranked_by_price(sketch: Sketch) -> None:
    """“top 3 sponsors by price”: by the total or the average of their bookings."""
    meaning = sketch.meaning
    key = meaning.order[0].key if meaning.order else None
    if not isinstance(key, Measure) or (key.function, key.table) == ("avg", meaning.subject) or not sketch.data("rank"):
        return
    if key.function != "avg" or not key.column or sketch.problems or sketch.choices or meaning.fold:
        return
    spoken = any(word.key in AVERAGES for word in sketch.lattice.words)
    if spoken or not PRICES & set(name_parts(key.column)) or len(sketch.lexicon.table(key.table).primary_key) != 1:
        return
    things = bool(display(sketch.lexicon, key.table))  # the price of a thing does not add up, that of a booking does
    other: Measure = replace(key, function=("max" if meaning.order[0].descending else "min") if things else "sum")
    ways = [key, other] if things else [other, key]
    meanings = [replace(meaning, measures=(), order=(replace(meaning.order[0], key=way),)) for way in ways]
    end = "highest" if meaning.order[0].descending else "lowest"
    sketch.ask_back(f"By the average or by the {end}?" if things else "By the total or by the average?", meanings)


def _ranked_by_nothing(sketch: Sketch) -> None:
    ranks = [r for r in sketch.data("rank") if isinstance(r, Rank)]
    target = sketch.target
    if not sketch.problems or target is None or any(r.key for r in ranks) or not ranks or sketch.unread():
        return
    figures = figures_about(sketch.lexicon, target.table)
    if target.column and {part.kind for part in sketch.cover.parts} - {"rank", "attribute", "flag", "filter", "period"}:
        return
    if target.column and len(sketch.parts("attribute")) > 1:
        return
    if target.column:
        own = [m for m in figures_about(sketch.lexicon, "", most=MANY) if m.table == target.table]
        figures = [*(own or [Measure("count", target.table)]), *figures][:MOST]
    if "rank" not in sketch.problems[0] or len(figures) < 2:
        return
    limit = next((r.limit for r in ranks if r.limit), None) or 1
    rank = ranks[0]
    base = replace(sketch.meaning, groups=(target,), columns=(), distinct=False, limit=limit)
    meanings = [replace(base, order=(Order(figure, rank.descending),)) for figure in figures]
    sketch.ask_back(f"By what do you want to rank the {_things(sketch, target)}?", meanings)


def _things(sketch: Sketch, target: Group) -> str:
    if target.column:
        return plural(title(Field(target.table, target.column)))
    return noun(sketch.lexicon, target.table)


def _about_one(sketch: Sketch) -> None:
    if not sketch.problems or not sketch.problems[0].startswith("What do you want"):
        return
    fields = [*(test.field for test in sketch.meaning.filters), *(time.field for time in sketch.meaning.periods)]
    figures = figures_about(sketch.lexicon, fields[0].table)
    meanings = [_of_figure(sketch, figure) for figure in figures]
    if len(meanings) > 1 and not sketch.unread():
        sketch.ask_back(sketch.problems[0], meanings)


def _of_figure(sketch: Sketch, figure: Measure) -> Meaning:
    """Ask for a figure instead of its thing, by its own day, for each of several."""
    meaning, day = sketch.meaning, next(iter(figure_days(sketch.lexicon, figure)), None)
    periods = tuple(replace(period, field=day or period.field) for period in meaning.periods)
    several = [test.field for test in meaning.filters if len(test.values) > 1]
    groups = tuple(dict.fromkeys(Group(field.table) for field in several))
    return replace(meaning, columns=(), distinct=False, measures=(figure,), subject=figure.table, periods=periods,
                   groups=groups, order=(Order(figure, descending=True),) if groups else ())  # fmt: skip


def _bare_figure(sketch: Sketch) -> None:
    """Ask for the time: “show me revenue”."""
    meaning = sketch.meaning
    said = {word.key for word in sketch.lattice.words}
    figures = [part for part in sketch.cover.parts if part.kind in ("measure", "attribute")]
    others = [part for part in sketch.cover.parts if part.kind not in ("measure", "attribute", "flag")]
    if sketch.context or sketch.problems or sketch.choices or others or len(figures) != 1 or len(meaning.measures) != 1:
        return
    words = sketch.lattice.words[: figures[0].start]
    bare = (
        bool(words)
        and all(word.key in BARE_VERBS for word in words)
        and not said - BARE_VERBS - _own(sketch, figures[0].start)
    )
    fields = days(sketch.lexicon, meaning.measures[0].table)
    if bare and len(fields) == 1 and not meaning.groups:
        day = fields[0]
        along = replace(meaning, groups=(Group(day.table, day.column, "month"),))
        sketch.ask_back("Of all time, or month by month?", [meaning, along])


def _own(sketch: Sketch, start: int) -> set[str]:
    return {word.key for word in sketch.lattice.words[start:]}
