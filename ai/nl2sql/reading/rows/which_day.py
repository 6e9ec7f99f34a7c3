"""Which day of the rows a time asked about means: the one named, done, planned or always known."""

from ai.nl2sql.chart.parts import Part, When
from ai.nl2sql.deeds import is_deed, names_deed, rows_made
from ai.nl2sql.meaning import Field, Measure
from ai.nl2sql.reading.rows.happenings import day_of_deed, day_of_value
from ai.nl2sql.reading.sketch import Sketch, is_fact, many_between
from ai.nl2sql.schema import always_known, days, display, end_day, figure_days, is_year, noun, surest_days, title
from ai.nl2sql.spans import BORN, ENDS_OF_NAMES, STARTS, dates, verb_of
from ai.nl2sql.vocabulary import is_kind
from ai.nl2sql.words import is_participle, keys, name_parts, singular, stem

FAR_DAY = 0.3
MAKING = frozenset("created added inserted booked ordered placed".split())  # days on which rows come to be
PLANNED = frozenset("planned scheduled expected due target".split())
ACTUAL = frozenset("actual real done completed finished performed executed delivered".split())
HAPPENED = frozenset("done actual actually completed finished performed happened executed took delivered".split())
OVER = frozenset("left quit ended cancelled churned resigned departed terminated expired".split())
BEGUN = frozenset("start starts begin begins".split())
MADE = frozenset("made created placed added new".split())
PLACED = frozenset({"order", "purchase", "bet"})  # what `placed_at` tells of as `ordered_at` does


def day_field(sketch: Sketch, part: Part) -> Field | None:
    """The column of days of a span; several likely ones are a doubt."""
    absent = _related_before(sketch, part)
    told = None if absent else day_of_deed(sketch, part) or _day_by_definition(sketch) or day_of_value(sketch, part)
    if told and not _is_undone(sketch, told, part):
        return told
    for table in (*absent, *_events_before(sketch, part), *measured_tables(sketch)):
        if not table:
            continue
        own = days(sketch.lexicon, table) or _births(sketch, table, part)
        columns = own or _months(sketch, table) or days_of_whole(sketch, table)
        columns = [day for day in columns if not _is_undone(sketch, day, part)] or columns
        if len(columns) == 1:
            sketch.cost += FAR_DAY * _is_far(sketch, columns[0])
            if _is_of_another(sketch, columns[0]):
                sketch.assume(f"“{part.said}” was read as {title(columns[0])}")
            return columns[0]
        if columns:
            dated = {word.key for word in sketch.lattice.words} & {"date", "dates"}
            worded, begun = _told_by_word(sketch, columns), begun_days(columns)
            own = worded or _said_or_named(sketch, columns)
            always = always_known(sketch.lexicon, columns)
            own = own or (always if dated else surest_days(sketch.lexicon, columns)) or begun
            if len(own) == 1:
                if own not in (worded, day_of_deed_named(columns), begun):
                    sketch.assume(f"“{part.said}” was read as {title(own[0])}")
                return own[0]
            names = " or ".join(title(field) for field in columns)
            sketch.doubt(f"“{part.said}” can be {names}: which one do you mean?")
            sketch.rival_days = tuple(columns)
            return columns[0]
        years = [
            Field(table, c.name)
            for c in sketch.lexicon.table(table).columns
            if is_year(sketch.lexicon, Field(table, c.name))
        ]
        if len(years) == 1:
            return years[0]
    nouns = measured_tables(sketch)
    things = noun(sketch.lexicon, nouns[0]) if nouns and nouns[0] else "this data"
    sketch.doubt(f"“{part.said}” needs a date, and {things} {'has' if things == 'this data' else 'have'} no date here.")
    return None


def _births(sketch: Sketch, table: str, part: Part) -> list[Field]:
    """Return the days of birth, where a time is of ages or of births: nobody asks for the month of one unsaid."""
    words = {word.stem for word in sketch.lattice.words}
    said = isinstance(part.data, When) and bool(part.data.age)
    said = said or bool(words & {stem(word) for word in (*BORN, "aged", "young", "old")})
    found = [column for column in dates(sketch.lexicon.table(table)) if BORN & {*name_parts(column.name)}]
    return [Field(table, column.name) for column in found] if said else []


