"""Data in a prompt: fenced, every value a JSON string, so that nothing that stands in a database can be an instruction.

Cells, comments, names and what people said are other people's words. They stand between `<data>` and `</data>` only, and
no character of theirs can end the fence or a string. With privacy on, values that nobody said are masked.
"""

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
    """A value as JSON on one line that holds neither `<` nor `>`, nor characters that hide what stands there."""
    return dumps(value, ensure_ascii=False).translate(UNSAFE)


def name(identifier: str) -> str:
    """The name of a table or a column: as it is when it is a plain word, else as a JSON string."""
    return identifier if PLAIN.fullmatch(identifier) else quoted(identifier)


def line(**parts: Json) -> str:
    """One line of data: what is empty is left out."""
    return quoted({key: value for key, value in parts.items() if value not in ("", None, [], {})})


def fenced(lines: Iterable[str]) -> str:
    """Lines that are safe already, inside the fence."""
    return "\n".join((OPEN, *lines, CLOSE))


def masked(text: str, known: str) -> str:
    """A text of SQL or of a database's message whose literals and numbers are hidden unless they stand in `known`."""
    said = known.lower()
    return TEXT.sub(lambda found: found[0] if found[0].strip("'\"").lower() in said else f"'{MASK}'", text)
