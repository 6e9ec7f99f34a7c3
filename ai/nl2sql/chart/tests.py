"""Conditions: values, comparisons, texts, empty columns, days, presence of related rows."""

from collections.abc import Iterator
from dataclasses import replace

from ai.nl2sql.chart.figures import field_of, table_named
from ai.nl2sql.chart.parts import Part
from ai.nl2sql.chart.rules import Rule, Run, implied_tables
from ai.nl2sql.definitions import is_metric, is_term
from ai.nl2sql.lattice import Item
from ai.nl2sql.lexicon import PARTIAL, Lexicon
from ai.nl2sql.meaning import Field, Filter, Group, Operator, Scalar
from ai.nl2sql.schema import columns_named, display, is_key, is_numeric, is_year
from ai.nl2sql.values import STATE_NAMES, truths
from ai.nl2sql.vocabulary import single_words_of
from ai.nl2sql.wording import is_reference
from ai.nl2sql.words import keys, name_parts, singular

PAID, WAITING = frozenset({"paid", "bezahlt"}), frozenset({"still", "yet"})
OPPOSITE: dict[str, Operator] = {"=": "!=", "in": "not in", ">": "<=", "<": ">=", ">=": "<", "<=": ">", "!=": "=",
                                 "null": "not null", "not null": "null"}  # fmt: skip
IMPLIED = {
    "older": "age", "younger": "age", "cheaper": "price cost fee", "costing": "price cost fee",
    "taller": "height", "shorter": "height",
    "heavier": "weight", "lighter": "weight", "longer": "length loa duration milliseconds", "later": "date",
    "earlier": "date", "expensive": "price cost fee", "pricier": "price cost fee", "costlier": "price cost fee",
}  # fmt: skip


LESS_LIKELY = 0.3  # what is expensive has a high price, rather than cost
OVER = frozenset({"over", "above", "under", "below"})


def filtered(run: Run, *filters: Filter, cost: float = 0.0, either: bool = False) -> Part:
    tables = frozenset(f.field.table for f in filters)
    notes = [item.note for item in run.items if item is not None and item.note]
    return Part("filter", run.start, run.end, run.cost + cost, filters, tables, "; ".join(notes), either,
                run.lattice.text(run.start, run.end))  # fmt: skip


def value_of(item: Item) -> tuple[Field, Scalar]:
    sense = item.sense
    if sense is None or sense.value is None:
        raise TypeError("no value")
    return sense.field, sense.value


def is_value(run: Run) -> Iterator[Part]:
    """“iOS”, “not on iOS”, “neither games nor finance”, “Germany or France”; all of one column."""
    negated = run.items[0] is not None
    found = [value_of(item) for item in run.items if isinstance(item, Item) and item.kind == "value"]
    fields = {field for field, _ in found}
    if len(fields) != 1:
        return
    field, values = found[0][0], tuple(dict.fromkeys(value for _, value in found))
    values = (*values, *_called_off(run, field, values)) if negated and not is_term(field) else values
    if len(values) == 1:
        had = {"have", "has", "had"} & {word.key for word in run.lattice.words[run.start : run.end]}
        yield filtered(run, Filter(field, "!=" if negated else "=", values), cost=0.4 * bool(negated and had))
    else:
        yield filtered(run, Filter(field, "not in" if negated else "in", values), cost=-0.1 * len(values))


def _called_off(run: Run, field: Field, values: tuple[Scalar, ...]) -> tuple[Scalar, ...]:
    """Return the states of rows given up, which are “not paid” and “still not delivered” either, but meant by nobody."""
    said, named = {word.key for word in run.lattice.words}, {word for value in values for word in keys(str(value))}
    waits = named & PAID or (said & WAITING and named & {*single_words_of("fulfilled")})
    if not waits or not STATE_NAMES & {*name_parts(field.column)}:
        return ()
    over = {*single_words_of("called_off")}
    return tuple(
        value for value in run.lexicon.column(field).values if over & {*keys(str(value))[:1]} and value not in values
    )


def either_way(run: Run) -> Iterator[Part]:
    """“subsidised vs not”: both answers of a yes or no, side by side."""
    found = {value_of(item) for item in run.items if isinstance(item, Item) and item.kind == "value"}
    field = next(iter(found))[0]
    if len(found) == 1 and not is_term(field) and truths(run.lexicon.column(field)):
        group = (Group(field.table, field.column),)
        yield Part("group", run.start, run.end, run.cost - 0.1, group, frozenset({field.table}),
                   said=run.lattice.text(run.start, run.end))  # fmt: skip


