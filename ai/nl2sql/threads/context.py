"""The time and the place of a follow-up: those taken over (“that month”, “there”), or a new time and its day."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

from dateutil.relativedelta import relativedelta

from ai.language.spans import STEPS, Span
from ai.nl2sql.carried import on_rows
from ai.nl2sql.chart.parts import Flag
from ai.nl2sql.checks import complaint
from ai.nl2sql.comparison import moved
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Among, Field, Filter, Meaning, Measure, Period
from ai.nl2sql.reading.accounts.elsewhere import place_of_another
from ai.nl2sql.reading.conditions import on_field
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.reading.times import BACK, FUTURE
from ai.nl2sql.schema import days, figure_days, names_of
from ai.nl2sql.threads.referents import referent, same_moment
from ai.nl2sql.threads.steps import Followed, around
from ai.nl2sql.vocabulary import is_kind
from ai.nl2sql.words import keys, name_parts, stems

_UNIT = r"(?:day|weekend|week|month|quarter|year|period|time ?frame|time ?span|time|range|window|dates?)"
SAME_TIME = re.compile(
    rf"\s*\b(?:(?:in|for|during|over|within|of) (?:that|the same|this same|the|those same) (?:same )?{_UNIT}"
    rf"|(?:in|for) those {_UNIT}s|that (?:same )?(?:month|weekend|week|quarter|year|day)"
    r"|back then|at that time)\b(?! (?:before|after|of|ago|range|\d))",
    re.IGNORECASE,
)
SAME_PLACE = re.compile(
    r"(?<!\bare)(?<!\bis)(?<!\bwere)(?<!\bwas)\s+(?:in |from |over )?there\b"
    r"(?= ?[?.!,]| ?$| (?:last|this|in|on|by|per)\b)",
    re.IGNORECASE,
)
NO_PLACE = "I cannot tell which place this refers to; please name it."
LAST_YEAR = ("last year", "in last year", "for last year", "over last year", "during last year")
YEAR_AGO = ("a year ago", "one year ago", "a year earlier", "one year earlier", "a year before")
A_QUARTER = timedelta(days=92)
WHOSE = "Do you mean the same ones as before, or all?"
TURNED = frozenset("got get gets getting became become becomes".split())
EVER = frozenset("ever overall altogether lifetime total always".split())


def carried_over(meaning: Meaning, before: Meaning, lexicon: Lexicon, *, time: bool, place: bool) -> Followed | None:
    """A question of its own within the time or conditions of the one before; None where they do not fit."""
    root = meaning.root
    spoken = periods_in(before)
    if not root or (time and not has_time(before) and not place):
        return None
    made = meaning
    if time and not meaning.periods:
        made = _timed(meaning, before, spoken, lexicon)
    filters = tuple(f for old in before.filters if (f := _moved(old, root, lexicon)))
    taken = {f.field for f in made.filters} | {name for group in made.groups for name in names_of(group, lexicon)}
    kept = replace(made, filters=(*made.filters, *(f for f in filters if f.field not in taken)))
    if place:
        own = tuple(p for p in before.periods if p.field.table == root)
        shown = _shown_place(before, root, lexicon)
        made = replace(kept, periods=kept.periods or own, among=(*kept.among, *shown))
        if not shown and made.filters == meaning.filters:
            return Followed(None, problem=NO_PLACE)
    elif kept != made and root != before.root and not meaning.filters:
        return Followed(None, problem=WHOSE, choices=(kept, made), asks=True)
    elif not meaning.filters:
        made = kept
    if made == meaning:
        return None
    return Followed(None, problem=why) if (why := complaint(made, lexicon)) else Followed(made)


def _shown_place(before: Meaning, root: str, lexicon: Lexicon) -> tuple[Among, ...]:
    about = referent(before, lexicon) if before.limit else before.among[-1] if before.among else None
    if not isinstance(about, Among):
        return ()
    if about.field.table != root and lexicon.table(root).column(about.field.column):
        about = replace(about, field=Field(root, about.field.column))
    return (about,) if lexicon.links.path(root, about.field.table) is not None else ()


def _timed(meaning: Meaning, before: Meaning, spoken: tuple[Period, ...], lexicon: Lexicon) -> Meaning:
    """Set the one moment shown, or the time asked for; several moments change nothing."""
    root = meaning.root
    own = [p.field for p in spoken if p.field.table == root]
    defined = figure_days(lexicon, meaning.measures[0]) if len(meaning.measures) == 1 else []
    field = next(iter((*defined, *own, *days(lexicon, root))), None)
    if field is None:
        return meaning
    if any(group.unit for group in before.groups):
        moment = same_moment(before, field)
        return replace(meaning, among=(*meaning.among, moment)) if moment else meaning
    return replace(meaning, periods=tuple(replace(p, field=field) for p in spoken[:1]))


def in_their_time(sketch: Sketch, meaning: Meaning, before: Meaning, lexicon: Lexicon) -> Meaning:
    """Keep a figure of the things ranked to the time of the ranking, where it goes by the same day."""
    timed = meaning.periods or sketch.parts("period") or any(group.unit for group in meaning.groups)
    called = {part for measure in meaning.measures for part in name_parts(measure.column or "")}
    ever = EVER & {word.key for word in sketch.lattice.words} - called  # not the “total” of a total amount
    if timed or len(before.periods) != 1 or not meaning.measures or ever:
        return meaning
    day = before.periods[0].field
    same = all(_goes_by(day, measure, lexicon) for measure in meaning.measures)
    return replace(meaning, periods=before.periods) if same else meaning


def _goes_by(day: Field, figure: Measure, lexicon: Lexicon) -> bool:
    """Whether a figure goes by a day: its own, else that of the whole of its rows."""
    if own := figure_days(lexicon, figure):
        return day in own
    way = lexicon.links.path(figure.table, day.table)
    return way is not None and not any(link.many for link in way)


def by_days(earlier: Sequence[Meaning], lexicon: Lexicon, said: re.Match[str] | None) -> Sequence[Meaning]:
    """Take the one day that was shown for a time: “that day”, where days have a column of their own."""
    earlier = _in_unit(earlier, said)
    first = earlier[0]
    group = first.groups[0] if first.limit == 1 and len(first.groups) == 1 else None
    if group is None or group.unit or not group.column:
        return earlier
    is_day = lexicon.column(Field(group.table, group.column)).kind == "date"
    return (replace(first, groups=(replace(group, unit="day"),)), *earlier[1:]) if is_day else earlier


def _in_unit(earlier: Sequence[Meaning], said: re.Match[str] | None) -> Sequence[Meaning]:
    """Take the whole month of a day asked about for “that month”, likewise weeks, quarters and years."""
    first, unit = earlier[0], said[0].lower().split()[-1] if said else ""
    held = first.periods[0] if len(first.periods) == 1 else None
    whole = around(held, unit) if held and unit in STEPS else None
    if held is None or whole is None or not (held.start and held.end and whole.start and whole.end):
        return earlier
    wider = whole.start <= held.start and held.end <= whole.end and whole != held
    return (replace(first, periods=(whole,)), *earlier[1:]) if wider else earlier


def at_moment(new: Meaning, moment: Among, before: Meaning) -> Meaning:
    """Keep a figure to the one moment shown, which is no longer ranked: “installs that month” after the best one."""
    if (new.groups, new.all_measures) == (before.groups, before.all_measures):
        return replace(new, among=tuple(dict.fromkeys((*new.among, moment))))  # it says nothing of another figure
    if new.groups == before.groups and new.limit == 1:
        new = replace(new, groups=(), order=(), limit=None)
    others = (
        held for held in new.among if held in before.among or (held.field, held.unit) != (moment.field, moment.unit)
    )
    within = new.periods if new.periods != before.periods else ()
    return replace(new, among=tuple(dict.fromkeys((*others, moment))), periods=within)


def has_time(before: Meaning) -> bool:
    """Whether a meaning is of a time, or shows a single one."""
    return bool(periods_in(before)) or (before.limit == 1 and any(group.unit for group in before.groups))


def periods_in(before: Meaning) -> tuple[Period, ...]:
    """Return the time of a meaning, or of the one it refers to."""
    return before.periods or next((p for among in before.among if (p := periods_in(among.source))), ())


def _moved(old: Filter, root: str, lexicon: Lexicon) -> Filter | None:
    """Move a condition to the new rows where they have its column."""
    own = on_rows(old, root, lexicon)
    return own if lexicon.links.path(root, own.field.table) is not None else None


def new_periods(sketch: Sketch, before: Meaning, lexicon: Lexicon) -> tuple[Period, ...]:
    """Return the new time, on the thread's column of days; after days to come, a month of no year lies ahead."""
    if same := _a_year_before(sketch, before):
        return same
    new = _of_the_rows(_new_periods(sketch, before, lexicon), sketch, before, lexicon)
    ahead = any(period.start and period.start >= sketch.today for period in before.periods)
    named = {word for test in before.filters for said in (test.field.column, *test.values) for word in keys(str(said))}
    if not (ahead or FUTURE & named) or any(word.number or word.key in BACK for word in sketch.lattice.words):
        return new
    return tuple(
        moved(period, relativedelta(years=-1)) if _is_past_month(period, sketch.today) else period for period in new
    )


