"""The day of a value: “upgraded in 2025” is by `ended_on`, beside `end_kind`; the day shown of rows: “… and when”."""

import re

from ai.nl2sql.chart.kinds import GOING_ON
from ai.nl2sql.chart.parts import Part
from ai.nl2sql.definitions import is_metric, is_term
from ai.nl2sql.lasting import deed_day
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Filter, Meaning
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.schema import days, end_day, is_year, title
from ai.nl2sql.spans import DATED, dates, is_span, nouns_of, verb_of
from ai.nl2sql.values import truths
from ai.nl2sql.words import is_participle, name_parts, stem

DATES = frozenset({"date", "dates"})
NEAR = 4  # words between “when” and its verb


def day_of_value(sketch: Sketch, period: Part) -> Field | None:
    """Return the only day named like a kind of row, a value before the period, or its column."""
    if (day := _day_in_name(sketch)) is not None:
        return day
    for part in reversed(sketch.parts("filter")):
        test = part.data[0]
        if part.end > period.start or not isinstance(test, Filter) or test.operator != "=" or not test.values:
            continue
        if (day := _day_of_term(sketch, test.field)) is not None:
            return day
        own = {stem(word) for word in name_parts(test.field.table)}
        words = {stem(name_parts(test.field.column)[0]), stem(str(test.values[0]).lower())} - own
        columns = dates(sketch.lexicon.table(test.field.table))
        found = [column for column in columns if stem(name_parts(column.name)[0]) in words]
        if len(found) == 1 and test.field.table in {w.measure.table for w in sketch.wanted}:
            return Field(test.field.table, found[0].name)
    return None


def day_of_deed(sketch: Sketch, period: Part) -> Field | None:
    """Return the only day of what stands right before the period and was done: “delivered yesterday”, “left in May”."""
    for part in sketch.parts("attribute"):
        column = sketch.lexicon.column(part.data)
        is_done = part.end == period.start and is_participle(sketch.lattice.words[part.end - 1].key)
        if is_done and column.kind in DATED:
            return part.data if isinstance(part.data, Field) else None
    for part in sketch.parts("filter"):
        said = part.said.lower().split()[-1]
        several = len(part.data[0].values) > 1  # “rejected vs completed”: no day of one of them
        if several or not said.endswith("ed") or not 0 <= period.start - part.end <= 1:
            continue
        nouns = {stem(noun) for noun in nouns_of(said)}
        table = part.data[0].field.table
        found = [c for c in dates(sketch.lexicon.table(table)) if nouns & {stem(word) for word in name_parts(c.name)}]
        if len(found) == 1:
            return Field(table, found[0].name)
    return None


def _day_of_term(sketch: Sketch, field: Field) -> Field | None:
    """Return the day that rows of a kind have by definition: “discontinued in 2025”, where a day says so."""
    term = sketch.lexicon.terms.get(field)
    known = re.fullmatch(r"(\w+) IS NOT NULL", term.condition.strip(), re.IGNORECASE) if term else None
    column = sketch.lexicon.table(term.table).column(known[1]) if term and known else None
    return Field(term.table, column.name) if term and column and column.kind in ("date", "datetime") else None


def _day_in_name(sketch: Sketch) -> Field | None:
    """Return the only day of the deed that a kind of row is called by: “late deliveries” by `delivered_at`."""
    for test in sketch.meaning.filters:
        if (term := sketch.lexicon.terms.get(test.field)) is None:
            continue
        called = {stem(word) for word in term.name.lower().split()} - {stem(part) for part in name_parts(term.table)}
        days = dates(sketch.lexicon.table(term.table))
        found = [day for day in days if called & {stem(noun) for verb in verb_of(day.name) for noun in nouns_of(verb)}]
        if len(found) == 1:
            return Field(term.table, found[0].name)
    return None


