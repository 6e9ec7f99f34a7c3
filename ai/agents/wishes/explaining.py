"""Reads the wish to have an answer explained, and SQL that somebody pasted. Pure."""

import re

from ai.agents.wishes.polite import POLITE

ANSWER = r"(?:this|that|it|(?:the|your|that|this)(?: last| first)? (?:answer|result|number|figure|query|sql|table))"
EXPLAIN = re.compile(
    rf"^{POLITE}(?:explain (?:to me )?(?P<which>query \d+|{ANSWER})"
    rf"|how (?:did|do) you (?:get|compute|calculate|count|come (?:to|up with)|arrive at) {ANSWER}"
    rf"|how (?:is|was|were) {ANSWER} (?:computed|calculated|counted|made)"
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


def wants_explained(text: str) -> bool:
    """Return whether a message wants an answer or its SQL explained."""
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
