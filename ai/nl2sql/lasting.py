"""How long rows last, said by a noun: “duration of an outage”, “length of leases in years”."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ai.nl2sql.items import Item
from ai.nl2sql.lexicon import Lexicon, Sense
from ai.nl2sql.meaning import Field, Meaning
from ai.nl2sql.schema import columns_named, is_numeric
from ai.nl2sql.spans import BORN, UNITS, dates, is_called, is_span, lasted, parts_of, span_field, verb_of
from ai.nl2sql.vocabulary import single_words_of, words_of
from ai.nl2sql.words import Word, stem, stems
from ai.sql.catalog import Table

SAID_FOR_ROWS = 0.2  # what it costs to take “duration” for that of rows named elsewhere
NAMED = 0.7  # up to this cost a word names a table
OF_A_RATE = frozenset("per by of last past next previous this each every many same first".split())
TAKING = frozenset("take takes took taken last lasted lasts run runs ran stay stays stayed".split())
AGES = frozenset({"age", "ages"})
GOING_ON = frozenset("live running open around active out available here with in on".split())
READ = "read"  # of fillers that say what another word is taken for
HELD = ("duration", "length", "runtime")
Items = dict[int, list[Item]]


def said_unit(words: Sequence[Word]) -> tuple[str, range]:
    """Return the unit a time is asked in, and where it is said: “… in hours”, “…, minutes”; "" without one."""
    for at, word in enumerate(words):
        unit = UNITS.get(word.key, "")
        before = words[at - 1] if at else None
        if not unit or before is None or before.number is not None:
            continue
        if before.key == "in":
            return unit, range(at - 1, at + 1)
        if at == len(words) - 1 and before.key not in OF_A_RATE and word.key.endswith("s"):
            return unit, range(at, at + 1)
    return "", range(0)


def unit_asked(words: Sequence[Word]) -> str:
    """Return the unit a time is asked in, days where none is said."""
    return said_unit(words)[0] or "days"


def with_durations(found: Items, words: Sequence[Word], lexicon: Lexicon) -> None:
    """Add the senses of “duration” and “length” for the tables named, all in the unit asked for."""
    for at, word in enumerate(words):
        if word.key in single_words_of("lasting") and not word.quoted:
            things = _named(found) or _named(found, "value")  # “duration of Kiezfunk”
            found[at] += _for_rows(at, [lasting_field(lexicon, table) for table in things])
        if word.key in AGES and not word.quoted and not any(item.sense and item.kind == "column" for item in found[at]):
            found[at] += _for_rows(at, [age_field(lexicon.table(table)) for table in _named(found, "value")])
    if any(item.kind == "long" for items in found.values() for item in items):
        for at, word in enumerate(words):
            found[at] += [Item("filler", at, at + 1, value=READ)] if word.key in TAKING else _mere_averages(found[at])
    if any(item.kind == "asks" and item.value == "age" for items in found.values() for item in items):
        for at, word in enumerate(words[:-1]):
            going = word.key == "been" and words[at + 1].key in GOING_ON
            found[at] += [Item("filler", at, len(words), value=READ)] if going else []
    unit, places = said_unit(words)
    if not unit or not any(_timed(item) for items in found.values() for item in items):
        return
    for at, items in found.items():
        found[at] = [_in_unit(item, unit, places) for item in items]
    found[places.start].append(Item("filler", places.start, places.stop, value=READ))


def idle_unit(words: Sequence[Word], items: Items, meaning: Meaning, lexicon: Lexicon) -> set[int]:
    """Return the places of a unit that no time of a meaning is computed in: “visit length in minutes” kept in hours."""
    unit, places = said_unit(words)
    if not any(item.kind == "filler" and item.value == READ for item in items.get(places.start, ()) if unit):
        return set()
    fields = {Field(m.table, m.column or "") for m in meaning.all_measures} | {*meaning.columns}
    fields |= {test.field for test in meaning.filters} | {o.key for o in meaning.order if isinstance(o.key, Field)}
    defined = {metric.unit for field in fields if (metric := lexicon.metrics.get(field))}
    used = unit in defined or any(parts_of(field)[0] == unit for field in fields if is_span(field))
    return set() if used else {*places}


def lasting_field(lexicon: Lexicon, table: str, unit: str = "days") -> Field | None:
    """Return how long the rows of a table last, where no column holds it."""
    kept = lexicon.table(table)
    held = (Field(table, c.name) for word in HELD for c in columns_named(lexicon, kept, word))
    whole = lasted(kept, lexicon.semantics.dates.get(table, ""))
    return span_field(table, *whole, unit) if whole and not any(is_numeric(lexicon, f) for f in held) else None


def age_field(table: Table, unit: str = "") -> Field | None:
    """Return how old the rows are: from birth in years, else in days from the only day they came to be."""
    born = [column for column in dates(table) if is_called(column, BORN)]
    days = born or [column for column in dates(table) if is_called(column, frozenset(single_words_of("begun")))]
    return span_field(table.name, days[0].name, unit=unit or ("years" if born else "days")) if len(days) == 1 else None


def deed_day(table: Table, verb: str) -> str:
    """Return the only day of a table told by a verb: `closed_at` of “to close”, of “to resolve” too; "" without."""
    said = {verb, f"{verb}d", f"{verb}ed"}
    own = [column for column in dates(table) if stem(verb) in stems(verb_of(column.name))]
    own = own or [column for column in dates(table) if is_called(column, frozenset(said))]
    for family in () if own else (*words_of("deed"), *words_of("ended")):
        words = frozenset(family.split())
        if {stem(word) for word in words} & {stem(word) for word in said}:
            own += [column for column in dates(table) if is_called(column, words) and column not in own]
    return own[0].name if len(own) == 1 else ""


def _mere_averages(items: Sequence[Item]) -> list[Item]:
    """Return “on average” as mere grammar, which says nothing more of “how long”."""
    signs = (item for item in items if item.kind == "aggregate" and item.value == "avg")
    return [Item("filler", sign.start, sign.end, value=READ) for sign in signs]


def _for_rows(at: int, fields: Iterable[Field | None]) -> Iterator[Item]:
    """Yield a word as the times of rows named elsewhere."""
    for field in fields:
        if field:
            yield Item("column", at, at + 1, SAID_FOR_ROWS, sense=Sense(field.table, field.column))


def _named(found: Items, *more: str) -> tuple[str, ...]:
    kinds = ("table", "term", *more)
    named = (item for items in found.values() for item in items if item.sense and item.cost <= NAMED)
    return tuple(dict.fromkeys(item.sense.table for item in named if item.sense and item.kind in kinds))


def _timed(item: Item) -> bool:
    """Whether words ask for a time: “how long”, “delivery time”, “duration”."""
    return item.kind == "long" or (item.kind == "column" and item.sense is not None and is_span(item.sense.field))


def _in_unit(item: Item, unit: str, places: range) -> Item:
    if item.kind == "long" or not _timed(item) or item.sense is None or item.end > places.start:
        return item
    held, start, end = parts_of(item.sense.field)
    if held != "days":
        return item
    return replace(item, sense=replace(item.sense, column=span_field(item.sense.table, start, end, unit).column))
