"""Reads corrections (“by active users we mean …”, “revenue excludes refunds”) and wishes about rules. Pure.

“Exclude refunds” and “it should exclude refunds” are follow-ups, no corrections.
"""

import re
from dataclasses import dataclass
from typing import Literal

RuleVerb = Literal["propose", "test", "approve", "reject", "revert", "list"]
TERM = r"[\"'\u201c\u2018]?(?P<term>[\w][\w %&/-]*?)[\"'\u201d\u2019]?"
LEAD = re.compile(
    r"^(?:please )?(?:correction|rule|remember|definition|note)(?: that|:|,) *"
    r"(?P<rest>(?!(?:we|they|the team|everyone) (?:have |all )?(?:decided|agreed|settled|approved|voted)\b)\S.*)$",
    re.IGNORECASE,
)
DEFINES = (
    re.compile(rf"^(?:by|with) {TERM},? (?:we|i|people here) (?:always )?mean (?P<means>.+)$", re.IGNORECASE),
    re.compile(
        rf"^when (?:we|i|people) (?:say|ask for|talk about) {TERM},? (?:we|i|they) mean (?P<means>.+)$", re.IGNORECASE
    ),
    re.compile(rf"^{TERM} (?:means|is defined as|stands for) (?P<means>.+)$", re.IGNORECASE),
)
OTHER_SUBJECT = (
    r"(?!(?:what|which|who|whose|how|when|where|why|show|list|give|get|find|count|compare|export|plot|draw|tell"
    r"|is|are|was|were|do|does|did|can|could|would|will|should|has|have|it|that|this|these|those|they|he|she|there"
    r"|exclude|include|only|and|but|or|also|now|same|top|all"
    r"|the (?:answer|result|query|table|chart|file|list|last|sql))\b)"
)
DONE = r"(?:\w+ed|sold|bought|paid|seen|had|made|sent|taken|given)"  # “rooms never used” is asked about
SAYS = (
    r"(?:never |always |only |does not |doesn['\u2019]t |do not |don['\u2019]t |should (?:not |never |always |only )?"
    r"|must (?:not |never |always |only )?)?"
    rf"(?:excludes?|includes?|ignores?|leaves? out|(?:always|never|only|must|should) (?!{DONE}\b)\w+)"
)
STATES = re.compile(
    rf"^{OTHER_SUBJECT}(?:(?!that\b|which\b|who\b|with\b|whose\b)[\w'\u2019-]+ ){{1,4}}{SAYS} (?!only$)\w.*$",
    re.IGNORECASE,
)
NUMBER = r"(?: (?:number |no\.? ?|#)?(?P<number>\d+))"
RULE_VERBS: tuple[tuple[RuleVerb, re.Pattern[str]], ...] = (
    ("test", re.compile(rf"^(?:test|try) (?:the )?rule{NUMBER}[.! ]*$")),
    ("approve", re.compile(rf"^(?:approve|accept) (?:the )?rule{NUMBER}[.! ]*$")),
    ("reject", re.compile(rf"^(?:reject|decline|drop) (?:the )?rule{NUMBER}[.! ]*$")),
    ("revert", re.compile(rf"^(?:revert|undo|take back) (?:the |our )?(?:last |latest )?rule{NUMBER}?[.! ]*$")),
    ("list", re.compile(r"^(?:show|list|see|what are)(?: me)?(?: all)?(?: the| our| your)? rules[?.! ]*$")),
)


@dataclass(frozen=True, slots=True)
class RuleWish:
    """A wish about rules. Without `number` it means the last one. A proposal has a `sentence`."""

    verb: RuleVerb
    number: int | None = None
    sentence: str = ""
    term: str = ""
    means: str = ""


def rule_wish(text: str) -> RuleWish | None:
    plain = " ".join(text.split())
    for verb, pattern in RULE_VERBS:
        if found := pattern.match(plain.lower()):
            number = found.groupdict().get("number")
            return RuleWish(verb, int(number) if number else None)
    led = LEAD.match(plain)
    sentence = (led["rest"] if led else plain).rstrip(" .!")
    for pattern in DEFINES:
        if (found := pattern.match(sentence)) and not sentence.endswith("?"):
            return RuleWish("propose", None, sentence, found["term"], found["means"])
    if led or (STATES.match(sentence) and not sentence.endswith("?")):
        return RuleWish("propose", None, sentence)
    return None
