"""The worth of lines: quantity times unit price, of rows without an amount of their own."""

from collections.abc import Iterator

from ai.nl2sql.phrases import TAKEN_IN
from ai.nl2sql.spans import dates
from ai.nl2sql.words import name_parts, singular
from ai.sql.catalog import Catalog, Column, Table
from ai.sql.semantics import PENCE, SMALL_UNITS, Metric, Semantics

QUANTITIES = frozenset("quantity qty pieces units menge stueck stück".split())
PRICES = frozenset("price prc preis".split())
OWN = frozenset("amount amt total subtotal value sum net gross discount disc rebate betrag summe".split())
AMOUNTS = frozenset("amount amt total revenue turnover value sum price paid betrag summe umsatz".split())
PARTS_OF = frozenset("tax vat discount shipping fee tip unit deposit refund cost".split())
TAKEN = frozenset((word,) for word in TAKEN_IN - {"earn"})
DISCOUNTS = frozenset("discount disc rebate rabatt".split())
PERCENT, FRACTION = frozenset("percent pct percentage".split()), frozenset("rate fraction".split())
MONEYS = frozenset("amount amt value total cents cent eur usd gbp betrag".split())
FLOATS = frozenset(("REAL", "FLOAT", "DOUBLE", "DOUBLE PRECISION", "FLOAT4", "FLOAT8"))
CENT = 0.01
ITEMS = (("item",), ("items",), ("line",), ("lines",), ("detail",), ("details",))  # which may have amounts of their own
KINDS = (("type",), ("types",), ("kind",), ("tier",), ("category",))


def line_values(catalog: Catalog, semantics: Semantics) -> Iterator[Metric]:
    """Yield a figure for each table of lines without a defined one."""
    defined = {metric.table for metric in semantics.metrics}
    for table in catalog.tables:
        of_kinds = name_parts(table.name)[-1:] in KINDS  # what there is of a kind of ticket was not sold
        lines = table.name not in defined and bool(table.foreign_keys) and not of_kinds
        if lines and (whole := _of_whole_line(table, semantics)):
            yield Metric(f"{_line(table)} value", table.name, f"SUM({whole}) / 100.0")
            continue
        pair = _factors(table) if lines else None
        if pair:
            quantity, price = pair
            unit = semantics.units.get(f"{table.name}.{price.name}")
            in_cents = unit.scale == CENT if unit else bool((SMALL_UNITS - {PENCE}) & set(name_parts(price.name)))
            cents = " / 100.0" if in_cents else ""
            less = "".join(f" * (1 - {part})" for part in _fractions_off(table))
            less += "".join(f" - {column.name}" for column in table.columns if _is_amount_off(column))
            yield Metric(f"{_line(table)} value", table.name, f"SUM({quantity.name} * {price.name}{less}){cents}")


def are_of_line(column: Column) -> bool:
    """Whether a column is the quantity or the price of a line."""
    return column.kind in ("integer", "number") and bool((QUANTITIES | PRICES) & set(name_parts(column.name)))


def sold_lines(catalog: Catalog, semantics: Semantics) -> tuple[str, ...]:
    """Return the tables of lines of what has a day: of orders, not of stock."""
    tables = [table for metric in line_values(catalog, semantics) if (table := catalog.table(metric.table))]
    tables = tables or [
        table for table in catalog.tables if name_parts(table.name)[-1:] in ITEMS and _quantities(table)
    ]
    return tuple(table.name for table in tables if any(dates(one) for one in (table, *heads(table, catalog))))


def _of_whole_line(table: Table, semantics: Semantics) -> str:
    """Return the column with the amount of a line that only its unit tells: `line_p` in pence."""
    found = [column.name for column in table.columns if name_parts(column.name)[:-1] in ITEMS]
    found = [name for name in found if f"{table.name}.{name}" in semantics.units]
    return found[0] if len(found) == 1 and _quantities(table) else ""


def _quantities(table: Table) -> list[Column]:
    return [column for column in table.columns if QUANTITIES & set(name_parts(column.name))]


def heads(table: Table, catalog: Catalog) -> list[Table]:
    """Return the tables with rows that these rows are lines of."""
    found = (catalog.table(key.target_table) for key in table.foreign_keys)
    return [head for head in found if head is not None]


def _factors(table: Table) -> tuple[Column, Column] | None:
    """Return the only quantity and the only price of a table without an amount."""
    numbers = [column for column in table.columns if column.kind in ("integer", "number")]
    quantities = [column for column in numbers if QUANTITIES & set(name_parts(column.name))]
    prices = [column for column in numbers if PRICES & set(name_parts(column.name))]
    off = {column.name for column in numbers if _is_fraction_off(column) or _is_amount_off(column)}
    own = [column for column in numbers if OWN & set(name_parts(column.name)) and column.name not in off]
    return (quantities[0], prices[0]) if len(quantities) == len(prices) == 1 and not own else None


def _fractions_off(table: Table) -> list[str]:
    return [
        f"{column.name} / 100.0" if PERCENT & set(name_parts(column.name)) else column.name
        for column in table.columns
        if _is_fraction_off(column)
    ]


def _is_fraction_off(column: Column) -> bool:
    """Whether a discount is a part of the price: a percentage, or a number too coarse for money."""
    parts = set(name_parts(column.name))
    plain = parts <= DISCOUNTS | PERCENT | FRACTION
    return plain and bool(parts & DISCOUNTS) and (bool(parts & (PERCENT | FRACTION)) or column.type.upper() in FLOATS)


def _is_amount_off(column: Column) -> bool:
    """Whether a discount is an amount of the whole line: `discount_amount`, `discount_cents`."""
    parts = set(name_parts(column.name))
    return bool(parts & DISCOUNTS) and bool(parts & MONEYS) and parts <= DISCOUNTS | MONEYS


def _line(table: Table) -> str:
    *parts, last = name_parts(table.name)
    return " ".join((*parts, singular(last)))


def taken_in(table: Table, words: tuple[str, ...]) -> str | None:
    """Return the column named by “revenue” in a table of sales: its only amount, "" where there are several.

    None where the words name the rows themselves.
    """
    if words not in TAKEN or set(words) & set(name_parts(table.name)):
        return None
    numbers = [column for column in table.columns if column.kind in ("integer", "number")]
    amounts = [column.name for column in numbers if AMOUNTS & set(name_parts(column.name))]
    whole = [name for name in amounts if not PARTS_OF & set(name_parts(name))]
    return whole[0] if len(whole) == 1 else ""
