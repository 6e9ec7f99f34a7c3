"""Prices compared with nothing, what rows are worth, and one figure over another: “free apps”, “order value”."""

import re
from collections.abc import Iterator
from dataclasses import replace

from ai.nl2sql.additivity import held
from ai.nl2sql.chart.figures import additive, field_of, made, table_named
from ai.nl2sql.chart.parts import Part, Wanted, figured
from ai.nl2sql.chart.rules import Rule, Run
from ai.nl2sql.chart.tests import filtered
from ai.nl2sql.definitions import is_metric
from ai.nl2sql.grammar import kinds_of
from ai.nl2sql.lattice import Item
from ai.nl2sql.lexicon import PARTIAL, Lexicon
from ai.nl2sql.meaning import Field, Filter, Measure, Operator, Presence, Scalar
from ai.nl2sql.schema import AMOUNTS, adds_up, averaged, columns_named, is_money, is_numeric, main_amount
from ai.nl2sql.words import is_participle, keys, name_parts, singular, stem

VALUED: dict[str, tuple[str, tuple[Operator, tuple[Scalar, ...]]]] = {
    "free": ("price cost fee", ("=", (0,))),
    "paid": ("price cost fee", (">", (0,))),
    "priced": ("price cost fee", (">", (0,))),
}
PAID = VALUED["paid"]
NO_WORTH = frozenset(
    "mileage km distance hours minutes days age year stars rating score capacity seats population weight height area "
    "count words size length duration".split()
)
FROM = frozenset({"of", "from", "for", "with"})
HOW = frozenset("the by with via in on for to us back more less most least over under at".split())
MOST = frozenset({"compare", "most", "more", "count", "much"})


def priced(run: Run) -> Iterator[Part]:
    """“free apps”, “paid apps”: the word is a comparison with a column."""
    word = run.lattice.words[run.start].key
    after = run.lattice.words[run.end].key if run.end < len(run.lattice.words) else ""
    if word == "paid" and (after in HOW or kinds_of(after) & MOST):
        return  # a deed: “paid by card”, “paid more than 35”
    beside = {item.sense.table for item in run.lattice.at(run.end, "table") if item.sense and item.cost < PARTIAL}
    for table in run.lexicon.catalog.tables:
        if beside and not any(_each_has(run.lexicon, thing, table.name) for thing in beside):
            continue
        names, test = VALUED.get(word, PAID) if run.end == run.start + 1 else PAID
        for name in names.split():
            for column in columns_named(run.lexicon, table, name):
                field = Field(table.name, column.name)
                if is_numeric(run.lexicon, field):
                    yield filtered(run, Filter(field, *test), cost=0.1)


def _each_has(lexicon: Lexicon, thing: str, table: str) -> bool:
    path = lexicon.links.path(thing, table)
    return path is not None and not any(link.many for link in path)


def without_priced(run: Run) -> Iterator[Part]:
    """“teams that never had a free app”: none of that price."""
    table, word = table_named(run.item(2)), run.item(1).start
    names, test = VALUED.get(run.lattice.words[word].key, PAID)
    for name in names.split():
        for column in columns_named(run.lexicon, run.lexicon.table(table), name):
            if is_numeric(run.lexicon, field := Field(table, column.name)):
                there = Presence(table, present=False, where=(Filter(field, *test),))
                yield Part("presence", run.start, run.end, run.cost, there, frozenset({table}))


PRICES = (Rule("valued", priced), Rule("none valued table", without_priced))


def worth(run: Run) -> Iterator[Part]:
    """“order value”, “average invoice amount”: the column that says how large a row is."""
    table = next(item for item in run.items if isinstance(item, Item) and item.kind == "table")
    sign = run.optional(0)
    field = main_amount(run.lexicon, table_named(table))
    function = sign.value if sign and sign.kind == "aggregate" else "sum"
    if field is not None and NO_WORTH & set(name_parts(field.column)):
        return
    if field is not None and (function not in ("sum", "median") or adds_up(run.lexicon, field)):
        wanted = figured(function, field)
        said = run.lattice.text(run.start, run.end)
        yield Part("measure", run.start, run.end, run.cost, wanted, frozenset({field.table}), said=said)


def worth_of(run: Run) -> Iterator[Part]:
    """“total value of bookings”, “value of the open invoices”: how large the rows are together."""
    sign, table = run.item(0), run.item(1)
    if "of" in {word.key for word in run.lattice.words[sign.end : table.start]}:
        yield from worth(run)


def worth_of_one(run: Run) -> Iterator[Part]:
    """“average payment”: of its amounts; “average payments per day” counts them."""
    last = run.lattice.words[run.end - 1].key
    behind = [item for item in run.lattice.items.get(run.end, ()) if item.kind in ("table", "column", "term", "worth")]
    field = main_amount(run.lexicon, table_named(run.item(1)))
    named = field is not None and AMOUNTS & set(name_parts(field.column))
    if run.item(0).value == "avg" and singular(last) == last and named and not behind:
        yield from worth(run)


