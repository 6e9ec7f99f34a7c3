"""Large values in lines of data: {"$text": [text, times]} and {"$list": [item, times]} written out."""

from typing import Any


def written_out(value: Any, **names: str) -> Any:
    """`value` with its repetitions written out, and every text "$name" replaced by the value given for that name."""
    if isinstance(value, str):
        return names.get(value[1:], value) if value.startswith("$") else value
    if isinstance(value, list):
        return [written_out(inner, **names) for inner in value]
    if not isinstance(value, dict):
        return value
    if "$text" in value:
        text, times = value["$text"]
        return text * times
    if "$list" in value:
        item, times = value["$list"]
        return [written_out(item, **names)] * times
    return {name: written_out(inner, **names) for name, inner in value.items()}
