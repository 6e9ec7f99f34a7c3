"""A follow-up as an edit: every constituent changes its part of the meaning before."""

from collections.abc import Sequence
from dataclasses import replace

from ai.language.formats import AMERICAN
from ai.language.periods import time_named
from ai.nl2sql.additivity import retimed
from ai.nl2sql.chart.figures import additive
from ai.nl2sql.chart.parts import Rank, Wanted
from ai.nl2sql.checks import complaint
from ai.nl2sql.comparison import UNITS, alone, both_times, comparison_of, unit_named
from ai.nl2sql.contradictions import EXACT
from ai.nl2sql.definitions import is_term
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Filter, Group, Meaning, Measure, Period
from ai.nl2sql.reading.accounts.vague import AVERAGES, PRICES
from ai.nl2sql.reading.roles import in_roles
from ai.nl2sql.reading.sketch import Sketch, counts
from ai.nl2sql.schema import days, display, main_amount, names_of, title
from ai.nl2sql.spans import DATED
from ai.nl2sql.threads import edits, signals
from ai.nl2sql.threads.columns import with_columns
from ai.nl2sql.threads.context import happened, lost, new_periods, side_meant
from ai.nl2sql.threads.fragments import fragment
from ai.nl2sql.threads.ranking import with_order, with_rank
from ai.nl2sql.threads.referents import thing, unranked
from ai.nl2sql.threads.restrict import uncontradicted, with_filters, with_periods, with_union
from ai.nl2sql.threads.steps import Followed
from ai.nl2sql.vocabulary import MONEY, is_kind
from ai.nl2sql.words import name_parts

PERCENT = frozenset({"percent", "percentage", "percentages"})
NO_CHANGE = "I cannot read this as a change of the question before; please ask it in full."
SEVERAL = frozenset({"ones", "them", "those", "these", "they"})
LISTS = frozenset({"which", "list", "show", "give", "name", "see", "tell"})
NO_CHANGE_SEEN = "I cannot see what this changes in the question before."


def edited(sketch: Sketch, before: Meaning, lexicon: Lexicon, text: str, *, add: bool) -> Followed:
    """Make every constituent an edit of the meaning before."""
    if set(sketch.cover.unread) - sketch.again:
        return Followed(None, problem=sketch.unreadable())
    if why := lost(sketch, before):
        return Followed(None, problem=why)
    narrowing = bool(signals.NARROWS.search(text)) and bool(sketch.meaning.filters)
    subjects = [] if narrowing else [str(part.data) for part in sketch.parts("noun")]
    compared, before = before, _of_any(_kept(_of_all(_uncompared(before, sketch), sketch), sketch), sketch)
    meaning: Meaning | None = before
    periods = side_meant(new_periods(sketch, before, lexicon), compared)
    notes = _still_true(sketch, periods)
    sketch.wanted = sketch.wanted or _counted_others(sketch, before, subjects, beside=bool(signals.BESIDE.search(text)))
    if sketch.wanted and not _is_assumed(sketch):
        before = _unkinded(before, sketch, lexicon)
        meaning = edits.with_measures(before, sketch, add=add and not before.fold)
    elif subjects and subjects[0] not in (thing(before, lexicon), before.root) and not sketch.data("group"):
        meaning = _of_another(before, subjects[0], lexicon)
    if meaning is not None:
        united = with_union(meaning, sketch) if edits.ADDED.search(text) else None
        narrowed, note = uncontradicted(
            united or with_filters(meaning, sketch, back=bool(signals.BACK_IN.search(text)), wider=_widens(text)),
            sketch,
        )
        notes += [note] if note else []
        meaning = _when_done(with_periods(narrowed, periods, beside=happened(sketch)), sketch)
        opened = _open_time(_split_open(meaning, sketch, notes), sketch, notes)
        meaning = _by_each(
            _on_one_day(edits.with_groups(opened, sketch, text, before.periods), sketch), subjects, sketch
        )
    if meaning is not None and sketch.data("having"):
        meaning = edits.with_havings(meaning, sketch)
    if meaning is not None:
        meaning = with_rank(meaning, sketch, text)
    if meaning is not None:
        meaning = with_order(meaning, sketch)
    if meaning is not None and sketch.shown:
        meaning = with_columns(meaning, tuple(sketch.shown), lexicon)
    return _total_or_mean(checked(meaning, before, lexicon, tuple(notes), sketch), before, sketch)


