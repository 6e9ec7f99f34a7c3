"""What is wrong with a setting or a file, in a sentence."""

from collections.abc import Callable

from pydantic import ValidationError


def first_problem(error: ValidationError, spell: Callable[[str], str]) -> str:
    """Return the first problem as a sentence: the name, the value unless it may be a secret, the rule."""
    problem = error.errors(include_url=False)[0]
    name = ".".join(spell(str(part)) for part in problem["loc"]) or "the file"
    if problem["type"] in ("missing", "extra_forbidden"):
        return f"{name} is {'missing' if problem['type'] == 'missing' else 'not a known setting'}."
    value = f" is {problem['input']!r}" if _may_be_shown(str(problem["loc"][-1:]), problem["input"]) else ""
    return f"{name}{value}: {problem['msg'][0].lower()}{problem['msg'][1:]}."


def _may_be_shown(field: str, value: object) -> bool:
    is_plain = isinstance(value, str | float | int) and "://" not in str(value)
    is_count = "_tokens" in field and str(value).lstrip("-").isdecimal()  # of what a model reads: no secret
    return is_plain and ("token" not in field or is_count) and "url" not in field
