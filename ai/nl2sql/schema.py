"""Uses of a table and its columns: those naming a row, those to add up, and how they are called."""

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import islice

from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Group, Measure
from ai.nl2sql.phrases import WEAK_PARTS
from ai.nl2sql.spans import BORN, dates, first_of, is_span, may_be_open, span_title
from ai.nl2sql.values import truths
from ai.nl2sql.vocabulary import ADDED, MEASURED_IN, MONEY, PARTS_OF_AMOUNTS, is_kind, single_words_of, words_of
from ai.nl2sql.words import keys, name_parts, plural, singular, stem, stems, without_kind
from ai.sql.catalog import Column, Table
from ai.sql.semantics import Semantics, Unit, own_target

_NAMING = ("name", "title", "label", "bezeichnung", "titel", "firma")
_NUMBERS = (("number",), ("no",), ("nr",), ("code",), ("nummer",))
_CODES = tuple((word,) for word in ("priority", "tier", "status", "type", "class", "phase", "stage"))
PARTS_OF_TOTALS = frozenset("unit per avg average mean rate share percent pct ratio score rating".split())
FACTS = frozenset({"fact", "fct"})  # before the names of tables of events
FEW = 4  # columns of rows without a name that are all shown
AMOUNTS = frozenset({"total", "amount", "value", "sum"})
_PERSON = ("first", "last")
_AGENTS = frozenset(
    "advisor adviser manager instructor head boss owner author teacher coach supervisor president".split()
)


def is_key(table: Table, column: Column) -> bool:
    """Whether the column identifies rows rather than measures them."""
    referring = {name.lower() for key in table.foreign_keys for name in key.columns}
    return (
        column.name in table.primary_key or column.name.lower() in referring or name_parts(column.name)[-1:] == ("id",)
    )


def is_numeric(lexicon: Lexicon, field: Field) -> bool:
    """Whether sums and averages of this column make sense."""
    if (known := lexicon.numeric.get(field)) is None:
        known = lexicon.numeric[field] = _is_numeric(lexicon, field)
    return known


def _is_numeric(lexicon: Lexicon, field: Field) -> bool:
    column = lexicon.column(field)
    key = is_key(lexicon.table(field.table), column)
    if column.kind not in ("integer", "number") or key or is_year(lexicon, field) or truths(column):
        return False
    if set(name_parts(field.column)[-1:]) & _AGENTS:
        return False
    worded = any((w.table, w.column) == (field.table, field.column) for w in lexicon.semantics.wordings)
    return not worded and name_parts(field.column)[-1:] not in _CODES


def averaged(field: Field) -> bool:
    """Whether the values of this column do not add up (ratings, prices, ages); a total price does."""
    parts = name_parts(field.column)
    total = "total" in parts and not PARTS_OF_TOTALS & set(parts)
    return is_span(field) or (not total and bool(averaged_stems() & set(stems(parts))))


def is_year(lexicon: Lexicon, field: Field) -> bool:
    """Whether the column holds years, as numbers or as text."""
    column = lexicon.column(field)
    named = "year" in name_parts(field.column) and column.kind in ("integer", "number", "text")
    return named and all(len(value) == len("2026") and value.isdigit() for value in column.values)


def names_of(group: Group, lexicon: Lexicon) -> tuple[Field, ...]:
    """Return the columns with one group per value."""
    return (Field(group.table, group.column),) if group.column else tuple(display(lexicon, group.table))


def display(lexicon: Lexicon, name: str) -> tuple[Field, ...]:
    """Return the columns naming a row to a person: those defined, else its name or title, or first and last name."""
    table = lexicon.table(name)
    defined = lexicon.semantics.display.get(table.name)
    return (Field(table.name, defined),) if defined else _named_by(table)


@lru_cache(maxsize=4_096)
def _named_by(table: Table) -> tuple[Field, ...]:
    texts = [column for column in table.columns if column.kind == "text"]
    if name_parts(table.name)[0] in FACTS:
        texts = [column for column in texts if not column.values]  # of events, a kind: the name of each visit
    persons = [
        c for part in _PERSON for c in texts if name_parts(c.name)[:1] == (part,) and "name" in name_parts(c.name)
    ]
    if persons:
        return tuple(Field(table.name, column.name) for column in persons)
    own = {*name_parts(table.name), *stems(name_parts(table.name)), table.name[0].lower()}
    for naming in _NAMING:
        for column in texts:
            rest = [part for part in name_parts(column.name) if part not in own and stem(part) not in own]
            if rest == [naming] or (not rest and naming in own):
                return (Field(table.name, column.name),)
    event = is_kind(table.name, "event") and bool(table.foreign_keys)  # the ship's name of an order is not its own
    named = [column for column in texts if name_parts(column.name)[-1:] in (("name",), ("title",)) and not event]
    named += [column for column in texts if stems(name_parts(column.name)) == stems(name_parts(table.name))]
    return tuple(Field(table.name, column.name) for column in named[:1])


