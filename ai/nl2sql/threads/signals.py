"""Signs of a message leaning on the one before: its beginning, its end, words pointing back."""

import re
from collections.abc import Sequence
from functools import cache

from ai.language.tables import Patterns, rows
from ai.nl2sql.words import Word

SIGNALS = Patterns("ai.nl2sql.threads", "signals")
NEW = SIGNALS["NEW"]
CORRECTION = SIGNALS["CORRECTION"]
UNDO = SIGNALS["UNDO"]
AGAIN = SIGNALS["AGAIN"]
TOGETHER = SIGNALS["TOGETHER"]
BOTH = SIGNALS["BOTH"]
TOTAL = SIGNALS["TOTAL"]
WHOLE = SIGNALS["WHOLE"]
REST = SIGNALS["REST"]
AVERAGE = SIGNALS["AVERAGE"]
EXTREME = SIGNALS["EXTREME"]
BACK = SIGNALS["BACK"]
OF_THOSE = SIGNALS["OF_THOSE"]
OF_ONES = SIGNALS["OF_ONES"]
THE_ONE = SIGNALS["THE_ONE"]
PLACELESS = SIGNALS["PLACELESS"]
COUNT = SIGNALS["COUNT"]
COUNTED = SIGNALS["COUNTED"]
FIGURE_FOR = SIGNALS["FIGURE_FOR"]
NOW = SIGNALS["NOW"]
BACK_IN = SIGNALS["BACK_IN"]
INCLUDES = SIGNALS["INCLUDES"]
HOW_MUCH = SIGNALS["HOW_MUCH"]
BESIDE = SIGNALS["BESIDE"]
NUMBERED = SIGNALS["NUMBERED"]
GROUPED_INSTEAD = SIGNALS["GROUPED_INSTEAD"]
COUNT_PER = SIGNALS["COUNT_PER"]
TWO_STEPS = SIGNALS["TWO_STEPS"]
WHICH_THESE = SIGNALS["WHICH_THESE"]
NEXT = SIGNALS["NEXT"]
STRETCH = SIGNALS["STRETCH"]
EARLIER = SIGNALS["EARLIER"]
SHARE = SIGNALS["SHARE"]
OPENING = SIGNALS["OPENING"]
CLOSING = SIGNALS["CLOSING"]
ADDING = SIGNALS["ADDING"]
STRIPPED = SIGNALS["STRIPPED"]
ALL_OF = SIGNALS["ALL_OF"]
TAIL = SIGNALS["TAIL"]
ONE = SIGNALS["ONE"]
SIDES = SIGNALS["SIDES"]
SPLITS = SIGNALS["SPLITS"]
SPLIT = SIGNALS["SPLIT"]
COMPARES = SIGNALS["COMPARES"]
WHERE = SIGNALS["WHERE"]
EXACTLY = SIGNALS["EXACTLY"]
LONGEST = SIGNALS["LONGEST"]
SIZED = SIGNALS["SIZED"]
SPEED = SIGNALS["SPEED"]
WHOLE_UNIT = SIGNALS["WHOLE_UNIT"]
CHANGE = SIGNALS["CHANGE"]
ROWS_SHOWN = SIGNALS["ROWS_SHOWN"]
OF_ALL = SIGNALS["OF_ALL"]
SHARE_OF = SIGNALS["SHARE_OF"]
PART = SIGNALS["PART"]
RESIGNED = SIGNALS["RESIGNED"]
NEXT_FEW = SIGNALS["NEXT_FEW"]
VALUED = SIGNALS["VALUED"]
WORTH = SIGNALS["WORTH"]
SHARE_OF_EACH = SIGNALS["SHARE_OF_EACH"]
OVER_WHOLE = SIGNALS["OVER_WHOLE"]
MEANT = SIGNALS["MEANT"]
OTHERS = SIGNALS["OTHERS"]
ALTOGETHER = SIGNALS["ALTOGETHER"]
ONES_WITH = SIGNALS["ONES_WITH"]
AVERAGE_PER = SIGNALS["AVERAGE_PER"]
PREPOSITION = SIGNALS["PREPOSITION"]
ADJUNCT = SIGNALS["ADJUNCT"]
BY_MONEY = SIGNALS["BY_MONEY"]
ONE_BEFORE = SIGNALS["ONE_BEFORE"]
ASSIGNED = SIGNALS["ASSIGNED"]
SUMMED = SIGNALS["SUMMED"]
SUM_OF_ROWS = SIGNALS["SUM_OF_ROWS"]
NTH = SIGNALS["NTH"]
LIFT = SIGNALS["LIFT"]
FIRST_FEW = SIGNALS["FIRST_FEW"]
WORDED = SIGNALS["WORDED"]
AND = SIGNALS["AND"]
WHICH_MORE = SIGNALS["WHICH_MORE"]
WHICH_ARE = SIGNALS["WHICH_ARE"]
WHAT_DID = SIGNALS["WHAT_DID"]
QUESTION = SIGNALS["QUESTION"]
WHICH = SIGNALS["WHICH"]
ONLY = SIGNALS["ONLY"]
NARROWS = SIGNALS["NARROWS"]
BEFORE = SIGNALS["BEFORE"]
COMPARED = SIGNALS["COMPARED"]
GREW = SIGNALS["GREW"]
CHANGED = SIGNALS["CHANGED"]
GROWTH = SIGNALS["GROWTH"]
CUMULATIVE = SIGNALS["CUMULATIVE"]
MOVING = SIGNALS["MOVING"]
REVERSED = SIGNALS["REVERSED"]
LEFT_OUT = SIGNALS["LEFT_OUT"]
BY_HOW_MUCH = SIGNALS["BY_HOW_MUCH"]
TREND = SIGNALS["TREND"]
OWNED = SIGNALS["OWNED"]
SHOWN_VALUE = SIGNALS["SHOWN_VALUE"]
WHO_DOES = SIGNALS["WHO_DOES"]
HOW_MANY_ARE = SIGNALS["HOW_MANY_ARE"]
ELSE = SIGNALS["ELSE"]
MEAN_INSTEAD = SIGNALS["MEAN_INSTEAD"]
ONES = SIGNALS["ONES"]
SELECTS = SIGNALS["SELECTS"]
IN_EACH = SIGNALS["IN_EACH"]
YES_NO = SIGNALS["YES_NO"]
FACT = SIGNALS["FACT"]
LISTED = SIGNALS["LISTED"]
HAD = SIGNALS["HAD"]
LIMITS = SIGNALS["LIMITS"]
SLOT = SIGNALS["SLOT"]
STEP = SIGNALS["STEP"]
POSSESSED = SIGNALS["POSSESSED"]
TAKEN_OFF = SIGNALS["TAKEN_OFF"]

