"""Reads wishes about saved states: “save this as Q3 revenue, next: compare with Q2”. Pure."""

import re
from dataclasses import dataclass
from typing import Literal

from ai.agents.wishes.polite import POLITE

StateVerb = Literal["save", "resume", "archive", "unarchive", "list", "compare"]
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
    ("unarchive", rf"list (?:the |my )?{SAVED} (?:called |named )?{NAME} again[?.! ]*$"),
    ("archive", rf"archive (?:the |my )?{SAVED} (?:called |named )?{NAME}[?.! ]*$"),
    (
        "compare",
        rf"compare (?:this |it |that |the result )?(?:with|to|against) (?:the |my |our )?saved "
        rf"(?:state |work |point |result )?(?:called |named )?{NAME}[?.! ]*$",
    ),
    ("list", r"(?:list|show|see|give|what are)(?: me)?(?: all)?(?: (?:the|my|our))? saved (?:states|work|points)\b"),
    ("list", r"(?:what|which) (?:saved (?:states|work)|(?:states|work) (?:is|are|have we|have i) saved)\b"),
)
STATE_WISHES = tuple((verb, re.compile(f"^{POLITE}{said}", re.IGNORECASE)) for verb, said in STATE_VERBS)


@dataclass(frozen=True, slots=True)
class StateWish:
    """A wish about saved states. Only a list has no `name`."""

    verb: StateVerb
    name: str = ""
    next_steps: tuple[str, ...] = ()


def state_wish(text: str) -> StateWish | None:
    plain = " ".join(text.split())
    for verb, pattern in STATE_WISHES:
        if found := pattern.search(plain):
            said = found.groupdict()
            steps = tuple(step.strip() for step in (said.get("next") or "").split(";") if step.strip())
            return StateWish(verb, said.get("name") or "", steps)
    return None
