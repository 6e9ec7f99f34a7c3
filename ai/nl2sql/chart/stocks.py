"""Things left: in stock, and below the level to order more at."""

from collections.abc import Iterator

from ai.nl2sql.chart.figures import field_of
from ai.nl2sql.chart.parts import Part
from ai.nl2sql.chart.rules import Rule, Run, implied_tables
from ai.nl2sql.chart.tests import filtered
from ai.nl2sql.definitions import is_metric
from ai.nl2sql.lattice import Item
from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Field, Filter, Operator
from ai.nl2sql.schema import is_numeric
from ai.nl2sql.words import name_parts

STOCK = frozenset("stock inventory hand stocked".split())
LEVEL = frozenset("reorder restock minimum min safety threshold".split())
SURE = -0.3  # over a mere column called so


def depleted(run: Run) -> Iterator[Part]:
    """“out of stock”: nothing is left of an amount."""
    field = field_of(run.item(1))
    if not is_metric(field) and is_numeric(run.lexicon, field):
        yield filtered(run, Filter(field, "=", (0,)), cost=-0.2)


def left(run: Run) -> Iterator[Part]:
    """“still in stock”: something is left."""
    field = field_of(next(item for item in run.items if isinstance(item, Item) and item.kind == "column"))
    if not is_metric(field) and is_numeric(run.lexicon, field) and STOCK & set(name_parts(field.column)):
        yield filtered(run, Filter(field, ">", (0,)), cost=SURE)


def short(run: Run) -> Iterator[Part]:
    """“need reordering”: no more is left than the level that a row has for it."""
    for table in implied_tables(run):
        if pair := _stock_and_level(run.lexicon, table.name):
            yield filtered(run, Filter(pair[0], "<=", other=pair[1]), cost=SURE)


def gone(run: Run) -> Iterator[Part]:
    """“out of stock”, “in stock”, where the stock is called otherwise: `qty_on_hand`."""
    for table in implied_tables(run):
        if len(stocks := stock_columns(run.lexicon, table.name)) == 1 and "stock" not in name_parts(stocks[0].column):
            sign: Operator = "=" if run.item(0).value == "none" else ">"
            yield filtered(run, Filter(stocks[0], sign, (0,)))


def beside_level(run: Run) -> Iterator[Part]:
    """“below their reorder level”: what is compared is the stock."""
    level = field_of(run.item(1))
    pair = _stock_and_level(run.lexicon, level.table)
    if pair and pair[1] == level:
        yield filtered(run, Filter(pair[0], run.item(0).value, other=level), cost=SURE)  # type: ignore[arg-type]


def _stock_and_level(lexicon: Lexicon, table: str) -> tuple[Field, Field] | None:
    """Return the only stock of a table and the only level that it should not fall to."""
    stocks = stock_columns(lexicon, table)
    levels = [field for field in _numbers(lexicon, table) if LEVEL & set(name_parts(field.column))]
    return (stocks[0], levels[0]) if len(stocks) == len(levels) == 1 else None


def stock_columns(lexicon: Lexicon, table: str) -> list[Field]:
    """Return the columns of stock in a table."""
    numbers = ((field, set(name_parts(field.column))) for field in _numbers(lexicon, table))
    return [field for field, parts in numbers if STOCK & parts and not LEVEL & parts]


def _numbers(lexicon: Lexicon, table: str) -> list[Field]:
    fields = (Field(table, column.name) for column in lexicon.table(table).columns)
    return [field for field in fields if is_numeric(lexicon, field)]


STOCKS = (
    Rule("gone", gone),
    Rule("depleted column", depleted),
    Rule("left ~column", left),
    Rule("short", short),
    Rule("compare column", beside_level),
)