def much_of(run: Run) -> Iterator[Part]:
    """“how much did we bill”: the amounts of the bills."""
    table = table_named(run.item(1))
    if run.item(1).end == len(run.lattice.words) or not run.lattice.at(run.end, "table"):
        field = main_amount(run.lexicon, table)
        if field and field.column and not averaged(field):
            said = run.lattice.text(run.start, run.end)
            figure = _defined(run.item(1), field, run) or Measure("sum", field.table, field.column)
            yield Part(
                "measure", run.start, run.end, run.cost + 0.3, Wanted(figure), frozenset({field.table}), said=said
            )


def _defined(deed: Item, amount: Field, run: Run) -> Measure | None:
    """Return the figure of the file that says how much was done of it: of refunds the “refunded amount”."""
    said = {word.stem for word in run.lattice.words[deed.start : deed.end]}
    found = [
        key
        for key, metric in run.lexicon.metrics.items()
        if key.table == amount.table
        and amount.column in re.findall(r"\w+", metric.expression)
        and any(
            is_participle(word) and stem(word) in said
            for name in (metric.name, *metric.synonyms)
            for word in keys(name)
        )
    ]
    return Measure("metric", amount.table, found[0].column) if len(found) == 1 else None


def earned(run: Run) -> Iterator[Part]:
    """“charter revenue”, “takings from bar sales”."""
    sign = next(item for item in run.items if isinstance(item, Item) and item.kind == "money")
    table = next(item for item in run.items if isinstance(item, Item) and item.kind == "table")
    between = {word.key for word in run.lattice.words[sign.end : table.start]}
    field = main_amount(run.lexicon, table_named(table))
    word = run.lattice.words[sign.end - 1].key
    if run.lexicon.defines(tuple(said.key for said in run.lattice.words[run.start : run.end])):
        return
    if run.lexicon.senses((word,)) or field is None or (sign.start < table.start and not between & FROM):
        return
    if is_money(run.lexicon, field) and adds_up(run.lexicon, field):
        wanted = Wanted(Measure("sum", field.table, field.column))
        said = run.lattice.text(run.start, run.end)
        yield Part("measure", run.start, run.end, run.cost, wanted, frozenset({field.table}), said=said)


def price_of_one(run: Run) -> Iterator[Part]:
    """“average price of a litre”: the total over the number of units of the same rows."""
    above, unit = run.part(0), run.item(1)
    below = field_of(unit)
    between = [word.key for word in run.lattice.words[above.end : unit.start]]
    if between not in (["of", "a"], ["of", "an"], ["of", "one"]) or not isinstance(above.data, Wanted):
        return
    figure = above.data.measure
    plain = figure.function in ("sum", "avg") and not figure.per and not figure.where and not above.data.mean
    if not plain or is_metric(below) or below.table != figure.table or below.column == figure.column:
        return
    if is_numeric(run.lexicon, below) and not averaged(below) and adds_up(run.lexicon, below):
        ratio = replace(figure, function="sum", per=Measure("sum", below.table, below.column))
        said = run.lattice.text(run.start, run.end)
        yield Part("measure", run.start, run.end, run.cost, Wanted(ratio), frozenset({below.table}), said=said)


def of_each(run: Run) -> Iterator[Part]:
    """“revenue per active user”: one figure over another of the same rows."""
    above, below = run.part(0).data, field_of(run.item(2))
    if not isinstance(above, Wanted) or above.mean or above.measure.per or run.item(1).value == "by":
        return
    if is_metric(below):
        yield from _of_each_defined(run, above, Measure("metric", below.table, below.column))
        return
    numeric = is_numeric(run.lexicon, below) and not averaged(below)
    if numeric and below.table != above.measure.table and additive(run.lexicon, above.measure):
        each = replace(above.measure, per=Measure("max", below.table, below.column))
        yield made(run, Wanted(each), cost=0.1)
    if not numeric or below.table != above.measure.table or below.column == above.measure.column:
        return
    if not additive(run.lexicon, above.measure) or not adds_up(run.lexicon, below):
        return
    ratio = Measure(above.measure.function, above.measure.table, above.measure.column, above.measure.where,
                    Measure("sum", below.table, below.column))  # fmt: skip
    yield made(run, Wanted(ratio), cost=0.1)


def _of_each_defined(run: Run, above: Wanted, below: Measure) -> Iterator[Part]:
    """“ad spend per install”, where the file defines installs."""
    figures = above.measure, below
    added = all(additive(run.lexicon, figure) and not held(figure, run.lexicon) for figure in figures)
    if added and above.measure.table == below.table and above.measure != below:
        yield made(run, Wanted(replace(above.measure, per=below)), cost=0.1)


RATIOS = (Rule("measure group column", of_each),)
UNIT_PRICES = (Rule("measure column", price_of_one),)
WORTHS = (
    Rule("much table", much_of),
    Rule("table ~worth", worth, 0.1),
    Rule("aggregate table ~worth", worth),
    Rule("worth table", worth_of),
    Rule("aggregate table", worth_of_one, 0.1),
    Rule("table ~money", earned),
    Rule("money table", earned),
)
