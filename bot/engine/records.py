"""What is stored of a turn: small JSON, values and failures alike.

The idea: a resumed turn must see exactly what the first run saw. So a step's value goes through JSON on the first run
too, and one of our own errors comes back as itself. Any other error is stored by its name only: its text may quote a
person's words, which would stand here until the turn is forgotten or pruned. Does not pickle.
"""

import json
from typing import Any

from dbos import Serializer

from ai.errors import DatathreadError

MAX_CHARACTERS = 4096


class StepFailed(Exception):
    """A step of an earlier run of this turn ended in an error that is not one of ours; the message is its name."""


def small_json(name: str, value: Any) -> Any:
    """`value` as it will be read back. TypeError when it is not JSON, ValueError when it is not small."""
    try:
        text = json.dumps(value, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise TypeError(f"Step {name!r} must return ids or small JSON: {error}.") from error
    if len(text) > MAX_CHARACTERS:
        raise ValueError(f"Step {name!r} returned {len(text)} characters; store them and return their id instead.")
    return json.loads(text)


class JsonRecords(Serializer):
    """How DBOS writes inputs, outputs and errors: an envelope that holds either a value or what was raised."""

    def name(self) -> str:
        return "datathread_json"

    def serialize(self, data: Any) -> str:
        return json.dumps({"raised": _described(data)} if isinstance(data, Exception) else {"value": data})

    def deserialize(self, serialized_data: str) -> Any:
        record = json.loads(serialized_data)
        return _raised(record["raised"]) if "raised" in record else record["value"]


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
