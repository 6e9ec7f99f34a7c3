"""From one cover to one meaning, in the visible order of STEPS."""

from collections.abc import Callable
from datetime import date

from ai.nl2sql.chart.cover import Cover
from ai.nl2sql.chart.parts import When
from ai.nl2sql.lattice import Lattice
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Meaning, Measure, Order
from ai.nl2sql.reading import alternatives, conditions, listing, presences, shape, things
from ai.nl2sql.reading.accounts import accounting
from ai.nl2sql.reading.accounts.restated import restated
from ai.nl2sql.reading.accounts.vague import vague
from ai.nl2sql.reading.comparing import apart, comparisons, contrasts, shares
from ai.nl2sql.reading.havings import group_conditions
from ai.nl2sql.reading.ordering import ranks, sorting
from ai.nl2sql.reading.roles import both_ends, in_their_role, key_roles
from ai.nl2sql.reading.rows.counting import counted_alone, number_or_amount
from ai.nl2sql.reading.rows.everything import every_thing, only_moved, without_deleted
from ai.nl2sql.reading.rows.happenings import with_day
from ai.nl2sql.reading.sketch import Sketch, is_fact
from ai.nl2sql.reading.targets import settle_target, settle_wanted
from ai.nl2sql.reading.times import NOW, asked_state, open_of_shown, reaching, same_day, unended, until_now
from ai.nl2sql.schema import all_columns, display, is_numeric, referred_table, telling
from ai.nl2sql.spans import dates
from ai.nl2sql.totals import is_amount
from ai.nl2sql.vocabulary import is_kind
from ai.nl2sql.words import name_parts, singular

MOST_KINDS = 30  # values of a column of kinds
NAMES = frozenset({"name", "title", "no", "number", "code"})  # of single rows
NUMBERS = frozenset("no nr number num ref reference".split())
TITLES = frozenset("title subject headline".split())
SHOWING = frozenset({"with", "and", "their", "including", "plus"})  # “tickets last week with customer”
ASKING = frozenset({"which", "what", "all", "who", "whos"})


def assembled(cover: Cover, lattice: Lattice, lexicon: Lexicon, today: date, context: Meaning | None = None) -> Sketch:
    """Return the meaning of a cover, with its assumptions and faults."""
    sketch = Sketch(cover, lattice, lexicon, today, context=context)
    for step in STEPS:
        step(sketch)
    return sketch


def wanted(sketch: Sketch) -> None:
    sketch.wanted = settle_wanted(sketch)
    settle_target(sketch, sketch.wanted)
    for part in sketch.cover.parts:
        sketch.assume(part.note)


def subject(sketch: Sketch) -> None:
    first = [w.measure.table for w in sketch.wanted]
    target = [sketch.target.table] if sketch.target else []
    rows = [f.field.table for f in sketch.meaning.filters]
    ranks = [r.key.table for r in sketch.data("rank") if r.key is not None]
    groups = [g.table for found in sketch.data("group") for g in found if g.table]
    loose = [s.key.table for s in sketch.data("order") if isinstance(s.key, Field | Measure) and s.loose]
    times = [when.field.table for when in sketch.data("period") if when.field and sketch.flags("who")]
    counting = bool(first) and not (sketch.data("rank") or sketch.data("having"))
    found = next(iter((*(first if counting else ()), *target, *first, *ranks, *groups, *rows, *loose, *times)), "")
    sketch.edit(subject=found)
    if not found:
        sketch.doubt("I find nothing in this question that this data holds.", 6.0)


