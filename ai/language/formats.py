"""Numbers, money and dates as people of a locale write them, by the Unicode CLDR. Loaded when first needed."""

from datetime import date, datetime
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from typing import Any

AMERICAN = "en_US"
EUROPEAN = "en_150"  # English as written on the continent, for sentences in English among foreign numbers
LONGEST = 20  # digits before the point; longer numbers have an exponent
Number = int | float | Decimal


def speaking(locale: str) -> str:
    """Return a locale for dates in an English sentence."""
    return locale if locale.startswith("en") else EUROPEAN


@cache
def locale_of(name: str) -> Any:
    """Return the locale of a tag such as "en-US" or "de"; American English for an unknown one."""
    from babel import Locale, UnknownLocaleError

    try:
        return Locale.parse(name.replace("-", "_"))
    except (UnknownLocaleError, ValueError, TypeError):
        return Locale.parse(AMERICAN)


def number(value: Number, most: int, locale: str, least: int = 0) -> str:
    """Group thousands and round to at most `most` decimals, at least `least` of them shown."""
    from babel.numbers import format_decimal

    exact = _exact(value)
    if exact.adjusted() > LONGEST or not exact.is_finite():
        return f"{exact:.6g}"
    pattern = f"#,##0.{'0' * least}{'#' * (most - least)}" if most else "#,##0"
    return str(format_decimal(_rounded(exact, most), pattern, locale=locale_of(locale)))


def significant(value: Number, digits: int, locale: str) -> str:
    """Round to so many significant digits; zeros at the end fall away."""
    exact = _exact(value)
    if not exact:
        return "0"
    places = max(0, digits - 1 - exact.adjusted())
    return number(exact, places, locale)


def percent(digits: str, locale: str) -> str:
    """Add the sign as the locale does: "12%", "12 %"."""
    pattern = locale_of(locale).percent_formats[None].pattern
    return f"{digits} %" if pattern.endswith("\xa0%") else f"{digits}%"


def money(value: Number, currency: str, decimals: int, locale: str) -> str:
    from babel.numbers import format_currency, get_currency_precision

    if _exact(value).adjusted() > LONGEST:
        return f"{currency} {number(value, 0, locale)}"
    most = min(decimals, get_currency_precision(currency))
    pattern = locale_of(locale).currency_formats["standard"].pattern
    fitted = pattern.replace(".00", f".{'0' * most}" if most else "")
    written = format_currency(
        _rounded(_exact(value), most), currency, fitted, locale=locale_of(locale), currency_digits=False
    )
    return str(written).replace("\xa0", " ")


def short_money(value: Number, currency: str, locale: str) -> str:
    """Write millions and more with two decimals: “$1.28M”."""
    from babel.numbers import format_compact_currency

    if _exact(value).adjusted() > LONGEST:
        return f"{currency} {number(value, 0, locale)}"
    written = format_compact_currency(_exact(value), currency, locale=locale_of(locale), fraction_digits=2)
    return str(written).replace("\xa0", " ")


def day(value: date, locale: str, *, year: bool = True, short: bool = False) -> str:
    return _dated(value, f"{'y' if year else ''}MMM{'' if short else 'M'}d", locale)


def month(value: date, locale: str, *, year: bool = True, short: bool = False) -> str:
    return _dated(value, f"{'y' if year else ''}MMM{'' if short else 'M'}" if year or short else "LLLL", locale)


def calendar_names(locale: str) -> set[str]:
    """Return the names of months and weekdays."""
    from babel.dates import get_day_names, get_month_names

    found = locale_of(locale)
    return {*get_month_names("wide", locale=found).values(), *get_day_names("wide", locale=found).values()}


@cache
def months_of(locale: str) -> tuple[tuple[str, str], ...]:
    """Return the months in a locale's language, each behind its English letters: ("sep", "septembre")."""
    return tuple(
        (f"{date(2000, at, 1):%b}".lower(), month(date(2000, at, 1), locale, year=False)) for at in range(1, 13)
    )


def moment(value: datetime, locale: str) -> str:
    from babel.dates import format_time

    return f"{day(value, locale, short=True)}, {format_time(value, 'short', locale=locale_of(locale))}".replace(
        "\u202f", " "
    )


def _dated(value: date, skeleton: str, locale: str) -> str:
    from babel.dates import format_date, format_skeleton

    found = locale_of(locale)
    if skeleton in ("LLLL", "yMMMMd"):
        return str(format_date(value, "long" if skeleton == "yMMMMd" else skeleton, locale=found))
    return str(format_skeleton(skeleton, value, locale=found, fuzzy=True))


def _rounded(value: Decimal, places: int) -> Decimal:
    return value.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)


def _exact(value: Number) -> Decimal:
    """A decimal without the dust of binary fractions."""
    return Decimal(f"{value:.15g}") if isinstance(value, float) else Decimal(value)
