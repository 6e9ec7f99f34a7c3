"""Functions of a few plain values, called with many: `python -m tests.calls` writes anew what each gives.

A line of `tests/unit/ai/calls.jsonl` or `tests/unit/bot/functions.jsonl` names the function (`call`) and the arguments
of each of its calls (`with`); `gives` has what comes back, or the sentence of the error. What JSON has no word for is an
object with its kind: {"date": …}, {"time": …}, {"zone": …}, {"decimal": …}, {"bytes": …} in Latin-1, and {"named": {…}}
for arguments by name.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from decimal import Decimal
from importlib import import_module
from typing import Any
from zoneinfo import ZoneInfo

from ai.errors import DatathreadError
from tests.paths import ROOT

CALLS, BOT_CALLS = ROOT / "tests/unit/ai/calls.jsonl", ROOT / "tests/unit/bot/functions.jsonl"
READ: Mapping[str, Callable[[Any], Any]] = {
    "date": date.fromisoformat,
    "time": datetime.fromisoformat,
    "zone": ZoneInfo,
    "decimal": Decimal,
    "bytes": lambda text: text.encode("latin-1"),
}


def given(line: Mapping[str, Any]) -> list[Any]:
    """Call the function of a line once for each of its arguments."""
    module, _, name = line["call"].partition(":")
    found = import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    return [_called(found, arguments) for arguments in line["with"]]


def _called(function: Any, arguments: list[Any]) -> Any:
    read = [_read(each) for each in arguments]
    named = read.pop()["named"] if read and isinstance(read[-1], dict) else {}
    try:
        return plain(function(*read, **named))
    except (DatathreadError, ValueError) as error:
        return {"raises": str(error)}


def _read(value: Any) -> Any:
    if isinstance(value, dict) and len(value) == 1:
        ((kind, its),) = value.items()
        return READ[kind](its) if kind in READ else {kind: {name: _read(each) for name, each in its.items()}}
    return [_read(each) for each in value] if isinstance(value, list) else value


def plain(value: Any) -> Any:
    """Write a value as JSON has it: sets in order, fields of values by their names."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(name): plain(each) for name, each in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(map(plain, value))
    return [plain(each) for each in value] if hasattr(value, "__iter__") else str(value)


if __name__ == "__main__":
    for place in (CALLS, BOT_CALLS):
        lines = [json.loads(line) for line in place.read_text("utf-8").splitlines()]
        lines = [{**line, "gives": given(line)} for line in lines]
        place.write_text("".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines), "utf-8")