def column_is_value(run: Run) -> Iterator[Part]:
    """“platform is iOS”: the value must be one of that column."""
    column, (field, value) = field_of(run.item(0)), value_of(run.item(2))
    if column == field:
        yield filtered(run, Filter(field, "!=" if run.items[1] else "=", (value,)), cost=-0.4)


def value_then_column(run: Run) -> Iterator[Part]:
    """“the Aurora team”, “Games category”, “team Aurora”."""
    value = next(item for item in run.items if isinstance(item, Item) and item.kind == "value")
    other = next(item for item in run.items if isinstance(item, Item) and item.kind != "value")
    field, said = value_of(value)
    if other.kind == "column" and field_of(other) != field:
        return
    if other.kind == "table":
        named = field in display(run.lexicon, field.table)
        if table_named(other) != field.table or not named:
            return
    yield filtered(run, Filter(field, "=", (said,)), cost=-0.35)


def _names_rows(run: Run, column: Item) -> bool:
    """Whether a key stands for rows: “3 customers”, “hosts with 4 or more”."""
    said = {word.key for word in run.lattice.words[column.start : column.end]}
    plural = any(singular(word) != word for word in said)
    return plural and column.sense is not None and is_reference(column.sense, run.lexicon)


def compared(run: Run) -> Iterator[Part]:
    """“price over 5”, “stars at least 4”: rows where one of its columns compares so."""
    number = next(item for item in run.items if isinstance(item, Item) and item.kind == "number")
    column = next(item for item in run.items if isinstance(item, Item) and item.kind == "column")
    sign = next((item.value for item in run.items if isinstance(item, Item) and item.kind == "compare"), "=")
    more = next((item.value or ">=" for item in run.items if isinstance(item, Item) and item.kind == "more"), "")
    field = field_of(column)
    if _names_rows(run, column):
        return
    negated = any(item is not None and isinstance(item, Item) and item.kind in ("not", "none") for item in run.items)
    operator: Operator = more or sign  # type: ignore[assignment]
    operator = OPPOSITE[operator] if negated else operator
    if (
        not sign_said(run)
        and isinstance(number.number, int)
        and 1900 <= number.number <= 2100
        and not is_year(run.lexicon, field)
    ):
        return
    if column.end <= number.start and _measures_next(run, number):
        return
    kept = number.number
    if is_metric(field) or kept is None or run.lexicon.column(field).kind in ("boolean", "date", "datetime"):
        return
    numeric = run.lexicon.column(field).kind in ("integer", "number")
    if numeric:
        yield filtered(
            run,
            Filter(field, operator, (kept,)),
            cost=0.0 if is_numeric(run.lexicon, field) else _as_number(run, column),
        )
    elif (operator in ("=", "!=") and _may_hold(run.lexicon, field, str(kept))) or is_year(run.lexicon, field):
        yield filtered(run, Filter(field, operator, (str(kept),)), cost=0.1)


def _as_number(run: Run, column: Item) -> float:
    """The cost of comparing a key or a code; “3 pets” are rarely the pet 3."""
    keyed = is_key(run.lexicon.table(field_of(column).table), run.lexicon.column(field_of(column)))
    said = {word.key for word in run.lattice.words[column.start : column.end]}
    return 1.2 if keyed and not said & {"id", "ids", "number", "no", "code", "key"} else 0.2


def _may_hold(lexicon: Lexicon, field: Field, text: str) -> bool:
    """Whether a column may hold a text: where all its values are known, it is one of them."""
    values = lexicon.column(field).values
    return not values or text in values


def _measures_next(run: Run, number: Item) -> bool:
    """Whether a number counts the thing right behind it: “season with more than 300 visitors”."""
    columns = (item for item in run.lattice.at(number.end, "column") if item.cost <= PARTIAL)
    return any(not is_metric(field_of(item)) and is_numeric(run.lexicon, field_of(item)) for item in columns)


def sign_said(run: Run) -> bool:
    """Whether words say how the number compares; a bare 2026 beside a column is rather a year."""
    return any(isinstance(item, Item) and item.kind in ("compare", "more") for item in run.items)


def compared_alone(run: Run) -> Iterator[Part]:
    """“older than 30”, “cheaper than $5”: the word names the column."""
    compare, number = run.item(0), run.item(1).number
    if number is None:
        return
    for field, cost in _implied(run, compare):
        yield filtered(run, Filter(field, compare.value, (number,)), cost=cost)  # type: ignore[arg-type]


