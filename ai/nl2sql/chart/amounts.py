"""Numbers with a unit, compared: “over 6 kg”, “longer than an hour”, “older than 2 years”."""

from collections.abc import Iterator

from ai.language.spans import Span
from ai.nl2sql.chart.parts import Part, When
from ai.nl2sql.chart.rules import Rule, Run
from ai.nl2sql.chart.tests import filtered
from ai.nl2sql.lattice import Item
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Filter, Operator
from ai.nl2sql.schema import is_money, is_numeric, main_amount, unit_of
from ai.nl2sql.spans import BORN, dates, span_field
from ai.nl2sql.vocabulary import currencies, units
from ai.nl2sql.words import name_parts

PARTS_OF: dict[tuple[str, str], float] = {
    ("hour", "minute"): 60, ("minute", "second"): 60, ("hour", "second"): 3_600, ("day", "hour"): 24,
    ("kg", "gram"): 1_000,
    ("second", "ms"): 1_000, ("minute", "ms"): 60_000, ("km", "meter"): 1_000,
}  # fmt: skip
CALENDAR = range(1900, 2101)
EARLIER: dict[Operator, Operator] = {">": "<", "<": ">"}
AGES: dict[str, Operator] = {"older": ">", "younger": "<", "newer": "<"}
Family = frozenset[str]


def family_of(unit: str) -> Family | None:
    return next((family for family in units() if unit.lower() in family), None)


def factor(said: Family, held: Family) -> float | None:
    """Return how many units of a column make one of the unit said; None where they measure other things."""
    if said == held:
        return 1
    for (whole, part), many in PARTS_OF.items():
        if whole in said and part in held:
            return many
        if part in said and whole in held:
            return 1 / many
    return None


def measured_in(lexicon: Lexicon, said: Family) -> Iterator[tuple[Field, float]]:
    """Yield the columns in this unit or a part of it; of several in a table the one of its size."""
    for table in lexicon.catalog.tables:
        found: dict[Field, float] = {}
        for column in table.columns:
            field = Field(table.name, column.name)
            unit = unit_of(lexicon, field)
            held = family_of(unit.unit if unit else name_parts(column.name)[-1])
            held = said if held is None and said <= currencies() and is_money(lexicon, field) else held
            many = factor(said, held) if held and is_numeric(lexicon, field) else None
            if many:
                found[field] = many
        main = main_amount(lexicon, table.name)
        yield from [(main, found[main])] if main in found else found.items() if len(found) == 1 else ()


def in_unit(run: Run) -> Iterator[Part]:
    """“over 6 kg”, “longer than an hour”, “between 10 and 20 kg”, “6 kg or more”."""
    numbers = [item.number for item in run.items if isinstance(item, Item) and item.kind == "number"]
    numbers = numbers or _one(run)
    words = run.lattice.words
    at = run.end + (not any(isinstance(item, Item) and item.kind == "number" for item in run.items))
    said = family_of(words[at].key) if at < len(words) and not words[at].quoted else None
    if said is None or not numbers or any(number is None for number in numbers):
        return
    first = run.item(0)
    signs: tuple[Operator, ...] = (">=", "<=") if first.kind == "between" else (first.value,)  # type: ignore[assignment]
    for field, many in measured_in(run.lexicon, said):
        tests = [
            Filter(field, sign, (_whole(number * many),))
            for sign, number in zip(signs, numbers, strict=False)
            if number
        ]
        part = filtered(run, *tests, cost=0.1)
        yield Part(
            "filter", run.start, at + 1, part.cost, part.data, part.tables, said=run.lattice.text(run.start, at + 1)
        )


def _one(run: Run) -> list[int | float | None]:
    words = run.lattice.words
    return [1] if run.end < len(words) and words[run.end].key in ("a", "an") else []


def _whole(number: float) -> int | float:
    return int(number) if number == int(number) else number


def of_age(run: Run) -> Iterator[Part]:
    """“older than 60 days”: by its first day; settled with the day of asking."""
    sign = AGES.get(run.lattice.words[run.start].key)
    number = run.item(1).number
    if sign and isinstance(number, int):
        when = When(Span(None, None), age=(sign, number, run.item(2).value))
        yield Part("period", run.start, run.end, run.cost, when, said=run.lattice.text(run.start, run.end))


def aged(run: Run) -> Iterator[Part]:
    """“older than 10”: years since birth; “older than 2018”: of an earlier year."""
    sign, number = AGES.get(run.lattice.words[run.start].key), run.item(1).number
    if sign is None or number is None:
        return
    for table in run.lexicon.catalog.tables:
        for column in dates(table):
            if BORN & set(name_parts(column.name)):
                years = span_field(table.name, column.name, unit="years")
                yield filtered(run, Filter(years, sign, (number,)), cost=0.1)
        for column in table.columns if number in CALENDAR else ():
            if column.kind in ("integer", "number") and name_parts(column.name)[-1].endswith(("year", "jahr")):
                yield filtered(run, Filter(Field(table.name, column.name), EARLIER[sign], (number,)), cost=0.1)


AMOUNTS = (
    Rule("compare number", in_unit),
    Rule("compare", in_unit),
    Rule("between number and|versus number", in_unit),
    Rule("compare number unit", of_age),
    Rule("compare number", aged),
)
