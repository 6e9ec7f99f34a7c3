"""Reads what a person says of themselves (“by app I mean iOS apps”, “my week starts on Sunday”), and applies it. Pure."""

import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from ai.agents.wishes.polite import POLITE
from ai.language.words import plural, singular

PreferenceVerb = Literal["wording", "week", "table", "list", "forget"]
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
KEEP = r"(?:(?:please )?(?:remember|note|keep in mind)(?: that|:|,)? *|(?:for me|from now on|by the way|btw)[,:]? *)*"
QUOTED = r"[\"'\u201c\u2018]?"
CLOSED = r"[\"'\u201d\u2019]?"
WORDINGS = (
    rf"(?:by|with) {QUOTED}(?P<word>[\w][\w %&/-]*?){CLOSED},? (?:i|for me we) (?:always |usually )?mean {QUOTED}(?P<means>.+?){CLOSED}",
    rf"when i (?:say|ask for|ask about|talk about|write) {QUOTED}(?P<word>[\w][\w %&/-]*?){CLOSED},? i (?:always |usually )?mean {QUOTED}(?P<means>.+?){CLOSED}",
    rf"(?:for me|to me),? {QUOTED}(?P<word>[\w][\w %&/-]*?){CLOSED} (?:means|is|are|stands for) {QUOTED}(?P<means>.+?){CLOSED}",
)
WEEK = rf"(?:my weeks?|for me,? (?:a |the )?weeks?|(?:a |the )?weeks? for me) (?:always )?(?:starts?|begins?) on (?:a )?(?P<day>{'|'.join(DAYS)})s?"
TABLE = (
    r"(?:always|from now on) (?:show|give|send) me (?:a |the |your )?(?:answers? as (?:a )?)?tables?",
    r"(?:always (?:show|give|add)|show me always) (?:a |the )?tables?(?: (?:to|for) me)?",
    r"i (?:always |would always |'d always )?(?:want|prefer|like|need)(?: to (?:see|have))?(?: always)? (?:a |the )?tables?(?: always| with (?:every|each) answer)?",
)
LIST = (
    r"what (?:do|did) you (?:remember|know|keep|have)(?: stored)? (?:about|of|for) me",
    r"(?:show|list|see|what are)(?: me)?(?: all)?(?: of)? my (?:preferences|wishes|notes|settings|wordings)",
    r"what did i (?:tell|ask) you to remember",
)
FORGET = (
    r"(?:please )?forget (?:that|it|this|the last (?:one|preference|note)|what i (?:just )?said)(?: again| about me)?",
    r"(?:please )?forget (?:that|what) (?P<what>.+)",
    r"(?:please )?forget (?:my )?(?:preference|note|wording)s?(?: (?:about|on|for|no\.?|number)? ?(?P<about>.+))?",
)
PATTERNS: tuple[tuple[PreferenceVerb, str], ...] = (
    *(("wording", each) for each in WORDINGS),
    ("week", WEEK),
    *(("table", each) for each in TABLE),
    *(("list", each) for each in LIST),
    *(("forget", each) for each in FORGET),
)
WISHES = tuple((verb, re.compile(rf"^{POLITE}{KEEP}{said}[.! ?]*$", re.IGNORECASE)) for verb, said in PATTERNS)
EXACT = re.compile(r"[=<>()]|\w\.\w")  # SQL, which defines a term for all
WEEKS = re.compile(r"\b(?P<which>this|last|previous|past|current|next) week\b", re.IGNORECASE)
STEPS = {"this": 0, "current": 0, "next": 1}


@dataclass(frozen=True, slots=True)
class PreferenceWish:
    """A wish about what holds for its author. `means` is a day of the week for "week"."""

    verb: PreferenceVerb
    word: str = ""
    means: str = ""


def preference_wish(text: str) -> PreferenceWish | None:
    plain = " ".join(text.split())
    for verb, pattern in WISHES:
        if found := pattern.match(plain):
            said = found.groupdict()
            if EXACT.search(said.get("means") or ""):
                return None
            word = (said.get("word") or said.get("what") or said.get("about") or "").strip()
            return PreferenceWish(verb, word.lower(), (said.get("means") or said.get("day") or "").strip())
    return None


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
