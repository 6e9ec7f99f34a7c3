"""What people say to the bot itself: the rules for explicit wishes, and what a wish is about. Pure.

A message that asks for a file, for the SQL, for a chart or for help says so in words that need no analyst. Everything
else is left to the analyst: `explicit_intent` gives None.
"""

import re
from dataclasses import dataclass
from typing import Literal

from ai.agents.wishes.rules import rule_wish
from ai.analysts.port import Intent
from ai.results.files import FileKind

StateVerb = Literal["save", "resume", "archive", "list"]
POLITE = r"(?:(?:please|pls|ok|okay|and|now|then|hey|can you|could you|would you)[, ]+)*"
NAME = r"[\"'\u201c\u2018]?(?P<name>[^\s\"'\u201c\u2018].{0,199}?)[\"'\u201d\u2019]?"
NEXT = r"(?:[,;.]? *\b(?:next(?: steps?)?|to do)(?: is| are)?: *(?P<next>.+))?[.! ]*$"
FORMAT = r"(?:an? |the )?(?:csv|xlsx|excel|sql|spreadsheet|file|table|chart|graph|plot|image|picture|pdf|view)\b"
SAVED = r"(?:saved (?:state|work|point)|save point|state)"
STATE_VERBS: tuple[tuple[StateVerb, str], ...] = (
    ("save", rf"save (?:[\w']+ ){{1,4}}?as (?:an? |the )?(?:{SAVED} )?(?!{FORMAT}){NAME}{NEXT}"),
    ("resume", rf"resume (?:the )?(?:{SAVED} )?(?:called |named )?{NAME}[?.! ]*$"),
    (
        "resume",
        rf"(?:load|open|restore|go back to|continue(?: with)?) (?:the |my )?saved (?:state|work) {NAME}[?.! ]*$",
    ),
    ("archive", rf"archive (?:the |my )?{SAVED} (?:called |named )?{NAME}[?.! ]*$"),
    ("list", r"(?:list|show|see|give|what are)(?: me)?(?: all)?(?: (?:the|my|our))? saved (?:states|work|points)\b"),
    ("list", r"(?:what|which) (?:saved (?:states|work)|(?:states|work) (?:is|are|have we|have i) saved)\b"),
)
STATE_WISHES = tuple((verb, re.compile(f"^{POLITE}{said}", re.IGNORECASE)) for verb, said in STATE_VERBS)

ANSWERED = (
    r"(?:that|this|the|your|our|my)(?: whole| entire| last| previous)?"
    r" (?:answer|question|query|reply|thread|conversation|discussion)"
)
SPENT = re.compile(
    rf"^{POLITE}(?:(?:what|how much) (?:did|does|has|have) (?:that|this|{ANSWERED}) costs?"
    rf"|how many (?:tokens|calls) (?:did|has|have) (?:that|this|{ANSWERED}) (?:use|used|take|taken|cost|need|needed)"
    rf"|(?:what (?:was|is)|show(?: me)?) the cost of {ANSWERED}|how expensive (?:was|is) (?:that|this|{ANSWERED}))"
    r"(?: (?:us|me|you))?(?: (?:so far|in total|altogether))?[?.! ]*$"
)
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
    ("cost", SPENT),
    ("chart", re.compile(rf"^{POLITE}(?:plot|chart|graph|draw|visuali[sz]e)\b")),
    ("chart", re.compile(r"\b(?:as|in|with|make|give me|show me) an? (?:\w+ )?(?:chart|graph|plot|diagram)\b")),
    (
        "memory",
        re.compile(
            r"\b(?:did|have|had) (?:we|i|you|they|anyone|somebody)\b.*"
            r"\b(?:discuss|decide|say|said|talk|ask|agree|mention|conclude)"
        ),
    ),
    ("memory", re.compile(r"\bwhat (?:was|were) (?:said|decided|discussed|agreed|asked)\b")),
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
    "for from and now also show want need i want i'd like have make create my our whole full complete entire every "
    "workbook".split()
)
EXCEL = re.compile(r"\b(?:xlsx|excel|workbook)\b", re.IGNORECASE)
ALL_ROWS = re.compile(
    r"\b(?:all|every)(?: of)?(?: the| its| their)? (?:rows?|data|results?)\b|\beverything\b"
    r"|\b(?:full|complete|entire|whole) (?:result|data|set|list|table|export)\b",
    re.IGNORECASE,
)
POINTING = frozenset("this that it last previous latest again here now please me last one the same above".split())


@dataclass(frozen=True, slots=True)
class StateWish:
    """What is wanted of a saved state. `name` is "" only for a list; `next_steps` are those that a save names."""

    verb: StateVerb
    name: str = ""
    next_steps: tuple[str, ...] = ()


def explicit_intent(text: str) -> Intent | None:
    """The wish that the words state outright, or None. No words at all ask for help."""
    plain = " ".join(text.lower().split())
    if not plain:
        return "help"
    if rule_wish(text) is not None:
        return "correction"
    if state_wish(text) is not None:
        return "states"
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


def state_wish(text: str) -> StateWish | None:
    """What is wanted of a saved state: "save this as Q3 revenue, next: compare with Q2", "resume Q3 revenue"."""
    plain = " ".join(text.split())
    for verb, pattern in STATE_WISHES:
        if found := pattern.search(plain):
            said = found.groupdict()
            steps = tuple(step.strip() for step in (said.get("next") or "").split(";") if step.strip())
            return StateWish(verb, said.get("name") or "", steps)
    return None


def means_whole_thread(text: str) -> bool:
    """Whether a cost that is asked for is that of the whole thread, rather than of the last answer."""
    return re.search(r"\b(?:thread|conversation|discussion|so far|in total|altogether)\b", text.lower()) is not None


def export_kind(text: str) -> FileKind:
    """The kind of file that is wanted: a workbook where Excel is named, else CSV."""
    return "xlsx" if EXCEL.search(text) else "csv"


def wants_all_rows(text: str) -> bool:
    """Whether every row is wanted outright, also those that are not kept."""
    return ALL_ROWS.search(text) is not None


def _pointed(what: str) -> str | None:
    words = what.strip(" ,:").split()
    return " ".join(words) if any(word.lower() not in POINTING for word in words) else None
