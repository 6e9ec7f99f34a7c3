"""Reads a message as steps over the last result. Pure.

Every word must fit the result: a column, a value, its number of rows. All else is a question for the analyst, and so
are filters and rankings of a result with a LIMIT, unless the message says “of these”.
"""

import re
from dataclasses import replace

from ai.agents.wishes.step_rules import IT, OF_VALUES, RULES, ResultShape
from ai.results.steps import Sort, Step

OPENING = re.compile(
    r"^(?:(?:please|pls|ok|okay|and|now|then|can you|could you|would you|i want to see|let'?s)[, ]+)*", re.IGNORECASE
)
CLOSING = re.compile(r"[ ,]*(?:,? please|instead|now|again|in (?:a|the) table|as a table)*[?.! ]*$", re.IGNORECASE)
MEANT = re.compile(r"\b(?:these|those|them|this result|this table|this list)\b", re.IGNORECASE)
NEXT = re.compile(
    r",? (?:and )?then |(?:,| and|, and) (?=show|keep|take|sort|order|only|just|the top|without|drop|hide)",
    re.IGNORECASE,
)
SHOW = re.compile(
    rf"(?:as )?(?:a |the )?table|(?:show|give|display)(?: me)? {IT}(?: (?:again|(?:as|in) (?:a|the) table))*"
    rf"|(?:show|give)(?: me)? (?:a|the) table"
    rf"|(?:(?:show|give|see|display)(?: me)? )?(?:just )?the (?:exact |actual |raw |underlying )?"
    rf"(?:numbers|figures|values)"
    rf"(?: (?:behind|of|for|in|under|from) (?:{IT}|the (?:chart|graph|plot|answer)))?(?: again)?",
    re.IGNORECASE,
)


def sounds_like_steps(text: str) -> bool:
    """Whether the words alone read as steps; a value to keep may as well be one of the database."""
    plain, is_shown = _plain(text)
    rules = [pattern for pattern, _, build in RULES if build not in OF_VALUES]
    return is_shown or all(any(pattern.fullmatch(part) for pattern in rules) for part in NEXT.split(plain))


def may_be_steps(text: str) -> bool:
    """Whether the words may be steps over rows not looked at yet."""
    plain, is_shown = _plain(text)
    return is_shown or all(any(pattern.fullmatch(part) for pattern, *_ in RULES) for part in NEXT.split(plain))


def read_steps(text: str, facts: ResultShape) -> tuple[Step, ...] | None:
    """Return the steps, () to show the result again, None if the message is not about the result."""
    plain, is_shown = _plain(text)
    if is_shown:
        return ()
    steps: list[Step] = []
    for part in NEXT.split(plain):
        found = _step(part, _after(facts, steps), meant=bool(MEANT.search(plain)))
        if not found:
            return None
        steps += found
    return tuple(steps)


def _plain(text: str) -> tuple[str, bool]:
    """Return the words without their courtesies, and whether they ask to show the result again."""
    opened = OPENING.sub("", " ".join(text.split()))
    plain = CLOSING.sub("", opened)
    return plain, bool(SHOW.fullmatch(opened.rstrip("?.! ")) or SHOW.fullmatch(plain))


def _after(facts: ResultShape, steps: list[Step]) -> ResultShape:
    """Return the facts after an order: “first” then means the first rows."""
    return replace(facts, numbers=()) if any(isinstance(step, Sort) for step in steps) else facts


def _step(part: str, facts: ResultShape, *, meant: bool) -> tuple[Step, ...] | None:
    for pattern, needs_whole, build in RULES:
        said = pattern.fullmatch(part)
        if said and (facts.whole or meant or not needs_whole) and (steps := build(said, facts)):
            return steps
    return None
