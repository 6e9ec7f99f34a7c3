"""Reads wishes about saved states: “save this as Q3 revenue, next: compare with Q2”. Pure."""

from dataclasses import dataclass
from typing import Literal, cast

from ai.agents.wishes.polite import POLITE
from ai.language.tables import Patterns

StateVerb = Literal["save", "resume", "archive", "unarchive", "list", "compare"]
STATES = Patterns("ai.agents.wishes", "states", {"POLITE": POLITE})


@dataclass(frozen=True, slots=True)
class StateWish:
    """A wish about saved states. Only a list has no `name`."""

    verb: StateVerb
    name: str = ""
    next_steps: tuple[str, ...] = ()


def state_wish(text: str) -> StateWish | None:
    found = STATES.first(text)
    if found is None:
        return None
    verb, said = found
    steps = tuple(step.strip() for step in (said.get("next") or "").split(";") if step.strip())
    return StateWish(cast(StateVerb, verb), said.get("name") or "", steps)