def _when_done(meaning: Meaning, sketch: Sketch) -> Meaning:
    """Move the time to the day of another deed: “and how many ended” after those started in May."""
    done = [test for test in sketch.meaning.filters if test.operator == "not null"]
    if len(meaning.periods) != 1 or len(done) != 1 or sketch.parts("period") or signals.pointers(sketch.lattice.words):
        return meaning
    (held,), day = meaning.periods, done[0].field
    beside = held.field.table == day.table and held.field != day and not is_term(day)
    if not beside or not sketch.flags("count") or sketch.lexicon.column(day).kind not in DATED:
        return meaning
    return replace(
        meaning, periods=(replace(held, field=day),), filters=tuple(f for f in meaning.filters if f != done[0])
    )


def _total_or_mean(made: Followed, before: Meaning, sketch: Sketch) -> Followed:
    """Ask back where “price instead of count” may mean the total of sales or the average of one."""
    figures = [m for m in made.meaning.measures if m not in before.measures] if made.meaning else []
    spoken = any(word.key in AVERAGES for word in sketch.lattice.words)
    if made.meaning is None or len(figures) != 1 or spoken or figures[0].function != "avg" or not figures[0].column:
        return made
    mean = figures[0]
    sold = PRICES & set(name_parts(mean.column or "")) and not display(sketch.lexicon, mean.table)
    if not sold or any(old.function == "avg" for old in before.all_measures):
        return made
    total = replace(mean, function="sum")
    choices = (made.meaning.exchanged(mean, total), made.meaning)
    return Followed(None, problem="The total or the average?", choices=choices, asks=True)


def _kept(before: Meaning, sketch: Sketch) -> Meaning:
    """Keep to the things that “those in October” points at, and rank no others."""
    return unranked(before, sketch) if sketch.parts("period") and not sketch.data("rank") else before


def _of_any(before: Meaning, sketch: Sketch) -> Meaning:
    """Leave the one name shown where several are ranked: “and the top 3 a year ago” after those of one app."""
    several = any(isinstance(rank, Rank) and (rank.limit or 1) > 1 for rank in sketch.data("rank"))
    ranked = {group.table for group in before.groups if group.column is None} if several else set()
    named = {field for table in ranked for field in display(sketch.lexicon, table)}
    kept = tuple(test for test in before.filters if not (test.field in named and test.operator == "="))
    return replace(before, filters=kept) if kept != before.filters else before


def _widens(text: str) -> bool:
    return bool(signals.INCLUDES.search(text)) and not signals.NARROWS.search(text)


def _of_all(before: Meaning, sketch: Sketch) -> Meaning:
    """Leave the one place shown where a condition is set: “only iOS” after the second one."""
    shown = {field for group in before.groups for field in names_of(group, sketch.lexicon)}
    placed = before.offset and before.limit == 1 and any(test.field in shown for test in sketch.meaning.filters)
    return replace(before, limit=None, offset=0) if placed else before


def _still_true(sketch: Sketch, periods: tuple[Period, ...]) -> list[str]:
    """Return the notes, without those on a day that the time is not put on."""
    left = {title(period.field) for period in sketch.meaning.periods} - {title(period.field) for period in periods}
    return [note for note in sketch.notes[:2] if not any(note.endswith(f"was read as {name}") for name in left)]


def _is_assumed(sketch: Sketch) -> bool:
    """Whether no word of the message asks for its figure: “London by grade”."""
    return fragment(sketch) and not any(sketch.flags(sign) for sign in ("count", "aggregate", "average"))


