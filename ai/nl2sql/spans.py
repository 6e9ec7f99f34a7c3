"""Times between two days of a row, as number columns: days from order to delivery, age in years.

A span is read like a number column of its table whose name begins with "@", as a metric is by "=".
"""

from collections.abc import Iterator, Sequence

from ai.language.shortened import CLIPPED, is_short, shortening
from ai.nl2sql.meaning import Field
from ai.nl2sql.words import name_parts, singular, stem
from ai.sql.catalog import Column, Table

SPAN = "@"
NOW = ""
BORN = frozenset({"birth", "born", "birthday", "birthdate", "dob", "geburt", "geburtsdatum", "geburtstag", "geboren"})
ENDS_OF_NAMES = frozenset({"on", "at", "am", "date", "datum", "day", "time", "timestamp"})
STARTS = frozenset(
    "from start started starts onset raised begin begun begins beginning opened valid_from created registered joined "
    "hired signed placed issued activated reported received angelegt erstellt eintritt eroeffnet aufgestellt eingang "
    "beginn begonnen".split()
)
STOPS = frozenset(
    "answered picked delivered shipped due paid "
    "to end ended ends until till stop stopped finish finished closed completed returned deleted left removed "
    "cancelled resolved fixed repaired settled discharged retired terminated expired geloescht "
    "abgezogen austritt ende beendet erledigt".split()
)
FIRST = frozenset(
    "from start starts started starting begin begins began begun valid_from in checkin arrival arrives beginn "
    "begonnen".split()
)
FINAL = frozenset(
    "to end ends ended until till stop stopped finish finished out checkout departure departs bis ende beendet".split()
)
NOT_OVER = frozenset("answered picked shipped due paid delivered cancelled deleted expired".split())  # a row goes on
BETWEEN = NOT_OVER | frozenset(
    "scheduled reply replied response planned required promised expected deadline updated modified "
    "changed synced".split()
)
ASKED_FOR = frozenset(
    "created inserted added entered recorded booked ordered placed requested reported raised opened logged sent due"
    " planned expected".split()
)
DATED = ("date", "datetime")
UNITS = {
    unit: name
    for name, forms in (
        ("years", "years year yrs"), ("months", "months month"), ("weeks", "weeks week"), ("days", "days day"),
        ("hours", "hours hour hrs"), ("minutes", "minutes minute mins min"),
    )
    for unit in forms.split()
}  # fmt: skip


def is_span(field: Field) -> bool:
    return field.column.startswith(SPAN)


def span_field(table: str, start: str, end: str = NOW, unit: str = "days") -> Field:
    """Return the column for the time from one day to another; without an end, to today."""
    return Field(table, f"{SPAN}{unit}|{start}|{end}")


def parts_of(field: Field) -> tuple[str, str, str]:
    unit, start, end = field.column.removeprefix(SPAN).split("|")
    return unit, start, end


def span_column(field: Field) -> Column:
    return Column(field.column, "", "number")


def span_title(field: Field) -> str:
    unit, start, end = parts_of(field)
    if end == NOW:
        born = BORN & {*name_parts(start)}
        return f"age in {unit}" if born else f"{unit} since {' '.join(name_parts(start))}"
    return f"{unit} from {' '.join(name_parts(start))} to {' '.join(name_parts(end))}"


def verb_of(column: str) -> tuple[str, ...]:
    """Return what happened on a day: `paid_on` -> ("paid",)."""
    return tuple(part for part in name_parts(column) if part not in ENDS_OF_NAMES)


def dates(table: Table) -> list[Column]:
    return [column for column in table.columns if column.kind in DATED]


def may_be_open(day: Column) -> bool:
    """Whether rows may lack a day, or it tells when they were asked for, not when they happen as `move_date` does."""
    return day.nullable and not (day.is_filled and not ASKED_FOR & {*name_parts(day.name)})


def is_first_day(table: Table, column: str) -> bool:
    """Whether each row begins with this day, the first of its table."""
    return column in [day.name for day in dates(table)[:1]]


def beginning(table: Table, declared: str = "") -> str:
    """Return the day on which a row begins: the declared one, else the first that each row has; "" without one."""
    own = [column.name for column in dates(table)]
    if declared in own:
        return declared
    return next((column.name for column in dates(table) if not column.nullable), next(iter(own), ""))