def completed(sketch: Sketch) -> None:
    """The columns of each row, and the usual order of groups."""
    meaning, lexicon = sketch.meaning, sketch.lexicon
    if not meaning.subject:
        return
    if (
        meaning.groups
        and meaning.measures
        and not meaning.order
        and not meaning.fold
        and not any(g.unit for g in meaning.groups)
    ):
        sketch.edit(order=(Order(meaning.measures[0], descending=True),))
    if meaning.measures or meaning.groups:
        return
    detailed = sketch.flag("everything")
    everything = detailed or any(p.data.value == "all" for p in sketch.flags("list"))
    named = {str(part.data) for part in sketch.parts("noun")}
    if not meaning.columns and _counts(sketch, everything=everything):
        sketch.edit(measures=(number_or_amount(lexicon, meaning.subject),))
        return
    if detailed and meaning.columns and not sketch.flags("distinct"):
        fields = all_columns(lexicon.table(meaning.columns[0].table))
        sketch.edit(columns=tuple(dict.fromkeys((*meaning.columns, *fields))))
    elif not meaning.columns:
        sketch.edit(columns=tuple(dict.fromkeys((*_naming(sketch, everything=everything), *_sorted_by(sketch)))))
    elif _bare_numbers(sketch, named) or (sketch.flags("who") and not meaning.distinct):
        sketch.edit(columns=tuple(dict.fromkeys((*display(lexicon, meaning.subject), *meaning.columns))))
    elif meaning.order and meaning.limit and isinstance(meaning.order[0].key, Field) and not sketch.shown:
        sketch.edit(columns=tuple(dict.fromkeys((*meaning.columns, meaning.order[0].key))))
    one = len(meaning.columns) == 1 or is_fact(lexicon, meaning.subject)
    loose = meaning.columns and one and meaning.subject not in named and not meaning.limit
    listing.doubt_of_many(sketch, named)
    shows_name = bool(set(meaning.columns) & set(display(lexicon, meaning.subject)))
    if (
        sketch.flag("distinct")
        or _names_kinds(sketch)
        or (loose and not shows_name and not sketch.meaning.order and not _picked(sketch))
    ):
        sketch.edit(distinct=True)


def _counts(sketch: Sketch, *, everything: bool) -> bool:
    """Whether a bare phrase asks for a number: “tickets opened yesterday”, of rows without a name."""
    meaning = sketch.meaning
    asked = sketch.flags("list") or sketch.flags("who") or sketch.flags("when") or sketch.lattice.words[0].key in ASKING
    overdue = all(when.age for when in sketch.data("period") if isinstance(when, When))  # a state, no time
    if everything or asked or meaning.limit or meaning.order or sketch.context or (meaning.periods and overdue):
        return False
    if not meaning.periods and not (meaning.filters and NOW & {word.key for word in sketch.lattice.words}):
        return False
    beside = any(sketch.lattice.words[part.start - 1].key in SHOWING for part in sketch.parts("noun")[1:])
    beside = beside or any(there.present for there in sketch.data("presence") if not there.where)
    return not beside and _are_events(sketch.lexicon, meaning.subject) and not _plans(sketch)


def _are_events(lexicon: Lexicon, table: str) -> bool:
    """Whether nobody calls rows by a name: invoices have a number, reviews a title."""
    called = {name_parts(field.column)[-1] for field in display(lexicon, table)}
    referring = bool(lexicon.table(table).foreign_keys)
    return not called or (referring and (called <= NUMBERS or (called <= TITLES and is_kind(table, "event"))))


def _plans(sketch: Sketch) -> bool:
    """Whether rows are a plan by days: a menu, a rota."""
    table = sketch.lexicon.table(sketch.meaning.subject)
    referring = {column for key in table.foreign_keys for column in key.columns}
    planned = {column.name for column in dates(table)} | referring
    return len(table.primary_key) > 1 and bool(referring & {*table.primary_key}) and {*table.primary_key} <= planned


def _bare_numbers(sketch: Sketch, named: set[str]) -> bool:
    """Whether a list of named things shows nothing but numbers, unreadable without their names."""
    meaning = sketch.meaning
    numbers = all(field.table == meaning.subject and is_numeric(sketch.lexicon, field) for field in meaning.columns)
    return numbers and meaning.subject in named and not meaning.limit and not _picked(sketch)