def _a_year_before(sketch: Sketch, before: Meaning) -> tuple[Period, ...]:
    """Return the same month or quarter of another year: “and last year?” after October, “same month in 2025”."""
    held = before.periods[0] if len(before.periods) == 1 else None
    if held is None or held.start is None or held.end is None or held.end - held.start > A_QUARTER:
        return ()
    parts = [part for part in sketch.cover.parts if not isinstance(part.data, Flag)]
    said = [part.said.lower() for part in parts]
    if (len(said) == 1 and said[0] in LAST_YEAR) or any(words in YEAR_AGO for words in said):
        back = 1 if held.start.year == sketch.today.year else 0
    else:
        year = _year_of(parts[0].data.span) if len(parts) == 1 and parts[0].kind == "period" else None
        is_same = year is not None and "same" in {word.key for word in sketch.lattice.words}
        back = held.start.year - year if year and is_same else 0
    return (moved(held, relativedelta(years=back)),) if back else ()


def _year_of(span: Span) -> int | None:
    """Return the year that a time is."""
    starts = span.start is not None and (span.start.month, span.start.day) == (1, 1)
    return span.start.year if starts and span.start and span.end == span.start + relativedelta(years=1) else None


def side_meant(new: tuple[Period, ...], compared: Meaning) -> tuple[Period, ...]:
    """Return the side of a comparison that lies in a new time: “this year's by country” after two Octobers."""
    sides = {test for figure in compared.measures for test in figure.where if isinstance(test, Period)}
    inside = [side for side in sides if len(new) == 1 and _is_within(side, new[0])]
    return (inside[0],) if len(sides) > 1 and len(inside) == 1 else new