def _is_undone(sketch: Sketch, day: Field, period: Part) -> bool:
    """Whether rows that did not yet come to this day are asked for: orders of last week “not delivered yet”."""
    tests = [test for part in sketch.parts("filter") for test in part.data if test.field.table == day.table]
    deed = {stem(part) for part in verb_of(day.column)}
    other = [test for test in tests if test.operator in ("!=", "not in")]
    if any(deed & {stem(word) for value in test.values for word in keys(str(value))} for test in other):
        return True
    empty = any(test.field == day and test.operator == "null" for test in tests)
    return empty and sketch.lattice.words[period.start - 1].stem not in deed  # “not closed this year” is asked back


def day_of_many(sketch: Sketch, part: Part, root: str) -> Field | None:
    """Return the day of the rows named or done before a time, of which each thing may have many."""
    named = [str(noun.data) for noun in sketch.parts("noun")] + [test.field.table for test in sketch.meaning.filters]
    before = sketch.lattice.words[part.start - 1].key if part.start else ""
    below = [table for table in dict.fromkeys(named) if table != root and many_between(sketch.lexicon, root, table)]
    if not below and is_deed(before):
        tables = [table for name, table in sketch.lexicon.tables.items() if many_between(sketch.lexicon, root, name)]
        below = list(dict.fromkeys(name for name, *_ in rows_made(before, tables, sketch.lexicon)))
    columns = days(sketch.lexicon, below[0]) if len(below) == 1 else []
    kept = columns if len(columns) < 2 else day_of_deed_named(columns) or surest_days(sketch.lexicon, columns)
    return kept[0] if len(kept) == 1 else None


def compared_day(sketch: Sketch, part: Part) -> Field | None:
    """“cancelled in 2026 vs 2025”: both times are of the day named."""
    for sign in sketch.flags("versus"):
        before = next((other for other in sketch.parts("period") if 0 <= sign.start - other.end <= 1), None)
        if before and 0 <= part.start - sign.end <= 1 and isinstance(before.data, When):
            return before.data.field
    return None


def birth(sketch: Sketch, when: When) -> Field | None:
    """The first day of an age, where the things asked about have births."""
    tables = [table for table in measured_tables(sketch) if table][:1] if when.age else []
    born = [Field(t, c.name) for t in tables for c in dates(sketch.lexicon.table(t)) if BORN & set(name_parts(c.name))]
    return born[0] if born else None


def _day_by_definition(sketch: Sketch) -> Field | None:
    """The day that goes with a figure: its event's, or its metric's own."""
    own = [wanted.day for wanted in sketch.wanted if wanted.day]
    for measure in figures_of(sketch):
        metric = sketch.lexicon.metric_of(measure)
        own += figure_days(sketch.lexicon, measure)[:1] if metric and metric.date else []
    return own[0] if own else None


def _months(sketch: Sketch, table: str) -> list[Field]:
    return [Field(table, column.name) for column in sketch.lexicon.table(table).columns if column.has_months]


def _is_far(sketch: Sketch, day: Field) -> bool:
    """Whether a day is an unlikely one: `out_of_service_since` of “units let in 2025”."""
    parts = set(name_parts(day.column))
    named = bool(display(sketch.lexicon, day.table)) and sketch.lexicon.column(day).may_miss
    return named and not parts & (STARTS | MAKING) and not parts & {word.key for word in sketch.lattice.words}


def _is_of_another(sketch: Sketch, day: Field) -> bool:
    """Whether a day tells of something neither its table nor the question names: `loyalty_joined_on` of guests."""
    own = {stem(word) for word in name_parts(day.table)} | {word.stem for word in sketch.lattice.words}
    told = set(name_parts(day.column)) - ENDS_OF_NAMES
    others = told - STARTS - MAKING
    return bool(others and others < told) and not own & {stem(word) for word in others}


