"""Earlier answers by their place: “the second one”, “both”, “the last two”. Pure.

Places count from 0 for the oldest, or from -1 for the newest.
"""

import re

from ai.language.numbers import COUNT, number_of

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
ORDINAL = rf"(?:{'|'.join(ORDINALS)}|[1-9]\d?(?:st|nd|rd|th))"
NOUN = r"(?:questions?|quer(?:y|ies)|sqls?|statements?|ones?|results?|answers?|tables|lists?|charts?|requests?|things?)"
OUR = r"(?:the|my|our|your|that|these|those|them|very)"
SAID = (
    r"(?:,? (?:(?:that |which )?(?:i|we|you)(?:'ve| have)?(?: just)? (?:asked|ran|run|gave|used|showed|made|did)"
    r"(?: (?:me|us|you|for))?|above|here|so far|again|(?:in|of|from) (?:this|the) (?:thread|conversation)"
    r"|of (?:all|them)))*"
)
TAIL = rf"(?: of)?(?: {OUR})*(?: {NOUN})?{SAID}"
ONE = re.compile(
    rf"(?:{OUR} )*(?P<place>{ORDINAL})(?: {NOUN})?{SAID}"
    rf"|(?:{OUR} )*(?:question|answer|result|number|no\.?|#) ?#?(?P<number>[1-9]\d?)",
    re.IGNORECASE,
)
BEFORE_LAST = re.compile(
    rf"(?:the )?(?:(?:{NOUN} )?before (?:the )?(?:last|that|this|previous)(?: {NOUN})?"
    rf"|(?:second|next)[ -]to[ -]last(?: {NOUN})?|(?:last|previous) but one(?: {NOUN})?|penultimate(?: {NOUN})?)",
    re.IGNORECASE,
)
LISTED = re.compile(
    rf"(?:{OUR} )*{ORDINAL}(?: {NOUN})?(?:(?:,|,? and|,? &) (?:{OUR} )*{ORDINAL}(?: {NOUN})?)+{SAID}", re.IGNORECASE
)
NEWEST = re.compile(
    rf"(?:both|all(?: of)?(?: {OUR})* (?P<all>{COUNT})|(?:{OUR} )*(?:last|latest|newest|previous) "
    rf"(?P<last>{COUNT})){TAIL}",
    re.IGNORECASE,
)
OLDEST = re.compile(rf"(?:{OUR} )*first (?P<count>{COUNT})(?: {OUR})* {NOUN}{SAID}", re.IGNORECASE)
EVERY = re.compile(
    rf"(?:every|each)(?: single)?{TAIL}|(?:all|everything){SAID}|all(?: of)?(?: {OUR})* {NOUN}{SAID}", re.I
)
MOST = 20  # a larger count is one of rows


def place_of(words: str) -> int | None:
    """Return the place of the one answer that is meant ("the second question" -> 1), None for other words."""
    plain = words.strip(" .,:?!")
    if BEFORE_LAST.fullmatch(plain):
        return -2
    found = ONE.fullmatch(plain)
    return _place(found["place"] or found["number"]) if found else None


def places_of(words: str) -> tuple[int, ...] | None:
    """Return the places of several answers ("both" -> -2, -1), () for every one, None for other words."""
    plain = words.strip(" .,:?!")
    if LISTED.fullmatch(plain):
        return tuple(map(_place, re.findall(ORDINAL, plain, re.IGNORECASE)))
    if found := OLDEST.fullmatch(plain):
        return tuple(range(count)) if (count := _count(found["count"])) else None
    if found := NEWEST.fullmatch(plain):
        said = found["all"] or found["last"] or "two"
        return tuple(range(-count, 0)) if (count := _count(said)) > 1 else None
    return () if EVERY.fullmatch(plain) else None


def _place(said: str) -> int:
    word = said.lower()
    return ORDINALS.index(word) if word in ORDINALS else int(re.sub(r"\D", "", word)) - 1


def _count(said: str) -> int:
    count = int(number_of(said) or 0)
    return count if count <= MOST else 0
