"""What people call the values of a column of countries, whether it holds names or codes.

Names come from CLDR in a few languages (territories.tsv, without accents); short forms, and words for people and
things of a country, stand here.
"""

from collections.abc import Iterator, Sequence
from functools import cache

from ai.language.tables import rows
from ai.language.words import folded

ENOUGH = 0.6  # of a column's values must be countries
# A code, then what people say, with "|" between.
SHORT = """\
US us|usa|u.s.|u.s.a.|america|the states|united states of america|american|americans;
GB uk|u.k.|britain|great britain|england|british|united kingdom; DE german|germans; FR french; ES spanish;
IT italian|italians; NL holland|dutch|the netherlands; TR turkey|turkish; CZ czech republic|czech;
KR korea|south korea|korean; CN china|chinese; JP japanese; CH swiss; AT austrian; BR brazilian; CA canadian;
AU australian; IN indian; MX mexican; PL polish; PT portuguese; SE swedish; NO norwegian; DK danish; FI finnish;
IE irish; GR greek; RU russian|russia; UA ukrainian; ZA south african; AE uae|emirates; BE belgian;
AR argentinian|argentine; ID indonesian; TH thai; VN vietnam|vietnamese; SA saudi; EG egyptian;
NZ new zealander; IL israeli; SG singaporean; PH filipino; CI ivory coast; HK hong kong"""
ALSO = dict(entry.strip().split(" ", 1) for entry in SHORT.split(";"))


def _plain(name: str) -> str:
    return folded(name).replace("\u2019", "'")


@cache
def _names() -> dict[str, str]:
    """The code of each country by every name of it, accents away."""
    found = {row[0]: row[1] for row in rows("ai.language", "territories", "name", "code")}
    for code, names in ALSO.items():
        found |= {folded(name): code for name in names.split("|")}
    return found


@cache
def _of_code() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for name, code in _names().items():
        found.setdefault(code, []).append(name)
    return {code: tuple(names) for code, names in found.items()}


def country_names(values: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield (name, value) for the values of a column of countries; nothing where the column holds something else."""
    codes = {value: _names().get(_plain(value)) or (value if value in _of_code() else None) for value in values}
    known = {value: code for value, code in codes.items() if code}
    if not values or len(known) < ENOUGH * len(values):
        return
    for value, code in known.items():
        yield from ((name, value) for name in _of_code()[code])
        yield code, value


def peoples(value: str) -> Iterator[str]:
    """Yield the adjective of a place: Europe, European; Asia, Asian."""
    lowered = value.lower()
    if lowered.isalpha() and len(lowered) > 3:
        yield f"{lowered}n"
        yield f"{lowered.rstrip('aeiouy')}an"
        yield f"{lowered.rstrip('aeiouy')}ian"
        yield f"{lowered}an"
