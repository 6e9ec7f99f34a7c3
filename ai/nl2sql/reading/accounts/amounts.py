"""Checks for amounts nobody asked for: pieces for money, our prices for our costs, a discount for the total."""

from itertools import pairwise

from ai.nl2sql.chart.parts import Wanted
from ai.nl2sql.definitions import is_metric
from ai.nl2sql.line_values import DISCOUNTS
from ai.nl2sql.meaning import Field
from ai.nl2sql.reading.sketch import Sketch
from ai.nl2sql.schema import title
from ai.nl2sql.vocabulary import MONEY
from ai.nl2sql.words import name_parts, singular

WORTH = frozenset({"amount", "value", "worth", "sum"})
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


AMOUNTS = (_worth_of_pieces, _cost_to_us, _discount_unsaid)