def without_opposite(sketch: Sketch) -> None:
    """Drop a kind of row defined by having no such day: no “running” one ended last year."""
    meaning = sketch.meaning
    for test in meaning.filters:
        term = sketch.lexicon.terms.get(test.field)
        empty = re.fullmatch(r"(\w+) IS NULL", term.condition.strip(), re.IGNORECASE) if term else None
        dated = empty and any(p.field == Field(test.field.table, empty[1]) for p in meaning.periods)
        if term and dated and test.operator == "=" and len(meaning.filters) > 1:
            sketch.edit(filters=tuple(other for other in meaning.filters if other is not test))
            lacking = title(Field(term.table, empty[1] if empty else ""))
            sketch.assume(f"“{term.name}” is left out: by its definition it has no {lacking}")
            return


def with_day(sketch: Sketch) -> None:
    """Add the fitting day where one is asked for and none is shown."""
    meaning = sketch.meaning
    told = [part for part in sketch.flags("unit") if _asks_for_day(sketch, part)]
    asked = [part for part in sketch.flags("when") if part.start > 0]
    if not (told or asked) or meaning.measures or meaning.groups or not meaning.columns or meaning.distinct:
        return
    if any(_is_day(sketch, field) for field in meaning.columns) and not (told or day_of_state(meaning, sketch.lexicon)):
        return
    day = _fitting(sketch, (told or asked)[0].end)
    if day is None or day in meaning.columns:
        return
    sketch.used |= {part.start for part in told}
    sketch.edit(columns=(*meaning.columns, day))


def _asks_for_day(sketch: Sketch, unit: Part) -> bool:
    """Whether a unit of time is a column to show: “… and date”, “…, with year”."""
    words = [word.key for word in sketch.lattice.words[max(unit.start - 2, 0) : unit.start]]
    beside = words[-1:] == ["with"] or words in (["with", "the"], ["with", "their"])
    return unit.start not in sketch.used and (unit.said.lower() in DATES or beside)


def _is_day(sketch: Sketch, field: Field) -> bool:
    return not is_metric(field) and not is_span(field) and sketch.lexicon.column(field).kind in DATED


def day_of_state(meaning: Meaning, lexicon: Lexicon) -> Field | None:
    """Return the only day on which rows came into the state that they are in: those not active, `retired_on`."""
    for test in meaning.filters:
        if test.field.table not in lexicon.tables or is_term(test.field) or is_span(test.field):
            continue
        ended = bool(GOING_ON & {*name_parts(test.field.column)}) and test.operator == "="
        no = [value for value, is_so in truths(lexicon.column(test.field)) if not is_so] if ended else []
        if no and list(test.values) == no[:1]:
            return end_day(lexicon.table(test.field.table), "over")
    return None


def days_asked(meaning: Meaning, table: str, lexicon: Lexicon) -> list[Field]:
    """Return the days that “when” may ask for of rows shown: that of their state, else their usual ones."""
    ended = day_of_state(meaning, lexicon)
    return [ended] if ended and ended.table == table else days(lexicon, table)


def _fitting(sketch: Sketch, end: int) -> Field | None:
    """Return the day of the verb behind “when”, else the one the conditions or the order are about."""
    meaning, table = sketch.meaning, sketch.lexicon.table(sketch.meaning.subject)
    said = (deed_day(table, word.key) for word in sketch.lattice.words[end : end + NEAR])
    if done := next(filter(None, said), ""):
        return Field(table.name, done)
    about = [period.field for period in meaning.periods]
    about += [test.field for test in meaning.filters if test.operator == "not null" or test.other]
    about += [test.field for test in meaning.filters if is_year(sketch.lexicon, test.field)]
    about += [each.key for each in meaning.order if isinstance(each.key, Field)]
    known = (field for field in dict.fromkeys(about) if field.table in sketch.lexicon.tables)
    about = [field for field in known if _is_day(sketch, field) or is_year(sketch.lexicon, field)]
    if about:
        return about[0] if len(about) == 1 else None
    if ended := day_of_state(meaning, sketch.lexicon):
        return ended if ended.table == table.name else None
    own = [Field(table.name, column.name) for column in dates(table)]
    told = own if len(own) == 1 else days(sketch.lexicon, table.name)
    return told[0] if len(told) == 1 and told[0].table == table.name else None
