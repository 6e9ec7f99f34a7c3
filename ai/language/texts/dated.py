"""Dates within English texts, written as another language does: "October 2026", "3 November", "November 3, 2026"."""

import re
from calendar import month_name

from ai.language.formats import months_of

MONTH = "|".join(month_name[1:])
DATE = rf"(?:\d{{1,2}} )?(?:{MONTH})(?: \d{{1,2}}(?!\d))?(?:,? \d{{4}})?|Q[1-4](?: \d{{4}})?|\d{{4}}"
PARTS = re.compile(rf"(?:(?P<before>\d+) )?(?P<month>{MONTH})(?: (?P<after>\d{{1,2}})(?!\d))?(?:,? (?P<year>\d{{4}}))?")


def dated(text: str, locale: str) -> str:
    """Return a day or month in the words of a locale; other texts stay."""
    found = PARTS.fullmatch(text)
    if found is None:
        return text
    month = months_of(locale)[list(month_name).index(found["month"]) - 1][1]
    day = found["before"] or found["after"]
    return " ".join(filter(None, (f"{day}." if day else "", month, found["year"])))
