"""Units and currencies: what they are called, and how much one is of another. Says nothing about results."""

import re
from decimal import Decimal

CURRENCY = r"US\$|[$€£¥₹]|USD|EUR|GBP|CHF|JPY|CAD|AUD|SEK|INR|US dollars?|dollars?|euros?|pounds?|Euro|yen\b"
LETTERS = 2  # of an abbreviation that is taken only as it is written: "MB" is not "mb"
_CURRENCIES = {
    "$": "usd", "us$": "usd", "usd": "usd", "dollar": "usd", "us dollar": "usd", "€": "eur", "eur": "eur", "euro": "eur",
    "£": "gbp", "gbp": "gbp", "pound": "gbp", "chf": "chf", "¥": "jpy", "jpy": "jpy", "yen": "jpy", "cad": "cad",
    "aud": "aud", "sek": "sek", "₹": "inr", "inr": "inr",
}  # fmt: skip
_NAMES = {
    "millisecond": "ms msec millisecond milliseconds",
    "second": "s sec secs second seconds Sekunden",
    "minute": "min mins minute minutes Minuten",
    "hour": "h hr hrs hour hours Stunden",
    "day": "d day days Tage",
    "week": "w wk week weeks",
    "month": "month months",
    "quarter": "quarter quarters",
    "year": "y yr yrs year years",
    "byte": "B byte bytes",
    "kilobyte": "KB kB kilobyte kilobytes",
    "megabyte": "MB megabyte megabytes",
    "gigabyte": "GB gigabyte gigabytes",
    "terabyte": "TB terabyte terabytes",
    "gram": "g gram grams",
    "kilogram": "kg kilogram kilograms kilos",
    "tonne": "t tonne tonnes tons",
    "metre": "m metre metres meter meters",
    "kilometre": "km kilometre kilometres kilometer kilometers",
    "mile": "mi mile miles",
}
_UNITS = {word: unit for unit, words in _NAMES.items() for word in words.split()}
_FAMILIES = (
    {"millisecond": Decimal("0.001"), "second": Decimal(1), "minute": Decimal(60), "hour": Decimal(3600), "day": Decimal(86400), "week": Decimal(604800)},
    {"month": Decimal(1), "quarter": Decimal(3), "year": Decimal(12)},
    {"byte": Decimal(1), "kilobyte": Decimal(10) ** 3, "megabyte": Decimal(10) ** 6, "gigabyte": Decimal(10) ** 9, "terabyte": Decimal(10) ** 12},
    {"gram": Decimal(1), "kilogram": Decimal(1000), "tonne": Decimal(10) ** 6},
    {"metre": Decimal(1), "kilometre": Decimal(1000), "mile": Decimal("1609.344")},
)  # fmt: skip


def unit_named(word: str) -> str:
    """The unit that a word after a number names, "" when it is none."""
    return _UNITS.get(word, "") or (_UNITS.get(word.lower(), "") if len(word) > LETTERS else "")


def currency_of(words: str) -> str:
    """The code of a currency, lower case; "" for none."""
    said = words.strip().lower()
    return _CURRENCIES.get(said) or _CURRENCIES.get(said.rstrip("s"), "")


def unit_of_column(words: tuple[str, ...]) -> str:
    """The unit that a column's name tells: `avg_session_minutes`, `size_mb`."""
    longer = (word for place, word in enumerate(words) if len(word) > 1 or (place and word in "sgh"))
    return next((unit for word in longer if (unit := unit_named(word) or unit_named(word.upper()))), "")


def scale_of_column(words: tuple[str, ...]) -> Decimal:
    """What one of a column's numbers stands for: a thousand in `revenue_k`, a hundredth in `price_cents`."""
    factors = {"k": 3, "thousand": 3, "thousands": 3, "tsd": 3, "m": 6, "mn": 6, "mio": 6, "million": 6, "millions": 6, "bn": 9, "billion": 9, "billions": 9, "cents": -2, "cent": -2}  # fmt: skip
    bare = [re.sub(r"(?<=^[km])(?:usd|eur|gbp|chf)$", "", word) for word in words[1:]]
    return next((Decimal(1).scaleb(factors[word]) for word in bare if word in factors), Decimal(1))


def currency_of_column(words: tuple[str, ...]) -> str:
    """The currency that a column's name tells."""
    bare = [re.sub(r"^[km](?=(?:usd|eur|gbp|chf)$)", "", word) for word in words]
    return next((code for word in bare if re.fullmatch(r"[a-z]{3}|[$€£¥₹]", word) and (code := currency_of(word))), "")


def converted(value: Decimal, unit: str, into: str) -> tuple[Decimal, ...]:
    """A value in another unit of its family; as it is when one of the units is not known or they are of no one family."""
    for family in _FAMILIES:
        if unit in family and into in family:
            factor = family[unit] / family[into]
            binary = _binary(unit, into)
            return (value * factor, value * binary) if binary else (value * factor,)
    return (value,)


def same_family(one: str, two: str) -> bool:
    """Whether two units measure the same."""
    return any(one in family and two in family for family in _FAMILIES)


def _binary(unit: str, into: str) -> Decimal | None:
    sizes = [*_FAMILIES[2]]
    if unit not in sizes or into not in sizes or unit == into:
        return None
    return Decimal(1024) ** (sizes.index(unit) - sizes.index(into))