def _events_before(sketch: Sketch, period: Part) -> list[str]:
    """The events whose state stands right before a time: “animals discharged this year”."""
    tables = [p.data[0].field.table for p in sketch.parts("filter") if 0 <= period.start - p.end <= 1]
    things = {wanted.measure.table for wanted in sketch.wanted} or {sketch.target.table if sketch.target else ""}
    return [
        table
        for table in tables
        if days(sketch.lexicon, table)
        and all(
            thing and display(sketch.lexicon, thing) and many_between(sketch.lexicon, thing, table) for thing in things
        )
    ]


def _related_before(sketch: Sketch, period: Part) -> list[str]:
    """The table of a time right behind what things have or lack: “accounts without tickets in October”."""
    said = [p for p in sketch.parts("presence") if 0 <= period.start - p.end <= 1]
    rows = sketch.target.table if sketch.target else sketch.meaning.subject
    dated = [_dated(part.data.table, sketch) if part.data.present else part.data.table for part in said]
    return [table for table in dated if table and (not rows or many_between(sketch.lexicon, rows, table))]


def _dated(table: str, sketch: Sketch) -> str:
    """Return a table with days, of lines that of their whole: the order of an order line; "" without one."""
    if days(sketch.lexicon, table):
        return table
    wholes = {link.target for link in sketch.lexicon.links.steps.get(table, ()) if not link.many}
    sales = [whole for whole in sorted(wholes) if is_kind(whole, "sale") and days(sketch.lexicon, whole)]
    return sales[0] if len(sales) == 1 else ""


def days_of_whole(sketch: Sketch, table: str) -> list[Field]:
    """Return the days of the whole: the items of an order have its day."""
    before = sketch.context.all_measures if sketch.context else ()
    asked_for = sketch.target.table if sketch.target and not sketch.parts("attribute") else ""  # “tickets last month”
    if table not in {asked_for, *(measure.table for measure in (*figures_of(sketch), *before))}:
        return []
    asked = {sketch.target.table if sketch.target else "", *(group.table for group in sketch.meaning.groups)}
    wholes = {link.target for link in sketch.lexicon.links.steps.get(table, ()) if not link.many}
    dated = [whole for whole in sorted(wholes) if days(sketch.lexicon, whole)]
    events = [whole for whole in dated if is_fact(sketch.lexicon, whole)]  # of an order, not of a product
    events = [whole for whole in events if is_kind(whole, "sale")] or events  # of an order, not of what was bought in
    events = events or [whole for whole in dated if whole not in asked]
    return list(days(sketch.lexicon, events[0])) if len(events) == 1 else []


def _told_by_word(sketch: Sketch, days_of_table: list[Field]) -> list[Field]:
    """Return the only day told by a word: of episodes published `published_at`, of visits done `actual_date`."""
    if sketch.flags("share"):
        return []  # “the share of cancelled bookings this year” is of those booked then
    several = {
        at  # “rejected vs completed” are two states, and no day of one
        for part in sketch.parts("filter")
        if any(len(test.values) > 1 for test in part.data)
        for at in range(part.start, part.end)
    }
    words = sketch.lattice.words
    done = {word.stem for at, word in enumerate(words) if at not in several and is_participle(word.key)}
    done |= {word.stem for asked, who, word in zip(words, words[1:], words[2:], strict=False)
             if asked.key == "did" and who.key in ("we", "they")}  # “how much did we refund”  # fmt: skip
    told = [field for field in days_of_table if done & {stem(part) for part in verb_of(field.column)}]
    over = end_day(sketch.lexicon.table(days_of_table[0].table), "over")
    if not told and over in days_of_table and OVER & {word.key for word in sketch.lattice.words}:
        return [over]  # “who left this year” by `ended_on`
    tests = (test for part in sketch.parts("filter") for test in part.data)
    late = next((test.field for test in tests if {test.field, test.other} <= {*days_of_table}), None)
    day = late or _planned_or_actual(sketch, days_of_table)
    return told if len(told) == 1 else [day] if day else _day_of_reason(sketch, days_of_table)


