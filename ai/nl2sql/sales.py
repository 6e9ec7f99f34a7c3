"""Which amount of the data its sales are: that of the bills, or of their lines where these are asked about."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ai.nl2sql.choose import Doubt, chosen, named
from ai.nl2sql.lexicon import PARTIAL, Lexicon
from ai.nl2sql.line_values import heads
from ai.nl2sql.reading.sketch import Sketch, many_between
from ai.nl2sql.spans import dates
from ai.nl2sql.unspecific import QUESTION
from ai.nl2sql.vocabulary import is_kind
from ai.nl2sql.words import keys, name_parts
from ai.nl2sql.worth import Restated, amounts_said, number_and_amount
from ai.sql.catalog import Table

BOTH = 2  # the number and the amount
BILLED = re.compile(r"\b(?:sales?|revenues?|turnover)\b", re.IGNORECASE)
COSTS = frozenset("cost costs expense expenses spend".split())  # what is paid for goods is no sale of them
SPENDING = ("spend", "spent")  # of customers; what a company spends is no sale


@dataclass(frozen=True, slots=True)
class SalesQuestion:
    """A question, its likely readings and the decision about them."""

    text: str
    decided: Sketch | Doubt
    found: Sequence[Sketch]


def restated(said: SalesQuestion, lexicon: Lexicon, read: Callable[[str], Sequence[Sketch]]) -> SalesQuestion:
    """Say a question about sales of the amount that it means; ask where there are several."""
    decided = said.decided
    if isinstance(decided, Doubt) and decided.asks and decided.reason != QUESTION:
        return said
    if isinstance(decided, Doubt) and (two := number_and_amount(said.text, lexicon, read)):
        both = chosen(read(two), lexicon)
        sound = isinstance(both, Sketch) and len(both.meaning.all_measures) == BOTH
        return SalesQuestion(two, both, read(two)) if sound else said
    if said.found and _adds_refunds(said.found[0]):
        return said
    meant = [way for way in _meant(said.text, lexicon, read) if not _of_others(way, said.text, lexicon)]
    if not meant or (isinstance(decided, Sketch) and not all(_is_better(way, decided, lexicon) for way in meant)):
        return said
    if len(meant) > 1:
        return replace(said, decided=Doubt(QUESTION, named([way.sketch.meaning for way in meant], lexicon), asks=True))
    return SalesQuestion(meant[0].text, meant[0].sketch, meant[0].found)


def _adds_refunds(sketch: Sketch) -> bool:
    """Whether a reading adds up what was paid back, kept in a column of its own."""
    figures = sketch.meaning.all_measures
    return any(measure.function == "sum" and "refund" in (measure.column or "") for measure in figures)


def _meant(text: str, lexicon: Lexicon, read: Callable[[str], Sequence[Sketch]]) -> list[Restated]:
    found = [way for way in amounts_said(text, lexicon, read) if not is_kind(way.figure.table, "bought")]
    found = [way for way in found if not (BILLED.search(text) and COSTS & {*name_parts(way.figure.column or "")})]
    whole = [way for way in found if not any(_stands_for(other, way, lexicon) for other in found)]
    billed = BILLED.search(text) is not None  # what is paid of it is none of its own
    sold = [way for way in whole if not is_kind(way.figure.table, "settling")] if billed else []
    meant = [way for way in sold or whole if isinstance(chosen([way.sketch], lexicon), Sketch)]
    return meant if any(_is_sale(way, lexicon) for way in meant) else []


def _is_better(way: Restated, decided: Sketch, lexicon: Lexicon) -> bool:
    """Whether a word for money was taken for a mere part of another name: “sales” for the sales rep."""
    rows = any(sense.column is None and sense.cost < PARTIAL for sense in lexicon.senses((way.word.lower(),)))
    return way.sketch.cost < decided.cost and not rows


def _of_others(way: Restated, text: str, lexicon: Lexicon) -> bool:
    """Whether the sales of other things are said: “voucher sales” are no bookings."""
    words = keys(text[: text.lower().find(way.word.lower())])[-1:]
    senses = lexicon.senses(words) if words else ()
    things = {sense.table for sense in senses if sense.column is None and sense.cost < PARTIAL}
    return bool(things) and not things & way.sketch.meaning.tables


def _is_sale(way: Restated, lexicon: Lexicon) -> bool:
    table = lexicon.table(way.figure.table)
    among = [table, *heads(table, lexicon.catalog)] if _is_of_lines(way, lexicon) else [table]
    sale = any(is_kind(head.name, "sale") and dates(head) for head in among) or _is_bill(way, table)
    spending = way.word.lower().startswith(SPENDING) or "spen" in way.word.lower()
    others = way.sketch.meaning.tables - {table.name}
    others |= {group.column for group in way.sketch.meaning.groups if group.column}  # “by buyer name”
    return sale and (not spending or any(is_kind(other, "buyer") for other in others))


def _is_bill(way: Restated, table: Table) -> bool:
    """Whether rows of another name bill a buyer: the boxes of a subscription, with a total each."""
    buyers = any(is_kind(key.target_table, "buyer") for key in table.foreign_keys)
    return buyers and "total" in name_parts(way.figure.column or "") and bool(dates(table))


def _stands_for(one: Restated, other: Restated, lexicon: Lexicon) -> bool:
    """Whether one amount goes before another: a bill's before its lines', unless lines are asked about."""
    if one is other or _is_of_lines(one, lexicon) == _is_of_lines(other, lexicon):
        return False
    head, lines = (other, one) if _is_of_lines(one, lexicon) else (one, other)
    if head.figure.table not in {table.name for table in heads(lexicon.table(lines.figure.table), lexicon.catalog)}:
        return False
    meaning = head.sketch.meaning
    asked = {*meaning.tables, *(there.table for there in meaning.presences)} - {head.figure.table}
    whole = not any(many_between(lexicon, head.figure.table, table) for table in asked)
    return (one is head) == whole


def _is_of_lines(way: Restated, lexicon: Lexicon) -> bool:
    """Whether an amount is one of lines, which have no day of their own."""
    return way.figure.function == "metric" or not dates(lexicon.table(way.figure.table))
