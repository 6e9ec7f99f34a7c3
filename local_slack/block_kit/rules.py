"""A small language for Block Kit: a rule yields what is wrong with a value, and where.

Rules combine rules and know no block. Names such as "section.text" stand for rows of the limits.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from local_slack.limits import Limits

Problem = tuple[str, str]  # (what is wrong, JSON pointer from the value that was looked at)
Rule = Callable[[Any, Limits], Iterator[Problem]]


def text(most: str = "", least: int = 1, pattern: str = "", hint: str = "") -> Rule:
    """A string of `least` to `most` characters; `hint` words a mismatch of `pattern`."""

    def rule(value: Any, limits: Limits) -> Iterator[Problem]:
        if not isinstance(value, str) or len(value) < least:
            yield "must be text that is not empty" if least else "must be text", ""
        elif most and len(value) > limits[most]:
            yield f"must be less than {limits.count(most) + 1} characters", ""
        elif pattern and not re.fullmatch(pattern, value):
            yield hint, ""

    return rule


def number(least: float | None = None, most: float | str | None = None, *, is_whole: bool = False) -> Rule:
    def rule(value: Any, limits: Limits) -> Iterator[Problem]:
        highest = limits[most] if isinstance(most, str) else most
        if isinstance(value, bool) or not isinstance(value, int if is_whole else int | float):
            yield "must be a whole number" if is_whole else "must be a number", ""
        elif least is not None and value < least:
            yield f"must be at least {least}", ""
        elif highest is not None and value > highest:
            yield f"must be at most {highest:g}", ""

    return rule


def flag(value: Any, _limits: Limits) -> Iterator[Problem]:
    if not isinstance(value, bool):
        yield "must be true or false", ""


def anything(_value: Any, _limits: Limits) -> Iterator[Problem]:
    yield from ()


def one_of(*words: str) -> Rule:
    def rule(value: Any, _limits: Limits) -> Iterator[Problem]:
        if value not in words:
            yield f"must be one of {', '.join(words)}", ""

    return rule


def list_of(item: Rule, least: int = 1, most: str = "") -> Rule:
    def rule(value: Any, limits: Limits) -> Iterator[Problem]:
        if not isinstance(value, list):
            yield "must be a list", ""
            return
        if len(value) < least:
            yield f"must have at least {least} item{'s' if least > 1 else ''}", ""
        elif most and len(value) > limits[most]:
            yield f"no more than {limits.count(most)} items allowed", ""
        for index, inner in enumerate(value[: limits.count(most)] if most else value):
            yield from _at(f"/{index}", item(inner, limits))

    return rule


def fields(
    required: Mapping[str, Rule] | None = None, optional: Mapping[str, Rule] | None = None, *further: Rule
) -> Rule:
    """An object of exactly these fields; optional ones may be null. `further` rules see a sound object only."""
    needed, allowed = required or {}, {**(required or {}), **(optional or {})}

    def rule(value: Any, limits: Limits) -> Iterator[Problem]:
        if not isinstance(value, dict):
            yield "must be an object", ""
            return
        found = False
        for problem in _fields_problems(value, limits, needed, allowed):
            found = True
            yield problem
        if not found:
            for check in further:
                yield from check(value, limits)

    return rule


def by_type(kinds: Mapping[str, Rule], what: str = "type") -> Rule:
    """An object whose `type` names its rule."""

    def rule(value: Any, limits: Limits) -> Iterator[Problem]:
        kind = value.get("type") if isinstance(value, dict) else None
        if isinstance(kind, str) and kind in kinds:
            yield from kinds[kind](value, limits)
        else:
            yield f"unsupported {what}: {kind}", "/type"

    return rule


def only_one_of(*names: str) -> Rule:
    def rule(value: Any, _limits: Limits) -> Iterator[Problem]:
        if sum(value.get(name) is not None for name in names) != 1:
            yield f"needs either {' or '.join(names)}", ""

    return rule


def some_of(*names: str) -> Rule:
    def rule(value: Any, _limits: Limits) -> Iterator[Problem]:
        if all(value.get(name) in (None, [], "") for name in names):
            yield f"needs {' or '.join(names)}", ""

    return rule


def _fields_problems(
    value: Any, limits: Limits, needed: Mapping[str, Rule], allowed: Mapping[str, Rule]
) -> Iterator[Problem]:
    for name in needed:
        if value.get(name) is None:
            yield f"missing required field: {name}", ""
    for name, inner in value.items():
        if name not in allowed:
            yield f"invalid additional property: {name}", ""
        elif inner is not None:
            yield from _at(f"/{name}", allowed[name](inner, limits))


def _at(pointer: str, problems: Iterator[Problem]) -> Iterator[Problem]:
    return ((problem, pointer + below) for problem, below in problems)
