"""Find the days of a time: an age, a month to come; and states: “still open”."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

from ai.language.spans import STEPS, Span
from ai.nl2sql.additivity import held, is_of_now
from ai.nl2sql.chart.parts import Part, When
from ai.nl2sql.definitions import is_term
from ai.nl2sql.lattice import Item
from ai.nl2sql.meaning import Field, Filter, Group, Period
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.schema import days, display, end_day, title
from ai.nl2sql.spans import DATED, is_first_day, is_span, parts_of, span_field
from ai.nl2sql.values import truths
from ai.nl2sql.words import Word, name_parts, singular

REACHED = frozenset(
    "passed failed completed finished resolved approved rejected won lost cancelled canceled paid delivered".split()
)

FUTURE = frozenset("planned scheduled upcoming will forthcoming coming expected expire expires expiring".split())
BACK = frozenset("last previous past ago were was did this".split())
MONTH = range(28, 32)  # days
PLANNED = frozenset("starting beginning ending due renewing arriving departing launching starts begins ends".split())
PLANS = frozenset(
    {"start", "begin", "end", "renew", "arrive", "launch"}
)  # after those who will: “that end in December”
SOON = timedelta(days=62)
GOING = frozenset({"active", "running", "live", "open", "current"})
BE = frozenset({"is", "are", "was", "were"})


def aged(sketch: Sketch, when: When) -> Span:
    if when.age is None:
        return _to_come(sketch, when.span)
    sign, number, unit = when.age
    edge = sketch.today - STEPS[unit] * number
    if sign == ">":
        return Span(None, edge)
    return Span(edge + timedelta(days=unit == "year"), None)  # who turns 18 today is not under 18


def _to_come(sketch: Sketch, span: Span) -> Span:
    """“planned for December”: the next one, where no year is said."""
    words = {word.key for word in sketch.lattice.words}
    if words & BACK or any(word.number for word in sketch.lattice.words):
        return span
    if not span.start or not span.end or span.end > sketch.today or (span.end - span.start).days not in MONTH:
        return span
    start, end = (day.replace(year=day.year + 1) for day in (span.start, span.end))
    soon = start - sketch.today < SOON and _is_planned(sketch.lattice.words)
    return Span(start, end) if soon or FUTURE & words else span


def _is_planned(words: Sequence[Word]) -> bool:
    """Whether a verb looks ahead: “starting in December”, “which contracts end in January”."""
    after = pairwise(words)
    who = any(b.key in PLANS and (a.key in ("that", "which", "who") or singular(a.key) != a.key) for a, b in after)
    return who or any(word.key in PLANNED for word in words)


def same_day(sketch: Sketch) -> None:
    """Cut rows by the day of their time, where “per month” names no other."""
    named = {group.column for found in sketch.data("group") for group in found if group.table}
    about = {(period.field.table, period.field.column) for period in sketch.meaning.periods}

    def moved(group: Group) -> Group:
        own = [column for table, column in about if table == group.table]
        loose = group.unit and len(own) == 1 and group.column not in named
        return replace(group, column=own[0]) if loose else group

    sketch.edit(groups=tuple(map(moved, sketch.meaning.groups)))
    _by_named_day(sketch)


def _by_named_day(sketch: Sketch) -> None:
    """“per month by meal date”: the months are those of that day."""
    said = [group for found in sketch.data("group") for group in found]
    units = [group.unit for group in said if not group.table and group.unit]
    named = [group for group in said if group.table and group.column and not group.unit]
    days = [group for group in named if sketch.lexicon.column(Field(group.table, group.column or "")).kind in DATED]
    if len(units) != 1 or len(days) != 1:
        return
    day = Field(days[0].table, days[0].column or "")
    others = tuple(group for group in sketch.meaning.groups if not group.unit)
    moved = tuple(replace(p, field=day) if p.field.table == day.table else p for p in sketch.meaning.periods)
    sketch.edit(groups=(Group(day.table, day.column, units[0]), *others), periods=moved)


def reaching(sketch: Sketch) -> None:
    """Put a time to come on a day ahead: orders of next week are not those ordered then."""
    sketch.edit(periods=tuple(_ahead(sketch, period) for period in sketch.meaning.periods))


def _ahead(sketch: Sketch, period: Period) -> Period:
    table = period.field.table
    if (
        not period.start
        or period.start <= sketch.today
        or table not in sketch.lexicon.tables
        or not _done(period.field)
    ):
        return period
    said = {part.data for part in sketch.parts("attribute")} | {test.field for test in sketch.meaning.filters}
    open_days = [day for day in days(sketch.lexicon, table) if not _done(day)]
    return replace(period, field=open_days[0]) if len(open_days) == 1 and period.field not in said else period


def _done(day: Field) -> bool:
    """Whether a day is of what is done by then: `ordered_on`."""
    return any(part in DONE or (part.endswith("ed") and len(part) > 3) for part in name_parts(day.column))


DONE = frozenset("paid given sold sent made born left begun taken bought built held won".split())
PHRASES = {"now": 1, "moment": 2}  # words before them: “right now”, “at the moment”
STATES = frozenset({"state", "status", "stage", "phase"})
NOW = frozenset("current currently still presently now moment".split())


def unended(sketch: Sketch) -> None:
    """Keep the rows without a day of their end, where a word of now picks nothing else."""
    meaning = sketch.meaning
    counted = {measure.table for measure in meaning.all_measures}
    tables = counted or {meaning.subject}
    plain = all(measure.function == "count" and measure.column is None for measure in meaning.all_measures)
    if not (plain or _of_those_now(sketch, tables)) or len(tables) != 1 or not meaning.subject or not _said(sketch):
        return
    if any(is_term(test.field) and test.field.table in tables for test in meaning.filters) or _still_done(sketch):
        return  # what is a live campaign is defined, and what “still passed” is not under way
    end = end_day(sketch.lexicon.table(next(iter(tables))), "over") or _end_beside(sketch)
    if end and all(test.field != end for test in meaning.conditions):
        kept = tuple(test for test in meaning.filters if not _is_begun(sketch, test))
        sketch.edit(filters=(*kept, Filter(end, "null")))
        sketch.assume(f"those of now have no {title(end)}")


def _still_done(sketch: Sketch) -> bool:
    """Whether “still” stands before a state reached: “still passed”."""
    words = sketch.lattice.words
    reached = [part for part in sketch.parts("filter") if part.start and words[part.start].key in REACHED]
    return any(words[part.start - 1].key == "still" for part in reached)


def _of_those_now(sketch: Sketch, tables: set[str]) -> bool:
    """Whether a figure is one of the rows of now: “average wage of current staff”."""
    words, nouns = sketch.lattice.words, sketch.parts("noun")
    return any(part.start and words[part.start - 1].key in NOW and {str(part.data)} == tables for part in nouns)


def until_now(sketch: Sketch) -> None:
    """Rank rows without an end by how long they have lasted until today: “longest running subscription”."""
    for each in sketch.meaning.order:
        span = each.key
        if not isinstance(span, Field) or not is_span(span) or not (end := parts_of(span)[2]):
            continue
        over = Field(span.table, end)
        said = any(test.field == over for test in sketch.meaning.filters)
        if each.descending and not said and sketch.lexicon.column(over).nullable and not _is_open(sketch, over):
            sketch.assume(f"those without {title(over)} are left out")
        if _is_open(sketch, over):
            unit, start, _ = parts_of(span)
            sketch.edit(order=(replace(each, key=span_field(span.table, start, unit=unit)),))


def _is_open(sketch: Sketch, end: Field) -> bool:
    tests = [test for test in sketch.meaning.filters if test.field.table == end.table]
    told = " ".join(sketch.lexicon.terms[test.field].condition for test in tests if is_term(test.field)).lower()
    going = any(test.values == (True,) and GOING & {*name_parts(test.field.column)} for test in tests)  # `is_active`
    return going or f"{end.column.lower()} is null" in told or Filter(end, "null") in tests


def _end_beside(sketch: Sketch) -> Field | None:
    """Return the end of the rows that a condition is about: “who is on ward 3 right now”."""
    meaning = sketch.meaning
    beside = (*(test.field.table for test in meaning.filters), *(there.table for there in meaning.presences))
    tables = dict.fromkeys((*beside, *(str(part.data) for part in sketch.parts("noun"))))
    ends = [end for table in tables if (end := end_day(sketch.lexicon.table(table), "over"))]
    if not ends and any(_ends_between(sketch, table) for table in tables):
        sketch.doubt("I cannot tell what “now” picks here; name the rows that it is about.")
    return ends[0] if len(ends) == 1 else None


def _ends_between(sketch: Sketch, table: str) -> bool:
    """Whether rows with an end lie between things and a condition: “learns the violin right now”."""
    way = sketch.lexicon.links.path(sketch.meaning.root, table) or ()
    return any(end_day(sketch.lexicon.table(link.target), "over") for link in way[:-1])


def _said(sketch: Sketch) -> bool:
    """Whether a word of now was read as mere grammar; “now” opens many a message."""
    read = words_read(sketch)
    told = [part for part in sketch.parts("filter") if any(_is_state(sketch, test) for test in part.data)]
    states = {at for part in told for at in range(part.start - 1, part.end + 1)}
    for at, word in enumerate(sketch.lattice.words):
        begins = at - PHRASES.get(word.key, 0)
        if word.key in NOW and at not in read and begins not in states and (word.key != "now" or at > 1):
            return True
    return False


def current(sketch: Sketch) -> None:
    """“current” picks something only where rows end, or a figure is of one moment."""
    measures, lexicon = sketch.meaning.all_measures, sketch.lexicon
    metrics = (lexicon.metric_of(m) for m in measures)
    of_now = any(metric is not None and is_of_now(metric) for metric in metrics)
    picked = any(_is_unended(sketch, test) for test in sketch.meaning.filters)
    if _loose(sketch) and not (of_now or picked or any(held(m, lexicon) for m in measures)):
        sketch.doubt("I cannot tell what “current” picks here; name a day or a month.")


def _loose(sketch: Sketch) -> bool:
    """Whether “current” is read by no part; a figure may be called by it, a number of rows is not."""
    counts = all(measure.function == "count" for measure in sketch.meaning.all_measures)
    read = words_read(sketch) if counts else {at for part in sketch.cover.parts for at in range(part.start, part.end)}
    return any(word.key == "current" and at not in read for at, word in enumerate(sketch.lattice.words))


def _is_unended(sketch: Sketch, test: Filter) -> bool:
    named = not is_term(test.field) and test.field.table in sketch.lexicon.tables
    return test.operator == "null" and named and end_day(sketch.lexicon.table(test.field.table), "over") == test.field


def words_read(sketch: Sketch) -> set[int]:
    """Return the places of words read by a part; “current” within “how many current apps” is none of them."""
    parts = (part for part in sketch.cover.parts if part.kind != "flag")
    return {at for part in parts for at in range(part.start, part.end)
            if part.kind not in ("measure", "noun") or sketch.lattice.words[at].key not in NOW
            or _names(sketch, at, part.end)}  # fmt: skip


def _names(sketch: Sketch, start: int, end: int) -> bool:
    return any(item.sense and item.end <= end for item in sketch.lattice.items.get(start, ()))


def _is_begun(sketch: Sketch, test: Filter) -> bool:
    """Whether a condition asks for the first day of rows alone, which each has: “registered”."""
    if test.operator != "not null" or is_term(test.field):
        return False
    return is_first_day(sketch.lexicon.table(test.field.table), test.field.column)


def _is_state(sketch: Sketch, test: Filter) -> bool:
    """Whether a condition tells the state of rows, as “active now” does and “on ward 3 now” does not."""
    if _is_begun(sketch, test):
        return False
    if is_term(test.field) or not test.values:
        return True
    column = sketch.lexicon.column(test.field)
    return bool(truths(column)) or bool(STATES & set(name_parts(column.name)))


def asked_state(sketch: Sketch) -> None:
    meaning, names = sketch.meaning, display(sketch.lexicon, sketch.meaning.subject) if sketch.meaning.subject else ()
    named = [test for test in meaning.filters if test.operator == "=" and test.field in names]
    told = [test for test in meaning.filters if test.field.table == meaning.subject and test not in named]
    plain = all(not is_term(test.field) and test.operator in ("=", "null", "not null") for test in told)
    asks = sketch.lattice.words[0].key in BE and not (meaning.all_measures or sketch.shown)
    if asks and named and told and plain and set(meaning.columns) <= set(names):
        rest = tuple(test for test in meaning.filters if test not in told)
        sketch.edit(columns=(*names, *(test.field for test in told)), filters=rest)


def open_of_shown(sketch: Sketch) -> None:
    """“how many of those are still open”: of the rows shown, those without their end; no state of far things."""
    if sketch.context is None:
        return
    shown = sketch.lexicon.table(sketch.context.root)
    for part in sketch.parts("filter"):
        signs = _pending_in(sketch, part)
        if not signs or part.data[0].field.table in sketch.context.tables:
            continue
        if end := end_day(shown, signs[0].value or "finished"):
            kept = (test for test in sketch.meaning.filters if test not in part.data)
            sketch.edit(filters=(*kept, Filter(end, "null")))


def _pending_in(sketch: Sketch, part: Part) -> list[Item]:
    """Return the words for things not over in a condition: “open”, a value of another table."""
    starts = range(max(0, part.start - 1), part.end)
    found = (item for start in starts for item in sketch.lattice.at(start, "pending"))
    return [item for item in found if item.end >= part.end]