def _is_within(side: Period, time: Period) -> bool:
    if not (side.start and side.end and time.start and time.end) or side.field != time.field:
        return False
    short = side.end - side.start <= A_QUARTER and time.end - time.start > 3 * A_QUARTER
    return short and time.start <= side.start and side.end <= time.end


def _of_the_rows(new: tuple[Period, ...], sketch: Sketch, before: Meaning, lexicon: Lexicon) -> tuple[Period, ...]:
    """Put the first time of a thread on the day its rows must have: “this year only” after those delivered."""
    held = [f.field for f in before.filters if f.operator == "not null" and f.field in days(lexicon, before.root)]
    named = any(isinstance(part.data, Field) for part in sketch.parts("attribute")) or happened(sketch)
    if before.periods or len(held) != 1 or named or sketch.wanted:
        return new
    return tuple(replace(period, field=held[0]) if period.field.table == held[0].table else period for period in new)


def _is_past_month(period: Period, today: date) -> bool:
    if period.start is None or period.end is None or period.end > today:
        return False
    return period.start.day == 1 and period.end == period.start + relativedelta(months=1)


def _new_periods(sketch: Sketch, before: Meaning, lexicon: Lexicon) -> tuple[Period, ...]:
    inside = [presence.where for presence in sketch.meaning.presences]
    inside += [wanted.measure.where for wanted in sketch.wanted]
    if sketch.meaning.periods or any(isinstance(test, Period) for where in inside for test in where):
        return _by_figure(sketch, lexicon)
    tables = [m.table for m in before.all_measures] + [before.subject]
    fields = (
        [*happened(sketch)] + [p.field for p in before.periods] + [f for table in tables for f in days(lexicon, table)]
    )
    for part in sketch.parts("period"):
        if fields and not part.data.weekdays:  # they are a condition beside the time
            on_field(sketch, fields[0], part.data.span)
    return sketch.meaning.periods


