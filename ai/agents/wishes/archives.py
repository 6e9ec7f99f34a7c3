"""Reads wishes about the thread itself: archive, restore, export, forget, workspaces. Pure."""

from dataclasses import dataclass
from typing import Literal, cast

from ai.agents.wishes.polite import POLITE
from ai.language.tables import Patterns

ArchiveVerb = Literal[
    "store",
    "sum up",
    "list",
    "load",
    "restore",
    "prune",
    "history",
    "export",
    "forget",
    "forget for good",
    "workspaces",
]
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
ORDINAL = rf"(?P<ordinal>{'|'.join(ORDINALS)}|last|latest|newest)"
ARCHIVES = Patterns("ai.agents.wishes", "archives", {"POLITE": POLITE, "ORDINAL": ORDINAL})


@dataclass(frozen=True, slots=True)
class ArchiveWish:
    """A wish about the thread. `place` counts archives from 0, -1 is the last; `start` and `end` count messages."""

    verb: ArchiveVerb
    place: int = -1
    handle: str = ""
    start: int = 0
    end: int | None = None
    kind: str = ""


def archive_wish(text: str) -> ArchiveWish | None:
    plain = " ".join(text.split())
    for verb, pattern in ARCHIVES.cases:
        if found := pattern.match(plain):
            said = found.groupdict()
            start = int(said.get("start") or 0)
            end = said.get("end") or said.get("start")
            most = said.get("most")
            last = int(most) - 1 if most else int(end) if end else None
            return ArchiveWish(
                cast(ArchiveVerb, verb),
                _place(said),
                said.get("handle") or "",
                start,
                last,
                (said.get("kind") or "").lower(),
            )
    return None


def _place(said: dict[str, str | None]) -> int:
    if number := said.get("number"):
        return int(number) - 1
    ordinal = (said.get("ordinal") or "").lower()
    return ORDINALS.index(ordinal) if ordinal in ORDINALS else -1
