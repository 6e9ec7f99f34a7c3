"""Data in a prompt: fenced, every value a JSON string, so no stored text can act as an instruction."""

import re
from collections.abc import Iterable
from json import dumps

from ai.types import Json

OPEN, CLOSE = "<data>", "</data>"
PLAIN = re.compile(r"[^\W\d]\w{0,63}")
TURNING = (*range(0x2028, 0x202F), *range(0x2060, 0x206A))  # new lines, turned directions, invisible operators
SMUGGLED = (*range(0xE0000, 0xE0080),)  # invisible twins of ASCII, which models read
UNSAFE = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>"} | {
    code: dumps(chr(code))[1:-1] for code in (*range(0x7F, 0xA0), *TURNING, *SMUGGLED)
}
TEXT = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|\d[\d.,:-]*")
MASK = "…"


def quoted(value: Json) -> str:
    """Return a value as one line of JSON, without `<`, `>` and hidden characters."""
    return dumps(value, ensure_ascii=False).translate(UNSAFE)


def name(identifier: str) -> str:
    return identifier if PLAIN.fullmatch(identifier) else quoted(identifier)


def line(**parts: Json) -> str:
    return quoted({key: value for key, value in parts.items() if value not in ("", None, [], {})})


def fenced(lines: Iterable[str]) -> str:
    return "\n".join((OPEN, *lines, CLOSE))


def masked(text: str, known: str) -> str:
    """Hide the literals and numbers of SQL or a message unless they stand in `known`."""
    said = known.lower()
    return TEXT.sub(lambda found: found[0] if found[0].strip("'\"").lower() in said else f"'{MASK}'", text)