def happened(sketch: Sketch) -> tuple[Field, ...]:
    """Return the day of the new time where a verb names it: “published this year”."""
    said = {word.stem for word in sketch.lattice.words}
    fields = {period.field for period in sketch.meaning.periods}
    return tuple(field for field in fields if said & set(stems(name_parts(field.column)[:1])))


def _by_figure(sketch: Sketch, lexicon: Lexicon) -> tuple[Period, ...]:
    """Put the new time on the day of the one new figure, unless a day is named."""
    named = any(isinstance(part.data, Field) for part in sketch.parts("attribute"))
    figures = [wanted.measure for wanted in sketch.wanted]
    figures += [sorting.key for sorting in sketch.data("order") if isinstance(sorting.key, Measure)]
    own = figure_days(lexicon, figures[0]) if len(figures) == 1 and not named else []
    return tuple(replace(p, field=own[0]) if own and p.field not in own else p for p in sketch.meaning.periods)


def lost(sketch: Sketch, before: Meaning) -> str:
    """Return why an edit would lose a word of its message; "" where it keeps them all."""
    joined = sketch.unreadable() if _joined_elsewhere(sketch, before) else ""
    return joined or _of_another_place(sketch, before) or _compared_with_nothing(sketch) or _without_day(sketch)


def _joined_elsewhere(sketch: Sketch, before: Meaning) -> bool:
    """Whether sign-ups are asked for after a figure that counts nobody: installs and refunds have none."""
    joined = any(isinstance(part.data, Flag) and part.data.value == "joined" for part in sketch.flags("new"))
    counted = [measure.table for measure in before.measures if measure.function == "count"]
    people = [table for table in counted if is_kind(table, "buyer", "holder", "people")]
    return joined and not sketch.wanted and len(people) < len(before.measures)


def _without_day(sketch: Sketch) -> str:
    """Return why a split by time is lost."""
    return next((why for why in sketch.problems if why.startswith("I find no date here to group by")), "")


def _of_another_place(sketch: Sketch, before: Meaning) -> str:
    """Say where a new place is one of things not spoken of before."""
    known = {test.field.table for test in before.filters} | {group.table for group in before.groups}
    new = {test.field.table for test in sketch.meaning.filters}
    return "" if known & new else place_of_another(sketch, before.all_measures)


def _compared_with_nothing(sketch: Sketch) -> str:
    """Say where “which one got worse since May” compares two times that are not both named."""
    words = sketch.lattice.words
    idle = [part for part in sketch.flags("contrast") if part.start not in sketch.used and part.start]
    idle = [part for part in idle if words[part.start - 1].key in TURNED]  # “monthly is better” is a wish
    idle += [part for part in sketch.flags("gain") if part.start not in sketch.used and part.start]
    return f"I cannot tell what “{idle[0].said}” is compared with; name both sides." if idle else ""