def is_called(column: Column, words: frozenset[str]) -> bool:
    """Whether a word of a column's name is one of some, or short for one: `cls_ts` of “closed”."""
    return any(
        part in words or (is_short(part) and any(_is_short_for(part, word) for word in words))
        for part in verb_of(column.name)
    )


def _is_short_for(part: str, word: str) -> bool:
    how = shortening(part, word)
    return how is not None and how < CLIPPED


def lasted(table: Table, declared: str = "") -> tuple[str, str] | None:
    """Return the days between which a row lasts: `begins` and `ends` of a lease, whenever it was signed."""
    own = dates(table)
    begun = [column for column in own if is_called(column, FIRST)]
    start = begun[0].name if len(begun) == 1 else beginning(table, declared)
    if not start or {*name_parts(start)} & (BORN | BETWEEN):
        return None  # a life is no stay, a planned day no start
    for words in (FINAL, STOPS - NOT_OVER, NOT_OVER if begun else frozenset[str]()):
        ends = [column for column in own if column.name != start and is_called(column, words)]
        others = [column for column in own if column not in ends and not is_called(column, BETWEEN)]
        if ends:
            sure = len(ends) == 1 and (len(begun) == 1 or len(others) == 1)  # booked, picked up, returned: from when?
            return (start, ends[0].name) if sure else None
    return None


def first_of(fields: Sequence[Field]) -> list[Field]:
    """Return the day on which rows begin, where each other one is their end: `from_date` before `to_date`."""
    words = {field: set(name_parts(field.column)) for field in fields}
    begun = [field for field in fields if words[field] & STARTS]
    others = [field for field in fields if field not in begun]
    return begun if len(begun) == 1 and all(words[field] & STOPS for field in others) else []


def span_names(table: Table, declared: str = "") -> Iterator[tuple[tuple[str, ...], Field]]:
    """Yield the phrases that say a time between two days: “delivery time”, “days to pay”, “age”."""
    start, whole = beginning(table, declared), lasted(table, declared)
    for column in dates(table):
        if BORN & set(name_parts(column.name)):
            yield ("age",), span_field(table.name, column.name, unit="years")
        verb = verb_of(column.name)
        if not start or column.name == start or len(verb) != 1:
            continue
        field = span_field(table.name, start, column.name)
        units = [span_field(table.name, start, column.name, unit) for unit in _finer(table, start, column)]
        if whole is None or whole == (start, column.name):
            yield from _of_rows(table, verb, field, units)
        for noun in nouns_of(verb[0]):
            yield from _in_units(noun, units)
            yield from (((noun, last), field) for last in ("time", "duration", "delay", "days", "period"))
            yield from ((("days", "to", noun), field), (("time", "to", noun), field), (("days", "until", noun), field))
        ends = (
            [(one, other) for one in nouns_of(verb_of(start)[0]) for other in nouns_of(verb[0])]
            if verb_of(start)
            else []
        )
        for one, other in dict.fromkeys(ends):
            for unit in ("days", "time"):
                yield (unit, "between", one, "and", other), field
                yield (unit, "from", one, "to", other), field


def _finer(table: Table, start: str, end: Column) -> tuple[str, ...]:
    """Return the units of a time, by the clock where both ends have one."""
    begun = table.column(start)
    return ("days", "hours", "minutes") if begun and begun.kind == end.kind == "datetime" else ("days",)


def _in_units(noun: str, fields: Sequence[Field]) -> Iterator[tuple[tuple[str, ...], Field]]:
    """Yield “delivery time in minutes”, “hours to resolve”."""
    for field in fields:
        unit, _, _ = parts_of(field)
        yield from (((noun, last, "in", unit), field) for last in ("time", "duration", "delay"))
        yield (unit, "to", noun), field


def _of_rows(
    table: Table, verb: Sequence[str], field: Field, fields: Sequence[Field]
) -> Iterator[tuple[tuple[str, ...], Field]]:
    """Yield “outage duration”, “contract length in days”."""
    if not {*verb} & STOPS:
        return
    thing = singular(name_parts(table.name)[-1])
    for last in ("duration", "length"):
        yield (thing, last), field
        yield from (((thing, last, "in", parts_of(each)[0]), each) for each in fields)


def nouns_of(participle: str) -> Iterator[str]:
    """Yield what may be the noun of a verb: delivered -> delivery, paid -> payment."""
    base = stem(participle)
    for form in (participle, base, participle.removesuffix("ed"), participle.removesuffix("d")):
        yield from (form, f"{form}y", f"{form}ment", f"{form}al", f"{form}ing")
