"""Markdown becomes Slack text: rich text blocks, which Slack never parses, and a plain fallback.

Data values arrive escaped with backslashes. In rich text `<!channel>` and `*bold*` stay plain characters; the fallback
has its `& < >` escaped.
"""

import re
from collections.abc import Iterator
from typing import Any

Block = dict[str, Any]
INLINE = re.compile(
    r"(?<!\\)(?:\*\*(?P<bold>(?:\\.|[^*\\])+)\*\*|(?<!\w)_(?P<italic>(?:\\.|[^_\\])+)_(?!\w)|`(?P<code>[^`]+)`)"
)
ESCAPED = re.compile(r"\\([\\`*_{}\[\]()<>#+\-.!|~&@:])")
FENCE = re.compile(r"```\w*\n(.*?)\n?```", re.DOTALL)
FENCED = re.compile(f"({FENCE.pattern.replace('(.*?)', '.*?')})", re.DOTALL)
HIDDEN = re.compile("[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\x00-\x08\x0b-\x1f\x7f]")
CODE_LENGTH = 8000


def rich_text(markdown: str) -> Block:
    """Return one rich text block: paragraphs, bullets, fenced code, bold, italic, code."""
    elements: list[Block] = []
    for index, part in enumerate(FENCE.split(markdown)):
        if index % 2:
            elements.append(preformatted(part))
        else:
            elements.extend(_paragraphs(part))
    return {"type": "rich_text", "elements": elements or [_section(" ")]}


def preformatted(text: str) -> Block:
    """Return a code block element; no text can end it."""
    if len(text) > CODE_LENGTH:
        text = f"{text[:CODE_LENGTH]}\n… and {len(text) - CODE_LENGTH:,} more characters"
    return {"type": "rich_text_preformatted", "elements": [_text(text)]}


def plain(markdown: str) -> str:
    """Return the words of a Markdown text; code keeps its fence."""
    words = [part if index % 2 else _unformatted(part) for index, part in enumerate(FENCED.split(markdown))]
    return visible("".join(words))


def fallback(markdown: str) -> str:
    """Return the text of notifications and screen readers, escaped for Slack."""
    return escape(plain(markdown))


def escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def visible(text: str) -> str:
    return HIDDEN.sub("", text)


def cut(text: str, most: int) -> str:
    """Return a text of at most that many characters, with an ellipsis for the rest."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _unformatted(text: str) -> str:
    words = INLINE.sub(lambda found: found["bold"] or found["italic"] or found["code"], text)
    return _unescaped(words)


def _paragraphs(text: str) -> Iterator[Block]:
    bullets: list[Block] = []
    lines: list[str] = []
    for line in [*text.strip("\n").split("\n"), ""]:
        if line.startswith("- "):
            if lines:
                yield _section("\n".join(lines) + "\n")
                lines = []
            bullets.append(_section(line[2:]))
            continue
        if bullets:
            yield {"type": "rich_text_list", "style": "bullet", "elements": bullets}
            bullets = []
        lines.append(line)
    if text_left := "\n".join(lines).strip("\n"):
        yield _section(text_left)


def _section(text: str) -> Block:
    return {"type": "rich_text_section", "elements": list(_inline(text))}


def _inline(text: str) -> Iterator[Block]:
    start = 0
    for found in INLINE.finditer(text):
        if found.start() > start:
            yield _text(_unescaped(text[start : found.start()]))
        style = str(found.lastgroup)
        words = found[style]
        yield {**_text(words if style == "code" else _unescaped(words)), "style": {style: True}}
        start = found.end()
    if start < len(text):
        yield _text(_unescaped(text[start:]))


def _unescaped(text: str) -> str:
    return ESCAPED.sub(r"\1", text)


def _text(text: str) -> Block:
    return {"type": "text", "text": visible(text) or " "}
