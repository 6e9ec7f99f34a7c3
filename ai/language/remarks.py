"""The kind of a remark: a decision, a question, a request or a statement. Pure."""

import re
from typing import Literal

Remark = Literal["decision", "question", "request", "statement"]
SUBJECT = r"(?:we|i|they|everyone|everybody|the team|all of us|you and i|[A-Z][\w.-]+(?: and [A-Z][\w.-]+)?)"
EARLIER = r"(?:['\u2019](?:ve|ll|d|re)| have| had| has| will| are| is| all| both| now| finally| also| just| jointly)*"
CHOSE = (
    r"(?:decided?|agreed?|settled?|concluded?|chose|chosen|picked|opted|resolved|voted|committed|approved|signed off"
    r"|going (?:to|with|for)|gone with|went (?:with|for)|go (?:with|for)|stick(?:ing)? (?:to|with)|stuck with"
    r"|keep(?:ing)? (?:to|with)|standardi[sz]ed? on|use[sd]? from now)"
)
DECISIONS = (
    rf"\b{SUBJECT}{EARLIER} {CHOSE}\b",
    r"^(?:final )?(?:decision|decided|agreed|agreement|approved|conclusion|resolution|resolved|settled|verdict|consensus)\b ?[:,.\u2013-]",
    r"\b(?:it was|it is|it['\u2019]s|that was|that is|that['\u2019]s|has been|was|is|are|were)(?: now| hereby| finally)? "
    r"(?:decided|agreed|settled|approved|final|signed off|confirmed)\b",
    r"\b(?:the|our|my) (?:final |new )?(?:decision|agreement|conclusion|verdict|consensus|convention|policy)\b"
    r"[^?]{0,40}\b(?:is|was|stays|remains)\b",
    r"\b(?:from now on|going forward|henceforth|from here on|from (?:next|this) \w+ on|as of (?:now|today|tomorrow|next \w+)|starting (?:now|today|next \w+)|by convention)\b",
    r"^(?:ok(?:ay)?|so|then|right|alright|great|good|fine|perfect)?[,.]? ?let['\u2019]s (?!see|look|check|talk|discuss|find|start with|say\b)\w+",
    r"\b(?:we|i|they)(?:['\u2019]ll| will| shall) (?!see|check|look|ask|find|get back|let you|be|try)\w+",
)
DECISION = re.compile("|".join(f"(?:{each})" for each in DECISIONS), re.IGNORECASE)
ASKING = re.compile(
    r"^(?:and |so |but |ok(?:ay)?,? |hey,? |hi,? )*(?:who|what|when|where|why|which|whose|how|is|are|was|were|do|does|did"
    r"|can|could|would|will|should|shall|has|have|had|may)\b",
    re.IGNORECASE,
)
BIDDING = re.compile(
    r"^(?:please |and |now |ok(?:ay)?,? |also )*(?:show|list|give|get|find|count|compare|export|plot|draw|chart|tell|send"
    r"|sort|filter|break|group|split|rank|sum|add|remove|exclude|include|top|only|make|save|resume|load|run|help"
    r"|archive|restore|explain|describe|summari[sz]e)\b",
    re.IGNORECASE,
)


def remark_of(text: str) -> Remark:
    """Classify what a person said. A question about a decision is a question."""
    plain = " ".join(text.split())
    if plain.endswith("?") or ASKING.match(plain):
        return "question"
    if DECISION.search(plain):
        return "decision"
    return "request" if BIDDING.match(plain) else "statement"
