"""Periods in words: "in October", "last 7 days (November 15 to 21)", "2026 so far"."""

import re
from collections.abc import Sequence
from datetime import date, timedelta

from ai.answers.naming import Names, listed
from ai.language.periods import period_named
from ai.language.words import base_form, name_parts, stem
from ai.sql.facts import Origin, Period

DAY = timedelta(days=1)
MADE = frozenset("booked donated ordered paid purchased reserved".split())
TOLD = frozenset(("signed up", "registered", "born"))  # of rows with a single day, too
BORN = frozenset("birth born birthday birthdate dob".split())
WENT = frozenset("left quit died joined departed arrived expired resigned".split())
BEGUN_OR_OVER = {
    "start": "started", "begin": "started", "end": "ended", "finish": "finished", "due": "due", "launch": "launched",
    "close": "closed", "open": "opened", "release": "released", "hire": "hired", "expiry": "expired",
    "signup": "signed up", "registration": "registered", "join": "joined", "expires": "expiring", "ends": "ending",
    "starts": "starting", "begins": "beginning", "renews": "renewing", "closes": "closing",
}  # fmt: skip
WEEKDAYS = ("Sundays", "Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays")
PARTS_OF_WEEK = {frozenset((0, 6)): "weekends", frozenset(range(1, 6)): "weekdays"}


def is_open(period: Period, today: date) -> bool:
    """Whether a period that has begun has not ended."""
    return (
        (period.start is None or period.start <= today)
        and period.start is not None
        and (period.end is None or period.end > today)
    )


def period_words(period: Period, names: Names) -> str:
    return period_named(period.start, period.end, names.today, names.locale)


def period_label(period: Period, names: Names) -> str:
    """Return a period on its own: "October 2026", "last 7 days (November 15 to 21)", "2026 so far"."""
    words = period_words(period, names).removeprefix("in the ").removeprefix("in ").removeprefix("on ")
    words = words.removeprefix("from ") if period.end else words
    day = period.end - DAY if period.end else period.start
    if day and "(" not in words and not re.search(r"\d{4}", words):
        words = (
            f"{words} {day.year}" if re.search(r"[^\W\d]$", words) or words.startswith("Q") else f"{words}, {day.year}"
        )
    if period.start is not None and period.start > names.today:
        return f"{words} (not begun)"
    return (
        f"{words} so far" if period.end and period.end > names.today + DAY and is_open(period, names.today) else words
    )


def others(origin: Origin, names: Names) -> str:
    """Return "for apps launched" for a day of `apps` where the rows, say reviews, have days of their own."""
    rows = names.catalog.table(names.facts.rows) if names.facts.rows else None
    if rows is None or origin.table in ("", rows.name.lower()):
        return ""
    if not any(column.kind in ("date", "datetime") and not column.may_miss for column in rows.columns):
        return ""
    done = _done(name_parts(origin.column))
    done = done if done.endswith("ed") else ""
    return f"for {names.noun(origin.table)} {done or f'with {names.title(origin)}'}"


def has_one(table: str, names: Names) -> bool:
    """Whether each row has one of this table: a review its app."""
    rows = names.catalog.table(names.facts.rows) if names.facts.rows else None
    return rows is not None and any(key.target_table.lower() == table.lower() for key in rows.foreign_keys)


def _done(parts: Sequence[str]) -> str:
    """Return “launched” for `launched_on`, “started” for `start_date`, “last seen”."""
    if len(parts) == 2 and parts[0] == "last" and parts[1].endswith(("ed", "en", "ld", "id")):
        return f"last {parts[1]}"
    if BORN & {*parts}:
        return "born"
    if tuple(parts[:2]) in (("sign", "up"), ("signed", "up")):
        return "signed up"
    if len(parts) < 2 or parts[-1] not in ("on", "at", "date", "day"):
        return ""
    if parts[-1] in ("on", "at") and parts[-2] not in BEGUN_OR_OVER:
        return parts[-2]
    return BEGUN_OR_OVER.get(parts[-2], "")


def deed(origin: Origin, names: Names, told: str = "") -> str:
    """Return "retired" for `retired_on`, "that left" for `left_on`, where rows have several days or it is asked for.

    "" where the words told before say it: "trials started", "signups".
    """
    parts = name_parts(origin.column)
    done = _done(parts)
    if {stem(done), "".join(map(stem, done.split()))} & {stem(word) for word in told.split()}:
        return ""
    asked = done in name_parts(names.question) and done[:4] not in " ".join(name_parts(origin.table))
    own = bool(names.facts.rows) and origin.table == names.facts.rows.lower()
    if not done or not own or not (asked or done in TOLD or names.has_several_dates(origin)):
        return ""
    if done in WENT:
        return f"that {done}"
    if done in MADE and done[:4] in names.noun(origin.table):
        return "made"  # “bookings made”, not booked
    is_deed = done.endswith(("ed", "ing", "ed up")) or done in ("due", "born") or done.startswith("last ")
    return done if is_deed or base_form(done) != done else ""


def weekdays(days: Sequence[int]) -> str:
    """Return "weekends", "Mondays or Fridays"; Sunday is 0."""
    return PARTS_OF_WEEK.get(frozenset(days)) or listed([WEEKDAYS[day] for day in days], "or")