def _split_open(meaning: Meaning, sketch: Sketch, notes: list[str]) -> Meaning:
    """Lift the condition for one value of the very column that the figure is split by; say so."""
    columns = {Field(group.table, group.column or "") for group in sketch.meaning.groups if not group.unit}
    shut = [f for f in meaning.filters if f.field in columns and f.operator == "=" and f not in sketch.meaning.filters]
    notes += [f"of all, not only {test.values[0]}" for test in shut if test.values]
    return replace(meaning, filters=tuple(f for f in meaning.filters if f not in shut)) if shut else meaning


def _on_one_day(meaning: Meaning, sketch: Sketch) -> Meaning:
    """Split by the day that the new time was put on: “per month for 2026” after what was paid in October."""
    own, now = {p.field for p in sketch.meaning.periods}, {p.field for p in meaning.periods}
    if len(own) != 1 or len(now) != 1 or own == now:
        return meaning
    day = now.pop()
    shifted = {Group(field.table, field.column, group.unit): Group(day.table, day.column, group.unit)
               for group in meaning.groups if group.unit for field in own}  # fmt: skip
    return replace(meaning, groups=tuple(shifted.get(group, group) for group in meaning.groups))


def _by_each(meaning: Meaning, subjects: list[str], sketch: Sketch) -> Meaning:
    """Split by the things named, after their kinds: “and the agents in Care” after a figure by team."""
    kinds = [group for group in meaning.groups if group.column and not group.unit and [group.table] == subjects]
    held = {test.field for test in sketch.meaning.filters if test.operator in EXACT}
    if len(meaning.groups) != 1 or not kinds or meaning.root == subjects[0] or sketch.data("group"):
        return meaning
    if Field(kinds[0].table, kinds[0].column or "") not in held or not meaning.measures:
        return meaning
    return replace(meaning, groups=(Group(kinds[0].table),))


def _open_time(meaning: Meaning, sketch: Sketch, notes: list[str]) -> Meaning:
    """Lift a time that the new split would leave as one part: “by month” after “last month”; say so."""
    units = [UNITS.index(group.unit) for group in sketch.meaning.groups if group.unit in UNITS]
    if not units or sketch.data("period"):
        return meaning
    known = {period: unit_named(period, sketch.today) for period in meaning.periods}
    shut = [period for period, unit in known.items() if unit in UNITS and UNITS.index(unit) <= min(units)]
    notes += [f"of all, not only {time_named(time.start, time.end, sketch.today, AMERICAN)}" for time in shut]
    happened = (Filter(p.field, "not null") for p in shut if sketch.lexicon.column(p.field).nullable)
    filters = tuple(dict.fromkeys((*meaning.filters, *happened)))
    return replace(meaning, periods=tuple(p for p in meaning.periods if p not in shut), filters=filters)


def _unkinded(before: Meaning, sketch: Sketch, lexicon: Lexicon) -> Meaning:
    """Drop the kind of the rows counted where another count of the table takes their place: “and cancellations?”."""
    old = before.measures[0] if len(before.measures) == 1 else None
    new = sketch.wanted[0].measure
    defined = len(sketch.wanted) == 1 and new.function == "metric" and counts(lexicon, new)
    if old is None or not defined or old.function != "count" or old.table != new.table:
        return before
    return replace(
        before, filters=tuple(f for f in before.filters if not is_term(f.field) or f.field.table != new.table)
    )


def _uncompared(before: Meaning, sketch: Sketch) -> Meaning:
    """Return a comparison of times as one figure, where the follow-up names a time or splits by one."""
    if any(group.unit for found in sketch.data("group") for group in found):
        return both_times(before)
    both = comparison_of(before.measures)
    side = both.now.where[-1] if both else None
    if both and isinstance(side, Filter) and any(test.field == side.field for test in sketch.meaning.filters):
        return replace(before, measures=(replace(both.now, where=both.now.where[:-1]),), order=())
    return alone(before) if sketch.data("period") else before


