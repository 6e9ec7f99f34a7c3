"""Reads and applies preferences: “by app I mean iOS apps”, “my week starts on Sunday”. Pure."""

import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal, cast

from ai.agents.wishes.polite import POLITE
from ai.language.tables import Patterns
from ai.language.words import plural, singular

PreferenceVerb = Literal["wording", "week", "table", "list", "forget"]
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
PREFERENCES = Patterns("ai.agents.wishes", "preferences", {"POLITE": POLITE, "DAY": "|".join(DAYS)})
WEEKS = re.compile(r"\b(?P<which>this|last|previous|past|current|next) week\b", re.IGNORECASE)
STEPS = {"this": 0, "current": 0, "next": 1}


@dataclass(frozen=True, slots=True)
class PreferenceWish:
    """A wish about what holds for its author. `means` is a day of the week for "week"."""

    verb: PreferenceVerb
    word: str = ""
    means: str = ""


def preference_wish(text: str) -> PreferenceWish | None:
    found = PREFERENCES.first(text)
    if found is None:
        return None
    verb, said = found
    word = (said.get("word") or said.get("what") or said.get("about") or "").strip()
    means = (said.get("means") or said.get("day") or "").strip()
    return PreferenceWish(cast(PreferenceVerb, verb), word.lower(), means)


def reworded(text: str, word: str, means: str) -> str:
    """Put what a word means in its place, singular or plural; “iOS apps” for app only adds iOS."""
    forms = sorted({word, plural(word), singular(word)}, key=len, reverse=True)
    *before, last = means.split()
    lead = " ".join(before) if last.casefold() in forms else ""
    apart = rf"(?<!{re.escape(lead)} )" if lead else ""
    pattern = re.compile(rf"(?<![\w-]){apart}(?:{'|'.join(map(re.escape, forms))})(?![\w-])", re.IGNORECASE)
    if not lead and means.casefold() in text.casefold():
        return text
    return pattern.sub(lambda found: f"{lead} {found[0]}" if lead else means, text)


def with_own_weeks(text: str, first_day: str, today: date) -> str:
    """Put the days of “this week” and its like in their place, for weeks that begin on another day than Monday."""
    begins = DAYS.index(first_day.lower())

    def days(found: re.Match[str]) -> str:
        start = today - timedelta((today.weekday() - begins) % 7) + timedelta(7 * STEPS.get(found["which"].lower(), -1))
        return f"from {start} to {start + timedelta(6)}"

    return text if begins == 0 else WEEKS.sub(days, text)
