"""Checks for amounts nobody asked for: pieces for money, prices for costs, a discount, what was paid for what is due."""

from itertools import pairwise

from ai.nl2sql.chart.parts import Part, Wanted
from ai.nl2sql.definitions import is_metric
from ai.nl2sql.lexicon import PARTIAL
from ai.nl2sql.line_values import DISCOUNTS
from ai.nl2sql.meaning import Field, Measure
from ai.nl2sql.reading.accounts.asked_back import ask_back
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.schema import is_numeric, noun, title
from ai.nl2sql.vocabulary import MONEY, is_kind
from ai.nl2sql.words import is_participle, name_parts, singular, stem

WORTH = frozenset({"amount", "value", "worth", "sum"})
BILLED = frozenset(map(stem, ("invoice", "bill")))
MONEY_NAMES = frozenset(map(stem, "payment sale refund expense donation invoice bill charge".split()))
COSTS = frozenset("cost costs fee fees expense expenses charge commission wage salary".split())


def _worth_of_pieces(sketch: Sketch) -> None:
    """“total stock value” is no number of pieces."""
    for part in sketch.parts("measure"):
        figure = part.data.measure if isinstance(part.data, Wanted) else None
        worth = {"value", "worth"} & {*part.said.lower().split()}
        if figure is None or figure.function not in ("sum", "avg") or not figure.column or not worth:
            continue
        field = Field(figure.table, figure.column)
        named = is_metric(field) or worth & {*name_parts(field.column)} or MONEY & {*name_parts(field.column)}
        if not named and sketch.lexicon.column(field).kind == "integer":
            sketch.doubt(f"I find no {part.said} in money, only {title(field)}; name the price to multiply it with.")


def _cost_to_us(sketch: Sketch) -> None:
    """“what did the couriers cost us” asks for no price of ours."""
    said = [word.key for word in sketch.lattice.words]
    if ("cost", "us") not in pairwise(said):
        return
    at = said.index("cost")
    fields = [part.data for part in sketch.parts("attribute") if part.start <= at < part.end]
    fields += [Field(p.data.measure.table, p.data.measure.column or "") for p in sketch.parts("measure")
               if p.start <= at < p.end and isinstance(p.data, Wanted)]  # fmt: skip
    if any(isinstance(field, Field) and not COSTS & {*name_parts(field.column)} for field in fields):
        sketch.doubt("I find no cost to us in this data, only prices; name the column that says what we pay.")


def _discount_unsaid(sketch: Sketch) -> None:
    """“total amount by treatment” asks for no discount amount."""
    said = {singular(word.key) for word in sketch.lattice.words}
    if said & DISCOUNTS or not said & WORTH:
        return
    for figure in sketch.meaning.all_measures:
        field = Field(figure.table, figure.column or "")
        if figure.column and DISCOUNTS & {*name_parts(field.column)} and not is_metric(field):
            sketch.doubt(f"I find no such amount here but the {title(field)}.")


def _billed_not_paid(sketch: Sketch) -> None:
    """“top customers by amount invoiced” are not told by what was paid."""
    lexicon = sketch.lexicon
    paid = {m.table for m in sketch.meaning.all_measures if m.function == "sum" and is_kind(m.table, "settling")}
    spoken = [word for word in sketch.lattice.words if word.stem in BILLED] if paid else []
    for table in dict.fromkeys(sense.table for word in spoken for sense in lexicon.senses((word.key,))):
        amounts = (
            [title(field).removesuffix(" cents") for field in _amounts(sketch, table)] if table not in paid else []
        )
        if amounts:
            sketch.doubt(f"Which amount of the {noun(lexicon, table)} do you mean: {' or '.join(amounts)}?")
            return


def _amounts(sketch: Sketch, table: str) -> list[Field]:
    fields = (Field(table, column.name) for column in sketch.lexicon.table(table).columns)
    return [field for field in fields if is_numeric(sketch.lexicon, field) and MONEY & {*name_parts(field.column)}]


def how_much_of_things(sketch: Sketch) -> None:
    """“how much gear is overdue” may ask for pieces: their number or their amount."""
    meaning = sketch.meaning
    for part in sketch.parts("measure"):
        words = part.said.lower().split()
        if words[:2] != ["how", "much"] or len(words) < 3 or sketch.problems or sketch.choices or meaning.fold:
            continue
        thing, figure = words[-1], part.data.measure if isinstance(part.data, Wanted) else None
        money = stem(thing) in MONEY_NAMES or MONEY & {thing} or is_participle(thing)
        if figure and figure.function == "sum" and singular(thing) == thing and not money and _names_rows(sketch, part):
            count = meaning.exchanged(figure, Measure("count", figure.table))
            ask_back(sketch, "How many or how much?", [count, meaning])


def _names_rows(sketch: Sketch, part: Part) -> bool:
    """Whether the last word of a figure names rows, and no numbers."""
    senses = sketch.lexicon.senses((sketch.lattice.words[part.end - 1].key,))
    known = [sense for sense in senses if sense.cost < PARTIAL and sense.value is None]
    return not any(sense.column and is_numeric(sketch.lexicon, sense.field) for sense in known)


AMOUNTS = (_worth_of_pieces, _cost_to_us, _discount_unsaid, _billed_not_paid)
