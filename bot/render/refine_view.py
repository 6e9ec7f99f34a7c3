"""The modal behind “Refine”: one menu for each part of the answer. Pure."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from html import unescape
from typing import Any

from ai.agents.querying.refinements import ChoiceOfPart, Refinable
from bot.render.buttons import label_text
from bot.render.modal import modal
from bot.render.text import Block, visible

REFINEMENT = "refine:parts"
MENU = "menu"
MOST_QUERIES = 2**53
MOST = 100  # options of a menu
MOST_LENGTH = 75
CONTEXT_LENGTH = 1_000
LABELS = {"figure": "Figure", "time": "Period", "only": "Only where", "per": "For each", "show": "Show"}
EMPTY = {"only": "No condition", "per": "Nothing: one figure in all"}


@dataclass(frozen=True, slots=True)
class Refining:
    """The answer to refine: its query, its thread, and the press that opened the modal."""

    query_id: int
    channel: str
    thread_ts: str
    action_ts: str


def refine_view(place: Refining, answer: Refinable) -> Block:
    """Return the modal, with what holds now chosen."""
    stays = [_context(f"Also holds: {answer.untouched}")] if answer.untouched else []
    blocks = [_context(f"“{answer.question}”"), *_menus(answer.parts), *stays]
    return modal(REFINEMENT, "Refine", "Ask", blocks, asdict(place))


def chosen_parts(view: Mapping[str, Any]) -> tuple[Refining, dict[str, list[str]]]:
    """Return the answer to refine, and the names that a sent modal has for each part."""
    values: Mapping[str, Any] = view["state"]["values"]
    picks = {part: [unescape(option["text"]["text"]) for option in _picked(values[part][MENU])] for part in values}
    place = Refining(**json.loads(view["private_metadata"]))
    if not (picks and isinstance(place.query_id, int) and 0 < place.query_id < MOST_QUERIES and is_text(place)):
        raise ValueError("This form names no answer.")
    return place, picks


def is_text(place: Refining) -> bool:
    return all(isinstance(part, str) for part in (place.channel, place.thread_ts, place.action_ts))


def _picked(state: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    one = state.get("selected_option")
    return [one] if one else state.get("selected_options") or ()


def _menus(parts: Iterable[ChoiceOfPart]) -> list[Block]:
    return [_menu(part) for part in parts if any(map(_fits, part.options)) and all(map(_fits, part.kept))]


def _fits(name: str) -> bool:
    """Whether a menu can hold a name whole and give it back as it is."""
    return 0 < len(name) <= MOST_LENGTH and visible(name) == name == name.strip()


def _menu(part: ChoiceOfPart) -> Block:
    names = list(filter(_fits, part.options))[:MOST]
    options = {name: {"text": label_text(name), "value": str(number)} for number, name in enumerate(names)}
    label = LABELS[part.name] + (f" ({part.day})" if part.day else "")
    return {
        "type": "input",
        "block_id": part.name,
        "label": label_text(label),
        "optional": part.many,
        "element": {
            "action_id": MENU,
            "options": list(options.values()),
            **_kind(part, [options[name] for name in part.kept if name in options]),
        },
    }


def _kind(part: ChoiceOfPart, kept: Sequence[Block]) -> Block:
    if part.many:
        empty = {"placeholder": label_text(EMPTY[part.name])}
        return {"type": "multi_static_select", **empty, **({"initial_options": list(kept)} if kept else {})}
    return {"type": "static_select", **({"initial_option": kept[0]} if kept else {})}


def _context(text: str) -> Block:
    words = visible(text)[:CONTEXT_LENGTH]
    return {"type": "context", "elements": [{"type": "plain_text", "text": words, "emoji": False}]}
