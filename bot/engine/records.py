"""Store steps as small JSON, values and failures alike.

A resumed turn sees the same values as the first run. Our errors come back as themselves; others keep only their name,
since their text may quote people.
"""

import json
from typing import Any

from ai.errors import DatathreadError

MAX_CHARACTERS = 4096


class StepFailed(Exception):
    """An earlier error outside our tree; the message is its class name."""


def small_json(name: str, value: Any) -> Any:
    """Return `value` as it will be read back. Raises TypeError or ValueError for anything else or longer."""
    try:
        text = json.dumps(value, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise TypeError(f"Step {name!r} must return ids or small JSON: {error}.") from error
    if len(text) > MAX_CHARACTERS:
        raise ValueError(f"Step {name!r} returned {len(text)} characters; store them and return their id instead.")
    return json.loads(text)


def serialize(value: Any) -> str:
    return json.dumps({"raised": _described(value)} if isinstance(value, Exception) else {"value": value})


def deserialize(stored: str) -> Any:
    """Return the value of a step. Raises the error that it raised."""
    record = json.loads(stored)
    if "raised" in record:
        raise _raised(record["raised"])
    return record["value"]


def _described(error: Exception) -> dict[str, Any]:
    name = type(error).__name__
    if not isinstance(error, DatathreadError):
        return {"name": name}
    return {"name": name, "args": [_plain(arg) for arg in error.args], "facts": _plain(vars(error))}


def _plain(fact: Any) -> Any:
    if isinstance(fact, dict):
        return {str(key): _plain(value) for key, value in fact.items()}
    if isinstance(fact, bool | int | float | None):
        return fact
    return str(fact)[: MAX_CHARACTERS // 4]


def _raised(record: dict[str, Any]) -> Exception:
    kind = _our_errors().get(record["name"])
    if kind is None:
        return StepFailed(record["name"])
    error = kind.__new__(kind)  # each kind has its own constructor; what it made of its arguments is what was stored
    error.args = tuple(record["args"])
    vars(error).update(record["facts"])
    return error


def _our_errors() -> dict[str, type[DatathreadError]]:
    kinds = [DatathreadError]
    for kind in kinds:
        kinds.extend(kind.__subclasses__())
    return {kind.__name__: kind for kind in kinds}
