"""Reads questions about the conversation: what was first, decided, said by whom, listed, answered. Pure."""

import re
from dataclasses import dataclass
from typing import Literal

from ai.agents.wishes.polite import POLITE
from ai.language.words import COMMON

RecallVerb = Literal["first", "last", "summary", "queries", "query", "rows", "answer", "decisions", "who", "said"]
WE = r"(?:we|i|you|they|he|she|anyone|anybody|somebody|someone|people|everyone|us)"
PERSON = r"(?:<@(?P<id>[UW][A-Z0-9]+)(?:\|[^>]*)?>|@(?P<at>[\w.-]+)|(?P<name>(?-i:[A-Z])[\w-]+)|(?P<pronoun>i|we|you|they|anyone|anybody|somebody|someone|people))"
TELL = r"(?:say|said|tell|told|ask|asked|asking|mention|mentioned|want|wanted|write|wrote|discuss|discussed|talk|talked|suggest|suggested|propose|proposed|think|thought|answer|answered|report|remark|promise|promised|speak|spoke|bring up|brought up)"
DECIDE = r"(?:decide|decided|agree|agreed|settle|settled|conclude|concluded|choose|chose|chosen|pick|picked|approve|approved|resolve|resolved)"
SO_FAR = r"(?:so far|until now|up to now|already|here|before|(?:in|of) (?:this|the|our) (?:thread|conversation|discussion|chat))"
THIS = r"(?:(?:this|the|our)(?: whole| entire)? (?:thread|conversation|discussion|chat|talk)|(?:everything|all)(?: of (?:this|it))?|what (?:we|was|has been|i|you)(?: have|'ve)? (?:said|discussed|asked|found|did|done)|this|it all)"
TURN = r"(?:message|question|topic|thing|request|query|subject|answer|reply|point)"
ENDED = rf"(?: (?:{SO_FAR}|(?:that )?{WE} {TELL}.*|about .*|today|yesterday|last \w+|(?:in|on) .*))?[?.! ]*$"
MOST = r"\b(?:most|fewest|least|more than|less than|at least|top|highest)\b"
LIST = r"(?:list|table|result|results|rows|numbers|figures|breakdown|ranking|overview)"
EARLIER = r"(?:from (?:before|earlier|above|then|yesterday|last \w+|this morning|\w+day)|(?:you|we|i) (?:gave|had|showed|saw|got|made)(?: me| us)?(?: before| earlier| above| yesterday)?|earlier|before|above|again|once more)"
VERBS: tuple[tuple[RecallVerb, str], ...] = (
    ("first", rf"(?:what|which)(?: was| were| is|'s) (?:the|our|my|your|their) (?:very )?(?:first|earliest|opening|original|initial) {TURN}s?{ENDED}"),
    ("first", rf"(?:what|which) (?:{TURN} )?did {WE} {TELL}(?: about)? (?:at )?(?:the )?(?:very )?(?:first|beginning|start)\b"),
    ("first", r"how did (?:this|the|our|it)(?: thread| conversation| discussion| all)? (?:start|begin)\b"),
    ("first", rf"(?:what|where) did {WE} (?:start|begin)(?: with| from)?\b"),
    ("last", rf"(?:what|which)(?: was| were| is|'s) (?:the|our|my|your) (?:very )?(?:last|previous|latest|most recent|earlier) {TURN}s?{ENDED}"),
    ("last", rf"what did {WE} (?:just )?{TELL} (?:last|just now|a moment ago)\b"),
    ("summary", rf"(?:summari[sz]e|sum up|recap|recapitulate|tl;?dr|wrap up)(?: {THIS})?(?: {SO_FAR})?(?: please| for me| briefly)?[.?! ]*$"),
    ("summary", rf"(?:give|show|write|make|send)(?: me| us)? (?:a |the )?(?:short |brief |quick )?(?:summary|recap|overview|tl;?dr)(?: of {THIS})?(?: {SO_FAR})?(?: please)?[.?! ]*$"),
    ("summary", rf"(?:what|where) (?:have|did|were|are|has) (?:we|been|this thread)(?: been)?(?: (?:discuss\w*|cover\w*|talk\w* about|done|do|found|find out|achieved?|learn\w*|happen\w*))?(?: {SO_FAR})?[.?! ]*$"),
    ("summary", r"(?:what(?:'s| has| is)? happen(?:ed|ing)(?: here| in this thread| so far)+|(?:catch|bring) (?:me|us) up(?: to (?:speed|date))?|where (?:were|are) we)\b"),
    ("queries", rf"(?:list|show|see|give(?: me)?|what (?:are|were))(?: me)?(?: all)?(?: of)? (?:my|our|your)(?: (?:earlier|past|previous|last))? (?:queries|questions|requests)(?: {SO_FAR})?(?: please)?[.?! ]*$"),
    ("queries", rf"(?:what|which (?:queries|questions))(?: have| did)? {WE} (?:all )?(?:ask|asked|run|ran)(?: you)?(?: about)?(?: {SO_FAR})?[.?! ]*$"),
    ("answer", r"(?:and )?(?:how (?:many|much)(?: \w+)?|what (?:number|figure|value|total|result)|which (?:number|figure|value)) (?:did you (?:say|tell(?: me| us)?|give(?: me| us)?|report|answer|count|find|get)|was it(?: that)? you said|had you)(?: (?:it|that|there) (?:was|were))?(?: (?:for|about|in|on|of|was|were) (?P<answer>.+?))?[?.! ]*$"),
    ("rows", rf"(?:(?:show|give|get|see|repeat|bring(?: up| back)?)(?: me| us)? )?(?:that|the|this|my|our) (?:same )?{LIST}(?: (?:of|about|with|for|by) (?P<rows>.+?))? {EARLIER}(?: please)?[?.! ]*$"),
    ("query", rf"(?:(?:show|give|get|see|find)(?: me| us)? )?(?:that|the|my|our) (?:query|question|sql)(?: (?:that (?:was )?)?(?:about|for|on|with|of)) (?P<query>.+?) (?:{EARLIER}|yesterday|today|last \w+|on \w+day)(?: please)?[?.! ]*$"),
    ("query", r"(?:that|the|my|our) (?:query|question) about (?P<about>.+?)[?.! ]*$"),
    ("decisions", rf"what(?: exactly)?(?: else)? (?:did|have|had|has|do) {WE}(?: all)? (?:finally )?{DECIDE}\b"),
    ("decisions", rf"(?:what|which) (?:was|were|has been|is|are|got)(?: finally)? {DECIDE}\b"),
    ("decisions", rf"(?:did|have|had) {WE}(?: already| ever| all)? {DECIDE}\b"),
    ("decisions", r"(?:what|which)(?: (?:were|are|was|is)|'s)? (?:the|our|all) (?:final |latest )?(?:decisions?|agreements?|conclusions?|verdicts?|consensus|policy|convention)(?: (?:on|about|for|regarding|with) .*)?[?.! ]*$"),
    ("decisions", r"(?:list|show|give)(?: me)?(?: all)? (?:the |our )?(?:decisions|agreements|conclusions)\b"),
    ("decisions", rf"(?:when|why|how|where|which \w+) (?:did|have|had|was|were) {WE}(?: finally)? {DECIDE}\b"),
    ("who", rf"(?!.*{MOST})who(?: (?:was it|it was)(?: that| who)?)?(?: has| had| else)? (?:{TELL})(?: (?:for|about|on|that|to|of|us|me|you))*\b"),
    ("who", rf"(?!.*{MOST})who (?:decided|agreed|approved|chose|picked|raised|brought up|started|came up with)(?: (?:about|on|that|to|the))*\b"),
    ("said", rf"what(?: exactly)?(?: else)? (?:did|has|had|have|do|does) {PERSON}(?: all| ever| once)? {TELL}\b"),
    ("said", r"(?:what|which)(?: \w+){0,2} (?:was|were|has been) (?:said|discussed|asked|mentioned|told|written)\b"),
    ("said", rf"(?:did|have|had|has) {PERSON}(?: ever| already| once)? {TELL}\b"),
    ("said", rf"(?:when|why|how|where) (?:did|have|had|has) {PERSON}(?: last| first| ever)? (?:say|said|tell|told|mention|mentioned|discuss|discussed|talk|talked|suggest|suggested|propose|proposed|promise|promised)\b"),
    ("said", rf"(?:which|what) [\w ]{{1,40}} (?:did|have|had) {WE} (?:talk|discuss|mention|speak)\w*\b"),
    ("said", r"(?:do you )?remember (?:what|when|that|the|our|how|who)\b"),
    ("said", r"remind (?:me|us) (?:what|who|when|of|about)\b"),
    ("said", r"(?!how (?:many|much)\b)[\w ,']{0,60}\b(?:did|have|had) (?:we|i|you|they|anyone|somebody)\b.*\b(?:discuss|decide|say|said|talk|ask|agree|mention|conclude)"),
)  # fmt: skip
WISHES = tuple((verb, re.compile(f"^{POLITE}(?:and |so |but |again,? )*{said}", re.IGNORECASE)) for verb, said in VERBS)
EVERYWHERE = re.compile(
    r"\s*\b(?:(?:in|across|from|of) (?:(?:this|the|our|any|all|other|every|another)(?: the)?(?: other)? "
    r"(?:channels?|threads|other thread)|(?:another|any|every|all|other) (?:threads?|conversations?))|anywhere|elsewhere)\b",
    re.IGNORECASE,
)
ASKED = re.compile(r"\b(?:questions?|quer(?:y|ies)|requests?|asked?)\b", re.IGNORECASE)
MINE = re.compile(r"\b(?:my|i)\b", re.IGNORECASE)
THE_BOTS = re.compile(r"\b(?:your|you)\b", re.IGNORECASE)
WORD = re.compile(r"[^\W_]+(?:['\u2019.-][^\W_]+)*")
MENTIONED = re.compile(r"<@[UW][A-Z0-9]+(?:\|[^>]*)?>|(?<!\w)@[\w.-]+")
ABOUT_THE_PAST = frozenset(
    "remember remind recall discuss discussed discussing discussion talk talked talking say said mention mentioned ask "
    "asked asking tell told decide decided agree agreed conclude concluded settle settled choose chose pick picked ever "
    "already before earlier anything something conversation conversations message messages question questions thread "
    "threads channel channels please about regarding anyone want wanted write wrote suggest suggested propose proposed "
    "approve approved decision decisions agreement agreements conclusion conclusions list show exactly else finally "
    "first last very topic start begin started began anywhere elsewhere other another bring brought policy convention "
    "latest final raised wanted promised promise think thought anybody somebody someone everyone people".split()
)


