"""What people say to the bot itself: the rules for explicit wishes, and what a wish is about. Pure.

A message that asks for a file, for the SQL, for a chart or for help says so in words that need no analyst. Everything
else is left to the analyst: `explicit_intent` gives None.
"""

import re

from ai.analysts.port import Intent

POLITE = r"(?:(?:please|pls|ok|okay|and|now|then|hey|can you|could you|would you)[, ]+)*"
RULES: tuple[tuple[Intent, re.Pattern[str]], ...] = (
    (
        "thanks",
        re.compile(r"^(?:many )?(?:thanks|thank you|thx|cheers|perfect|great|awesome|nice one|got it)\b.{0,25}$"),
    ),
    (
        "help",
        re.compile(
            r"^(?:hi|hello|hey|help|good (?:morning|afternoon|evening))\b(?:[ ,]+(?:there|all|bot|me))?[!.? ]*$"
        ),
    ),
    ("help", re.compile(r"^(?:what can you do|what can i ask|who are you|how do(?:es)? (?:you|this) work)\b")),
    ("sql_retrieval", re.compile(r"\bsql\b")),
    ("sql_retrieval", re.compile(r"\b(?:show|see|give|which|what)\b.*\bquery\b.*\b(?:use[d]?|ran|run|behind|for)\b")),
    ("sql_retrieval", re.compile(rf"^{POLITE}(?:show|see|give)(?: me)? (?:the|your|that) (?:last |previous )?query\b")),
    ("csv_export", re.compile(rf"^{POLITE}(?:export|download)\b")),
    ("csv_export", re.compile(r"\b(?:csv|xlsx)\b|\b(?:as|to|in|into) (?:an? )?(?:excel|spreadsheet|file)\b")),
    ("chart", re.compile(rf"^{POLITE}(?:plot|chart|graph|draw|visuali[sz]e)\b")),
    ("chart", re.compile(r"\b(?:as|in|with|make|give me|show me) an? (?:\w+ )?(?:chart|graph|plot|diagram)\b")),
    ("memory", re.compile(r"\b(?:what|when|where|why) did (?:we|i|you)\b.*\b(?:discuss|decide|say|talk|ask|agree)")),
    ("memory", re.compile(r"\bmy (?:first|last|previous|earlier) (?:question|message)\b|^do you remember\b")),
)

SQL_WISH = re.compile(
    r"^.*?\b(?:sql|query|statement)s?\b(?: statement| query)?"
    r"(?: (?:that |which )?(?:did |do )?(?:you(?:'ve| have)? |was |were |is )?(?:used|use|ran|run|wrote|executed|behind))?"
    r"(?: (?:to|for|behind|of|from|when))?"
    r"(?: (?:retrieve|retrieving|get|getting|fetch|find|list|show|count|compute|calculate|answer))?"
    r"(?P<what>.*?)[?.! ]*$",
    re.IGNORECASE,
)
SQL_OF = re.compile(r"\b(?:the|your|that) (?P<what>.+?) (?:sql|query)\b", re.IGNORECASE)
EXPORT_WORDS = frozenset(
    "export download save send give get me us please pls this that it these those the result results data table rows "
    "row list answer all everything as to in into an a csv excel xlsx spreadsheet file can could would you one again of "
    "for from and now also show want need i want i'd like have make create my our".split()
)
POINTING = frozenset("this that it last previous latest again here now please me last one the same above".split())


def explicit_intent(text: str) -> Intent | None:
    """The wish that the words state outright, or None. No words at all ask for help."""
    plain = " ".join(text.lower().split())
    if not plain:
        return "help"
    return next((intent for intent, pattern in RULES if pattern.search(plain)), None)


def sql_described(text: str) -> str | None:
    """What the wanted SQL is about ("show me the SQL for all the apps" -> "all the apps"); None means the last one."""
    for pattern in (SQL_WISH, SQL_OF):
        if (found := pattern.search(text)) and (what := _pointed(found["what"])):
            return what
    return None


def export_described(text: str) -> str | None:
    """What the wanted file is about ("export the revenue one" -> "revenue"); None means the last result."""
    words = [word for word in re.findall(r"[\w'-]+", text) if word.lower() not in EXPORT_WORDS]
    return " ".join(words) or None


def _pointed(what: str) -> str | None:
    words = what.strip(" ,:").split()
    return " ".join(words) if any(word.lower() not in POINTING for word in words) else None
