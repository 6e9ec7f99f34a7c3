"""Reads wishes about the thread itself: archive, restore, export, forget, workspaces. Pure."""

import re
from dataclasses import dataclass
from typing import Literal

from ai.agents.wishes.polite import POLITE

ArchiveVerb = Literal[
    "store",
    "sum up",
    "list",
    "load",
    "store again",
    "restore",
    "take out",
    "prune",
    "prune for good",
    "history",
    "export",
    "forget",
    "forget for good",
    "workspaces",
]
TALK = r"(?:thread|conversation|discussion|chat|talk)"
ALL = rf"(?:everything|it all|all of (?:it|this)|all|(?:this|the|our)(?: whole| entire)? {TALK}|(?:the|all) (?:earlier |previous |old |older )?messages)"
BEFORE = r"(?: (?:before|above|until|up to|prior to)(?: (?:this|here|now|that|then|this message|this point))?| so far| until now)?"
NUMBER = r"(?:number |no\.? ?|#)?(?P<number>\d+)"
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
ORDINAL = rf"(?P<ordinal>{'|'.join(ORDINALS)}|last|latest|newest)"
ABOUT = r"(?:,? (?:as|summary:?|about:?) [\"\u201c]?(?P<summary>.{1,400}?)[\"\u201d]?)?"
WHERE = r"(?:,? (?:(?P<again>as a copy|a copy|at the end|here)|(?:at|before)(?: message)? (?P<at>\d+)))?"
INSTEAD = r"(?:,? (?P<keep>(?:and )?(?:keep|leave)(?:ing)? (?:its|the) (?:line|placeholder))|,? (?:and )?(?:write|leave|put) [\"\u201c](?P<instead>.{1,400}?)[\"\u201d] (?:instead|in its place))?"
WHICH = rf"(?:(?:the )?{ORDINAL}(?: (?:one|archive))?|(?:the )?archive(?: {NUMBER})?|(?:the )?(?P<handle>mem://\S+)|(?:it|that)(?= again| back))"
VERBS: tuple[tuple[ArchiveVerb, str], ...] = (
    ("sum up", rf"(?:summari[sz]e|sum up|recap) and archive(?: {ALL})?{BEFORE}"),
    ("store", rf"archive (?:the )?messages? (?P<start>\d+)(?: ?(?:to|-|\u2013|until|through) ?(?P<end>\d+))?{ABOUT}"),
    ("store", rf"archive (?:the )?first (?P<most>\d+)(?: messages)?{ABOUT}"),
    ("store", rf"archive {ALL}{BEFORE}{ABOUT}"),
    ("store again", r"archive (?P<handle>mem://\S+) again"),
    ("list", r"(?:list|show|see|what are|which)(?: me)?(?: all)?(?: the| my| our)? archives?(?: (?:are )?there(?: are)?)?"),
    ("list", r"what (?:is|was|has been) archived(?: here| in this thread)?"),
    ("load", rf"(?:read|load|open|show|display|see)(?: me)? {WHICH}(?: again)?(?: here)?"),
    ("load", rf"what is in {WHICH}"),
    ("restore", rf"(?:restore|unarchive|bring back|put back|undo)(?: archiving)? {WHICH}(?: again| back)?(?: in place)?{WHERE}{INSTEAD}"),
    ("take out", rf"(?:take out|remove|drop) (?:the )?cop(?:y|ies)(?: of {WHICH})?"),
    ("prune for good", r"(?:prune|clean up|tidy(?: up)?)(?: the| my| our| unused| old)* archives? for good"),
    ("prune", r"(?:prune|clean up|tidy(?: up)?)(?: the| my| our| unused| old)* archives?"),
    ("history", r"(?:list|show|number)(?: me)?(?: all)? the messages(?: (?:with|by) (?:their )?(?:numbers|indices|indexes))?"),
    ("export", rf"(?:export|download|save) (?:this|the|our)(?: whole| entire)? {TALK}(?: (?:as|to|in) (?:an? )?(?P<kind>markdown|md|json|text|file))?"),
    ("forget for good", rf"(?:forget|delete|erase) (?:this|the|our)(?: whole| entire)? {TALK} for good"),
    ("forget", rf"(?:forget|delete|erase) (?:(?:this|the|our)(?: whole| entire)? {TALK}|everything (?:here|in this {TALK}|we said))"),
    ("workspaces", r"(?:list|show|see|what are|which)(?: me)?(?: all)?(?: the| my| our)? workspaces?(?: (?:are )?there(?: are)?)?"),
)  # fmt: skip
WISHES = tuple((verb, re.compile(rf"^{POLITE}{said}(?: please)?[.?! ]*$", re.IGNORECASE)) for verb, said in VERBS)


@dataclass(frozen=True, slots=True)
class ArchiveWish:
    """A wish about the thread. `place` counts archives from 0, -1 is the last; `start`, `end` and `at` count messages.

    A restore goes back in place; a copy goes before the message `at`, or with `copies` or `instead` to the end. `instead`
    is written over the placeholder.
    """

    verb: ArchiveVerb
    place: int = -1
    handle: str = ""
    start: int = 0
    end: int | None = None
    kind: str = ""
    summary: str = ""
    at: int | None = None
    copies: bool = False
    instead: str = ""


def archive_wish(text: str) -> ArchiveWish | None:
    plain = " ".join(text.split())
    for verb, pattern in WISHES:
        if found := pattern.match(plain):
            return _wish(verb, found.groupdict())
    return None


def _wish(verb: ArchiveVerb, said: dict[str, str | None]) -> ArchiveWish:
    start, most, at = said.get("start"), said.get("most"), said.get("at")
    end = int(most) - 1 if most else int(said.get("end") or start or -1)
    return ArchiveWish(
        verb,
        _place(said),
        (said.get("handle") or "").rstrip(".,?!"),
        int(start or 0),
        None if end < 0 else end,
        (said.get("kind") or "").lower(),
        said.get("summary") or "",
        int(at) if at else None,
        bool(said.get("again") or said.get("keep")),
        said.get("instead") or "",
    )


def _place(said: dict[str, str | None]) -> int:
    if number := said.get("number"):
        return int(number) - 1
    ordinal = (said.get("ordinal") or "").lower()
    return ORDINALS.index(ordinal) if ordinal in ORDINALS else -1
