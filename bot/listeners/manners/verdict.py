"""Weigh how a message is worded, and where it stands in its thread, as a logistic regression.

`features.jsonl` lists the features, `weights.json` their weights; `benchmarks/manners.py` fits the
weights.
"""

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files

from bot.listeners.manners.features import Line, features

# Among people a wrong word from us annoys more than a question left open.
BOUND_ALONE, BOUND_AMONG_PEOPLE = 0.5, 0.6
THANKS = re.compile(
    r"^\W*(?:thx|thanks?(?: you)?|ty|cheers)\b(?: a lot| so much)?\W+"
    r"(?=(?:what|which|who|whose|when|where|how|show|list|is|are|was|were|does|did)\b)",
    re.IGNORECASE,
)


def wants_answer(thread: Sequence[Line], said: Line, minutes: float) -> bool:
    """Return whether a message in a thread we are in wants an answer.

    `thread` has the lines before, oldest first; `minutes` passed since the last one. Our own commands, and a verdict or
    a "why" right after an answer, are for us against any weights; so is a step on from an answer, or the pick of a
    choice we offer, where nobody else talks. Thanks before a question take nothing from it there.
    """
    found = features(thread, said, minutes)
    if found["command"] or (found["after us"] and (found["judges"] or found["why"])):
        return True
    if found["after us"] and found["alone with us"] and (found["steps on"] or (found["offered"] and found["picks"])):
        return True
    if probability(found, _weights()) >= bound(found):
        return True
    asked = THANKS.sub("", said.text) if found["after us"] and found["alone with us"] else said.text
    return asked != said.text and wants_answer(thread, replace(said, text=asked), minutes)


def bound(found: Mapping[str, bool]) -> float:
    """Return the least probability of a message we answer."""
    return BOUND_ALONE if found["alone with us"] else BOUND_AMONG_PEOPLE


def probability(found: Mapping[str, bool], weights: Mapping[str, float]) -> float:
    score = sum(weight for name, weight in weights.items() if found.get(name, False))
    return 1 / (1 + math.exp(-score))


@cache
def _weights() -> dict[str, float]:
    weights: dict[str, float] = json.loads(files("bot.listeners.manners").joinpath("weights.json").read_text("utf-8"))
    return weights