@lru_cache(maxsize=4_096)
def numbered_by(table: Table) -> tuple[Field, ...]:
    """Return the text that numbers the rows of a table without names: `lines.line_number`."""
    own = {*name_parts(table.name), *stems(name_parts(table.name))}
    found = [
        column
        for column in table.columns
        if column.kind == "text" and column.name not in table.primary_key and name_parts(column.name)[-1:] in _NUMBERS
        if all(part in own or stem(part) in own for part in name_parts(column.name)[:-1])
    ]
    return tuple(Field(table.name, column.name) for column in found[:1])


def first_text(table: Table) -> tuple[Field, ...]:
    """Return the first column of texts: of rows without a name it tells most."""
    texts = (column.name for column in table.columns if column.kind == "text" and not is_key(table, column))
    return tuple(Field(table.name, name) for name in islice(texts, 1))


def telling(lexicon: Lexicon, name: str) -> tuple[Field, ...]:
    """Return the few columns that tell rows without names apart: key, number or first text, first day, amount."""
    table = lexicon.table(name)
    if len(table.columns) <= FEW:
        return all_columns(table)
    key = table.primary_key if len(table.primary_key) == 1 else ()
    numbers = [field.column for field in numbered_by(table) or first_text(table)]
    first = [column.name for column in dates(table) if not column.nullable]
    amount = main_amount(lexicon, name)
    kept = dict.fromkeys((*key, *numbers, *first[:1], *([amount.column] if amount else [])))
    return tuple(Field(table.name, column) for column in kept) if key and len(kept) > 1 else all_columns(table)


def main_amount(lexicon: Lexicon, name: str) -> Field | None:
    """The column that says how large a row is: the one that a metric adds up, or its total, amount or value."""
    own = lexicon.table(name)
    for metric in lexicon.metrics.values():
        said = {part for part in re.findall(r"\w+", metric.expression) if own.column(part)}
        if metric.table == own.name and len(said) == 1 and is_numeric(lexicon, field := Field(own.name, said.pop())):
            return field
    numbers = [f for c in lexicon.table(name).columns if is_numeric(lexicon, f := Field(name, c.name))]
    rest = [field for field in numbers if not PARTS_OF_AMOUNTS & set(name_parts(field.column))]
    named = next(filter(None, ([f for f in some if AMOUNTS & {*name_parts(f.column)}] for some in (rest, numbers))), [])
    named = [field for field in named if "total" in name_parts(field.column)] or named
    paid = own.foreign_keys and dates(own) and rest and "price" in name_parts(rest[0].column)  # of each thing sold
    only = rest if len(rest) == 1 and (len(numbers) == 1 or paid) else []
    return named[0] if len(named) == 1 else only[0] if only else None


def adds_up(lexicon: Lexicon, field: Field) -> bool:
    """Whether totals of a column make sense: a metric adds it up, it is called an amount, or it counts things."""
    if averaged(field):
        return False
    if summed_by_metric(lexicon, field):
        return True
    parts = [part for part in name_parts(field.column) if part not in MEASURED_IN] or list(name_parts(field.column))
    counted = any(singular(part) != part for part in parts)
    return counted or bool(set(parts) & ADDED) or lexicon.column(field).kind == "number"


def summed_by_metric(lexicon: Lexicon, field: Field) -> bool:
    summed = rf"sum\s*\(\s*{re.escape(field.column)}\s*\)"
    metrics = (metric for metric in lexicon.semantics.metrics if metric.table == field.table)
    return any(re.search(summed, metric.expression, re.IGNORECASE) for metric in metrics)


def referred_table(lexicon: Lexicon, field: Field) -> Table | None:
    """Return the table that a key of one column refers to."""
    keys = (key for key in lexicon.table(field.table).foreign_keys if key.columns == (field.column,))
    return next((lexicon.catalog.table(key.target_table) for key in keys), None)


def all_columns(table: Table) -> tuple[Field, ...]:
    return tuple(Field(table.name, column.name) for column in table.columns)


def columns_named(lexicon: Lexicon, table: Table, word: str) -> list[Column]:
    """Return the columns with this word in their name or a synonym of it; "date" means every column of days."""
    if word == "date":
        return dates(table)
    said = _named_with(lexicon.semantics, stem(word))
    named = (lambda part: singular(part) == word) if word.endswith("ing") else (lambda part: stem(part) == stem(word))
    return [  # a rating is no rate
        c for c in table.columns if any(map(named, name_parts(c.name))) or (said and f"{table.name}.{c.name}" in said)
    ]


@lru_cache(maxsize=1_024)
def _named_with(semantics: Semantics, word: str) -> frozenset[str]:
    """Return the targets of the synonyms with a word."""
    return frozenset(found.target for found in semantics.synonyms if word in stems(keys(found.word)))