def _names_kinds(sketch: Sketch) -> bool:
    """“what channels do tickets come in through” asks for each kind once."""
    meaning, first = sketch.meaning, next(iter(sketch.parts("attribute")), None)
    if first is None or len(meaning.columns) != 1 or first.data != meaning.columns[0] or meaning.order:
        return False
    column = sketch.lexicon.column(meaning.columns[0])
    word, rows = sketch.lattice.words[first.end - 1].key, sketch.parts("noun")
    several = singular(word) != word and 1 < len(column.values) <= MOST_KINDS and column.kind == "text"
    named = meaning.columns[0] in display(sketch.lexicon, meaning.subject) or NAMES & {*name_parts(column.name)}
    compound = [part for part in rows if part.end == first.start and singular(part.said.lower()) == part.said.lower()]
    return several and not named and bool(rows) and all(part.start >= first.end or part in compound for part in rows)


def _picked(sketch: Sketch) -> bool:
    """Whether a filter picks single rows by name, so that a column of theirs is a fact about each."""
    return any(f.field in display(sketch.lexicon, f.field.table) for f in sketch.meaning.filters)


def _naming(sketch: Sketch, *, everything: bool) -> tuple[Field, ...]:
    meaning, lexicon = sketch.meaning, sketch.lexicon
    fields = tuple(Field(meaning.subject, column.name) for column in dates(lexicon.table(meaning.subject)))
    if len(fields) == 1 and sketch.flag("when"):
        return fields
    shown = display(lexicon, meaning.subject)
    newest = meaning.order[0].key if meaning.order and meaning.limit == 1 else None
    if not shown and isinstance(newest, Field) and newest in fields and not everything:
        numbers = (Field(meaning.subject, name) for name in lexicon.table(meaning.subject).primary_key)
        return tuple(dict.fromkeys((*numbers, newest)))
    if everything:
        return all_columns(lexicon.table(meaning.subject))
    shown = shown or telling(lexicon, meaning.subject)
    if _plans(sketch):
        shown = tuple(field for each in shown for field in _called(sketch, each))
    keys = tuple(o.key for o in meaning.order if isinstance(o.key, Field) and meaning.limit)
    return tuple(dict.fromkeys((*shown, *keys)))


def _called(sketch: Sketch, field: Field) -> tuple[Field, ...]:
    whose = referred_table(sketch.lexicon, field)
    return (display(sketch.lexicon, whose.name) if whose else ()) or (field,)


def _sorted_by(sketch: Sketch) -> tuple[Field, ...]:
    """Return the amount that rows are sorted by."""
    keys = (order.key for order in sketch.meaning.order[:1])
    return tuple(
        key
        for key in keys
        if isinstance(key, Field) and key.table == sketch.meaning.subject and is_amount(sketch.lexicon, key)
    )


Step = Callable[[Sketch], None]
STEPS: tuple[Step, ...] = (
    wanted,
    counted_alone,
    conditions.filtered,
    both_ends,
    subject,
    shape.grouped,
    presences.related,
    group_conditions,
    contrasts.beside_average,
    sorting.judged,
    ranks.ranked,
    shape.figures,
    conditions.dated,
    reaching,
    same_day,
    apart.counted_again,
    apart.each_its_own,
    apart.stand_apart,
    contrasts.contrasted,
    comparisons.compared,
    shares.shared,
    shares.not_of_itself,
    listing.listed,
    listing.counted_groups,
    apart.kinds_counted,
    things.nouns,
    shares.of_those_with,
    alternatives.all_of,
    sorting.sorted_as_said,
    presences.never_done,
    presences.within_absence,
    presences.only_such,
    presences.opposites,
    conditions.event_rows,
    unended,
    until_now,
    without_deleted,
    only_moved,
    every_thing,
    open_of_shown,
    completed,
    presences.shown_beside,
    key_roles,
    listing.numbered,
    with_day,
    asked_state,
    things.whose,
    accounting.questioned,
    restated,
    shape.states,
    in_their_role,
    vague,
)
