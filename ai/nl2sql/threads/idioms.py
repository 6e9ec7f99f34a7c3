"""How people word a follow-up, put into the few words that the rules of a thread know. Data and patterns."""

import re

REPLIES = "hm+|huh|a+h|oh|uh|um|ok(?:ay)?|thanks?(?: you)?|thx|ty|got it|all ?right|makes sense|i see|yes|yeah|yep|yup|so|well|please|pls|by the way|btw"
PRAISE = "cool|nice|great|perfect|awesome|excellent|wow|good|interesting|super|fine|sure|great stuff|lovely|one more(?: thing)?|right|now"
REPLY = re.compile(
    rf"^(?:(?:(?:{REPLIES})\b[\s,.:;!…–-]*)|(?:(?:{PRAISE})\b\s*[,.:;!…–-]+\s*))+(?=\w|@|\$)", re.IGNORECASE
)
BECAUSE = re.compile(
    r"[\s,]+(?:please|pls|plz|thanks|thank you|thx|for me|if you can|if possible|as you said|though|i mean|i meant|that is|instead please)[.!?\s]*$",
    re.IGNORECASE,
)
TAKEN_BACK = re.compile(
    r"^(?:no[,. ]+)?(?:scratch|forget|ignore|disregard|cancel|take back|undo|drop) (?:that|it|this|the last (?:one|bit|part|filter))[\s,.:;–-]+(?=\w)",
    re.IGNORECASE,
)
POLITE = re.compile(
    r"^(?:(?:can|could|would|will) (?:you|we|i|u)|i(?:'d| would) (?:like|want)(?: to (?:see|know|have))?|i (?:want|need)(?: to (?:see|know|have))?|let'?s|lets|let me|let us|try(?: to)?"
    r"|(?:do|say|go with|look at|see)(?= (?:it|that|this|only|just|the|by|per|for|in)\b))(?: please| also| now| do| see| look at| try| say| go with| make it| have)*\s+",
    re.IGNORECASE,
)