def end_day(table: Table, kind: str) -> Field | None:
    """Return the only day that may be empty and is called by a word of a kind of the vocabulary."""
    ends = set(single_words_of(kind))
    found = [day.name for day in dates(table) if day.may_miss and ends & set(name_parts(day.name))]
    return Field(table.name, found[0]) if len(found) == 1 else None


KEPT_BY_MACHINES = frozenset("updated modified changed synced imported loaded etl last deleted".split())
ENTERED = frozenset("created inserted added entered recorded".split())


def always_known(lexicon: Lexicon, found: Sequence[Field]) -> list[Field]:
    """Return the days of every row: those the schema asks for, else those no row lacks."""
    required = [field for field in found if not lexicon.column(field).nullable]
    return required or [field for field in found if not lexicon.column(field).may_miss]


def surest_days(lexicon: Lexicon, found: Sequence[Field]) -> list[Field]:
    """Return the only day known of every row, else their beginning; none where neither is clear."""
    missing = {part for field in found if lexicon.column(field).may_miss for part in name_parts(field.column)}
    done = missing & {*single_words_of("finished"), *single_words_of("fulfilled")}  # jobs of a week: booked or done?
    always = always_known(lexicon, [field for field in found if not (done and may_be_open(lexicon.column(field)))])
    if len(always) == 1:
        return always
    aside = ENTERED | {*single_words_of("due")}
    own = [field for field in always if not aside & {*name_parts(field.column)}]
    return own if len(own) == 1 else first_of(found)


def days(lexicon: Lexicon, name: str) -> list[Field]:
    """The columns of days that "last month" may be about for a table: the one defined, or its own but births."""
    table = lexicon.table(name)
    if defined := lexicon.semantics.dates.get(table.name):
        owner, _, column = own_target(table.name, defined).rpartition(".")
        return [Field(owner, column)]
    found = [column for column in dates(table) if not BORN & set(name_parts(column.name))]
    told = [column for column in found if not KEPT_BY_MACHINES & set(name_parts(column.name))]
    return [Field(table.name, column.name) for column in told or found]


def figure_days(lexicon: Lexicon, measure: Measure) -> list[Field]:
    """The columns of days that a time asked of a figure may be about."""
    metric = lexicon.metric_of(measure)
    if metric is None or not metric.date:
        return days(lexicon, measure.table)
    owner, _, column = own_target(metric.table, metric.date).rpartition(".")
    return [Field(owner, column)]


def noun(lexicon: Lexicon, table: str, *, many: bool = True) -> str:
    """What a person calls a row (rows) of this table: what its keys call it, else the name of the table."""
    parts = name_parts(table)
    called = lexicon.table(table).primary_key
    key = name_parts(called[0])[:-1] if len(called) == 1 else ()
    parts = key if key and set(key) < set(parts) else without_kind(parts, len(lexicon.table(table).foreign_keys))
    words = " ".join(parts)
    return plural(singular(words)) if many else singular(words)


def unit_of(lexicon: Lexicon, field: Field) -> Unit | None:
    """Return the unit that somebody declared for a column."""
    return lexicon.semantics.units.get(f"{field.table}.{field.column}")


def scale_of(lexicon: Lexicon, field: Field) -> float:
    """The factor from the values of a column to the unit that it is read in."""
    unit = unit_of(lexicon, field)
    return unit.scale if unit else 1.0


def is_money(lexicon: Lexicon, field: Field) -> bool:
    """Whether a column holds money by its name, in a currency that nobody declared."""
    unit = unit_of(lexicon, field)
    return not (unit and unit.unit) and bool(MONEY & set(name_parts(field.column)))


def called(lexicon: Lexicon, field: Field) -> str:
    """A column in words, with the unit that its values are shown in: `net_cents` -> "net usd"."""
    if scale_of(lexicon, field) == 1.0:
        return title(field)
    unit = lexicon.semantics.units[f"{field.table}.{field.column}"].unit.lower()
    said = title(field).split()
    said = said[:-1] if len(said) > 1 and said[-1] in MEASURED_IN else said
    told = unit and unit not in said and not lexicon.values.get((unit,))  # “gbp” picks rows where it is a value
    return " ".join((*said, *([unit] if told else ())))


def without_unit(words: str) -> str:
    """Return "price" for "price usd"."""
    parts = words.split()
    return " ".join(parts[:-1] if len(parts) > 1 and parts[-1] in MEASURED_IN | WEAK_PARTS else parts)


def title(field: Field) -> str:
    """A column in words: `launched_on` -> "launched on", `is_active` -> "active"."""
    if is_span(field):
        return span_title(field)
    parts = name_parts(field.column)
    return " ".join(parts[1:] if len(parts) > 1 and parts[0] in ("is", "has") else parts)


@cache
def averaged_stems() -> frozenset[str]:
    return frozenset(stem(word) for word in words_of("averaged"))
