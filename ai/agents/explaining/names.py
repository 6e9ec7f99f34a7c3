"""Names of figures: common ones under other words in a schema, and those in a reply."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ai.answers.formats import UNIT_WORDS
from ai.language.thesaurus import is_word
from ai.nl2sql.echo import conditions
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Function, Meaning, Measure
from ai.nl2sql.schema import adds_up, averaged, called, is_numeric, main_amount, noun, title
from ai.nl2sql.spans import dates
from ai.nl2sql.vocabulary import SUBUNITS
from ai.nl2sql.words import name_parts, plural, singular

MONEY = re.compile(
    r"\b(?:revenues?|sales|turnover|income|takings|earnings|gmv|umsatz|money|spend(?:ing)?|arr|mrr|billings)\b",
    re.IGNORECASE,
)
AVERAGE = re.compile(
    r"\b(?:aov|(?:average|avg|mean|typical) [\w-]+(?: (?:value|size|amount|total|price|basket))?)(?=\s|$)",
    re.IGNORECASE,
)
CONVERSION = re.compile(r"\b(?:conversion(?: rates?)?|cvr|convert\w*)\b", re.IGNORECASE)
LASTING = re.compile(r"\b(?:tak(?:e|es|en|ing)|took|last(?:s|ed|ing)?)\b.{0,20}\b(?:longer|shorter)\b", re.IGNORECASE)
TIMES = frozenset(
    "min mins minute minutes hour hours sec secs seconds duration time ms days dauer minuten stunden".split()
)
DONE = frozenset("purchase order conversion sale signup booking subscription deal checkout".split())
TRIED = frozenset("session visit click view visitor impression lead trial".split())
CURRENCY = frozenset(
    "amount revenue price total cents usd eur gbp sales value betrag umsatz net gross paid fee".split()
)


@dataclass(frozen=True, slots=True)
class Said:
    """Words to read, and the name of the figure in a reply; `function` replaces its own."""

    words: str
    name: str = ""
    function: Function | None = None

    def of(self, meaning: Meaning) -> Meaning:
        if self.function is None or not meaning.measures:
            return meaning
        first = replace(meaning.measures[0], function=self.function)
        return replace(meaning, measures=(first, *meaning.measures[1:]))


def other_names(words: str, text: str, lexicon: Lexicon) -> Iterator[Said]:
    """Yield the words as they are, then with names of the schema in place of common ones."""
    amounts = _amounts(lexicon)
    if LASTING.search(text):
        for lasting in _durations(lexicon):
            yield Said(title(lasting), f"average {title(lasting)}", "avg")
    yield Said(words)
    if len(amounts) == 1:
        amount = title(amounts[0])
        if found := AVERAGE.search(words):
            yield Said(AVERAGE.sub(amount, words), found.group().lower(), "avg")
        if found := MONEY.search(words):
            yield Said(MONEY.sub(amount, words), found.group().lower())
    if CONVERSION.search(words):
        for done, tried in _conversions(lexicon):
            yield Said(CONVERSION.sub(f"{title(done)} per {title(tried)}", words), "conversion")


def said_name(measure: Measure, lexicon: Lexicon) -> str:
    if measure.per:
        return f"{said_name(replace(measure, per=None), lexicon)} per {singular(said_name(measure.per, lexicon))}"
    if not measure.column:
        own = name_parts(measure.table)
        return noun(lexicon, measure.table) if is_word(singular(own[-1])) else " ".join(own)
    if measure.function == "metric":
        return measure.column.lstrip("=")
    if measure.function == "count":
        return f"number of different {plural(title(Field(measure.table, measure.column)))}"
    name = _without_unit(called(lexicon, Field(measure.table, measure.column)).lstrip("="))
    return {"avg": f"average {name}", "min": f"lowest {name}", "max": f"highest {name}"}.get(measure.function, name)


def figures(lexicon: Lexicon) -> Iterator[Measure]:
    """Yield figures worth explaining: defined ones, sums, counts of rows with days."""
    for field, metric in lexicon.metrics.items():
        if metric.non_additive is None:
            yield Measure("metric", field.table, field.column)
    dated = [table for table in lexicon.catalog.tables if dates(table)]
    for table in sorted(dated, key=lambda table: -(table.row_estimate or 0)):
        fields = (Field(table.name, column.name) for column in table.columns)
        summed = [field for field in fields if is_numeric(lexicon, field) and adds_up(lexicon, field)]
        yield from (Measure("sum", table.name, field.column) for field in summed[:2])
        yield Measure("count", table.name)


def scoped_name(name: str, measure: Measure, base: Meaning, lexicon: Lexicon) -> str:
    """Name a figure with its rows: “revenue (Germany)”."""
    name = in_unit(name, measure, lexicon)
    values = [str(value) for test in base.filters if test.operator in ("=", "in") for value in test.values]
    is_plain = all(
        test.operator in ("=", "in") and test.values and not any(isinstance(value, bool | int) for value in test.values)
        for test in base.filters
    )
    said = ", ".join(values) if is_plain and not (base.presences or base.either) else conditions(base, lexicon)
    return f"{name} ({said.removeprefix('where ')})" if said else name


def in_unit(name: str, measure: Measure, lexicon: Lexicon) -> str:
    """Add the part of a unit that a sum is counted in: “revenue in cents”."""
    field = Field(measure.table, measure.column or "")
    parts = name_parts(field.column)[-1:]
    known = f"{field.table}.{field.column}" in lexicon.semantics.units or measure.per or field in lexicon.metrics
    return f"{name} in {parts[0]}" if set(parts) & SUBUNITS and not known and parts[0] not in name.split() else name


def _without_unit(name: str) -> str:
    words = name.split()
    if len(words) > 1 and words[-1] in SUBUNITS:
        return " ".join(words[:-1])
    return " ".join(words[:-1]) if len(words) > 1 and words[-1] in UNIT_WORDS else name


def _amounts(lexicon: Lexicon) -> list[Field]:
    """Return the money that adds up in tables with days; the main amount where a table has several."""
    found = []
    for table in lexicon.catalog.tables:
        fields = [Field(table.name, column.name) for column in table.columns] if dates(table) else []
        money = [
            f for f in fields if CURRENCY & set(name_parts(f.column)) and is_numeric(lexicon, f) and not averaged(f)
        ]
        main = main_amount(lexicon, table.name)
        found += [main] if main in money else money
    return found


def _conversions(lexicon: Lexicon) -> Iterator[tuple[Field, Field]]:
    for table in lexicon.catalog.tables:
        fields = [Field(table.name, column.name) for column in table.columns if column.kind == "integer"]
        done = [field for field in fields if DONE & _singulars(field)]
        tried = [field for field in fields if TRIED & _singulars(field)]
        yield from ((one, other) for one in done[:1] for other in tried[:1])


def _durations(lexicon: Lexicon) -> Iterator[Field]:
    for table in lexicon.catalog.tables:
        for column in table.columns:
            field = Field(table.name, column.name)
            if TIMES & set(name_parts(column.name)) and is_numeric(lexicon, field):
                yield field


def _singulars(field: Field) -> set[str]:
    return {part.removesuffix("s") for part in name_parts(field.column)}