def _counted_others(sketch: Sketch, before: Meaning, subjects: Sequence[str], *, beside: bool) -> list[Wanted]:
    """Return the number of rows in place of a figure, or beside it: “and reviews?”, “with orders as well”."""
    plain = len(subjects) == 1 and not sketch.data("group") and not sketch.data("rank")
    if not plain or not before.measures:
        return []
    beside = beside and not any(counts(sketch.lexicon, figure) for figure in before.measures)
    if not beside and subjects[0] in (thing(before, sketch.lexicon), before.root):
        return []
    if beside and subjects[0] == before.root:
        return [Wanted(Measure("count", before.root))]
    happens = sketch.lexicon.table(subjects[0]).foreign_keys and days(sketch.lexicon, subjects[0])
    amount = main_amount(sketch.lexicon, subjects[0])
    figures = [measure.column or "" for measure in before.measures]
    if amount and all(MONEY & {*name_parts(name)} for name in (amount.column, *figures)):
        return []  # after an amount invoiced, payments may be an amount too
    return [Wanted(Measure("count", subjects[0]))] if happens and not is_kind(subjects[0], "people") else []


def _of_another(before: Meaning, table: str, lexicon: Lexicon) -> Meaning | None:
    """“what about teams?” after “how many apps”: the same of another thing, where no condition stands in the way."""
    counted = before.measures == (Measure("count", before.subject),)
    if before.filters or before.groups or before.havings or before.among:
        return None
    if counted:
        return replace(before, subject=table, measures=(Measure("count", table),), periods=())
    return (
        replace(before, subject=table, columns=display(lexicon, table), order=(), periods=())
        if not before.measures
        else None
    )


def checked(
    meaning: Meaning | None, before: Meaning, lexicon: Lexicon, notes: tuple[str, ...], sketch: Sketch
) -> Followed:
    if meaning is None or not all(group.table for group in meaning.all_groups):
        return Followed(None, problem=NO_CHANGE)
    meaning = in_roles(retimed(meaning), sketch.lattice.words, lexicon)
    if meaning.share and not all(additive(lexicon, measure) for measure in meaning.measures):
        meaning = replace(meaning, share=False)  # averages have no parts
    said = any(sketch.data(kind) for kind in ("filter", "order", "rank", "group", "period", "having"))
    if meaning == before and not said and not sketch.parts("noun"):
        spoken = {word.text.lower() for word in sketch.lattice.words}
        rows = (
            edits.rows_counted(before, lexicon)
            if spoken & SEVERAL and (spoken & LISTS or sketch.flags("list"))
            else None
        )
        return Followed(rows) if rows else Followed(None, problem=NO_CHANGE_SEEN)
    lost = [p for p in sketch.problems if "date" in p and sketch.data("period") and not meaning.periods]
    if lost:
        return Followed(None, problem=lost[0])
    if why := complaint(meaning, lexicon):
        return Followed(None, problem=why)
    if _lacks_share(meaning, sketch):
        return Followed(None, problem=NO_CHANGE)
    spans = [part.data for part in sketch.parts("period") if not part.data.weekdays]
    return Followed(None, problem=NO_CHANGE) if spans and not _times(meaning) else Followed(meaning, notes)


def _lacks_share(meaning: Meaning, sketch: Sketch) -> bool:
    """Whether a message says “percentage”, and nothing in its meaning is one."""
    said = any(word.key in PERCENT for word in sketch.lattice.words)
    columns = {part for m in meaning.all_measures for part in name_parts(m.column or "")}
    return said and not (meaning.share or columns & PERCENT or any(m.per for m in meaning.all_measures))


def _times(meaning: Meaning) -> list[Period]:
    inside = [*(m.where for m in (*meaning.all_measures, *(h.measure for h in meaning.havings)))]
    inside += [presence.where for presence in meaning.presences]
    among = [time for each in meaning.among for time in _times(each.source)]
    return [*meaning.periods, *among, *(test for where in inside for test in where if isinstance(test, Period))]
