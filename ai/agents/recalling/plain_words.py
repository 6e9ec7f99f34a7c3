"""Turns the Markdown of earlier replies into plain words for a quotation. Pure."""

import re

LONGEST = 300  # characters of a quotation
FENCED = re.compile(r"```\w*\n.*?(?:```|\Z)", re.DOTALL)
MARKS = re.compile(r"(?<!\\)(?:\*\*|`)|(?<![\w\\])_(?=\S)|(?<=[^\s\\])_(?!\w)")
BULLET = re.compile(r"^\s*(?:[-*] |#+ |> )", re.MULTILINE)
ESCAPED = re.compile(r"\\([\\`*_{}\[\]()<>#+\-.!|~&@:])")


def plain_words(markdown: str, most: int = LONGEST) -> str:
    """Return the words without marks, code and line breaks, cut to `most` characters."""
    bare = ESCAPED.sub(r"\1", MARKS.sub("", BULLET.sub("", FENCED.sub(" ", markdown))))
    words = " ".join(bare.split())
    return words if len(words) <= most else f"{words[:most].rsplit(' ', 1)[0]}…"