def _implied(run: Run, sign: Item) -> Iterator[tuple[Field, float]]:
    """Yield the columns a comparison speaks of, the likeliest cheapest: “cheaper than”, “more expensive than”."""
    words = (word.key for word in run.lattice.words[sign.start : sign.end])
    names = [name for word in words for name in IMPLIED.get(word, "").split()]
    for table in implied_tables(run) if names else ():
        for at, name in enumerate(names):
            for column in columns_named(run.lexicon, table, name):
                field = Field(table.name, column.name)
                if is_numeric(run.lexicon, field):
                    yield field, 0.1 + LESS_LIKELY * at


def of_age(run: Run) -> Iterator[Part]:
    """“patients over 65”: with nothing behind the number, their age."""
    table, compare, number = run.lexicon.table(table_named(run.item(0))), run.item(1), run.item(2).number
    counts = any(item.sense or item.kind == "unit" for item in run.lattice.items.get(run.end, ()))
    if number is None or counts or run.lattice.words[compare.start].key not in OVER:
        return
    for column in columns_named(run.lexicon, table, "age"):
        field = Field(table.name, column.name)
        if is_numeric(run.lexicon, field):
            yield replace(filtered(run, Filter(field, compare.value, (number,))), start=compare.start)  # type: ignore[arg-type]


def ranged(run: Run) -> Iterator[Part]:
    """“price between 1 and 3”, “between 1 and 3 stars”."""
    numbers = [item.number for item in run.items if isinstance(item, Item) and item.kind == "number"]
    field = next(field_of(item) for item in run.items if isinstance(item, Item) and item.kind == "column")
    low, high = numbers
    if low is None or high is None or run.lexicon.column(field).kind not in ("integer", "number") or is_metric(field):
        return
    yield filtered(run, Filter(field, ">=", (low,)), Filter(field, "<=", (high,)), cost=-0.1)


def numbers_of(run: Run) -> Iterator[Part]:
    """“age 32 or 33”, “1 or 2 stars”."""
    numbers = tuple(item.number for item in run.items if isinstance(item, Item) and item.kind == "number")
    field = next(field_of(item) for item in run.items if isinstance(item, Item) and item.kind == "column")
    if not is_metric(field) and run.lexicon.column(field).kind in ("integer", "number"):
        yield filtered(run, Filter(field, "in", tuple(n for n in numbers if n is not None)), cost=-0.1)


def beside_average(run: Run) -> Iterator[Part]:
    """“price above average”, “older than the average age”."""
    field = next(field_of(item) for item in run.items if isinstance(item, Item) and item.kind == "column")
    sign = next(item.value for item in run.items if isinstance(item, Item) and item.kind == "average")
    if is_numeric(run.lexicon, field) and not is_metric(field):
        yield filtered(run, Filter(field, sign, than="avg"), cost=-0.1)  # type: ignore[arg-type]


def beside_average_implied(run: Run) -> Iterator[Part]:
    """“cheaper than average”: the word names the column."""
    sign = run.item(0)
    for field, cost in _implied(run, sign):
        yield filtered(run, Filter(field, sign.value, than="avg"), cost=cost)  # type: ignore[arg-type]


VALUES = (
    Rule("not? value", is_value),
    Rule("not? value or|and|versus|not value", is_value),
    Rule("not? value value or|and value", is_value),
    Rule("not? value value value or|and value", is_value),
    Rule("have and|or|versus none value", either_way),
    Rule("value versus|or not", either_way),
    Rule("value versus|or not value", either_way),
    Rule("column not? value", column_is_value),
    Rule("value ~column|table", value_then_column),
    Rule("table|column ~value", value_then_column),
)
NUMBERS = (
    Rule("column compare number", compared),
    Rule("column not|none compare number", compared),
    Rule("column number more", compared),
    Rule("number column more", compared),
    Rule("compare column number", compared),
    Rule("compare number column", compared, 0.15),
    Rule("number more column", compared, 0.15),
    Rule("number ~column", compared, 0.05),
    Rule("column number", compared, 0.15),
    Rule("compare number", compared_alone),
    Rule("table ~compare number", of_age),
    Rule("column between number and|versus number", ranged),
    Rule("between number and|versus number column", ranged),
    Rule("column number or|and number", numbers_of, 0.1),
    Rule("number or|and number ~column", numbers_of),
    Rule("number number or|and number ~column", numbers_of),
    Rule("column average column?", beside_average),
    Rule("average column", beside_average),
    Rule("average", beside_average_implied),
)
