"""What in a message leans on the one before: how it begins, how it ends, and words that point back. Data and patterns."""

import re
from collections.abc import Sequence

from ai.nl2sql.words import Word

NEW = re.compile(
    r"^(?:(?:a |ok )?(?:new|another|different|other|separate|next|one more) (?:question|one|q|topic|thing)\b|unrelated|something else|on another note|switching topics?"
    r"|different topic|new topic)\b[ :,.\u2013-]*",
    re.IGNORECASE,
)
CORRECTION = re.compile(
    r"^(?:(?:no|nope|sorry|oops|wait|hmm|actually|i mean|i meant|my mistake|correction|rather|not that)[ ,.:!\u2013-]+)+"
    r"(?:(?:i )?(?:meant?|mean)[ ,:]+)?",
    re.IGNORECASE,
)
UNDO = re.compile(
    r"^(?:please )?(?:undo(?: that| this| it| the last (?:one|change|step))?|go back|back|never ?mind(?: that)?|revert(?: that)?"
    r"|take that back|forget that(?: last one)?|back to (?:the )?(?:previous|before))[.! ]*(?:please)?[.! ]*$",
    re.IGNORECASE,
)
AGAIN = re.compile(
    r"^(?:show (?:me )?(?:that|it|this|them) again|again|once more|repeat(?: that)?)[.!? ]*$", re.IGNORECASE
)
BOTH = re.compile(r"^(?:and )?(?:both|both of them|all (?:two|three)|together|side by side)(?: (?:in|as) one table| together)?[.!? ]*$",
                  re.IGNORECASE)  # fmt: skip
