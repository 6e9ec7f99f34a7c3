"""Names and codes of countries and currencies from the Unicode CLDR, loaded when first needed.

Codes are capitals: "DE", "DEU", "EUR"; "de" is a word.
"""

import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

LANGUAGES = ("en", "de", "es", "fr", "it", "nl", "pt")  # in which a country is recognised; the first one names it
REGIONS = frozenset(("EU", "EZ", "QO", "UN", "XA", "XB", "ZZ"))  # coded like countries
COUNTRY_ALIASES = {
    "america": "US",
    "britain": "GB",
    "burma": "MM",
    "czech republic": "CZ",
    "great britain": "GB",
    "holland": "NL",
    "ivory coast": "CI",
    "korea": "KR",
    "macedonia": "MK",
    "swaziland": "SZ",
    "turkey": "TR",
    "uae": "AE",
    "uk": "GB",
    "us": "US",
    "usa": "US",
}
CURRENCY_ALIASES = {
    "dollar": "USD",
    "pound": "GBP",
    "pound sterling": "GBP",
    "franc": "CHF",
    "won": "KRW",
    "rupee": "INR",
    "yen": "JPY",
    "yuan": "CNY",
}
DOTTED = frozenset(("us", "usa", "uk", "uae"))  # names in capitals only: "us" is a word


def country_code(text: str) -> str | None:
    """Return the two letters of a country by its name or code."""
    said = text.strip()
    plain = said.replace(".", "")
    if plain.isupper() and len(plain) in (2, 3) and (code := _codes().get(plain)):
        return code
    key = _key(plain)
    return None if key in DOTTED and not plain.isupper() else _countries().get(key)


def country_name(code: str, language: str = LANGUAGES[0]) -> str | None:
    return _locale(language).territories.get(code) if code in set(_codes().values()) else None


def country_spellings(text: str) -> tuple[str, ...]:
    """Return the other names and codes of the same country, () for no country."""
    code = country_code(text)
    if code is None:
        return ()
    names = (_locale(language).territories.get(code, "") for language in LANGUAGES)
    short = (each for each, its in _codes().items() if its == code)
    aliases = (name.upper() for name, its in COUNTRY_ALIASES.items() if its == code and name in DOTTED)
    spellings = dict.fromkeys((*names, *short, *aliases))
    return tuple(spelling for spelling in spellings if spelling and spelling != text.strip())


def currency_code(text: str) -> str | None:
    """Return the code of a currency by its name, sign or code."""
    said = text.strip()
    return said if said in _locale("en").currencies else _currencies().get(_key(said))


def same_thing(text: str, values: Iterable[str]) -> str | None:
    """Return the value naming the same country or currency: "DE" for "Germany", "EUR" for "euro"."""
    spellings, currency = country_spellings(text), currency_code(text)
    return next((each for each in values if each in spellings or (currency and currency_code(each) == currency)), None)


@cache
def _codes() -> Mapping[str, str]:
    """Map codes of two and three letters to two letters."""
    from babel.core import get_global

    two = {code for code in _locale("en").territories if len(code) == 2 and code.isalpha()} - REGIONS
    three = ((code, its[0]) for code, its in get_global("territory_aliases").items() if len(its) == 1 and its[0] in two)
    return {code: code for code in sorted(two)} | {
        code: its for code, its in three if code.isalpha() and len(code) == 3
    }


@cache
def _countries() -> Mapping[str, str]:
    two = set(_codes().values())
    found: dict[str, str] = {}
    for language in LANGUAGES:
        for code, name in _locale(language).territories.items():
            if code in two:
                found.setdefault(_key(name), code)
    return found | COUNTRY_ALIASES


@cache
def _currencies() -> Mapping[str, str]:
    from babel.numbers import get_currency_name, get_currency_symbol, list_currencies

    found: dict[str, str] = {}
    english = _locale("en")
    for code in sorted(list_currencies()):
        names = (get_currency_name(code, count, english) for count in (None, 1, 2))
        sign = get_currency_symbol(code, english)
        for name in (*names, *(() if sign.isalpha() else (sign,))):
            found.setdefault(_key(name), code)
    return found | CURRENCY_ALIASES | {f"{name}s": code for name, code in CURRENCY_ALIASES.items()}


def _locale(language: str) -> Any:
    from babel import Locale  # loaded when first needed

    return Locale(language)


def _key(name: str) -> str:
    bare = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    return " ".join(bare.casefold().replace("&", "and").replace("\u2019", "'").split()).removeprefix("the ")
