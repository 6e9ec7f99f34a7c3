"""Weigh how a message is worded, and where it stands in its thread, as a logistic regression.

`features.jsonl` lists the features, `weights.json` their weights; `benchmarks/manners.py` fits the
weights.
"""

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files

from ai.language.remarks import in_full
from bot.listeners.manners.features import Line, features

# Among people a wrong word from us annoys more than a question left open.
BOUND_ALONE, BOUND_AMONG_PEOPLE = 0.5, 0.6
OF_US = re.compile(
    r"^\W*(?:(?:and|so|but|ok(?:ay)?|wait)\W+)*(?:help(?: me)?|(?:who|what) are you|(?:are|r) (?:you|u) sure"
    r"|is (?:that|this|it) (?:right|correct|true)|(?:what|how (?:many|much)|which (?:figure|number)s?) did (?:you|i) "
    r"(?:say|tell me|answer|ask)\b.*|what (?:was|were) my (?:first|last|previous) (?:questions?|messages?)\b.*)\W*$",
    re.IGNORECASE,
)  # with nobody else there, it is about us
IN_A_WORD = re.compile(
    r"^\W*(?:and )?(?!(?:really|seriously|what|huh|wait|sure|right|ok|okay|no|yes|wtf|eh|hm+|any(?:one|body)|you|me|him|her"
    r"|us|lol|wow|lunch|coffee|hello|hi|hey|thoughts|opinions?|ideas?|ready|done|agreed|deal|same|true|correct|honestly|so"
    r"|then|now|who|say|come on|guys|everyone|all good|any|thanks|thx|cheers|nice|great|cool|good)\b)(?!@)"
    r"[a-z][a-z'-]{2,}(?: [a-z][a-z'-]+)? ?\?+\s*$",
    re.IGNORECASE,
)  # “paused?” after a number of them
QUESTION = re.compile(
    r"^\W*(?:(?:and|so|but|ok(?:ay)?)\W+)*(?:what|which|how (?:many|much)|who|whose|when|where) (?!an?\b)[\w'-]+ [\w'-]+",
    re.IGNORECASE,
)  # “what apps does Basalt have”
OPENED = re.compile(
    r"^\W*(?:(?:thx|thanks?(?: you)?|ty|cheers)\b(?: a lot| so much)?"
    r"|(?:(?:ok(?:ay)?|so|and|one),? )*(?:new|another|different|next|other|more|last)"
    r" (?:q|question|one|thing|topic))\W+"
    r"(?=(?:what|which|who|whose|when|where|how|show|list|is|are|was|were|does|did)\b)",
    re.IGNORECASE,
)


def wants_answer(
    thread: Sequence[Line], said: Line, minutes: float, names_data: Callable[[str], bool] = lambda _: False
) -> bool:
    """Whether a message in a thread we are in wants an answer.

    `thread` has the lines before, oldest first; `minutes` passed since the last one. Our own commands, and a verdict or
    a "why" right after an answer, are for us against any weights; where nobody else talks so are a step on from an
    answer, the pick of a choice, and a question or a few words that name what the data hold, by `names_data`.
    """
    found = features(thread, said, minutes)
    if found["command"] or (found["after us"] and (found["judges"] or found["why"])):
        return True
    facing = found["after us"] and found["alone with us"]
    if facing and IN_A_WORD.match(said.text):
        return True
    if facing and (found["steps on"] or (found["offered"] and found["picks"]) or OF_US.match(said.text)):
        return True
    if probability(found, _weights()) >= bound(found):
        return True
    if not facing:
        return False
    asked = OPENED.sub("", said.text)
    if asked != said.text:
        return wants_answer(thread, replace(said, text=asked), minutes, names_data)
    return (found["alone fragment"] or QUESTION.match(said.text) is not None) and names_data(in_full(said.text))


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