WHOLE = ("summary", "queries", "answer", "rows", "query")  # without a topic unless one is named


@dataclass(frozen=True, slots=True)
class RecallWish:
    """A question about the conversation. `who` is an author, "me" or "you" (the bot); "" is anybody.

    With `asks`, only what was asked counts.
    """

    verb: RecallVerb
    topic: str
    who: str = ""
    everywhere: bool = False
    asks: bool = False


def recall_wish(text: str) -> RecallWish | None:
    plain = " ".join(text.split())
    for verb, pattern in WISHES:
        if found := pattern.match(plain):
            return _wish(verb, plain, found.groupdict())
    return None


def topic_of(text: str) -> str:
    """Return the words that tell what a question about the past is about."""
    rest = EVERYWHERE.sub(" ", MENTIONED.sub(" ", text))
    return " ".join(word for word in WORD.findall(rest) if word.lower() not in COMMON | ABOUT_THE_PAST)


def _wish(verb: RecallVerb, plain: str, said: dict[str, str | None]) -> RecallWish:
    described = said.get("answer") or said.get("rows") or said.get("query") or said.get("about")
    topic = topic_of(described) if described else "" if verb in WHOLE else topic_of(plain)
    asks = verb in ("first", "last") and ASKED.search(plain) is not None
    return RecallWish(verb, topic, _who(verb, plain, said), EVERYWHERE.search(plain) is not None, asks)


def _who(verb: RecallVerb, plain: str, said: dict[str, str | None]) -> str:
    if author := said.get("id") or said.get("at") or said.get("name"):
        return author if author.lower() not in ("i", "we", "you", "anyone") else _pronoun(author)
    if verb in ("first", "last", "queries"):
        return "me" if MINE.search(plain) else "you" if THE_BOTS.search(plain) else ""
    return "you" if verb == "answer" else _pronoun(said.get("pronoun") or "")


def _pronoun(word: str) -> str:
    return {"i": "me", "you": "you"}.get(word.lower(), "")