SAYINGS: tuple[tuple[str, str], ...] = (
    (r"^(?:and |so |but )?how (?:was|were|is|did|does|do|are) (?:(?:it|that|this|they|things|those)(?: (?:look|looking|doing|do|go|going|perform))?(?: (?:in|for|on|with))? )?(?P<rest>(?:\S+ ?){1,3})[?.! ]*$", r"what about \g<rest>"),
    (r"^(?:and |so )?how (?:much|many) of (?:that|this|it)(?: (?:is|was|are|were|comes?|came|were|did))?(?= (?:from|in|on|for|since|before|after|by|to|with|without|due)\b)", "only"),
    (r"\b(?:the )?busiest\b", "the best"),
    (r"\b(?:the )?(?:quietest|slowest)\b(?= (?:one|day|week|month|hour|year|quarter|time)s?\b|[?.! ]*$)", "the worst"),
    (r"^(?:make|change|switch|set|turn|do) (?:it|that|this|them|these)(?: to| into| be)?\s+(?=\S)", "instead "),
    (r"\b(?:the )?(?:best|highest|biggest|largest|most|top|strongest)(?: ones?)? (?:on|at(?: the)?) (?:top|the top)\b|\bfrom (?:the )?(?:top|best) down\b", "highest first"),
    (r"\b(?:the )?(?:worst|lowest|smallest|weakest|least)(?: ones?)? (?:on|at(?: the)?) (?:top|the top)\b|\bfrom the bottom up\b", "lowest first"),
    (r"\b(?:the )?runners?[- ]up\b", "the second one"),
    (r"\b(?:the )?(?:next (?:best|highest|biggest|one)|one after(?: that| it)?|number two|no\.? ?2|# ?2)(?=[?.! ]*$)", "the second one"),
    (r"^(?:so |and )?how many (?:(?:of (?:them|those|these) )?(?:are|is|were|was|do we have) (?:still )?(?:left|remaining|there|it|that)|remain|is that|does that leave|are we left with)(?: now| then| over)?\b", "how many are there"),
    (r"^(?:start(?:ing)?|begin(?:ning)?) (?:from|in|with|at|on)\b|^from (?=.* (?:on|onwards?|onward)\b)", "since "),
    (r"(?<=\w) (?:onwards?|on(?= ?only)|on|forward)(?= ?(?:only)?[?.! ]*$)", ""),
    (r"^(?:and |now )?(?:do |run |give me |show me |repeat )?(?:that|the|this|it)? ?\b(?:same|exact same|identical)(?: again)?(?: (?:question|thing|query|numbers?|figures?|one|list|view|breakdown|chart|table|report))?(?: again)?(?: but)? (?:for|with|in|on|by|as|but)\b", "same for"),
    (r"^(?:and |now )?(?:repeat|redo|rerun|run) (?:that|this|it|the query)(?: again)? (?:for|with|in|on|by)\b", "same for"),
    (r"^(?:put|show|give me|compare|display|list|have)?(?: me)? ?(?:the two|the three|them|those|these|both|all)(?: of them)?(?: (?:numbers|figures|of these|of those))? (?:side[- ]by[- ]side|together|next to each other|in (?:one|a single|the same) (?:table|list|view)|next to one another)[.?! ]*$", "both"),
    (r"^(?:and |so )?(?:rank|sort|order|show|list|give me)(?: me)? (?:all(?: of (?:them|those|these))?|everything|them all|the (?:whole|full|entire|complete) (?:list|ranking|table))[.?! ]*$", "show all of them"),
    (r"^(?:and )?what about the (?:rest|others|remaining(?: ones)?)[.?! ]*$|^(?:and )?the (?:rest|others)[.?! ]*$", "show the rest"),
    (r"\bthat (?:person|guy|lady|man|woman|employee|rep|individual|one|thing|item|entry)\b", "it"),
    (r"\bthose (?:people|persons|guys|folks|ones|things|items|entries)\b|\bthe same (?:ones|people)\b", "those"),
    (r"^(?:can|could) (?:that|it|this) be (?:split|broken(?: down)?|grouped|shown)\b", "split"),
    (r"^(?:split|break|cut|slice|group|segment) (?:it|that|this|them|these|those|the numbers?|the figures?|the result) (?:(?:up|down|out) )?(?:by|per|into|on|along)\b", "by "),
    (r"^(?:break(?:down)?|broken down|split(?: up)?|breakdown|grouped|sliced) (?:by|per|into)\b", "by "),
    (r"^(?:narrow|limit|restrict|filter|cut)(?: (?:it|that|this|them|those|these))?(?: down)? (?:to|on|for|by)\b", "only "),
    (r"^(?:focus on|look only at|keep only|keep just|only keep|only show(?: me)?|show (?:me )?only|show (?:me )?just|just show(?: me)?)\b", "only "),
    (r"^(?:now )?(?:take out|leave out|kick out|get rid of|remove|drop|exclude|strip out|skip|ignore)\b", "without "),
    (r"^(?:sort|order|rank)(?:ed)?[\s,]+(?=(?:highest|lowest|biggest|largest|smallest|best|worst|newest|oldest|most|least|cheapest|latest|earliest|longest|shortest)\b)", "sort by that, "),
    (r"^(?:flip|reverse|invert) (?:it|that|the order|the sorting|the list|them)[.?! ]*$|^(?:the )?other way (?:a)?round[.?! ]*$", "in reverse order"),
    (r"^(?:and )?what(?:'s| is| was)? (?:the )?(?:percent(?:age)?|%|share)s?(?: (?:is|are|was|were) (?:that|this|it|those|they))?(?: of (?:the |them |it )?(?:total|whole|all|them|it|that))?(?: each| for each(?: one)?)?[.?! ]*$", "as a share of the total"),
    (r"^(?:in |as )?(?:a |the )?(?:percent(?:age)?s?|%|shares?|pct) of (?:the )?(?:total|whole|all|overall|everything)(?: (?:each|for each|per \w+))?[.?! ]*$", "as a share of the total"),
    (r"^(?:and )?how (?:does|did|do) (?:that|this|it|they|those) compare (?:to|with|against)\b", "compared to"),
    (r"^(?:and )?(?:compare (?:it |that |this |them )?(?:to|with|against)|against|vs\.?|versus|compared with)\b", "compared to"),
)  # fmt: skip
_SAYINGS = tuple((re.compile(pattern, re.IGNORECASE), said) for pattern, said in SAYINGS)
THEN = re.compile(r"^(?P<what>[^?]{2,40}?),? (?:then|next)[.!? ]*$", re.IGNORECASE)
ASKS = re.compile(
    r"^(?:what|how|which|who|whom|whose|when|where|why|show|list|give|find|is|are|was|were|do|does|did|count|tell|name|get|display|return)\b",
    re.IGNORECASE,
)


def canonical(text: str) -> str:
    """Return a follow-up in the words that the rules know; what they know already stays as it is."""
    said = REPLY.sub("", text.strip())
    said = BECAUSE.sub("", said)
    said = POLITE.sub("", said)
    for pattern, put in _SAYINGS:
        said = pattern.sub(put, said)
    found = THEN.match(said)
    if found and not ASKS.match(said):
        said = f"what about {found['what']}"
    return " ".join(said.split()) or text
