"""Names of the parts, days and shares of a change."""

from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction

from ai.analysis.finding import Driver
from ai.answers.formats import heading_words
from ai.answers.naming import abridged
from ai.answers.phrase import literal
from ai.language.formats import AMERICAN, number
from ai.language.formats import day as written_day

LISTED = 3  # of many
FLAGS = {"0": "no", "1": "yes", "False": "no", "True": "yes"}
CENTS = 2  # digits of a figure that is not whole


def part_name(driver: Driver) -> str:
    names, values = driver.dimension.split(" & "), driver.value.split(" & ")
    values = [FLAGS.get(value, value) for value in values]
    if len(names) != len(values):
        return f"{dimension_name(driver.dimension).lower()} {literal(driver.value)}"
    pairs = zip(names, values, strict=True)
    return " with ".join(f"{dimension_name(name).lower()} {literal(value)}" for name, value in pairs)


def dimension_name(dimension: str) -> str:
    names = [name.rpartition(".") for name in dimension.split(" & ")]
    said = [_titled(table, column) for table, _, column in names]
    return capital(" and ".join(said))


def _titled(table: str, column: str) -> str:
    said = heading_words(column).lower()
    return heading_words(table).lower().removesuffix("s") if said in ("name", "title") and table else said


def span_said(days: tuple[date, ...], today: date) -> str:
    is_row = days[-1] - days[0] == timedelta(len(days) - 1)
    if is_row and len(days) > 1:
        return f"from {day_said(days[0], today)} to {day_said(days[-1], today)}"
    return "on " + abridged([day_said(day, today) for day in days], LISTED)


def day_said(day: date, today: date) -> str:
    return written_day(day, AMERICAN, year=day.year != today.year)


def cell(figure: Fraction | None) -> int | Decimal | float | None:
    """Return a figure as a cell: whole, in cents, or a ratio."""
    if figure is None or figure.denominator == 1:
        return None if figure is None else int(figure)
    exact = Decimal(figure.numerator) / Decimal(figure.denominator)
    rounded = round(exact, CENTS)
    return rounded if Fraction(rounded) == figure else float(exact)


def percent(share: Fraction, locale: str) -> str:
    value = float(share) * 100
    digits = 0 if abs(value) >= 10 or not value else 1
    return f"{number(value, digits, locale, digits)} %"


def capital(words: str) -> str:
    return words[:1].upper() + words[1:]