def _day_of_reason(sketch: Sketch, days_of_table: list[Field]) -> list[Field]:
    """Return the day of a deed whose reason is shown: `cancelled_at` beside `cancellation_reason`."""
    table = days_of_table[0].table
    shown = [*sketch.meaning.columns, *(Field(g.table, g.column) for g in sketch.meaning.groups if g.column)]
    deeds = [
        name_parts(field.column)[0] for field in shown if field.table == table and len(name_parts(field.column)) > 1
    ]
    found = [
        day for day in days_of_table if any(names_deed(deed, verb) for deed in deeds for verb in verb_of(day.column))
    ]
    return found if len(found) == 1 else []


def _said_or_named(sketch: Sketch, days_of_table: list[Field]) -> list[Field]:
    """Return the only day named like the rows: of bookings `booked_on`, of those made `created_at`."""
    words = {word.key for word in sketch.lattice.words}
    made = [field for field in days_of_table if MAKING & set(name_parts(field.column))] if words & MADE else []
    return made if len(made) == 1 else day_of_deed_named(days_of_table)


def _planned_or_actual(sketch: Sketch, days_of_table: list[Field]) -> Field | None:
    """Return the planned one of a planned and an actual day; the actual one of what is said to be done."""
    planned = [field for field in days_of_table if PLANNED & set(name_parts(field.column))]
    actual = [field for field in days_of_table if ACTUAL & set(name_parts(field.column))]
    if len(planned) != 1 or len(actual) != 1 or len(days_of_table) > 2:
        return None
    values = {str(value).lower() for test in sketch.meaning.filters for value in test.values}
    said = {word.key for word in sketch.lattice.words}
    return actual[0] if HAPPENED & (values | said) else planned[0]


def day_of_deed_named(days_of_table: list[Field]) -> list[Field]:
    """Return the day called like the table: `ordered_at` of orders, `applied_on` of applications."""
    if not days_of_table:
        return []
    own = [singular(part) for part in name_parts(days_of_table[0].table)]
    found = [
        field
        for field in days_of_table
        if any(_is_done_to(noun, verb) for noun in own for verb in verb_of(field.column))
    ]
    return found if len(found) == 1 else []


def _is_done_to(noun: str, verb: str) -> bool:
    return stem(noun) == stem(verb) or names_deed(noun, verb) or (verb == "placed" and noun in PLACED)


def begun_days(days_of_table: list[Field]) -> list[Field]:
    """Return the only day on which rows that happen begin: `starts_at` of shows, not `onsale_on`."""
    found = [field for field in days_of_table if BEGUN & set(verb_of(field.column))]
    return found if len(found) == 1 and is_kind(days_of_table[0].table, "happening") else []


def measured_tables(sketch: Sketch) -> list[str]:
    """The tables of the days, likeliest first."""
    meaning = sketch.meaning
    figures = [measure.table for measure in meaning.all_measures] + [w.measure.table for w in sketch.wanted]
    absent = [presence.table for presence in meaning.presences]
    said = [part.data for part in sketch.parts("noun") if isinstance(part.data, str)]
    links = sketch.lexicon.links
    likely = sorted(
        said, key=lambda t: -sum(1 for o in said if (path := links.path(t, o)) and not any(x.many for x in path))
    )
    filters = [f.field.table for f in meaning.filters]
    before = [m.table for m in sketch.context.all_measures] + [sketch.context.subject] if sketch.context else []
    return list(dict.fromkeys((*figures, *absent, *likely, meaning.subject, *filters, *before)))


def figures_of(sketch: Sketch) -> list[Measure]:
    """The figures asked for, ranked or compared by."""
    ranks = [rank.key for rank in sketch.data("rank") if isinstance(rank.key, Measure)]
    return [*(wanted.measure for wanted in sketch.wanted), *sketch.meaning.all_measures, *ranks]
