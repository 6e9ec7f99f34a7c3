"""Tables that were copied out of libraries, since those take long to load, hold what the libraries hold."""

from importlib.resources import files

from babel import Locale
from sqlglot.dialects import MySQL, Redshift

from ai.language.tables import rows
from ai.language.words import folded


def test_territories_are_those_of_cldr() -> None:
    found: dict[str, str] = {}
    for language in ("en", "de", "fr", "es"):
        for code, name in Locale(language).territories.items():
            if len(code) == 2 and code.isalpha():
                found.setdefault(folded(name).replace("\u2019", "'"), code)
    assert rows("ai.language", "territories", "name", "code") == tuple(found.items())


def test_reserved_words_are_those_of_the_dialects() -> None:
    reserved = MySQL.Generator.RESERVED_KEYWORDS | Redshift.Generator.RESERVED_KEYWORDS
    assert set(files("ai.nl2sql.writer").joinpath("reserved.txt").read_text("utf-8").splitlines()) == set(reserved)