TOTAL = re.compile(
    r"^(?:and |what(?:'s| is| are| was) |how much is |give me )*(?:the )?(?:all (?:of them |of these |of those )?together|in total"
    r"|total|overall|altogether|sum(?: of (?:these|those|them))?|(?:grand )?total of (?:these|those|them|all)|how many in total"
    r"|how much in total|how many (?:is|are) (?:that|those|these)(?: in total)?|how many is that|how many are there in total)[.!? ]*$",
    re.IGNORECASE,
)
WHOLE = re.compile(r"^show all of them[.!? ]*$", re.IGNORECASE)
REST = re.compile(r"^show the rest[.!? ]*$", re.IGNORECASE)
AVERAGE = re.compile(
    r"^(?:and |so |take |give me |show (?:me )?|what(?:'s| is| was) )?(?:the )?(?P<how>average|mean|median|avg)(?: (?:of |over |across )?(?:that|it|this|them|these|those|all(?: of (?:them|these|those))?)(?: then)?)?[.!? ]*$",
    re.IGNORECASE,
)
BACK = re.compile(
    r"^(?:ok |so |now )?(?:go |come |and )?back to (?:the |that |our )?(?P<what>[^,;]+?)(?: (?:list|table|view|numbers?|figures?|breakdown|one|chart))?(?:[,;]? (?:but|and|now|with)\b(?P<rest>.+))?[.!? ]*$",
    re.IGNORECASE,
)
OF_THOSE = re.compile(
    r"^(?:and |so )?how many of (?:those|them|these)\b(?: (?:are|were|is|was|have|had|did|do))?", re.IGNORECASE
)
PLACELESS = re.compile(r"^(?:and |so )?(?:where|why)\b", re.IGNORECASE)
COUNT = re.compile(
    r"^(?:and |so |ok,? )*(?:count(?: (?:them|those|these|it))?|how many(?: (?:is|are|were|was) (?:that|those|these|there|they|it))?)(?: in the list)?[.!? ]*$",
    re.IGNORECASE,
)
NEXT = re.compile(
    r"^(?:and |what about |who is |which is |what is |what's )*the (?P<place>second|third|fourth|fifth|2nd|3rd|4th|5th)(?: one| place| best| highest| largest| biggest)?[.!? ]*$",
    re.IGNORECASE,
)
EARLIER = re.compile(
    r"^(?:and |what about |how about |how was |for |in )*(?:the )?(?:(?P<unit>day|week|month|quarter|year) (?P<way>before|after)(?: that)?"
    r"|previous (?P<before>day|week|month|quarter|year|period)|following (?P<next>day|week|month|quarter|year))[.!? ]*$",
    re.IGNORECASE,
)
SHARE = re.compile(
    r"^(?:and |now |show (?:that |it |them |this )?|give (?:me )?(?:that |it )?)*(?:as (?:a )?(?:share|percentage|percent|%|proportion)s?"
    r"|in (?:percent|%|percentages?)|(?:the )?shares?|(?:the )?percentages?)(?: of (?:the )?(?:total|whole|each|all))?[.!? ]*$",
    re.IGNORECASE,
)
OPENING = re.compile(
    r"^(?:ok(?:ay)?|and|so|now|but|then|well|great|cool|thanks?|please|also|,| )*\b(?P<how>what about|how about|only|just|same|the same|do the same"
    r"|now the same|also|instead|rather|but|and|or|without|excluding|except|minus|add|include|remove|drop|keep|back to|no|sort|order|rank"
    r"|limit|top|bottom|first|last|for|per|by|in|on|since|from|split|broken|break|group|show only|filter|those|which of|of those|of these"
    r"|of them|as|with|compared|versus|vs|plus|more than|above|below|less than|over|under|the|lowest|highest|worst|best|ascending|descending)\b",
    re.IGNORECASE,
)
LEANING = frozenset(
    "what about|how about|only|just|same|the same|do the same|now the same|also|instead|rather|but|and|or|add|include|remove|drop|keep"
    "|back to|no|show only|which of|of those|of these|of them".split("|")
)
CLOSING = re.compile(r"\b(?:instead|only|too|as well|again|rather|each)[.!? ]*$", re.IGNORECASE)
ADDING = re.compile(
    r"\b(?:also|too|as well|add|include|plus|each|their|with)\b|^and how many\b|^and (?:the|their|its)\b", re.IGNORECASE
)
STRIPPED = re.compile(
    r"^(?:(?:ok(?:ay)?|so|now|but|then|well|great|cool|thanks?|please|and|also|what about|how about|the same|same|do the same|thing|for|instead"
    r"|just|only|show only|back to|show me|keep|but|or|no|,|in that case|question)[ ,]+)+",
    re.IGNORECASE,
)
ALL_OF = re.compile(r"\b(?:for )?all (?P<what>[\w ]+?)(?= |$|[.!?,])", re.IGNORECASE)
POINTING = frozenset("it its they their them those these he she his her him that this".split())
ONE = re.compile(
    r"\b(?:the )?(?P<place>first|second|third|fourth|fifth|last|1st|2nd|3rd|4th|5th|top|bottom)(?: (?:one|two|three|ones|app|row|place|entry|result))\b",
    re.IGNORECASE,
)
PLACES = {"first": 0, "1st": 0, "top": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3, "fifth": 4, "5th": 4,
          "last": -1, "bottom": -1}  # fmt: skip
WORDED = re.compile(
    r"^(?:and |so |ok(?:ay)?,? )*(?:how (?:many|much|about|was|does|did|is)|which|what (?:about|is|are|was|were|did|does)|show|list|count|compare)\b",
    re.IGNORECASE,
)
FEW = 5  # words of a fragment
AUXILIARIES = frozenset("do does did is are was were has have had can could will would should".split())
SAME_SENTENCE = frozenset("that this".split())


ONLY = re.compile(r"^\W*(?:[\w-]+\W+){1,3}only\W*$", re.IGNORECASE)


NARROWS = re.compile(rf"^\W*(?:only|just)\b|{ONLY.pattern}", re.IGNORECASE)


def is_step(text: str) -> bool:
    """Whether a message is a step over the answer before that names nothing of the data."""
    return any(
        step.match(text) for step in (UNDO, AGAIN, BOTH, TOTAL, AVERAGE, WHOLE, REST, COUNT, NEXT, SHARE, EARLIER)
    )


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
        bool(found and found["how"].lower() in LEANING) or bool(CLOSING.search(text)) or text.lower().startswith("and ")
    )


def pointers(words: Sequence[Word]) -> list[int]:
    """Where words point back; "that" does only before a noun or at the end, not where it begins a clause."""
    found = []
    for at, word in enumerate(words):
        if word.key not in POINTING or word.quoted:
            continue
        if word.key == "it" and [w.key for w in words[at + 1 : at + 2]] == ["take"]:  # “how long does it take to …”
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
    return not after or before in (
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
    )
