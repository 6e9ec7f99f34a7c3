"""Days and periods in the asker's time zone: "yesterday", "last week", "November 28th", "Q3 2025"."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from ai.errors import UserError
from ai.language.date_phrases import DatePhrase, date_phrase
from ai.language.moments import MONTHS, ORDINALS, SEASONS
from ai.language.questions import Word, split
from ai.language.spans import Span

BEGINNING = date(1970, 1, 1)  # of all that anybody said
UNREADABLE = (
    "“{}” is not a date that I can read; give one like 2025-11-28, yesterday, last week or 2025-11-01 to 2025-11-05."
)
# Alone they are rather a name, a verb, a number or a place in a list.
UNSURE = frozenset((*MONTHS, *SEASONS, *ORDINALS, "weekend"))


@dataclass(frozen=True, slots=True)
class Period:
    """From `since` on, before `until`, as said in `words`."""

    since: datetime
    until: datetime
    words: str


def period_of(text: str, now: datetime, zone: ZoneInfo) -> Period:
    """Return the period a text names. Raises UserError when it names none."""
    whole = text.strip()
    said = split(whole)
    today = now.astimezone(zone).date()
    found = date_phrase(said, today)
    if found is None or found.length < len(said):
        raise UserError(UNREADABLE.format(whole))
    return _period(found.span, today, whole, zone)


def period_in(text: str, now: datetime, zone: ZoneInfo) -> Period | None:
    """Return the first period a message names, None when it names none."""
    said = split(text)
    today = now.astimezone(zone).date()
    for start in range(len(said)):
        found = date_phrase(said[start:], today)
        if found and _is_sure(said[start : start + found.length], found):
            words = _as_written(text, said[start : start + found.length])
            return _period(found.span, today, words, zone)
    return None


def _is_sure(said: tuple[Word, ...], found: DatePhrase) -> bool:
    return found.length > 1 or not (said[0].key in UNSURE or said[0].number is not None)


def _as_written(text: str, said: tuple[Word, ...]) -> str:
    found = re.search(r"(?:['\u2019]s)?\W+".join(re.escape(word.text) for word in said), text)
    return found.group() if found else " ".join(word.text for word in said)


def _period(span: Span, today: date, words: str, zone: ZoneInfo) -> Period:
    """Put a span into the zone; without an end it reaches to the end of today."""
    end = span.end if span.end and not span.last else today + timedelta(1)
    since, until = (datetime.combine(day, time(), zone).astimezone(UTC) for day in (span.start or BEGINNING, end))
    return Period(since, until, words)
