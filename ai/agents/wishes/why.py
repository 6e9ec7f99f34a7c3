"""Questions after the cause of a change, or what an answer means, and their words that name nothing of the data."""

import re
from collections.abc import Callable, Sequence
from functools import cache

from ai.agents.wishes.polite import POLITE
from ai.language.tables import Patterns

LONGEST = 4  # words of a name
WHY = Patterns("ai.agents.wishes", "why", {"POLITE": POLITE})
QUERY = re.compile(r"\b(?:of|behind|in|about) query (?P<id>\d+)\b", re.IGNORECASE)
SAME_LAST_YEAR = re.compile(
    r"\b(?:same (?:day|week|month|quarter|period|time)s? (?:of |in )?(?:last|the previous) year"
    r"|year (?:over|on) year|yoy"
    r"|(?:than|vs\.?|versus|to|against|from) (?:last year|a year (?:ago|earlier|before)))\b",
    re.IGNORECASE,
)
ONE_BEFORE = re.compile(
    r"\b(?:than|vs\.?|versus|compared (?:to|with)|against|from|over|to)? ?(?:the )?(?:"
    r"(?:day|week|month|quarter|year|period|one)s? (?:before|prior|earlier)"
    r"|(?:previous|prior|preceding) (?:day|week|month|quarter|year|period|one))\b(?! last)",
    re.IGNORECASE,
)
BLAMED = re.compile(
    r"\b(?:which|what) (?:\w+ ){1,3}?(?:is|are|was|were) "
    r"(?:to blame|responsible|the (?:reason|cause|driver)|behind|driving)\b",
    re.IGNORECASE,
)
ANSWER = r"(?:this|that|it|(?:the|your|that|this)(?: last| first)? (?:answer|result|number|figure|query|sql|table))"
EXPLAIN = re.compile(
    rf"^{POLITE}(?:explain (?:to me )?(?P<which>query \d+|{ANSWER})"
    rf"|how (?:did|do) you (?:get|compute|calculate|count|come (?:to|up with)|arrive at) {ANSWER}"
    rf"|how (?:is|was|were) {ANSWER} (?:computed|calculated|counted|made)"
    rf"|(?:are|r) (?:you|u) (?:really |quite |absolutely )?(?:sure|certain)(?: (?:about|of) {ANSWER})?"
    rf"|is {ANSWER} (?:really )?(?:right|correct|true)|can (?:i|we) trust {ANSWER}"
    rf"|where (?:does|do|did) {ANSWER} come from|what does {ANSWER} (?:mean|count|include))\W*$",
    re.IGNORECASE,
)
PASTED = re.compile(
    r"^(?P<before>(?:[\w ,'’]{0,80}?[:?]?\s*)?)`{0,3}\s*(?:sql\b\s*)?"
    r"(?P<sql>(?:select\b(?=.*\bfrom\b)"
    r"|(?:insert\s+into|delete\s+from|truncate\s+table|(?:drop|alter|create)\s+(?:table|view|index))\s"
    r"|update\s+\S+\s+set\s|with\s+(?:recursive\s+)?[\w\"`]+\s*(?:\([^)]*\)\s*)?as\s*\().*?)[\s`]*$",
    re.IGNORECASE | re.DOTALL,
)
SIGNS = re.compile(r"[*=;<>_`]|--|\b\w+\s*\(|^(?!(?i:select)\b)|^SELECT\b.*\bFROM\b", re.DOTALL)  # capitals count


def asks_why(text: str) -> bool:
    plain = " ".join(text.replace("’", "'").split())
    return any(pattern.search(plain) for name, pattern in WHY.cases if name == "why")


def is_down(text: str) -> bool | None:
    """Whether a question says the figure went down, None where it does not say."""
    falls, rises = (
        any(_word(name).search(text) for name in names) for names in (("FALL", "LOWER"), ("RISE", "HIGHER"))
    )
    return falls if falls != rises else None


def named_words(text: str, is_name: Callable[[tuple[str, ...]], bool]) -> str:
    """Return a question without its words of change and chat; names of the data stay, “bad reviews” whole."""
    left = BLAMED.sub(" ", _word("AMOUNT").sub(" ", text.replace("’", "'")))
    words = re.sub(r"[^\w\s&'\"“”/.+-]|(?<!\w)[.'-]+|[.'-]+(?!\w)", " ", left).split()
    is_chat = _chat(" ".join(words))
    kept = [word for place, word in enumerate(words) if not is_chat[place] or _is_named(words, place, is_chat, is_name)]
    return " ".join(kept)


def _chat(text: str) -> list[bool]:
    """Return for each word whether it is one of change or chat."""
    left = _word("BOUND").sub(lambda found: found.group().replace(" ", "\1"), text)
    for name in ("MOVE", "STATE", "FALL", "RISE", "NOUN", "DROP"):
        left = _word(name).sub(lambda found: re.sub(r"\S", "\0", found.group()), left)
    return [set(word) == {"\0"} for word in left.replace("\1", " ").split(" ")]


def _is_named(
    words: Sequence[str], place: int, is_chat: Sequence[bool], is_name: Callable[[tuple[str, ...]], bool]
) -> bool:
    """Whether a word begins a longer name, or stands before a noun as a name of its own."""
    keys = [word.lower() for word in words]
    for start in range(max(0, place - LONGEST + 1), place + 1):
        for end in range(max(start + 2, place + 1), min(start + LONGEST, len(words)) + 1):
            if not all(is_chat[start:end]) and is_name(tuple(keys[start:end])):
                return True
    return place + 1 < len(words) and not is_chat[place + 1] and is_name((keys[place],))


@cache
def _word(name: str) -> re.Pattern[str]:
    inner = WHY._whole("{" + name + "}")  # noqa: SLF001
    return re.compile(rf"(?<![\w\1-])(?:{inner})(?![\w\1-])", re.IGNORECASE)


def wants_explained(text: str) -> bool:
    """Whether a message wants an answer or its SQL explained."""
    return bool(pasted_sql(text)) or explained_query(text) is not None


def explained_query(text: str) -> str | None:
    """Return the query that is to be explained: "query 12", "" for the last one, None for another message."""
    found = EXPLAIN.match(" ".join(text.split()))
    if found is None:
        return None
    which = (found["which"] or "").lower()
    return which if which.startswith("query ") and which[6:].isdigit() else ""


def pasted_sql(text: str) -> str | None:
    """Return the SQL of a message made of it, if words such as "explain:" come before; None without signs of SQL."""
    found = PASTED.match(text.strip())
    if found is None:
        return None
    sql = found["sql"].strip().rstrip(";").strip()
    return sql if SIGNS.search(found["sql"]) else None