LEANING = frozenset(
    "what about|how about|only|just|same|the same|do the same|now the same|also|instead|rather|but|and|or|add"
    "|include|remove|drop|keep"
    "|back to|no|show only|which of|which ones|of those|of these|of them".split("|")
)
POINTING = frozenset("it its they their them those these he she his her him that this".split())
DIVIDED = re.compile(r"(?:and |now )?(?:split|broken?|break|group(?:ed)?)(?: \w+){0,2} by\b", re.IGNORECASE)
PLACES = {"first": 0, "1st": 0, "top": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3,
          "fifth": 4, "5th": 4, "last": -1, "bottom": -1}  # fmt: skip
MERE_YEAR = re.compile(r"^(?:in |for |of )?(?P<year>(?:19|20)\d\d)[.!? ]*$")
OUR_OWN = re.compile(r"which of our\b", re.IGNORECASE)  # “which of our games” opens a question
FEW = 5  # words of a fragment
AUXILIARIES = frozenset("do does did is are was were has have had can could will would should".split())
RELATIVE = (["who"], ["that"], ["which"], ["whose"])  # “without those who left”
SAME_SENTENCE = frozenset("that this".split())
SHOWN = frozenset({"", "one", "list", "table", "chart", "answer", "result", "report", "number", "breakdown"})
DEMONSTRATIVE = SAME_SENTENCE | {"those", "these"}
IDIOMS = Patterns("ai.nl2sql.threads", "idioms")
REPLY = IDIOMS["REPLY"]
BECAUSE = IDIOMS["BECAUSE"]
TAKEN_BACK = IDIOMS["TAKEN_BACK"]
POLITE = IDIOMS["POLITE"]
THEN = IDIOMS["THEN"]
ASKS = IDIOMS["ASKS"]
ASIDE = IDIOMS["ASIDE"]
OF_SHOWN = IDIOMS["OF_SHOWN"]


def corrected(text: str) -> str:
    """Return a message without “no, I meant”; a mere year behind it is that of the time asked about."""
    said = CORRECTION.sub("", text)
    year = MERE_YEAR.match(said) if said != text else None
    return f"in {year['year']}, the same month" if year else said


def asks(text: str) -> bool:
    """Whether a message is worded as a question or a wish for figures."""
    return bool(WORDED.match(text))


def is_fragment(text: str) -> bool:
    """Whether a few words continue an earlier question, whatever they name: “just the living”, “without those”."""
    opened = OPENING.match(text.strip())
    return len(text.split()) <= FEW and bool(opened or ONLY.match(text) or CLOSING.search(text))


def begins_leaning(text: str) -> bool:
    """Whether the first words continue an earlier question."""
    found = OPENING.match(text.strip())
    return (
        bool(found and found["how"].lower() in LEANING and not OUR_OWN.match(text.strip()))
        or bool(CLOSING.search(text) or NOW.match(text) or DIVIDED.match(text))
        or text.lower().startswith("and ")
    )


def pointers(words: Sequence[Word]) -> list[int]:
    """Where words point back; "that" does only before a noun or at the end, not where it begins a clause."""
    found = []
    for at, word in enumerate(words):
        if word.key not in POINTING or word.quoted:
            continue
        if word.key == "it" and [w.key for w in words[at + 1 : at + 2]] == ["take"]:  # “how long does it take to …”
            continue
        if word.key in ("those", "these", "them") and [w.key for w in words[at + 1 : at + 2]] in RELATIVE:
            continue
        if word.key in SAME_SENTENCE and not _demonstrative(words, at):
            continue
        found.append(at)
    return found


def _demonstrative(words: Sequence[Word], at: int) -> bool:
    before = words[at - 1].key if at else ""
    after = words[at + 1].key if at + 1 < len(words) else ""
    if after in ("year", "month", "week", "quarter", "day", "morning"):
        return False
    return after in SHOWN or before in (
        "is",
        "was",
        "of",
        "for",
        "leads",
        "in",
        "from",
        "by",
        "does",
        "did",
        "about",
        "to",
        "than",
        "were",
        "with",
        "on",
        "has",
        "had",
    )


def canonical(text: str) -> str:
    """Return a follow-up in the words known to the rules."""
    said = REPLY.sub("", text.strip())
    said = BECAUSE.sub("", said)
    said = POLITE.sub("", said)
    for pattern, put in _sayings():
        said = pattern.sub(put, said)
    found = THEN.match(said)
    if found and not ASKS.match(said):
        said = f"what about {found['what']}"
    return " ".join(said.split()) or text


@cache
def _sayings() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the sayings in their order, each with the words put in its place."""
    table = rows("ai.nl2sql.threads", "sayings", "said", "pattern")
    return tuple((re.compile(pattern, re.IGNORECASE), said) for said, pattern in table)
