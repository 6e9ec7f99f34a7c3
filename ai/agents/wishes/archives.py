"""Reads wishes about the thread itself: archive, restore, export, forget, workspaces. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast

from ai.agents.wishes.polite import POLITE
from ai.language.tables import Patterns
from ai.memory.search import ORDINALS

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
ORDINAL = rf"(?P<ordinal>{'|'.join(ORDINALS)}|last|latest|newest)"
ARCHIVES = Patterns("ai.agents.wishes", "archives", {"POLITE": POLITE, "ORDINAL": ORDINAL})


@dataclass(frozen=True, slots=True)
class ArchiveWish:
    """A wish about the thread. `place` counts archives from 0, -1 is the last; `start`, `end` and `at` count messages.

    A restore goes back in place; a copy goes before the message `at`, or with `copies` or `instead` to the end.
    `instead` is written over the placeholder.
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
    found = ARCHIVES.first(text)
    return _wish(cast(ArchiveVerb, found[0]), found[1]) if found else None


def _wish(verb: ArchiveVerb, said: Mapping[str, str | None]) -> ArchiveWish:
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
        bool(said.get("copy")),
        said.get("instead") or "",
    )


def _place(said: Mapping[str, str | None]) -> int:
    if number := said.get("number"):
        return int(number) - 1
    ordinal = (said.get("ordinal") or "").lower()
    return ORDINALS.index(ordinal) if ordinal in ORDINALS else -1
